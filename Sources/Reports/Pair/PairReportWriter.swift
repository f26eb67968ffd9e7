// All files of a paired comparison, written together.
internal import Analysis
package import Harness
internal import SystemPackage

/// Writes a comparison's results as files.
package struct PairReportWriter: Sendable {
  /// Where the files are.
  package struct Files: Sendable, Hashable {
    package let markdown: String
    package let junit: String
    package let results: String
  }

  private let directory: String

  /// - Parameter directory: Where the files go; created, with those above it, when it is missing.
  package init(directory: String) { self.directory = directory.isEmpty ? "." : directory }

  /// Writes every file, in place of older ones of the same name; a reader never sees half a file.
  ///
  /// - Returns: The paths of the files.
  /// - Throws: ``ReportError`` naming the file, the system's reason and what to do.
  @discardableResult
  package func write(_ results: PairResults) throws(ReportError) -> Files {
    func path(_ name: String) -> String { FilePath(directory).appending(name).string }
    let files = Files(markdown: path("report.md"), junit: path("junit.xml"), results: path("pair.json"))
    try publish(
      [
        (files.markdown, PairMarkdown.render(results)), (files.junit, PairJUnit.render(results)),
        (files.results, try PairFile.render(results)),
      ], in: directory)
    return files
  }
}
