// The plan of a run: which samples are taken, and in which order. Drift of the machine must affect all cells alike. So
// each round takes every cell once, in random orders that put each cell at each position equally often; a cell's
// samples are never taken all in a row.
internal import Instruments
package import BatchmarkEngine
package import Scenarios
internal import Statistics
internal import Support

/// One scenario of a run, with the cells that were selected.
package struct PlannedScenario: Sendable {
  /// The scenario; its `cells` are the selected ones only.
  package var scenario: Scenario
  /// The scenario file's text, which every worker reads again.
  package var text: String
  package var overrides: [ScenarioOverride]
  /// A description of the source.
  package var source: String
  /// The number of rows in the source; for a sweep, the largest.
  package var rows: Int
  /// The fingerprint of the source file; `nil` for generated rows.
  package var sourceFingerprint: String?
  /// Cells that a quick run leaves out.
  package var leftOut: [Cell] = []

  package init(
    scenario: Scenario, text: String, overrides: [ScenarioOverride], source: String, rows: Int,
    sourceFingerprint: String? = nil
  ) {
    self.scenario = scenario
    self.text = text
    self.overrides = overrides
    self.source = source
    self.rows = rows
    self.sourceFingerprint = sourceFingerprint
  }

  /// The same scenario with only one of its cells.
  package func with(_ cell: Cell) -> PlannedScenario {
    var one = self
    one.scenario.cells = [cell]
    return one
  }
}

/// All samples of a run in the order they are taken.
///
/// Scenarios run one after the other, because cells are only compared within one. Each one begins with its exact
/// passes, which warm the file cache and reveal a broken cell within seconds. The timed rounds follow.
package struct RunPlan: Sendable {
  package let scenarios: [PlannedScenario]
  package let seed: UInt64
  package let isQuick: Bool
  /// How many rounds cells get, in addition to what their scenarios say.
  package let rules: RoundRules
  /// All samples, in the order they are taken.
  package let samples: [PlannedSample]

  /// Draws the order of every round from the seed; the same seed and scenarios give the same plan.
  ///
  /// - Parameters:
  ///   - scenarios: The scenarios, in the order to take them.
  ///   - seed: The seed for the order of the cells in every round.
  ///   - isQuick: Whether there is only one timed round, whatever the scenarios ask for.
  ///   - passes: The passes to take, in this order.
  ///   - rules: How many rounds there are, in addition to what the scenarios say.
  package init(
    scenarios: [PlannedScenario], seed: UInt64, isQuick: Bool, passes: [Pass] = [.memory, .counters, .timing],
    rules: RoundRules = RoundRules()
  ) {
    self.scenarios = scenarios
    self.seed = seed
    self.isQuick = isQuick
    self.rules = rules
    var generator = SplitMix64(seed: seed)
    var samples: [PlannedSample] = []
    for planned in scenarios {
      for pass in passes {
        let cells = planned.scenario.cells.filter { planned.takes(pass, of: $0) }
        let rounds = RunPlan.rounds(of: pass, in: planned, isQuick: isQuick, rules)
        let orders = balancedOrders(alternatives: cells.count, rounds: rounds, seed: generator.next())
        for (round, order) in orders.enumerated() {
          samples += order.map { PlannedSample(cell: cells[$0], pass: pass, round: round + 1) }
        }
      }
    }
    self.samples = samples
  }

  /// The most rounds that a pass takes of each cell.
  ///
  /// Exact figures repeat to the bit, so one round is enough for them.
  package func rounds(of pass: Pass, in planned: PlannedScenario) -> Int {
    RunPlan.rounds(of: pass, in: planned, isQuick: isQuick, rules)
  }

  private static func rounds(
    of pass: Pass, in planned: PlannedScenario, isQuick: Bool, _ rules: RoundRules
  ) -> Int {
    if pass != .timing || isQuick { return 1 }
    let rounds = max(planned.scenario.measure.rounds, rules.minRounds ?? 1)
    return rules.until == nil || planned.hasRoundsAskedFor ? rounds : max(rounds, RoundRules.mostRounds)
  }

  /// The most rows that a quick run takes from a sweep over rows, unless all sizes are larger.
  package static let quickRows = 100_000

  package func scenario(named name: String) -> PlannedScenario? { scenarios.first { $0.scenario.name == name } }

  /// Equal for two plans that take the same samples in the same order.
  package var fingerprint: String {
    var fingerprint = Fingerprint()
    for sample in samples { fingerprint.add("\(sample.cell.id) \(sample.pass.rawValue) \(sample.round)") }
    return fingerprint.text
  }
}

extension PlannedScenario {
  /// Whether a pass takes a cell.
  ///
  /// An exact pass takes no cell with concurrent readers or writers, because its counts would never repeat.
  package func takes(_ pass: Pass, of cell: Cell) -> Bool {
    pass == .timing || !scenario.variant(for: cell).beside.isThere
  }

  /// The same scenario for a quick run: a sweep over rows without its slow cells.
  package var quick: PlannedScenario {
    func sweptRows(of cell: Cell) -> Int {
      if case .count(let rows) = cell.conditions["rows"] { rows } else { 0 }
    }
    let most = max(RunPlan.quickRows, scenario.cells.map { sweptRows(of: $0) }.min() ?? 0)
    var quick = self
    quick.leftOut = scenario.cells.filter { sweptRows(of: $0) > most }
    quick.scenario.cells.removeAll { sweptRows(of: $0) > most }
    return quick
  }
}

/// How many timed rounds cells get, and when they have enough.
package struct RoundRules: Codable, Sendable, Hashable {
  /// The time limit of the whole run in seconds, shared among the cells; `nil` for no limit.
  package var maxSeconds: Double?
  /// The rounds that every cell gets, whatever else would stop it; `nil` means 1.
  package var minRounds: Int?
  /// The half-width at which the interval of a cell's time is narrow enough, as a share of the time; `nil` for a fixed
  /// number of rounds.
  package var until: Double?

  package init(maxSeconds: Double? = nil, minRounds: Int? = nil, until: Double? = nil) {
    self.maxSeconds = maxSeconds
    self.minRounds = minRounds
    self.until = until
  }

  /// The most rounds of a cell, however wide its interval is.
  package static let mostRounds = 100

  /// The rounds at which the interval is checked: 6, 8, 11, 15, 20, and so on, each a third more than the last.
  ///
  /// An interval of 95 % needs at least six rounds. Each check may stop at an interval that is narrow by luck, so there
  /// are few.
  static func looks(upTo rounds: Int) -> [Int] {
    Array(sequence(first: 6) { ($0 * 4 + 2) / 3 }.prefix { $0 <= rounds })
  }
}
