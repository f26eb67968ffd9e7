// One run of a cell with its own store: open, ingest, merge, checkpoint, close, verify. An update, a delete, a fetch or a
// migration has two phases instead of ingest: prepare, which fills the store, and the operation itself.
internal import BatchmarkEngine
internal import CoreDataModel
internal import Foundation
internal import Instruments
internal import ObjectGraph
internal import SQLiteDriver
internal import Scenarios
internal import Statistics
internal import Support

/// A cell with its rows and the path of its store.
struct Trial {
  let scenario: Scenario
  let entity: EntityDescription
  let strategy: Strategy
  let cell: Cell
  let rows: SourceRows
  /// The path of the store; its directory exists.
  let path: String
  /// The fault to inject into the measured work; `nil` except in the self-test.
  var fault: FaultInjection?
  /// The executable for concurrent readers and writers; `nil` for a trial without them.
  var concurrentExecutable: ConcurrentExecutable?
  /// The model before the migration, in the trial that describes the migrated store; `nil` in any other.
  private(set) var formerModel: ManagedObjectModel?

  /// The results of a trial apart from its phases.
  struct Outcome {
    let growth: [GrowthPoint]
    let heap: [HeapPoint]
    let contents: StoredContents
    /// The contents that had to be stored.
    let right: ExpectedContents
    let pragmas: [StorePragma]
    let notes: [String]
    /// The engine's notes on the run.
    let engineNotes: [String]
    /// How often the processor was handed to the other worker of the pair during the measured work.
    let handovers: Int
    /// The operations of concurrent readers and writers; `nil` if there were none.
    let concurrent: ConcurrentMeasurement?
    /// The latency of each request of the operation; `nil` if there were fewer than two, or they were not recorded.
    let requests: LatencyHistogram?
  }

  private var mergePolicy: MergePolicy { scenario.mergePolicy ?? .error }

  /// This trial after its operation: a migrated store has another model, and its rows have other columns.
  private var ended: Trial {
    guard formerModel == nil, let version = scenario.operation.version, let entity = version.model[entity.name] else {
      return self
    }
    var scenario = scenario
    scenario.model = version.model
    var ended = Trial(
      scenario: scenario, entity: entity, strategy: strategy, cell: cell, rows: rows.migrated(to: version), path: path)
    ended.formerModel = self.scenario.model
    return ended
  }

  /// The contents that must be stored in the end.
  func expectedContents(repeats: Int? = nil) -> ExpectedContents { ended.contentsNow(repeats: repeats) }

  /// The contents that must be stored for the trial's rows.
  private func contentsNow(repeats: Int?) -> ExpectedContents {
    let isRelated = scenario.tree != nil || scenario.isReplay && isRelated
    var expected = ExpectedContents(
      of: ExpectedRows.all(of: rows, in: scenario, repeats: repeats), links: scenario.isReplay ? [] : scenario.links,
      relationships: isRelated ? rows.relationships : [], listed: cell[.results] == .matching ? scenario.list : nil)
    let results = cell[.results]
    if results != .none, let list = scenario.list {
      expected.listOrder = list.sortKeys(withSections: results == .sections)
    }
    return expected
  }

  /// Whether the cell stores relationships of rows.
  ///
  /// Relationships that a fetch follows are stored before the fetch.
  var isRelated: Bool {
    if scenario.operation.kind == .fetch { return scenario.followsRelationships }
    return strategy.relationships != .none && cell[.relationships] == .all
  }

  /// Drops the store from the page cache, so that it is read from disk again.
  ///
  /// - Throws: ``VerificationError/stillInMemory(pages:of:)`` if more than a few pages remain; a few may have been read
  ///   again by others or by the connection itself.
  private func dropPages() throws {
    let left = try FilePageCache.drop(path)
    guard left.pages * 20 <= left.allPages else {
      throw VerificationError.stillInMemory(pages: left.pages, of: left.allPages)
    }
  }

