// Hand-made results: five cells of one scenario. Tests can change every figure before the results are summarized.
import Analysis
import Harness
import Instruments
import BatchmarkEngine

/// The measurements of a cell.
struct CellFixture {
  var cell: Cell
  var tradeoffs: [String] = []
  /// The wall times of the ingest phase, by round.
  var walls: [Double]
  /// The time of the readings around the main phase; nil for samples from before they were timed.
  var readingSeconds: Double?
  /// The seconds of a merge phase; nil for a cell that notifies no observer.
  var mergeSeconds: Double?
  /// The seconds of a checkpoint at the end; nil if none is measured.
  var checkpointSeconds: Double?
  var heapPeak: Int64 = 1 << 20
  var walBytes: Int64 = 4_124_152
  var walBytesWritten: Int64 = 13_000_032
  var hasVersions = true
  var failures: [FailedSample] = []
  var missing = 0
  /// Passes without samples.
  var withoutPasses: Set<Pass> = []
  /// The rows that the operation processed.
  var rows = Fixture.rows
  var databaseBytes = Fixture.databaseBytes
  /// The links of the rows; nil if they have none.
  var links: [StoredLinks]?
  /// The engine's notes for every sample.
  var engineNotes: [String]?
  /// The answers of the stores.
  var pragmas = [StorePragma("journal_mode", "wal")]

  init(_ engine: String, _ strategy: String, _ parameters: [String: ParameterValue] = [:], seconds: Double) {
    // Like in the reader, swept keys of the source and the scenario are conditions of the cell.
    let conditions = parameters.keys.filter { ["rows", "duplicates", "merge_policy"].contains($0) }.sorted()
    cell = Cell(
      scenario: "earthquakes", engine: engine, strategy: strategy, role: CellFixture.role(engine, strategy),
      parameters: parameters, defaults: CellFixture.defaults(engine, strategy), conditionKeys: conditions)
    walls = Fixture.noise.map { $0 * seconds }
  }

  /// The default parameters of a built-in strategy.
  static func defaults(_ engine: String, _ strategy: String) -> [String: ParameterValue] {
    let keys: [any ParameterDeclaration] =
      switch role(engine, strategy) {
      case .objectByObject:
        [ParameterKey.saveEvery, ParameterKey.afterSave, ParameterKey.merge, ParameterKey.history]
      case .batch:
        [
          ParameterKey.requestSize, ParameterKey.walLimit, ParameterKey.linkEvery, ParameterKey.merge,
          ParameterKey.history,
        ]
      case .reference, .peer, .harnessCost: []
      }
    return (keys + Cell.commonParameters).reduce(into: [:]) { $0[$1.name] = $1.parameter.standard }
  }

  /// The role of a built-in strategy.
  static func role(_ engine: String, _ strategy: String) -> StrategyRole {
    switch (engine, strategy) {
    case ("sqlite", "empty"): .harnessCost
    case ("sqlite", "insert"), ("sqlite", "update"), ("sqlite", "delete"), ("sqlite", "select"): .reference
    case ("objectgraph", "batch-objects"): .batch(.array)
    case ("objectgraph", "batch-dictionary"): .batch(.dictionaryHandler)
    case ("objectgraph", "batch-managed-object"): .batch(.objectHandler)
    case ("objectgraph", _): strategy.hasPrefix("batch-") ? .batch(.storedRows) : .objectByObject
    default: .peer
    }
  }

  /// The same cell with these times of the rounds.
  func with(walls: [Double]) -> CellFixture {
    var other = self
    other.walls = walls
    return other
  }
}

/// Builds results from cells.
struct Fixture {
  /// The factor of each round for all of its times, with a median of 1.
  static let noise = [1.00, 1.06, 0.98, 1.21, 1.00, 0.97, 1.03, 0.99]
  static let rows = 100_000
  static let databaseBytes: Int64 = 9_564_160
  static let hash = "5b1f09c2a7e4d386"

