// Failed samples grouped by cell, pass and reason, so that a cell that always fails is listed once.
package import Harness
internal import BatchmarkEngine

/// Failures of one cell in one pass with the same reason.
package struct FailureGroup: Sendable, Hashable {
  package var first: FailedSample
  /// The cell's name in the report.
  package var label: String
  package var rounds: [Int]

  private func holds(_ other: FailedSample) -> Bool {
    first.cell == other.cell && first.pass == other.pass && first.reason == other.reason
      && first.standardError == other.standardError
  }

  static func all(in scenario: ScenarioReport) -> [FailureGroup] {
    var groups: [FailureGroup] = []
    for cell in scenario.cells {
      for failure in cell.failures {
        if let known = groups.firstIndex(where: { $0.holds(failure) }) {
          groups[known].rounds.append(failure.round)
        } else {
          groups.append(FailureGroup(first: failure, label: cell.label, rounds: [failure.round]))
        }
      }
    }
    return groups
  }
}
