// Builds a report from the meter's readings of each process. Databases with the same path are combined, and so are
// statements with the same text.
package import Instruments
internal import Support

extension WatchReport {
  /// Returns the size of the database at a path.
  package typealias StoredBytes = (_ path: String) -> Int64?

  /// Adds the readings of the processes, and finds anomalies.
  ///
  /// - Parameters:
  ///   - readings: One for each process, in the order in which they began.
  ///   - start: When the program began, on the clock of the readings, in nanoseconds.
  ///   - storedBytes: Returns the current size of a database's file.
  ///   - shownPath: Returns the display form of a path.
  package mutating func add(
    _ readings: [MeterReading], since start: UInt64, storedBytes: StoredBytes, shownPath: (String) -> String = { $0 }
  ) {
    var places = Places()
    for reading in readings {
      processes.append(Process(reading, shownPath: shownPath))
      noteGaps(of: reading)
      let databases = reading.databases.map { places.database(of: $0, in: &self) }
      let statements = reading.statements.map { places.statement(of: $0, in: &self) }
      for (database, place) in zip(reading.databases, databases) {
        guard let place else { continue }
        self.databases[place].add(database, of: reading, statements: statements)
        let offset = Double(reading.beganNanoseconds) - Double(start)
        self.databases[place].walGrowth += database.growth.map {
          WALMoment(
            seconds: max(0, (Double($0.nanoseconds) + offset) / 1e9), highestBytes: $0.highestBytes,
            lastBytes: $0.lastBytes)
        }
      }
      connections += reading.connections.map { connections in
        let isKnown = connections.thread != 0
        return Connections(
          process: reading.process, thread: isKnown ? connections.thread : nil,
          database: isKnown && databases.indices.contains(connections.database) ? databases[connections.database] : nil,
          opened: connections.opened, mostOpen: connections.mostOpen,
          openSeconds: Double(connections.openNanoseconds) / 1e9, statements: connections.statements,
          unfinalized: connections.unfinalized)
      }
      for (statement, place) in zip(reading.statements, statements) {
        guard let place else { continue }
        let database = databases.indices.contains(statement.database) ? databases[statement.database] : nil
        let rows = statements.indices.contains(statement.rowsStatement) ? statements[statement.rowsStatement] : nil
        self.statements[place].add(statement, database: database, rowsStatement: rows)
        if reading.heap != nil { self.statements[place].addAllocations(statement) }
        places.times[place] = adding(statement.times, to: places.times[place] ?? [])
      }
    }
    for place in databases.indices { databases[place].walGrowth.sort { $0.seconds < $1.seconds } }
    for place in statements.indices { statements[place].estimateTimes(places.times[place] ?? []) }
    for statement in statements where statement.isRollback {
      guard let place = statement.database else { continue }
      databases[place].rollbacks = databases[place].rollbacks.addingClamped(statement.runs)
    }
    for place in databases.indices where !databases[place].path.isEmpty {
      databases[place].storedBytes = storedBytes(databases[place].path)
    }
    findings = WatchFinding.all(in: self)
    if metersMemory { removeTimes() }
    for place in databases.indices where !databases[place].path.isEmpty {
      databases[place].path = shownPath(databases[place].path)
    }
  }

  private mutating func noteGaps(of reading: MeterReading) {
    if reading.connectionsElsewhere > 0 {
      gaps.append(.otherVFS(name: reading.otherVFS, connections: reading.connectionsElsewhere))
    }
    if reading.untraced > 0 { gaps.append(.untraced(connections: reading.untraced)) }
    if reading.lostConnections > 0 || reading.lostDatabases > 0 {
      gaps.append(.noRoom(connections: reading.lostConnections, databases: reading.lostDatabases))
    }
  }

  private func adding(_ times: [Int64], to others: [Int64]) -> [Int64] {
    others.isEmpty ? times : zip(times, others).map { $0.addingClamped($1) }
  }
}

/// The indexes of databases and statements in the report.
private struct Places {
  private var databases: [String: Int] = [:]
  private var statements: [MeterReading.Statement.Identity: Int] = [:]
  /// Times of timed runs, by the index of the statement.
  var times: [Int: [Int64]] = [:]

