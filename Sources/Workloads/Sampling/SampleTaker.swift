// Taking one sample: load, open, ingest, merge, checkpoint, close, verify, with the instruments of its pass around each.
// An update or a delete has two phases in place of ingest: prepare, which fills the store, and the change itself.
internal import ObjectGraph
public import Scenarios

/// Takes samples in the process it runs in; a worker takes one and ends.
public struct SampleTaker {
  private let engines: [any Engine]

  public init(engines: [any Engine]) { self.engines = engines }

  /// The rows at which the growth of the WAL is noted: every 50th part.
  static let growthMarks = 50

  /// Takes the sample.
  /// - Throws: What kept it from being taken, each with a one-sentence description: ``SampleError``, the reader's and
  ///   the source's errors, ``VerificationError``, or what the engine threw.
  public func take(_ job: SampleJob) throws -> Sample {
    let scenario = try ScenarioReader(vocabulary: Vocabulary(engines: engines.map(\.words)))
      .read(text: job.scenarioText, file: job.scenarioFile, overrides: job.overrides)
    guard let entity = scenario.entity else { throw SampleError.unknownEntity(scenario.entityName) }
    guard let engine = engines.first(where: { $0.name == job.cell.engine }) else {
      throw SampleError.unknownEngine(job.cell.engine, expected: engines.map(\.name))
    }
    let instruments = try PassInstruments(job.pass)
    defer { instruments.stop() }
    var phases: [PhaseMeasurement] = []

    let rows = try instruments.measure(.load, into: &phases) {
      let rows = try scenario.source.rows(for: entity)
      return (rows, rows.count)
    }
    let policy = scenario.mergePolicy ?? .error
    let setup = StoreSetup(
      path: job.directory + "/store.sqlite", model: scenario.model, entityName: entity.name,
      pragmas: scenario.pragmas, mergePolicy: policy)
    let changed = scenario.change.map { change in
      ExpectedContents(of: rows, entity: entity, policy: policy, change: change)
    }
    if let changed, changed.changedRows == 0 { throw SampleError.nothingToChange(scenario.name) }
    let filled = try scenario.change.map { _ in
      try instruments.measure(.prepare, into: &phases) {
        (try FilledStore(setup, entity: entity, rows: rows), rows.count)
      }
    }
    let session = try engine.open(setup, cell: job.cell)
    // Every engine starts from a WAL that is there and empty, so that none pays for making it inside ingest.
    try session.checkpoint()
    try filled?.close()
    let rowCount = changed?.changedRows ?? rows.count
    let reader = job.cell.word(Cell.readerParameter.name) == nil ? nil : try PinnedReader(setup)
    instruments.watchGrowth(of: entity.tableName, storePath: setup.path, rows: rowCount)
    try instruments.measure(scenario.operation.phase, into: &phases) {
      if let change = scenario.change { try session.change(change) } else { try session.ingest(rows) }
      return ((), rowCount)
    }
    let growth = instruments.growth(rows: rowCount)
    if scenario.repeats > 1 {
      try instruments.measure(.reingest, into: &phases) {
        for _ in 1..<scenario.repeats { try session.ingest(rows) }
        return ((), rows.count * (scenario.repeats - 1))
      }
    }
    try reader?.close()
    if let observer = session.observer {
      try instruments.measure(.merge, into: &phases) {
        try observer.merge()
        return ((), rowCount + rows.count * (scenario.repeats - 1))
      }
    }
    let pragmas = try pragmasInForce(session, scenario: scenario)
    try instruments.measure(.checkpoint, into: &phases) {
      try session.checkpoint()
      return ((), rowCount)
    }
    let observed = try session.observer?.contents()
    let notes = instruments.notes + session.notes
    try session.close()

    // An insert's are worked out only now, so that what they take is no part of the memory before it.
    let right = changed ?? ExpectedContents(of: rows, entity: entity, policy: policy, repeats: scenario.repeats)
    let contents = try instruments.measure(.verify, into: &phases) {
      let contents = try StoredContents(readingStoreAt: setup.path, entity: entity)
      return (contents, contents.rows)
    }
    try right.check(contents, versionsToo: scenario.change != nil)
    if let observed { try right.check(observed) }
    var sample = Sample(
      cell: job.cell.id, pass: job.pass, round: job.round, phases: phases, growth: growth, contents: contents,
      pragmas: pragmas, notes: notes)
    sample.leaveOutMissingWAL()
    return sample
  }

  /// What the session's store answers for the pragmas that shape what is measured, and for every one the scenario set.
  private func pragmasInForce(_ session: any EngineSession, scenario: Scenario) throws -> [StorePragma] {
    let always = ["journal_mode", "synchronous", "wal_autocheckpoint", "cache_size", "page_size", "auto_vacuum"]
    let names = always + scenario.pragmas.map(\.name).filter { !always.contains($0) }
    return try names.compactMap { name in try session.pragma(name).map { StorePragma(name, $0) } }
  }
}

extension Sample {
  /// Takes out the figures of a WAL where the journal is another: they are not zero, there is nothing to measure.
  fileprivate mutating func leaveOutMissingWAL() {
    guard pass == .counters, let journal = pragmas.first(where: { $0.name == "journal_mode" })?.value, journal != "wal"
    else { return }
    growth = []
    for index in phases.indices {
      for metric in [Metric.walPeak, .walFinal, .walBytesWritten, .walFrames, .checkpoints] {
        phases[index].metrics[metric] = nil
      }
    }
    notes.append("there is no WAL: journal_mode is \(journal)")
  }
}

/// What keeps a sample from being taken before any engine runs.
public enum SampleError: Error, Sendable, CustomStringConvertible {
  case unknownEngine(String, expected: [String])
  case unknownEntity(String)
  /// The engine's session does not do what its strategies say it does.
  case unsupportedOperation(ScenarioOperation)
  /// No row of the scenario's source is one that it would update or delete.
  case nothingToChange(String)
  /// A connection kept the WAL from being moved into the database before the measurement.
  case checkpointIncomplete
  /// An instrument of the pass does not work here.
  case instrument(String)

  public var description: String {
    switch self {
    case .unknownEngine(let found, let expected):
      "found the engine '\(found)'; expected one of \(expected.joined(separator: ", "))"
    case .unknownEntity(let name): "the model has no entity '\(name)'"
    case .unsupportedOperation(let operation):
      "the engine has a strategy for the operation \(operation.rawValue), but its session does not do it"
    case .nothingToChange(let scenario): "the source of \(scenario) has no row for which its 'where' holds"
    case .checkpointIncomplete: "frames were left in the WAL before the measurement; another connection reads the store"
    case .instrument(let reason): reason
    }
  }
}
