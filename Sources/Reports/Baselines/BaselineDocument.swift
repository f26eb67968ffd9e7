// The baselines of a folder, as a table and for programs.
package import Analysis

/// The readable baselines of a folder.
package struct BaselineDocument: CommandDocument {
  package static let title = "The baselines of a folder"

  struct Baseline: Codable {
    var name: String
    var finished: String
    var commit: RepositoryCommit?
    var machine: String
    var scenarios: [String]
    var cells: Int
  }

  var baselines: [Baseline]

  package init(_ baselines: [(name: String, results: Report)]) {
    self.baselines = baselines.map { name, results in
      Baseline(
        name: name, finished: results.run.finished, commit: results.run.commit, machine: results.run.machine,
        scenarios: results.scenarios.map(\.name), cells: results.scenarios.reduce(0) { $0 + $1.cells.count })
    }
  }

  /// One line for each baseline: when and on what machine it was measured, and its scenarios.
  package static func markdown(of baselines: [(name: String, results: Report)]) -> String {
    var table = Table(
      "Baseline",
      [.text("Finished"), .text("Commit"), .text("Machine"), .text("Scenarios"), .number("Cells")])
    for (name, results) in baselines {
      table.append(
        name,
        [
          .text(results.run.finished), .text(results.run.commit.map { "\($0)" } ?? ""), .text(results.run.machine),
          .text(results.scenarios.map(\.name).joined(separator: ", ")),
          .count(results.scenarios.reduce(0) { $0 + $1.cells.count }),
        ])
    }
    var document = Document()
    if table.isEmpty { document.paragraph("There are no baselines yet.") } else { document.table(table) }
    return document.markdown
  }
}
