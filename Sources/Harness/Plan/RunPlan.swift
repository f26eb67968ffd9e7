// The plan of a run: which samples, in which order. Drift of the machine must hit all cells alike, so a round takes
// every cell once, in an order drawn anew for each round; all of one cell and then all of the next never happens.
public import Instruments
public import Scenarios
internal import Statistics
internal import Workloads

/// One scenario of a run, with the cells that were selected.
public struct PlannedScenario: Sendable {
  /// The scenario; its `cells` are the selected ones only.
  public var scenario: Scenario
  /// The scenario file's text, which every worker reads again.
  public var text: String
  public var overrides: [ScenarioOverride]
  /// The source in words.
  public var source: String
  /// Rows the source gives; of a sweep the most.
  public var rows: Int
  /// The fingerprint of the source's file; nil for the generator.
  public var sourceFingerprint: String?
  /// Cells that a quick run leaves out.
  public var leftOut: [Cell] = []

  public init(
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

  /// The same with one of its cells.
  public func with(_ cell: Cell) -> PlannedScenario {
    var one = self
    one.scenario.cells = [cell]
    return one
  }
}

/// All samples of a run in the order they are taken.
///
/// Scenarios follow one another, since cells are only compared within one. Each begins with its exact passes: they
/// warm the file cache, and a cell that cannot work shows within seconds. The timed rounds follow.
public struct RunPlan: Sendable {
  public let scenarios: [PlannedScenario]
  public let seed: UInt64
  public let isQuick: Bool
  /// Every sample, in the order to take them.
  public let samples: [PlannedSample]

  /// Draws the order of every round from the seed; the same seed and scenarios give the same plan.
  ///
  /// - Parameters:
  ///   - scenarios: The scenarios, in the order to take them.
  ///   - seed: Decides the order of the cells in every round.
  ///   - isQuick: One timed round, whatever the scenarios ask for.
  ///   - passes: The passes to take, in this order.
  public init(
    scenarios: [PlannedScenario], seed: UInt64, isQuick: Bool, passes: [Pass] = [.memory, .counters, .timing]
  ) {
    self.scenarios = scenarios
    self.seed = seed
    self.isQuick = isQuick
    var generator = SplitMix64(seed: seed)
    var samples: [PlannedSample] = []
    for scenario in scenarios.map(\.scenario) {
      for pass in passes {
        for round in 1...RunPlan.rounds(of: pass, in: scenario, isQuick: isQuick) {
          for cell in scenario.cells.shuffled(using: &generator) {
            samples.append(PlannedSample(cell: cell, pass: pass, round: round))
          }
        }
      }
    }
    self.samples = samples
  }

  /// How often a pass takes each cell: exact figures repeat to the bit, so once is enough for them.
  public static func rounds(of pass: Pass, in scenario: Scenario, isQuick: Bool) -> Int {
    pass == .timing && !isQuick ? max(scenario.rounds, 1) : 1
  }

  /// The most rows that a quick run takes of a sweep over them, unless there is nothing below.
  public static let quickRows = 100_000

  /// The scenario of that name.
  public func scenario(named name: String) -> PlannedScenario? { scenarios.first { $0.scenario.name == name } }

  /// The same for two plans that take the same samples in the same order.
  public var fingerprint: String {
    var fingerprint = Fingerprint()
    for sample in samples { fingerprint.add("\(sample.cell.id) \(sample.pass.rawValue) \(sample.round)") }
    return fingerprint.text
  }
}

extension PlannedScenario {
  /// The same for a quick run: of a sweep over rows without the cells that take long.
  public var quick: PlannedScenario {
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