  /// Runs the trial once, measures its phases and appends them.
  ///
  /// - Parameters:
  ///   - instruments: The instruments that measure the phases.
  ///   - changed: The contents that an update or a delete must leave, computed before the store is filled, so that the
  ///     computation is part of no phase; `nil` for an insert.
  ///   - known: The contents that an earlier trial had to store; `nil` for the first trial.
  ///   - turn: How to wait for this worker's turn, and the number of the trial; `nil` if the worker is alone.
  ///   - phases: Receives the measured phases.
  /// - Returns: The contents of the store, and the notes taken on the way.
  /// - Throws: The error that stopped the cell, or ``VerificationError`` if it stored the wrong contents.
  func run(
    _ instruments: PassInstruments, changed: ExpectedContents?, known: ExpectedContents? = nil,
    turn: (turns: TurnTaking, number: Int)? = nil, into phases: inout [PhaseMeasurement]
  ) throws -> Outcome {
    var setup = StoreSetup(
      path: path, model: scenario.model, entityName: entity.name, pragmas: scenario.pragmas, mergePolicy: mergePolicy)
    setup.entityNames = scenario.entityNames
    setup.links = scenario.links
    setup.list = scenario.list
    setup.tree = scenario.tree
    setup.hasRelatedRows = !rows.relationships.isEmpty
    setup.stages = instruments.stages
    setup.processMetering = instruments.processMetering
    let recorder = instruments.pass == .timing && instruments.stages == nil && turn == nil ? RequestRecorder() : nil
    setup.requests = recorder
    var filled: FilledStore?
    if scenario.operation != .insert {
      filled = try instruments.measure(.prepare, into: &phases) {
        let isFollowed = scenario.followsRelationships
        return (try FilledStore(setup, entity: entity, rows: rows, isFollowed: isFollowed), rows.count)
      }
    }
    // A migration begins with a closed store, as in a new version of an app.
    let isMigrated = scenario.operation.kind == .migrate
    if isMigrated {
      try filled?.close()
      filled = nil
    }
    let written = FileStatus(path)?.written
    let session = try instruments.opening(storeAt: path, inPhase: isMigrated) {
      let session = try OpenSession(strategy, setup, cell, scenario.operation)
      try session.prepare(rows, scenario.operation)
      // Every engine starts with an existing, empty WAL file, so that none has to create it during ingest.
      try session.store.checkpoint()
      instruments.measure(session.ofProcess?.process)
      return session
    }
    // If the session fails, do not continue to measure its process.
    defer { instruments.measure(nil) }
    try filled?.close()
    if isMigrated, FileStatus(path)?.written != written || FileStatus(path + "-wal") != nil {
      throw VerificationError.untrue(.writtenWhileOpening)
    }
    let opened = FileIdentity(of: path)
    // Keep this open until the session is closed, like every other verifying connection.
    let looks = scenario.operation == .insert ? try refuseRowsWhileOpening(setup) : nil
    defer { withExtendedLifetime(looks) {} }
    let rowCount = changed?.changedRows ?? rows.count
    let reader = cell[.reader] == .pinned ? try PinnedReader(setup) : nil
    let others = try concurrentExecutable.map { try ConcurrentOperators(scenario.beside, setup, $0) }
    instruments.watchGrowth(of: Set(setup.storedEntities.map(\.tableName)).sorted(), rows: rowCount)
    var fetched = FetchedRows(of: entity)
    func store() throws {
      switch session {
      case .insert(let session): try session.insert(rows)
      case .change(let session): try session.change(where: scenario.operation.condition)
      case .fetch(let session): try session.fetch(scenario.operation.query, into: &fetched)
      case .migrate(let session): try session.migrate()
      }
    }
    func work() throws {
      try instruments.measure(scenario.operation.kind.phase, into: &phases) {
        if let fault { try fault.after(store) } else { try store() }
        return ((), rowCount)
      }
      if instruments.pass == .timing, let last = phases.indices.last {
        phases[last].ownSeconds = session.ofProcess?.ownSeconds
      }
    }
    if scenario.pageCache == .cold { try dropPages() }
    var handovers = 0
    try others?.begin()
    if let turn { handovers = try turn.turns.take(trial: turn.number, work) } else { try work() }
    if isMigrated { instruments.engineHasOpened(storeAt: path) }
    let concurrent = try others?.end()
    let requests = recorder?.histogram
    var writing = (phase: scenario.operation.kind.phase, bytes: instruments.bytesWritten)
    let growth = instruments.growth(rows: rowCount)
    let heap = try instruments.heapTimeline()
    let ended = ended
    setup.model = ended.scenario.model
    var seen = [ended.workSnapshot(after: scenario.operation.kind.phase, setup)]
    if scenario.repeats > 1, case .insert(let session) = session {
      let before = OpenStoreFiles.commits(ofStoreAt: path)
      try instruments.measure(.reingest, into: &phases) {
        for _ in 1..<scenario.repeats { try session.insert(rows) }
        return ((), rows.count * (scenario.repeats - 1))
      }
      writing = (.reingest, instruments.bytesWritten)
      if updatesKnownRows, let before, before == OpenStoreFiles.commits(ofStoreAt: path) {
        throw VerificationError.untrue(.nothingIngestedAgain)
      }
      seen.append(workSnapshot(after: .reingest, setup))
    }
    let statements = instruments.statements
    try session.ofProcess?.workHasEnded(&fetched)
    if let statements, let now = instruments.statements, now > statements {
      throw VerificationError.untrue(.workAfterPhase(scenario.operation.kind.phase, statements: now - statements))
    }
    try reader?.close()
    if let observer = session.observer {
      try instruments.measure(.merge, into: &phases) {
        try observer.merge()
        return ((), rowCount + rows.count * (scenario.repeats - 1))
      }
      writing = (.merge, instruments.bytesWritten)
    }
    let pragmas = try pragmasInForce(session.store)
    if let bytes = writing.bytes, let now = instruments.bytesWritten, now > bytes {
      throw VerificationError.untrue(.writtenBetweenPhases(after: writing.phase, bytes: now - bytes))
    }
    try instruments.measure(.checkpoint, into: &phases) {
      instruments.stages?.began("checkpoint")
      try session.store.checkpoint()
      return ((), rowCount)
    }
    if !isExclusive, let frames = OpenStoreFiles.framesLeft(ofStoreAt: path), frames > 0 {
      throw VerificationError.untrue(.notCheckpointed(frames: frames))
    }
    if let opened, FileIdentity(of: path) != opened { throw VerificationError.untrue(.otherFile) }
    let observed = try session.observer?.contents()
    let engineNotes = session.store.notes
    var notes =
      verificationNotes
      + StorePragma.differences(set: scenario.pragmas, answered: pragmas)
    try session.store.close()
    instruments.measure(nil)
    let writersBytes = try concurrent.flatMap { try others?.checkWrites($0) } ?? 0

    // A second thread would make the counts of the exact passes, and profiles, random.
    let integrity = IntegrityCheck(ofStoreAt: path, isBesides: instruments.pass == .timing)
    // For an insert, compute them only now, so that their memory is not part of the measurement.
    let right = changed ?? known ?? expectedContents()
    let contents = try instruments.measure(.verify, into: &phases) {
      var contents = try ended.storedContents(setup, integrity, answers: pragmas)
      contents.databaseBytes -= writersBytes
      return (contents, contents.rows)
    }
    try ended.check(contents, against: right, seen: seen.compactMap { $0 }, setup)
    if let observed { try right.check(observed) }
    if case .fetch = session { try right.check(fetched) }
    if case .fetch = session, fetched.contents == nil {
      notes.append("the fetch handed over the number of its rows and no values, so that only the number was checked")
    }
    return Outcome(
      growth: growth, heap: heap, contents: contents, right: right, pragmas: pragmas, notes: notes,
      engineNotes: engineNotes,
      handovers: handovers, concurrent: concurrent, requests: requests
    )
  }

  /// Removes the store, so that the next trial makes a new one.
  func removeStore() {
    StoreSetup.removeStore(at: path)
  }

  /// The values in the session's store of the pragmas that affect the measurement, and of every pragma that the
  /// scenario set.
  private func pragmasInForce(_ session: any StoreSession) throws -> [StorePragma] {
    let always = ["journal_mode", "synchronous", "wal_autocheckpoint", "cache_size", "page_size", "auto_vacuum"]
    let names = always + scenario.pragmas.map(\.name).filter { !always.contains($0) }
    return try names.compactMap { name in try session.pragma(name).map { StorePragma(name, $0) } }
  }
}
