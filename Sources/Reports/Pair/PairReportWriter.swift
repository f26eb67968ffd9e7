// Writes all files of a paired comparison together.
package import Analysis

/// Writes a comparison's results as files.
package struct PairReportWriter: Sendable {
  /// The name of the file with the whole comparison.
  package static let resultsName = "pair.json"

  private let directory: String

  /// - Parameter directory: The folder of the files. It and its parents are created if they are missing.
  package init(directory: String) { self.directory = directory.isEmpty ? "." : directory }

  /// Writes every file and replaces older ones with the same name.
  ///
  /// A reader never sees an incomplete file.
  ///
  /// - Returns: The paths of the files.
  /// - Throws: ``ReportError`` with the file, the system's reason and advice.
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
  /// A file of folded stacks for each side, for time and for allocations, if the side has such stacks.
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
