// All files of what several machines say together: one page with pictures, two CSV files, and each machine's own report.
package import Analysis
internal import Support

/// Writes the common report of several machines, and a report for each of them.
package struct MachineReportWriter: Sendable {
  private let directory: String

  /// - Parameter directory: The folder of the files; created, with those above it, when it is missing.
  package init(directory: String) { self.directory = directory.isEmpty ? "." : directory }

  /// Writes every file, in place of older ones of the same name; each machine's are in a folder `shard-K`.
  ///
  /// - Parameters:
  ///   - results: One a machine, in the comparison's order.
  ///   - comparison: What they say together.
  /// - Returns: The path of the page in Markdown.
  /// - Throws: ``ReportError`` naming the file, the system's reason and what to do.
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

  /// Writes the comparisons of two sides, each machine's in a folder `shard-K`, and the verdict of all.
  ///
  /// - Parameter merge: What the machines say together.
  /// - Returns: The path of the page in Markdown, and its text.
  /// - Throws: ``ReportError`` naming the file, the system's reason and what to do.
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
