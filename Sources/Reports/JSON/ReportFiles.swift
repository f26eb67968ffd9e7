// Where a report was written, as commands print it for programs.

/// The files of a report that a program reads on, or hands to people.
package struct ReportFiles: Codable, Sendable {
  var folder: String
  var html: String
  var markdown: String
  /// results.json or pair.json; absent where each machine has its own.
  var results: String?
  var junit: String?
  /// The causes of changes; absent where nothing was to be explained.
  var explanation: String?

  package init(_ report: WrittenReport) {
    (folder, html, markdown, results) = (report.directory, report.html, report.markdown, report.results)
  }

  package init(_ report: PairReportWriter.Files) {
    (folder, html, markdown, results) = (report.directory, report.html, report.markdown, report.results)
    (junit, explanation) = (report.junit, report.explanation)
  }

  /// What machines say together, each with a report of its own in `shard-K`.
  package init(machinesIn folder: String) {
    // The names are those of one machine's report.
    let report = WrittenReport(directory: folder)
    (self.folder, html, markdown) = (report.directory, report.html, report.markdown)
  }
}
