// The files of a written report, as commands list them for programs.

/// The files of a report that a program reads, or passes on to people.
package struct ReportFiles: Codable, Sendable {
  var folder: String
  package var html: String
  package var markdown: String
  /// results.json or pair.json; absent if each machine has its own.
  var results: String?
  var junit: String?
  /// The causes of changes; absent if nothing needed an explanation.
  var explanation: String?

  /// The files of a run.
  package init(ofRunIn folder: String) {
    self.init(machinesIn: folder)
    results = ReportWriter.File.results.path(in: folder)
  }

  /// The combined report of several machines.
  ///
  /// Each machine has its own report in `shard-K`.
  package init(machinesIn folder: String) {
    self.folder = folder
    html = ReportWriter.File.html.path(in: folder)
    markdown = ReportWriter.File.markdown.path(in: folder)
  }
}
