// `--max-time`: divides the time of a run, first among its scenarios and then among their cells.
internal import Instruments
internal import BatchmarkEngine

/// The time of one scenario, and its division among the cells.
///
/// A scenario gets a share of the remaining time in proportion to its number of cells. Its exact passes come first. Its
/// cells divide the rest equally; a cell that needs less for all its rounds leaves the remainder to the others.
struct TimeShares {
  private let cells: [String]
  /// The time for all timed rounds together, in seconds.
  private let seconds: Double
  private let total: Int
  private let least: Int
  /// The time of each round of a cell; `nil` for a round that was not tried.
  private let rounds: [String: [Double?]]
  /// Cells that are skipped because they failed too often in a row.
  private let givenUp: Set<String>
  /// The last round with a known outcome.
  private let last: Int

  /// The result is `nil` if the run has no time limit.
  init?(of plan: RunPlan, _ planned: PlannedScenario, _ ledger: RunLedger) {
    guard let limit = plan.rules.maxSeconds,
      let index = plan.scenarios.firstIndex(where: { $0.scenario.name == planned.scenario.name })
    else { return nil }
    let cells = planned.scenario.cells.map(\.id)
    self.cells = cells
    let total = plan.rounds(of: .timing, in: planned)
    self.total = total
    least = plan.minRounds
    let earlier = Set(plan.scenarios[..<index].flatMap(\.scenario.cells).map(\.id))
    let own = Set(cells)
    var (before, exact) = (0.0, 0.0)
    var rounds = Dictionary(uniqueKeysWithValues: own.map { ($0, [Double?](repeating: nil, count: total)) })
    var last = 0
    for (key, taken) in ledger.seconds {
      if earlier.contains(key.cell) { before += taken }
      guard own.contains(key.cell) else { continue }
      if key.pass == .timing, (1...total).contains(key.round) {
        rounds[key.cell]?[key.round - 1] = taken
        last = max(last, key.round)
      } else {
        exact += taken
      }
    }
    self.rounds = rounds
    self.last = last
    let left = plan.scenarios[index...].reduce(0) { $0 + $1.scenario.cells.count }
    seconds = (limit - before) * Double(cells.count) / Double(max(left, 1)) - exact
    givenUp = TimeShares.givenUp(of: own, in: plan, ledger)
  }

  /// The cells that the run gives up because all of their last attempts, in the plan's order, failed.
  private static func givenUp(of cells: Set<String>, in plan: RunPlan, _ ledger: RunLedger) -> Set<String> {
    let failed = Set(ledger.failures.map(\.key))
    if failed.isEmpty { return [] }
    var failuresInARow: [String: Int] = [:]
    for sample in plan.samples where cells.contains(sample.cell.id) {
      if failed.contains(sample.key) {
        failuresInARow[sample.cell.id, default: 0] += 1
      } else if ledger.measured.contains(sample.key) {
        failuresInARow[sample.cell.id] = 0
      }
    }
    return Set(failuresInARow.filter { $0.value >= BenchmarkRun.failuresBeforeGivingUp }.keys)
  }

  /// The ends set by other rules, together with those set by the shares.
  func ends(beside ends: [String: RoundEnd]) -> [String: RoundEnd] {
    var ends = ends
    var active = cells.filter { !givenUp.contains($0) }
    var spent: [String: Double] = [:]
    for round in 1...max(total, 1) {
      // The last round may still be incomplete.
      guard round < last || active.allSatisfy({ rounds[$0]?[round - 1] != nil }), round <= last else { break }
      for cell in cells { spent[cell, default: 0] += rounds[cell]?[round - 1] ?? 0 }
      active.removeAll { ends[$0].map { $0.round <= round } ?? false }
      func mean(_ cell: String) -> Double { spent[cell, default: 0] / Double(round) }
      let needs = cells.map { cell in
        spent[cell, default: 0] + (active.contains(cell) ? mean(cell) * Double(total - round) : 0)
      }
      let share = TimeShares.share(of: seconds, needs)
      guard round >= least else { continue }
      for cell in active where spent[cell, default: 0] + mean(cell) > share {
        ends[cell] = RoundEnd(round: round, reason: .timeShare(seconds: max(share, 0)))
      }
      active.removeAll { ends[$0] != nil && ends[$0]?.round == round }
    }
    return ends
  }

  /// The largest equal share such that all needs together fit into `seconds`; at least the largest need if there is time
  /// for all.
  ///
  /// O(n log n).
  static func share(of seconds: Double, _ needs: [Double]) -> Double {
    let sorted = needs.sorted()
    var left = seconds
    for (index, need) in sorted.enumerated() {
      let share = left / Double(sorted.count - index)
      if need > share { return share }
      left -= need
    }
    return sorted.last.map { max($0, seconds) } ?? seconds
  }
}
