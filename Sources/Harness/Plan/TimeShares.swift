// `--max-time`: how the time of a run is shared, first among its scenarios and then among their cells.
internal import Instruments
internal import BatchmarkEngine

/// The time of one scenario, and its division among the cells.
///
/// A scenario gets the remaining time in proportion to its cells among those still to come. Its exact passes come first. The
/// rest is divided equally. A cell that needs less for all its rounds leaves the remainder to the others.
struct TimeShares {
  private let cells: [String]
  /// What the timed rounds may take together, in seconds.
  private let seconds: Double
  private let total: Int
  private let least: Int
  /// What each cell's rounds took, from the first on; nil for one that was not tried.
  private let rounds: [String: [Double?]]
  /// Cells that failed so often in a row that they are left alone.
  private let givenUp: Set<String>
  /// The last round with a known outcome.
  private let last: Int

  /// Nil where the run may take any time.
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

  /// The cells whose last tries, in the plan's order, all failed so often that a run gives them up.
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

  /// The ends that other rules found, and those that the shares make.
  func ends(beside ends: [String: RoundEnd]) -> [String: RoundEnd] {
    var ends = ends
    var active = cells.filter { !givenUp.contains($0) }
    var spent: [String: Double] = [:]
    for round in 1...max(total, 1) {
      // Some cells of the last round may still be to come.
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

  /// The most that each may take so that together they take no more than there is; what all need where there is enough.
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
