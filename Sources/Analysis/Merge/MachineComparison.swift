// Combines the results of several machines for the same scenarios. Only ratios of times from one machine are combined.
package import Harness
internal import Instruments
package import BatchmarkEngine
package import Statistics

/// The same scenarios, measured on several machines with the same number of rounds on each.
package struct MachineComparison: Sendable {
  /// Sorted by shard.
  package let machines: [MergedMachine]
  package let scenarios: [ScenarioOnMachines]
  /// The facts that all machines share, in display order.
  package let alike: [EnvironmentFact]
  /// What is missing in a partial merge; `nil` if no machine is missing.
  package let absent: AbsentShards?

  /// Compares the results of the machines; O(machines · cells² · rounds).
  ///
  /// - Parameters:
  ///   - results: One for each machine, all of the same scenarios.
  ///   - machines: Their machines, in the same order.
  ///   - alike: The facts that are the same on all machines.
  ///   - absent: The shards that are missing; `nil` for none.
  package init(
    _ results: [Report], on machines: [MergedMachine], alike: [EnvironmentFact], absent: AbsentShards?
  ) {
    self.machines = machines
    self.alike = alike
    self.absent = absent
    let names = results.first?.scenarios.map(\.name) ?? []
    scenarios = names.compactMap { name in
      ScenarioOnMachines(results.map { $0.scenarios.first { $0.name == name } })
    }
  }
}

/// One scenario on every machine.
package struct ScenarioOnMachines: Sendable {
  package let name: String
  /// The number of rows in the scenario.
  package let rowCounts: ScenarioReport.RowCounts
  /// The cells with a reference, in the scenario's order.
  package let cells: [CellOnMachines]
  /// Pairs of cells that machines put in different orders.
  package let reversals: [MachineReversal]
  /// Exact counters that differ between machines.
  package let disagreements: [CounterDisagreement]

  /// Whether two machines counted the same metric of a cell.
  ///
  /// If not, nothing shows that counters agree.
  package let comparesCounters: Bool

  /// Whether any order can be compared: two machines have a ratio for the same cell.
  package var hasComparableOrders: Bool { cells.contains(where: \.isOnSeveralMachines) }

  /// Compares the machines' results of the scenario; `nil` if no machine has it.
  init?(_ results: [ScenarioReport?]) {
    guard let first = results.compactMap(\.self).first else { return nil }
    name = first.name
    rowCounts = first.rowCounts
    cells = first.cells.compactMap { cell in CellOnMachines(cell.cell, results) }
    reversals = ScenarioOnMachines.reversals(among: cells, results)
    disagreements = first.cells.flatMap { CounterDisagreement.all(of: $0.cell, results) }
    comparesCounters = first.cells.contains { CounterDisagreement.canBe(of: $0.cell, results) }
  }

  /// Pairs of cells with the same reference, including the reference itself.
  private static func reversals(among cells: [CellOnMachines], _ results: [ScenarioReport?]) -> [MachineReversal] {
    var reversals: [MachineReversal] = []
    var references: [Cell] = []
    for cell in cells where !references.contains(cell.reference) { references.append(cell.reference) }
    for reference in references {
      let group = cells.filter { $0.reference == reference }
      let alternatives = [reference] + group.map(\.cell)
      let values = results.indices.map { machine in
        [results[machine]?.cell(reference) == nil ? nil : 1] + group.map { $0.ratios[machine] }
      }
      for found in RankReversal.all(values) ?? [] {
        let (one, other) = (alternatives[found.first], alternatives[found.second])
        // An interval that contains 1 shows no order.
        let isCertain = [(found.firstLower, true), (found.secondLower, false)].allSatisfy { machines, isLower in
          machines.contains { machine in
            guard let scenario = results[machine], let first = scenario.cell(one), let second = scenario.cell(other),
              let ratio = scenario.ratio(of: first, to: second), let low = ratio.low, let high = ratio.high
            else { return false }
            return isLower ? high < 1 : low > 1
          }
        }
        reversals.append(
          MachineReversal(
            first: one, second: other, firstFaster: found.firstLower, secondFaster: found.secondLower,
            isCertain: isCertain))
      }
    }
    return reversals
  }
}

