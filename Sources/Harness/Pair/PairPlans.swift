// The query plans of both sides' statements, taken by a worker of each side for a gate that judges them.
internal import BatchmarkEngine
package import Support

/// The query plans of both sides' statements in the operation's phase.
package struct PairPlans: Codable, Sendable, Hashable {
  package var base: [StatementPlanRecord]
  package var head: [StatementPlanRecord]
  /// Why the plans are unknown, in one sentence; `nil` if they are known.
  package var gap: String?

  package init(base: [StatementPlanRecord] = [], head: [StatementPlanRecord] = [], gap: String? = nil) {
    self.base = base
    self.head = head
    self.gap = gap
  }
}

package struct StatementPlanRecord: Codable, Sendable, Hashable {
  package var sql: String
  package var plan: String

  package init(sql: String, plan: String) {
    self.sql = sql
    self.plan = plan
  }
}

extension PairPlans {
  /// Takes the plans of a pair of cells.
  ///
  /// If a worker fails, the comparison does not fail: ``gap`` has the reason, and nothing is judged.
  ///
  /// - Parameters:
  ///   - base: The base side; its scenario has exactly one cell.
  ///   - head: The head side, likewise.
  ///   - directories: The folders of the samples.
  ///   - cancellation: Ends it early.
  /// - Throws: `CancellationError` if it was cancelled, ``OutputError`` if a sample's folder cannot be made.
  package init(
    of base: PairSide, _ head: PairSide, in directories: SampleDirectories,
    cancellation: Cancellation = Cancellation()
  ) throws {
    self.init()
    for (name, side, plans) in [("base", base, \PairPlans.base), ("head", head, \PairPlans.head)] {
      guard let cell = side.scenario.scenario.cells.first else { continue }
      switch try PairProfileRun.take(side, cell, .statements, round: 1, in: directories, cancellation) {
      case .failure(let failure): gap = "\(name) does not show plans: \(failure.reason)"
      case .success(let phase):
        let costs = phase.profile?.statements ?? []
        if costs.allSatisfy({ $0.work == nil }) {
          gap =
            "\(name) does not show plans: "
            + (costs.isEmpty ? "no statement was seen" : "its build does not ask for the plans of statements")
        }
        self[keyPath: plans] = costs.compactMap { cost in
          cost.work?.plan.map { StatementPlanRecord(sql: cost.sql, plan: $0) }
        }.sorted { ($0.sql, $0.plan) < ($1.sql, $1.plan) }
      }
      if gap != nil { return }
    }
  }
}