  /// `nil` for a database that was never seen.
  mutating func database(of reading: MeterReading.Database, in report: inout WatchReport) -> Int? {
    guard reading.isUsed else { return nil }
    if let place = databases[reading.path] { return place }
    let place = report.databases.count
    databases[reading.path] = place
    report.databases.append(WatchReport.Database(path: reading.path))
    return place
  }

  mutating func statement(of reading: MeterReading.Statement, in report: inout WatchReport) -> Int? {
    guard reading.runs > 0 else { return nil }
    if let place = statements[reading.identity] { return place }
    let place = report.statements.count
    statements[reading.identity] = place
    report.statements.append(
      WatchReport.Statement(text: reading.text, isCut: reading.isCut, use: WatchReport.Statement.Use(reading.use)))
    return place
  }
}

extension MeterReading {
  /// Only some calls are timed; assume that the others took equally long.
  fileprivate var meterSeconds: Double {
    let rare = Double(ownRareNanoseconds) / 1e9
    guard ownTimedCalls > 0 else { return rare }
    return rare + Double(ownTimedNanoseconds) / Double(ownTimedCalls) * Double(ownCalls) / 1e9
  }
}

extension MeterReading.Database {
  /// A forked child knows the databases of its parent, but may never use them.
  fileprivate var isUsed: Bool {
    let counts: [Int64] = [connections, commits, rowsChanged, cacheHits, cacheMisses, writeLocks, readLocks]
    if counts.contains(where: { $0 > 0 }) { return true }
    return [file, wal, journal, temporary].contains { $0.opens > 0 || $0.reads > 0 || $0.writes > 0 }
  }
}

extension WatchReport.Process {
  fileprivate init(_ reading: MeterReading, shownPath: (String) -> String) {
    self.init(
      number: reading.process, parent: reading.parent, executable: shownPath(reading.executable),
      sqliteVersion: reading.sqliteVersion, isFork: reading.isFork, threads: reading.threads,
      connections: reading.connectionsOpened, connectionsInMemory: reading.connectionsInMemory,
      sleeps: reading.sleeps, sleepSeconds: Double(reading.sleepNanoseconds) / 1e9,
      meterSeconds: reading.meterSeconds, meterTimedCalls: reading.ownTimedCalls,
      heap: reading.heap.map {
        WatchReport.Heap(
          peakBytes: $0.peakBytes, allocations: $0.allocations, allocatedBytes: $0.allocatedBytes,
          sqlitePeakBytes: $0.peaks?.sqlite, restPeakBytes: $0.peaks?.rest)
      })
  }
}

extension WatchReport.Statement.Use {
  fileprivate init(_ use: MeterReading.Statement.Use) {
    self =
      switch use {
      case .writes: .writes
      case .queries: .queries
      case .other: .other
      }
  }
}

