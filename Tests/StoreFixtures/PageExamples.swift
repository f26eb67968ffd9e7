// The files that a page of the documentation shows, as a reader copies them.
import Foundation

/// Examples of the documentation.
public enum PageExamples {
  /// By name, the text of each fence that stands below a comment such as `<!-- example: library.yml -->`.
  public static func files(of page: String) throws -> [String: String] {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: package.appending(path: "Documentation/" + page), encoding: .utf8)
    return Dictionary(
      text.matches(of: /<!-- example: ([a-z.]+) -->\n```[a-z]+\n((?:[^`]|\n)*?)```/).map {
        (String($0.1), String($0.2))
      }
    ) { first, _ in first }
  }
}
