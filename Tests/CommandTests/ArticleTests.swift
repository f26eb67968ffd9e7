// The scenario files in the articles, copied like a reader would.
import Foundation
import MissionTags
import StoreFixtures
import Testing

@Suite("A8 · scenarios in articles", .tags(.a8))
struct ArticleTests {
  /// Each scenario file among the YAML examples, by article.
  private static let scenarios: [(name: String, text: String)] = {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = package.appending(path: "Sources/BatchmarkCLI/BatchmarkCLI.docc")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".md") }.sorted().flatMap { file in
      let text = (try? String(contentsOf: folder.appending(path: file), encoding: .utf8)) ?? ""
      let blocks = text.components(separatedBy: "```yaml\n").dropFirst().compactMap {
        $0.components(separatedBy: "```").first
      }
      return blocks.filter { $0.hasPrefix("scenario:") }.enumerated().map { ("\(file).\($0 + 1).yml", $1) }
    }
  }()

  @Test("Every scenario file in an article is valid without changes")
  func validate() async throws {
    let workspace = try Workspace()
    for (name, text) in ArticleTests.scenarios { try workspace.write(text, to: name) }
    // The sources of their rows.
    for (name, text) in try PageExamples.files(of: "SourceReference") { try workspace.write(text, to: name) }
    let names = ArticleTests.scenarios.map(\.name)
    try #require(names.count >= 4, "the articles show scenario files")
    let result = try await Program.batchmark.run(["validate"] + names, in: workspace.path)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(result.output.split(separator: "\n").count == names.count, "\(result.output)")
  }
}