  var cells: [CellFixture]
  var isComparable = true
  var isInterrupted = false
  /// The operation on existing rows; the cells use it.
  var change: ChangeRecord?
  /// The question's figure, or nil for time, and the other figures that it names.
  var about: MetricID?
  var alsoAbout: [MetricID]?

  /// An update of a part of the rows, object by object and by plain SQLite.
  static var update: Fixture {
    var fixture = changing(
      ChangeRecord(operation: .update, condition: "magnitude >= 0.5", assignments: ["place = \"x\""]))
    fixture.cells[0].rows = 31_000
    fixture.cells[1].rows = 31_000
    return fixture
  }

  /// A delete of every row, object by object and by plain SQLite.
  static var delete: Fixture { changing(ChangeRecord(operation: .delete, condition: nil, assignments: [])) }

  private static func changing(_ change: ChangeRecord) -> Fixture {
    var cells = [
      CellFixture("objectgraph", "save", seconds: 0.4), CellFixture("sqlite", change.operation.rawValue, seconds: 0.1),
    ]
    for index in cells.indices { cells[index].cell.operation = change.operation }
    return Fixture(cells: cells, change: change)
  }

  /// The five cells of the default suite.
  static var standard: Fixture {
    var save = CellFixture("objectgraph", "save", seconds: 0.4123)
    save.heapPeak = 47_394_816
    save.walBytes = 12_901_272
    var objects = CellFixture("objectgraph", "batch-objects", seconds: 0.3011)
    objects.heapPeak = 38_273_024
    objects.tradeoffs = ["no validation", "no notifications"]
    var dictionary = CellFixture("objectgraph", "batch-dictionary", seconds: 0.2498)
    dictionary.heapPeak = 61_440
    dictionary.tradeoffs = ["no validation", "no notifications"]
    var object = CellFixture("objectgraph", "batch-managed-object", seconds: 0.1987)
    object.heapPeak = 58_368
    object.tradeoffs = ["no notifications"]
    var reference = CellFixture("sqlite", "insert", seconds: 0.1912)
    reference.heapPeak = 40_960
    reference.tradeoffs = ["no objects", "no model"]
    reference.hasVersions = false
    // Each cell has a little noise in addition to its round's.
    let own: [[Double]] = [
      [1.00, 1.01, 0.99, 1.00, 1.02, 1.00, 0.99, 1.01], [1.01, 0.99, 1.00, 1.02, 1.00, 0.98, 1.01, 1.00],
      [0.99, 1.00, 1.01, 1.00, 0.98, 1.01, 1.00, 1.02], [1.00, 1.02, 1.00, 0.99, 1.01, 1.00, 0.98, 1.00],
      [1.01, 1.00, 0.98, 1.01, 1.00, 1.02, 1.00, 0.99],
    ]
    let cells = zip([save, objects, dictionary, object, reference], own).map { cell, own in
      cell.with(walls: zip(cell.walls, own).map { $0 * $1 })
    }
    return Fixture(cells: cells)
  }

  subscript(strategy: String) -> CellFixture {
    get { cells.first { $0.cell.strategy == strategy } ?? CellFixture("none", strategy, seconds: 1) }
    set { cells = cells.map { $0.cell.strategy == strategy ? newValue : $0 } }
  }

  var results: Report {
    Report(
      run: RunRecord(
        batchmarkVersion: "1.0.0", command: "batchmark run Scenarios/earthquakes.yml",
        started: "2024-05-01T10:00:00Z", finished: "2024-05-01T10:02:30Z", seed: 42, isQuick: false,
        isComparable: isComparable, isInterrupted: isInterrupted, runID: "7d0c3f52-7c1b-4f0e-9d0a-5b1e2c3d4e5f",
        commit: RepositoryCommit(id: "0123456789abcdef0123456789abcdef01234567", isDirty: true),
        machine: "Some CPU, 2 online, 7.8 GiB", toolchain: "Swift 6.3"),
      environment: [
        EnvironmentFact("Processor", "Some CPU | 2 cores"), EnvironmentFact("SQLite", "3.40.1"),
      ],
      scenarios: [scenario])
  }