extension WatchReport.Database {
  /// Adds the work of one process; `statements` has the indexes of its statements.
  fileprivate mutating func add(_ other: MeterReading.Database, of reading: MeterReading, statements: [Int?]) {
    func place(_ number: Int) -> Int? { number > 0 && statements.indices.contains(number) ? statements[number] : nil }
    pragmas.merge(other.pragmas) { $1 }
    file.add(other.file)
    wal.add(other.wal)
    journal.add(other.journal)
    temporary.add(other.temporary)
    pageBytes = max(pageBytes, other.pageSize)
    connections = connections.addingClamped(other.connections)
    rowsChanged = rowsChanged.addingClamped(other.rowsChanged)
    commits = commits.addingClamped(other.commits)
    heldSeconds += Double(other.heldNanoseconds) / 1e9
    longestHeldSeconds = max(longestHeldSeconds ?? 0, Double(other.longestHeldNanoseconds) / 1e9)
    loneCommits = loneCommits.addingClamped(other.loneCommits)
    walCommits = walCommits.addingClamped(other.walCommits)
    walFrames = walFrames.addingClamped(other.walFrames)
    walOverwrites = walOverwrites.addingClamped(other.walOverwrites)
    walRestarts = walRestarts.addingClamped(other.walRestarts)
    walPeakBytes = max(walPeakBytes, other.walPeakBytes)
    walBacklogPeakFrames = max(walBacklogPeakFrames, other.walBacklogPeakFrames)
    checkpoints = checkpoints.addingClamped(other.checkpoints)
    checkpointedPages = checkpointedPages.addingClamped(other.checkpointedPages)
    checkpointSeconds += Double(other.checkpointNanoseconds) / 1e9
    longestCheckpointSeconds = max(longestCheckpointSeconds ?? 0, Double(other.longestCheckpointNanoseconds) / 1e9)
    checkpointsHeldBack = checkpointsHeldBack.addingClamped(other.checkpointsHeldBack)
    heldBackFrames = max(heldBackFrames, other.heldBackFrames)
    heldBackStatement = place(other.heldBackStatement) ?? heldBackStatement
    if other.heldBackThread != 0 { heldBackReader = .init(process: reading.process, thread: other.heldBackThread) }
    heldBackElsewhere = heldBackElsewhere.addingClamped(other.heldBackElsewhere)
    checkpointsRefused = checkpointsRefused.addingClamped(other.checkpointsRefused)
    for checkpoints in other.checkpointsByMode { add(checkpoints) }
    for transactions in other.transactions { add(transactions) }
    if reading.countsDirectories { directorySyncs = (directorySyncs ?? 0).addingClamped(other.directorySyncs) }
    if Double(other.longestReadNanoseconds) / 1e9 > longestReadSeconds ?? 0 {
      longestReadSeconds = Double(other.longestReadNanoseconds) / 1e9
      longestReadStatement = place(other.longestReadStatement)
    }
    refusals = refusals.addingClamped(other.refusals)
    refusalsAtOnce = refusalsAtOnce.addingClamped(other.refusalsAtOnce)
    refusedUpgrades = refusedUpgrades.addingClamped(other.refusedUpgrades)
    staleSnapshots = staleSnapshots.addingClamped(other.staleSnapshots)
    lockedRuns = lockedRuns.addingClamped(other.lockedRuns)
    cacheHits = cacheHits.addingClamped(other.cacheHits)
    cacheMisses = cacheMisses.addingClamped(other.cacheMisses)
    cacheSpills = cacheSpills.addingClamped(other.cacheSpills)
    unfinalized = unfinalized.addingClamped(other.unfinalized)
  }

  private mutating func add(_ other: MeterReading.Checkpoints) {
    let mode = WatchReport.Checkpoints.Mode(other.mode)
    let place = checkpointsByMode.firstIndex { $0.mode == mode } ?? checkpointsByMode.count
    if place == checkpointsByMode.count { checkpointsByMode.append(.init(mode: mode)) }
    checkpointsByMode[place].runs = checkpointsByMode[place].runs.addingClamped(other.runs)
    checkpointsByMode[place].pages = checkpointsByMode[place].pages.addingClamped(other.pages)
    checkpointsByMode[place].seconds += Double(other.nanoseconds) / 1e9
    checkpointsByMode[place].leftForReader = checkpointsByMode[place].leftForReader.addingClamped(other.leftForReader)
    checkpointsByMode[place].mostFramesLeft = max(checkpointsByMode[place].mostFramesLeft, other.mostFramesLeft)
    checkpointsByMode[place].leftForWriter = checkpointsByMode[place].leftForWriter.addingClamped(other.leftForWriter)
  }

  private mutating func add(_ other: MeterReading.Transactions) {
    let kind = WatchReport.Transactions.Kind(other.kind)
    let place = transactions.firstIndex { $0.kind == kind } ?? transactions.count
    if place == transactions.count { transactions.append(.init(kind: kind)) }
    transactions[place].begun = transactions[place].begun.addingClamped(other.begun)
    transactions[place].committed = transactions[place].committed.addingClamped(other.committed)
    transactions[place].heldSeconds += Double(other.heldNanoseconds) / 1e9
    transactions[place].longestHeldSeconds = max(
      transactions[place].longestHeldSeconds ?? 0, Double(other.longestHeldNanoseconds) / 1e9)
  }
}

