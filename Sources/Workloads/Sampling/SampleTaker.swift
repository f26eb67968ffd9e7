// Taking one sample: load, open, ingest, checkpoint, close, verify, with the instruments of its pass around each.
internal import ObjectGraph
internal import Scenarios

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
    let session = try engine.open(setup, cell: job.cell)
    // Every engine starts from a WAL that is there and empty, so that none pays for making it inside ingest.
    try session.checkpoint()
    instruments.watchGrowth(of: entity.tableName, storePath: setup.path, rows: rows.count)
    try instruments.measure(.ingest, into: &phases) {
      try session.ingest(rows)
      return ((), rows.count)
    }
    let growth = instruments.growth(rows: rows.count)
    if scenario.repeats > 1 {
      try instruments.measure(.reingest, into: &phases) {
        for _ in 1..<scenario.repeats { try session.ingest(rows) }
        return ((), rows.count * (scenario.repeats - 1))
      }
    }
    let pragmas = try pragmasInForce(session, scenario: scenario)
    try instruments.measure(.checkpoint, into: &phases) {
      try session.checkpoint()
      return ((), rows.count)
    }
    try session.close()

    let expected = ExpectedContents(of: rows, entity: entity, policy: policy, repeats: scenario.repeats)
    let contents = try instruments.measure(.verify, into: &phases) {
      let contents = try StoredContents(readingStoreAt: setup.path, entity: entity)
      return (contents, contents.rows)
    }
    guard contents.rows == expected.rows, contents.contentHash == expected.contentHash else {
      throw VerificationError.wrongContents(
        foundRows: contents.rows, foundHash: contents.contentHash, expectedRows: expected.rows,
        expectedHash: expected.contentHash)
    }
    return Sample(
      cell: job.cell.id, pass: job.pass, round: job.round, phases: phases, growth: growth, contents: contents,
      pragmas: pragmas, notes: instruments.notes)
  }

  /// What the session's store answers for the pragmas that shape what is measured, and for every one the scenario set.
  private func pragmasInForce(_ session: any EngineSession, scenario: Scenario) throws -> [StorePragma] {
    let always = ["journal_mode", "synchronous", "wal_autocheckpoint", "cache_size", "page_size", "auto_vacuum"]
    let names = always + scenario.pragmas.map(\.name).filter { !always.contains($0) }
    return try names.compactMap { name in try session.pragma(name).map { StorePragma(name, $0) } }
  }
}

/// What keeps a sample from being taken before any engine runs.
public enum SampleError: Error, Sendable, CustomStringConvertible {
  case unknownEngine(String, expected: [String])
  case unknownEntity(String)
  /// An instrument of the pass does not work here.
  case instrument(String)

  public var description: String {
    switch self {
    case .unknownEngine(let found, let expected):
      "found the engine '\(found)'; expected one of \(expected.joined(separator: ", "))"
    case .unknownEntity(let name): "the model has no entity '\(name)'"
    case .instrument(let reason): reason
    }
  }
}