/// The time of one cell as a multiple of its reference's, on every machine.
package struct CellOnMachines: Sendable {
  package let cell: Cell
  package let reference: Cell
  /// The ratio on each machine, e to the mean of its rounds' log ratios; `nil` if it lacks a time of either cell.
  package let ratios: [Double?]
  /// The number of rounds of each machine.
  package let rounds: [Int]
  /// The combined ratio; `nil` if no machine has a ratio.
  package let combined: CombinedRatio?

  /// `nil` for a reference, and for a cell without one.
  init?(_ cell: Cell, _ results: [ScenarioReport?]) {
    guard
      let reference = results.lazy.compactMap({ scenario in
        scenario.flatMap { scenario in scenario.cell(cell).flatMap { scenario.reference(of: $0)?.cell } }
      }).first, reference != cell
    else { return nil }
    self.cell = cell
    self.reference = reference
    let machines = results.map { scenario -> [Double] in
      guard let scenario, let own = scenario.cell(cell), let other = scenario.cell(reference) else { return [] }
      let (times, others) = (scenario.mainWalls(of: own), scenario.mainWalls(of: other))
      return times.keys.sorted().compactMap { round in
        guard let time = times[round], let other = others[round], time > 0, other > 0 else { return nil }
        return time / other
      }
    }
    rounds = machines.map(\.count)
    let centers = machines.map { meanLogRatio($0.compactMap { logRatio($0, to: 1) }) }
    ratios = centers.map { $0.flatMap { CombinedRatio(logRatios: [$0])?.ratio } }
    combined = CombinedRatio(logRatios: centers.compactMap(\.self))
  }

  /// Whether two machines have a ratio, so that their orders can be compared.
  package var isOnSeveralMachines: Bool { (combined?.machines ?? 0) > 1 }

  /// Whether all machines have the same number of rounds.
  package var hasEqualRounds: Bool { Set(rounds).count == 1 }
}

/// Two cells that machines put in different orders.
package struct MachineReversal: Sendable, Hashable {
  package let first: Cell
  package let second: Cell
  /// The machines, by index, on which the first cell was faster.
  package let firstFaster: [Int]
  /// The machines on which the second cell was faster.
  package let secondFaster: [Int]
  /// Whether some machine on either side is certain of its order: its interval of the two cells' ratio excludes 1.
  package let isCertain: Bool
}

/// An exact counter of a cell that differs between machines.
package struct CounterDisagreement: Sendable, Hashable {
  package let cell: Cell
  package let phase: Phase
  package let metric: MetricID
  /// One for each machine; `nil` if a machine has none.
  package let values: [Int64?]

  /// Whether any exact counter of a cell is known on two machines.
  static func canBe(of cell: Cell, _ results: [ScenarioReport?]) -> Bool {
    let found = results.compactMap { $0?.cell(cell) }
    return Phase.allCases.contains { phase in
      let known = found.compactMap { $0.summary(of: phase)?.metrics }
      return MetricID.allCases.contains { metric in metric.isExact && known.count { $0[metric] != nil } > 1 }
    }
  }

  static func all(of cell: Cell, _ results: [ScenarioReport?]) -> [CounterDisagreement] {
    let found = results.map { $0?.cell(cell) }
    return Phase.allCases.flatMap { phase in
      MetricID.allCases.compactMap { metric in
        let values = found.map { $0?.summary(of: phase)?.metrics[metric] }
        guard metric.isExact, Set(values.compactMap(\.self)).count > 1 else { return nil }
        return CounterDisagreement(cell: cell, phase: phase, metric: metric, values: values)
      }
    }
  }
}

extension ScenarioReport {
  fileprivate func cell(_ cell: Cell) -> CellReport? { cells.first { $0.cell == cell } }
}