  private var scenario: ScenarioReport {
    let built = cells.map(\.results)
    var scenario = ScenarioReport(
      name: "earthquakes", description: "Import an earthquake feed into a store.",
      file: "Scenarios/earthquakes.yml", fingerprint: "c0ffee00", source: "generated earthquakes, seed 42",
      rows: Fixture.rows, mergePolicy: "object_trump", change: change,
      pragmas: [StorePragma("journal_mode", "wal"), StorePragma("synchronous", "1")], rounds: 8,
      contentHash: built.contains { !$0.samples.isEmpty } ? Fixture.hash : nil, cells: built)
    (scenario.about, scenario.alsoAbout) = (about, alsoAbout)
    for (index, cell) in cells.enumerated() {
      let reference = cells.first {
        $0.cell.engine == "sqlite" && $0.cell.parameters["rows"] == cell.cell.parameters["rows"]
      }
      scenario.cells[index].phases = cell.phases(scenario.cells[index], reference: reference)
    }
    return scenario
  }
}

extension CellFixture {
  fileprivate var results: CellReport {
    let samples = allSamples.filter { !withoutPasses.contains($0.pass) }
    return CellReport(
      cell: cell, summary: "Stores rows by \(cell.strategy).", tradeoffs: tradeoffs, samples: samples,
      failures: failures,
      missing: missing, setAside: SetAsideRounds(failures: [], samples: []))
  }

  /// The phases with the fixture's figures: the times of every round count, and only the main phase has an interval.
  fileprivate func phases(_ cell: CellReport, reference: CellFixture?) -> [PhaseReport] {
    let timed = withoutPasses.contains(.timing) ? [] : walls
    let ratios = reference.map { reference in zip(timed, reference.walls).map { $0 / $1 } } ?? []
    let metrics = cell.samples.reduce(into: [:]) { metrics, sample in
      metrics.merge(sample.phases[1].metrics) { first, _ in first }
    }
    func summary(_ phase: Phase, rows: Int, _ wall: Estimate?) -> PhaseReport {
      var summary = PhaseReport(phase, of: cell, rows: rows, samples: timed.count, wall: wall)
      summary.rowsPerSecond = .absent(summary.cpuMedian.reason ?? "")
      summary.timesReference = .absent(summary.cpuMedian.reason ?? "")
      return summary
    }
    var main = PhaseReport(
      self.cell.operation.phase, of: cell, rows: rows, samples: timed.count, wall: Estimate(timed),
      cpuMedian: Estimate(timed).map { $0.median * 0.9 }, metrics: metrics)
    main.timesReference = Estimate(ratios).map { .figure($0) } ?? cell.main.timesReference
    if cell.samples.isEmpty { return [] }
    return [summary(.load, rows: Fixture.rows, timed.isEmpty ? nil : Estimate(median: 0.05)), main]
      + (mergeSeconds.map { [summary(.merge, rows: rows, timed.isEmpty ? nil : Estimate(median: $0))] } ?? [])
  }

