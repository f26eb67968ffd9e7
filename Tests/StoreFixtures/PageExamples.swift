// The files in an article, copied like a reader would.
import Foundation

/// Examples in the articles of BatchmarkCLI.
public enum PageExamples {
  /// The text of each fence below a comment such as `<!-- example: library.yml -->`, by its name.
  public static func files(of article: String) throws -> [String: String] {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = package.appending(path: "Sources/BatchmarkCLI/BatchmarkCLI.docc/\(article).md")
    let text = try String(contentsOf: file, encoding: .utf8)
    return Dictionary(
      text.matches(of: /<!-- example: ([a-z.]+) -->\n```[a-z]+\n((?:[^`]|\n)*?)```/).map {
        (String($0.1), String($0.2))
      }
    ) { first, _ in first }
  }
}
