// Runs with a known truth: cells with given times, in rounds with noise, turned into results like a real run.
import Analysis
import BatchmarkEngine
import Harness
import HarnessFixtures
import Instruments
import Support

/// A cell and its costs.
struct SyntheticCell {
  var cell: Cell
  /// Without noise.
  var seconds: Double
  /// The time of each round, instead of ``seconds`` with noise; nil to use those.
  var walls: [Double]?
  /// The time of each round that other processes took, in seconds; empty if there were none.
  var lostSeconds: [Double] = []
  /// The figures that are absent in the memory pass's sample.
  var absences: [MetricAbsence]?
  var mergeSeconds: Double?
  /// The seconds for storing its rows again this many times.
  var again: (times: Int, seconds: Double)?
  var rows = 10_000
  /// The number of its timed rounds.
  var rounds: Int?
  var heapPeak: Int64?
  var allocations: Int64?
  var hash = "same"
  var links: [StoredLinks]?
  /// The indexes of its stores; by default those of the parameter.
  var indexes: [String] = []
  var pragmas = [StorePragma("journal_mode", "wal"), StorePragma("synchronous", "1")]
  /// Rounds in which its worker dies.
  var failedRounds: Set<Int> = []
  /// The share of its time that its own clock reports; nil for a cell without such a clock.
  var ownShare: Double?
  /// Rounds in which that clock reports 10 ms less.
  var strayedRounds: Set<Int> = []

  init(
    _ strategy: String, of engine: String = "objectgraph", _ role: StrategyRole = .objectByObject,
    _ parameters: [String: ParameterValue] = [:], seconds: Double
  ) {
    let conditions = parameters.keys.filter { ["rows", "duplicates", "indexes", "synchronous"].contains($0) }.sorted()
    cell = Cell(
      scenario: "quakes", engine: engine, strategy: strategy, role: role, parameters: parameters,
      defaults: ["request_size": .all, "save_every": .all],
      conditionKeys: conditions)
    self.seconds = seconds
    if case .count(let rows)? = parameters["rows"] { self.rows = rows }
    if let chosen = parameters["indexes"], chosen != .word("none") { indexes = [SyntheticCell.index] }
  }

  static let index = "Z_Quake_by_place: an index of ZQUAKE (ZPLACE)"

  var id: CellID { cell.id }

  func with(_ change: (inout SyntheticCell) -> Void) -> SyntheticCell {
    var other = self
    change(&other)
    return other
  }
}

/// The run of a scenario.
struct SyntheticRun {
  var cells: [SyntheticCell]
  var rounds = 10
  /// The maximum noise that a round adds to all of its times.
  var roundNoise = 0.2
  /// The maximum noise that a cell adds.
  var ownNoise = 0.004
  var seed: UInt64 = 1

  /// Builds the results from a ledger of samples, like every run.
  func results() throws -> ScenarioReport {
    var scenario = try scenario(rounds: rounds)
    scenario.cells = cells.map(\.cell)
    let run = RunRecord(
      batchmarkVersion: "1.0.0", command: "batchmark run", started: "", finished: "", seed: 7, isQuick: false,
      isComparable: true, isInterrupted: false)
    let results = Report(
      run: run, environment: [], plan: plan(scenario), ledger: RunLedger(entries)
    ) { _ in nil }
    return results.scenarios[0]
  }

  func analysis() throws -> ScenarioAnalysis { ScenarioAnalysis(try results()) }

  func findings() throws -> [Finding] { try analysis().scenario.findings }

  private var entries: [SampleOutcome] {
    var generator = SplitMix64(seed: seed)
    func noise(_ size: Double) -> Double { 1 + size * (generator.nextUnit() - 0.5) }
    var entries: [SampleOutcome] = []
    for round in 1...rounds {
      let shared = noise(2 * roundNoise)
      for cell in cells where round <= cell.rounds ?? rounds {
        let noisy = cell.seconds * shared * noise(2 * ownNoise)
        let wall = cell.walls?[round - 1] ?? noisy
        let merge = cell.mergeSeconds.map { $0 * shared * noise(2 * ownNoise) }
        let again = cell.again.map { $0.seconds * shared * noise(2 * ownNoise) }
        if cell.failedRounds.contains(round) {
          entries.append(.failure(failure(cell.id, round: round)))
        } else {
          var sample = cell.sample(.timing, round, wall: wall, merge: merge)
          if let again, let times = cell.again?.times {
            sample.phases.append(PhaseMeasurement(phase: .reingest, rows: times * cell.rows, wallSeconds: again))
          }
          if !cell.lostSeconds.isEmpty, let main = sample.phases.firstIndex(where: \.phase.isMain) {
            sample.phases[main].interference = Interference(runDelaySeconds: cell.lostSeconds[round - 1])
          }
          if let share = cell.ownShare, let main = sample.phases.firstIndex(where: \.phase.isMain) {
            sample.phases[main].ownSeconds = share * wall - (cell.strayedRounds.contains(round) ? 0.01 : 0)
          }
          entries.append(.sample(sample))
        }
      }
    }
    return entries + cells.map { .sample($0.sample(.memory, 1)) }
  }
}

extension SyntheticCell {
  fileprivate func sample(_ pass: Pass, _ round: Int, wall: Double? = nil, merge: Double? = nil) -> Sample {
    let heap: [MetricID: Int64?] = [.heapPeak: heapPeak, .allocations: allocations]
    let metrics = pass == .memory ? heap.compactMapValues(\.self) : [:]
    var phases = [PhaseMeasurement(phase: cell.operation.phase, rows: rows, wallSeconds: wall, metrics: metrics)]
    if let merge { phases.append(PhaseMeasurement(phase: .merge, rows: rows, wallSeconds: merge)) }
    var contents = StoredContents(
      rows: rows, contentHash: hash, nulls: [:], versions: [1: rows], databaseBytes: 4096, versionedHash: "v")
    contents.links = links
    contents.indexes = indexes
    var sample = Sample(
      cell: id, pass: pass, round: round, phases: phases, growth: [], contents: contents, pragmas: pragmas, notes: [],
      sqlite: "3.40.1", fingerprint: "f")
    if pass == .memory { sample.absences = absences }
    return sample
  }
}