  private var allSamples: [Sample] {
    let timing = walls.enumerated().map { index, wall in
      var measurement = PhaseMeasurement(
        phase: cell.operation.phase, rows: rows, wallSeconds: wall, cpuSeconds: wall * 0.9)
      measurement.readingSeconds = readingSeconds
      return sample(.timing, index + 1, [], measurement)
    }
    let growth = (1...10).map { step in
      GrowthPoint(
        rows: step * 10_000, walBytes: min(walBytes, Int64(step) * 1_300_000), walFrames: Int64(step * 315),
        checkpoints: Int64(step / 4))
    }
    let heap = (0...10).map { (step: Int) -> HeapPoint in
      let live: Int64 = step == 8 ? heapPeak : heapPeak * Int64(step) / 16
      let sqlite = min(Int64(step) * 4096, 36_864)
      return HeapPoint(seconds: Double(step) / 100, liveBytes: live, sqliteBytes: sqlite)
    }
    let counters = (1...2).map { round in
      sample(
        .counters, round, growth,
        PhaseMeasurement(
          phase: cell.operation.phase, rows: rows,
          metrics: [
            .walPeak: walBytes, .walFinal: walBytes, .walBytesWritten: walBytesWritten, .walFrames: 3156,
            .checkpoints: 3, .syncs: 8, .bytesWritten: walBytesWritten + 9_000_000, .vmSteps: 1_200_345,
            .statements: 100_002, .databaseBytes: 4096, .bytesRead: 4_096_100, .readCalls: 1001, .writeCalls: 8508,
            .databaseBytesWritten: 9_000_000, .journalBytesWritten: 0, .temporaryBytesWritten: 0, .databaseSyncs: 3,
            .walSyncs: 5, .journalSyncs: 0, .syncTime: 8_400_123, .longestSync: 2_100_456, .walRestarts: 3,
            .walCommits: 101, .walCommitPeak: 40, .walBacklogPeak: 1_012, .checkpointedPages: 2197,
            .walBytesRewritten: 4_120, .directorySyncs: 1,
            .checkpointTime: 31_000_111, .longestCheckpoint: 12_345_678, .sharedMemoryCalls: 1_624,
            .cacheHits: 412_345, .cacheMisses: 12, .cacheWrites: 3156, .cacheSpills: 0, .sorts: 0, .fullScanSteps: 0,
            .fullScans: 0, .automaticIndexRows: 0, .repreparations: 1,
          ]))
    }
    let memory = (1...2).map { round in
      sample(
        .memory, round, [],
        PhaseMeasurement(
          phase: cell.operation.phase, rows: rows,
          metrics: [
            .heapPeak: heapPeak, .heapPeakSQLite: 36_864, .jemallocAllocatedPeak: heapPeak + 12_000_000,
            .jemallocResidentPeak: heapPeak + 16_000_000, .residentSetPeak: heapPeak + 24_000_000,
            .allocations: 400_123, .allocatedBytes: 51_000_000, .jemallocActivePeak: heapPeak + 13_000_000,
            .jemallocRetainedPeak: 4_096_000, .jemallocAllocatedAfter: 10_000_000, .jemallocActiveAfter: 11_250_000,
            .jemallocResidentAfter: 14_000_000,
          ]), heap: heap)
    }
    return timing + counters + memory
  }

  private func sample(
    _ pass: Pass, _ round: Int, _ growth: [GrowthPoint], _ ingest: PhaseMeasurement, heap: [HeapPoint] = []
  ) -> Sample {
    let load = PhaseMeasurement(phase: .load, rows: Fixture.rows, wallSeconds: pass == .timing ? 0.05 : nil)
    let later: [(Phase, Double?)] = [(.merge, mergeSeconds), (.checkpoint, checkpointSeconds)]
    let others = later.compactMap { phase, seconds in
      seconds.map { PhaseMeasurement(phase: phase, rows: rows, wallSeconds: pass == .timing ? $0 : nil) }
    }
    var contents = StoredContents(
      rows: Fixture.rows, contentHash: Fixture.hash, nulls: ["magnitude": 2, "place": 0],
      versions: hasVersions ? [1: Fixture.rows] : [:], databaseBytes: databaseBytes, versionedHash: "v")
    contents.links = links
    var sample = Sample(
      cell: cell.id, pass: pass, round: round, phases: [load, ingest] + others, growth: growth, heap: heap,
      contents: contents,
      pragmas: pragmas, notes: [], sqlite: "3.40.1", fingerprint: "c0ffee00")
    sample.engineNotes = engineNotes
    return sample
  }
}

extension Estimate {
  /// The median with the extremes as its interval, which is the 95 % interval for six to eight values.
  init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let low = sorted.first, let high = sorted.last else { return nil }
    let middle = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    self.init(median: middle, low: sorted.count < 6 ? nil : low, high: sorted.count < 6 ? nil : high)
  }
}
