// The baselines of a folder as `baseline list` prints them for programs.
package import Analysis
internal import Harness

/// The baselines that could be read.
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
}
