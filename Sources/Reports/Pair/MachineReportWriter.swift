// The files of a combined report of several machines: one page with pictures, two CSV files, and each machine's own
// report.
package import Analysis
internal import Support

/// Writes the combined report of several machines, and a report for each of them.
package struct MachineReportWriter: Sendable {
  private let directory: String

  /// - Parameter directory: The folder of the files. It and its parents are created if they are missing.
  package init(directory: String) { self.directory = directory.isEmpty ? "." : directory }

  /// Writes every file and replaces older ones with the same name.
  ///
  /// Each machine's files are in a folder `shard-K`.
  ///
  /// - Parameters:
  ///   - results: One for each machine, in the comparison's order.
  ///   - comparison: Their combined results.
  /// - Returns: The path of the page in Markdown.
  /// - Throws: ``ReportError`` with the file, the system's reason and advice.
  package func write(_ results: [Report], _ comparison: MachineComparison) throws(ReportError) -> String {
    func path(_ name: String) -> String { FilePath(directory).appending(name).string }
    for (machine, one) in zip(comparison.machines, results) {
      try ReportWriter(directory: path("shard-\(machine.shard.index)")).write(one)
    }
    let document = MachineReport.document(comparison)
    let markdown = ReportWriter.File.markdown.path(in: directory)
    try publish(
      [
        (path("ratios.csv"), MachineCSV.ratios(comparison)), (path("machines.csv"), MachineCSV.machines(comparison)),
        (
          ReportWriter.File.html.path(in: directory),
          Page(title: MachineReport.title(of: comparison), document: document).html
        ), (markdown, document.markdown),
      ], document.pictures, in: directory)
    return markdown
  }

  /// Writes the comparisons of two sides, each machine's in a folder `shard-K`, and the combined verdict.
  ///
  /// - Parameter merge: The combined results of the machines.
  /// - Returns: The path of the page in Markdown, and its text.
  /// - Throws: ``ReportError`` with the file, the system's reason and advice.
  package func write(_ merge: PairMerge) throws(ReportError) -> (path: String, text: String) {
    func path(_ name: String) -> String { FilePath(directory).appending(name).string }
    for (machine, one) in zip(merge.machines, merge.results) {
      try PairReportWriter(directory: path("shard-\(machine.shard.index)")).write(one)
    }
    let document = PairMachineReport.document(merge)
    let markdown = (path: ReportWriter.File.markdown.path(in: directory), text: document.markdown)
    try publish(
      [
        (path("machines.csv"), MachineCSV.machines(merge)),
        (
          ReportWriter.File.html.path(in: directory),
          Page(title: PairMachineReport.title(of: merge), document: document).html
        ), markdown,
      ], in: directory)
    return markdown
  }
}
