// All files of a paired comparison, written together.
package import Analysis

/// Writes a comparison's results as files.
package struct PairReportWriter: Sendable {
  /// The name of the file with the whole comparison.
  package static let resultsName = "pair.json"

  private let directory: String

  /// - Parameter directory: The folder of the files; created, with those above it, when it is missing.
  package init(directory: String) { self.directory = directory.isEmpty ? "." : directory }

  /// Writes every file, in place of older ones of the same name; a reader never sees half a file.
  ///
  /// - Returns: The paths of the files.
  /// - Throws: ``ReportError`` naming the file, the system's reason and what to do.
  @discardableResult
  package func write(_ results: PairResults) throws(ReportError) -> ReportFiles {
    func path(_ name: String) -> String { FilePath(directory).appending(name).string }
    let explanation = try ExplanationFile.render(results)
    var files = ReportFiles(machinesIn: directory)
    (files.results, files.junit) = (path(PairReportWriter.resultsName), path("junit.xml"))
    files.explanation = explanation.map { _ in path(ExplanationFile.name) }
    let document = PairMarkdown.document(results, hasPictures: true)
    let texts =
      [
        (files.markdown, document.markdown),
        (files.html, Page(title: PairMarkdown.title(of: results), document: document).html),
        (path("junit.xml"), PairJUnit.render(results)),
        (path(PairReportWriter.resultsName), try PairFile.render(results)),
      ] + (explanation.map { [(path(ExplanationFile.name), $0)] } ?? [])
      + results.comparisons.enumerated().flatMap { index, comparison in
        PairReportWriter.stackFiles(of: comparison, number: index + 1).map { (path($0.name), $0.text) }
      }
    try publish(texts, document.pictures, in: directory)
    return files
  }
}

extension PairReportWriter {
  /// A file of folded stacks for each side and for time and allocations; none of what a side has no stacks of.
  static func stackFiles(of comparison: PairComparison, number: Int) -> [(name: String, text: String)] {
    guard let profiles = comparison.profiles else { return [] }
    let kinds: [(DifferencePicture.Kind, SideStacks)] = [
      (.time, profiles.timeStacks), (.allocations, profiles.allocationStacks),
    ]
    return kinds.flatMap { kind, stacks -> [(name: String, text: String)] in
      if stacks.isOneSided { return [] }
      let name = DifferencePicture.name(kind, number: number)
      return [
        ("\(name)-base.folded", stacks.base.foldedText),
        ("\(name)-head.folded", stacks.head.foldedText),
      ]
    }
  }
}