extension WatchReport.Checkpoints.Mode {
  fileprivate init(_ mode: MeterReading.Checkpoints.Mode) {
    self =
      switch mode {
      case .passive: .passive
      case .full: .full
      case .restart: .restart
      case .truncate: .truncate
      case .closing: .closing
      case .unknown: .unknown
      }
  }
}

extension WatchReport.Transactions.Kind {
  fileprivate init(_ kind: MeterReading.Transactions.Kind) {
    self =
      switch kind {
      case .autocommit: .autocommit
      case .deferred: .deferred
      case .immediate: .immediate
      case .exclusive: .exclusive
      case .unknown: .unknown
      }
  }
}

extension WatchReport.Statement {
  /// Whether it rolls back a transaction; `ROLLBACK TO` does not.
  fileprivate var isRollback: Bool {
    if use != .other { return false }
    let words = NormalizedSQL(text).text.uppercased().split(separator: " ")
    return words.first == "ROLLBACK" && !words.contains("TO")
  }

  fileprivate mutating func add(_ other: MeterReading.Statement, database: Int?, rowsStatement: Int?) {
    self.database = database ?? self.database
    if plan == nil, !other.plan.isEmpty { plan = other.plan }
    runs = runs.addingClamped(other.runs)
    preparations = preparations.addingClamped(other.preparations)
    rowsReturned = rowsReturned.addingClamped(other.rowsReturned)
    rowsChanged = rowsChanged.addingClamped(other.rowsChanged)
    timedRuns = timedRuns.addingClamped(other.timedRuns)
    if other.timedRuns > 0 {
      // This is the time of the timed runs only, until all are added.
      totalSeconds = (totalSeconds ?? 0) + Double(other.timedNanoseconds) / 1e9
      longestSeconds = max(longestSeconds ?? 0, Double(other.longestNanoseconds) / 1e9)
    }
    vmSteps = vmSteps.addingClamped(other.vmSteps)
    fullScanSteps = fullScanSteps.addingClamped(other.fullScanSteps)
    sorts = sorts.addingClamped(other.sorts)
    automaticIndexRows = automaticIndexRows.addingClamped(other.automaticIndexRows)
    repreparations = repreparations.addingClamped(other.repreparations)
    temporaryFiles = temporaryFiles.addingClamped(other.temporaryFiles)
    temporaryBytes = temporaryBytes.addingClamped(other.temporaryBytes)
    autocommits = autocommits.addingClamped(other.autocommits)
    runsForRows = runsForRows.addingClamped(other.runsForRows)
    self.rowsStatement = other.timesForRows > 0 ? rowsStatement : self.rowsStatement
    refusals = refusals.addingClamped(other.refusals)
    staleSnapshots = staleSnapshots.addingClamped(other.staleSnapshots)
    lockedRuns = lockedRuns.addingClamped(other.lockedRuns)
  }

  fileprivate mutating func addAllocations(_ other: MeterReading.Statement) {
    allocations = (allocations ?? 0).addingClamped(other.allocations)
    allocatedBytes = (allocatedBytes ?? 0).addingClamped(other.allocatedBytes)
  }

  /// Scales the time of the timed runs to all runs, and computes the median.
  fileprivate mutating func estimateTimes(_ times: [Int64]) {
    guard timedRuns > 0 else { return }
    totalSeconds = totalSeconds.map { $0 * Double(max(runs, timedRuns)) / Double(timedRuns) }
    let count = times.reduce(Int64(0)) { $0.addingClamped($1) }
    let middle = Double(count) / 2
    var below = 0.0
    for (place, number) in times.enumerated() where number > 0 {
      let limits = MeterReading.Statement.limits(ofTime: place)
      if below + Double(number) >= middle {
        let share = (middle - below) / Double(number)
        medianSeconds = (limits.lowerBound + share * (limits.upperBound - limits.lowerBound)) / 1e9
        break
      }
      below += Double(number)
    }
    medianSeconds = medianSeconds.map { min($0, longestSeconds ?? $0) }
  }
}
