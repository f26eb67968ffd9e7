// Reads the records of a meter's file; each must lie within the file.
internal import CStoreMeter
internal import Support

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Records of one table.
struct MeterRecords {
  private let bytes: [UInt8]
  private let size: Int
  private let count: Int

  /// Reads them instead of mapping the file: an unreadable page would raise a signal in a mapping but is an error here.
  ///
  /// - Throws: ``MeterFileError``.
  init(_ file: Int32, at offset: Int, size: Int, count: Int, path: String) throws(MeterFileError) {
    (self.size, self.count) = (size, count)
    var error: Int32 = 0
    bytes = [UInt8](unsafeUninitializedCapacity: size * count) { buffer, done in
      while done < size * count {
        let more = pread(file, buffer.baseAddress.map { $0 + done }, size * count - done, off_t(offset + done))
        if more < 0 && errno == EINTR { continue }
        if more <= 0 {
          error = more < 0 ? errno : EIO
          return
        }
        done += more
      }
    }
    if error != 0 { throw .unreadable(path: path, reason: String(cString: strerror(error))) }
  }

  /// A structure of words at an offset that the layout defines.
  func value<Value: BitwiseCopyable>(at offset: Int, as type: Value.Type) -> Value {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }

  func text(at offset: Int, limit: Int) -> String {
    // A truncated text may end within a character.
    String(decoding: bytes[offset..<offset + limit].prefix { $0 != 0 }, as: UTF8.self).filter { $0 != "\u{FFFD}" }
  }

  var connections: [MeterReading.Connections] {
    (0..<count).compactMap { index in
      let record = value(at: index * size, as: store_meter_connection.self)
      // A forked child inherits its parent's connections, which it may never use.
      guard record.state != 0, record.opened > 0 || record.statements > 0 else { return nil }
      return MeterReading.Connections(
        database: Int(clamping: record.database), thread: Int64(clamping: record.thread),
        opened: Int64(clamping: record.opened), mostOpen: Int64(clamping: record.most_open),
        openNanoseconds: Int64(clamping: record.open_ns), statements: Int64(clamping: record.statements),
        unfinalized: Int64(clamping: record.unfinalized))
    }
  }

  var databases: [MeterReading.Database] { (0..<count).map { database(at: $0 * size) } }

  var statements: [MeterReading.Statement] { (0..<count).map { statement(at: $0 * size) } }

  private func database(at offset: Int) -> MeterReading.Database {
    let record = value(at: offset, as: store_meter_database.self)
    var database = MeterReading.Database()
    database.path = text(at: offset + Int(STORE_METER_PATH_OFFSET), limit: Int(STORE_METER_PATH_SIZE))
    let pragmas = text(at: offset + Int(STORE_METER_PRAGMAS_OFFSET), limit: Int(STORE_METER_PRAGMAS_SIZE))
    for setting in pragmas.split(separator: " ") {
      let parts = setting.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { database.pragmas[String(parts[0])] = String(parts[1]) }
    }
    database.file = MeterReading.File(record.database)
    database.wal = MeterReading.File(record.wal)
    database.journal = MeterReading.File(record.journal)
    database.temporary = MeterReading.File(record.temporary)
    database.pageSize = Int64(clamping: record.page_size)
    database.connections = Int64(clamping: record.connections)
    database.sharedMaps = Int64(clamping: record.shared_maps)
    database.sharedLocks = Int64(clamping: record.shared_locks)
    database.sharedBarriers = Int64(clamping: record.shared_barriers)
    database.walFrames = Int64(clamping: record.wal_frames)
    database.walOverwrites = Int64(clamping: record.wal_overwrites)
    database.walBytesAppended = Int64(clamping: record.wal_bytes_appended)
    database.walRestarts = Int64(clamping: record.wal_restarts)
    database.walCommits = Int64(clamping: record.wal_commits)
    database.walCommitPeakFrames = Int64(clamping: record.wal_commit_peak)
    database.walBacklogPeakFrames = Int64(clamping: record.wal_backlog_peak)
    database.walCommitsWithBacklog = Int64(clamping: record.wal_commits_with_backlog)
    database.walBytes = Int64(clamping: record.wal_size)
    database.walPeakBytes = Int64(clamping: record.wal_peak)
    database.writeLocks = Int64(clamping: record.write_locks)
    database.commits = Int64(clamping: record.commits)
    database.heldNanoseconds = Int64(clamping: record.held_ns)
    database.longestHeldNanoseconds = Int64(clamping: record.longest_held_ns)
    database.loneCommits = Int64(clamping: record.lone_commits)
    database.refusals = Int64(clamping: record.refusals)
    database.refusalsAtOnce = Int64(clamping: record.refusals_at_once)
    database.staleSnapshots = Int64(clamping: record.stale_snapshots)
    database.lockedRuns = Int64(clamping: record.locked_runs)
    database.refusedUpgrades = Int64(clamping: record.refused_upgrades)
    database.checkpoints = Int64(clamping: record.checkpoints)
    database.checkpointedPages = Int64(clamping: record.checkpointed_pages)
    database.checkpointNanoseconds = Int64(clamping: record.checkpoint_ns)
    database.longestCheckpointNanoseconds = Int64(clamping: record.longest_checkpoint_ns)
    database.checkpointsHeldBack = Int64(clamping: record.held_back)
    database.heldBackFrames = Int64(clamping: record.held_back_frames)
    database.heldBackStatement = Int(clamping: record.held_back_statement)
    database.heldBackThread = Int64(clamping: record.held_back_thread)
    database.heldBackElsewhere = Int64(clamping: record.held_back_elsewhere)
    database.checkpointsRefused = Int64(clamping: record.checkpoints_refused)
    database.checkpointsByMode = MeterRecords.list(record.checkpoints_by_mode).enumerated()
      .compactMap { MeterReading.Checkpoints($1, mode: $0) }
    database.transactions = MeterRecords.list(record.transactions).enumerated()
      .compactMap { MeterReading.Transactions($1, kind: $0) }
    database.directorySyncs = Int64(clamping: record.directory_syncs)
    database.directoryNanoseconds = Int64(clamping: record.directory_ns)
    database.longestDirectoryNanoseconds = Int64(clamping: record.longest_directory_ns)
    database.growth = growth(at: offset + Int(STORE_METER_GROWTH_OFFSET), each: record.moment_ns)
    database.readLocks = Int64(clamping: record.read_locks)
    database.longestReadNanoseconds = Int64(clamping: record.longest_read_ns)
    database.longestReadStatement = Int(clamping: record.longest_read_statement)
    database.cacheHits = Int64(clamping: record.cache_hits)
    database.cacheMisses = Int64(clamping: record.cache_misses)
    database.cacheSpills = Int64(clamping: record.cache_spills)
    database.cacheWrites = Int64(clamping: record.cache_writes)
    database.rowsChanged = Int64(clamping: record.rows_changed)
    database.unfinalized = Int64(clamping: record.unfinalized)
    database.statements = Int64(clamping: record.statements)
    database.vmSteps = Int64(clamping: record.vm_steps)
    database.fullScanSteps = Int64(clamping: record.full_scan_steps)
    database.fullScans = Int64(clamping: record.full_scans)
    database.sorts = Int64(clamping: record.sorts)
    database.automaticIndexRows = Int64(clamping: record.automatic_index_rows)
    database.repreparations = Int64(clamping: record.repreparations)
    return database
  }

  private func growth(at offset: Int, each length: UInt64) -> [MeterReading.Growth] {
    (0..<Int(STORE_METER_MOMENTS)).compactMap { index in
      let place = offset + index * MemoryLayout<store_meter_moment>.stride
      let moment = value(at: place, as: store_meter_moment.self)
      guard moment.highest > 0, moment.last > 0 else { return nil }
      let (time, overflows) = length.multipliedReportingOverflow(by: UInt64(index))
      return MeterReading.Growth(
        nanoseconds: overflows ? .max : Int64(clamping: time), highestBytes: Int64(clamping: moment.highest - 1),
        lastBytes: Int64(clamping: moment.last - 1))
    }
  }

  /// The elements of a C array, which Swift imports as a tuple.
  private static func list<Tuple, Element: BitwiseCopyable>(_ tuple: Tuple, of type: Element.Type = Element.self)
    -> [Element]
  {
    withUnsafeBytes(of: tuple) { bytes in
      stride(from: 0, to: bytes.count, by: MemoryLayout<Element>.stride).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: type)
      }
    }
  }

  private func statement(at offset: Int) -> MeterReading.Statement {
    let record = value(at: offset, as: store_meter_statement.self)
    var statement = MeterReading.Statement()
    statement.text = text(at: offset + Int(STORE_METER_TEXT_OFFSET), limit: Int(STORE_METER_TEXT_SIZE))
    statement.plan = text(at: offset + Int(STORE_METER_PLAN_OFFSET), limit: Int(STORE_METER_PLAN_SIZE))
    statement.isCut = record.text_length >= UInt64(STORE_METER_TEXT_SIZE)
    statement.textHash = record.hash
    statement.database = Int(clamping: record.database)
    statement.use = record.is_reading == 1 ? .queries : record.is_reading == 2 ? .other : .writes
    statement.runs = (0..<Int(STORE_METER_CALLS)).reduce(0) { sum, index in
      let place = offset + Int(STORE_METER_CALLS_OFFSET) + index * Int(STORE_METER_CALLS_STRIDE)
      return sum.addingClamped(Int64(clamping: value(at: place, as: UInt64.self)))
    }
    statement.times = (0..<Int(STORE_METER_TIMES)).map { index in
      Int64(value(at: offset + Int(STORE_METER_TIMES_OFFSET) + index * 4, as: UInt32.self))
    }
    statement.preparations = Int64(clamping: record.preparations)
    statement.timedRuns = Int64(clamping: record.timed_runs)
    statement.timedNanoseconds = Int64(clamping: record.timed_ns)
    statement.longestNanoseconds = Int64(clamping: record.longest_ns)
    statement.rowsReturned = Int64(clamping: record.rows_returned)
    statement.rowsChanged = Int64(clamping: record.rows_changed)
    statement.vmSteps = Int64(clamping: record.vm_steps)
    statement.fullScanSteps = Int64(clamping: record.full_scan_steps)
    statement.sorts = Int64(clamping: record.sorts)
    statement.automaticIndexRows = Int64(clamping: record.automatic_index_rows)
    statement.repreparations = Int64(clamping: record.repreparations)
    statement.temporaryFiles = Int64(clamping: record.temporary_files)
    statement.temporaryBytes = Int64(clamping: record.temporary_bytes)
    statement.autocommits = Int64(clamping: record.autocommits)
    statement.runsForRows = Int64(clamping: record.runs_for_rows)
    statement.timesForRows = Int64(clamping: record.times_for_rows)
    statement.rowsStatement = Int(clamping: record.rows_statement)
    statement.refusals = Int64(clamping: record.refusals)
    statement.allocations = Int64(clamping: record.allocations)
    statement.allocatedBytes = Int64(clamping: record.allocated_bytes)
    statement.staleSnapshots = Int64(clamping: record.stale_snapshots)
    statement.lockedRuns = Int64(clamping: record.locked_runs)
    return statement
  }
}

extension MeterReading.Heap {
  /// `nil` if nothing was counted.
  init?(_ record: store_meter_heap) {
    guard record.allocations > 0 else { return nil }
    liveBytes = record.live_bytes
    peakBytes = max(record.peak_bytes, record.live_bytes)
    allocations = Int64(clamping: record.allocations)
    allocatedBytes = Int64(clamping: record.allocated_bytes)
    if record.is_known != 0 {
      peaks = (Int64(clamping: record.sqlite_peak_bytes), Int64(clamping: record.rest_peak_bytes))
    }
  }
}

extension MeterReading.Checkpoints {
  /// `nil` if there were none.
  fileprivate init?(_ record: store_meter_checkpoints, mode: Int) {
    guard record.runs > 0, let mode = Mode(rawValue: mode) else { return nil }
    self.mode = mode
    runs = Int64(clamping: record.runs)
    pages = Int64(clamping: record.pages)
    nanoseconds = Int64(clamping: record.duration_ns)
    leftForReader = Int64(clamping: record.left_for_reader)
    mostFramesLeft = Int64(clamping: record.most_frames_left)
    leftForWriter = Int64(clamping: record.left_for_writer)
  }
}

extension MeterReading.Transactions {
  /// `nil` if there were none.
  fileprivate init?(_ record: store_meter_transactions, kind: Int) {
    guard record.begun > 0, let kind = Kind(rawValue: kind) else { return nil }
    self.kind = kind
    begun = Int64(clamping: record.begun)
    committed = Int64(clamping: record.committed)
    heldNanoseconds = Int64(clamping: record.held_ns)
    longestHeldNanoseconds = Int64(clamping: record.longest_ns)
  }
}

extension MeterReading.File {
  fileprivate init(_ record: store_meter_file) {
    opens = Int64(clamping: record.opens)
    reads = Int64(clamping: record.reads)
    bytesRead = Int64(clamping: record.bytes_read)
    writes = Int64(clamping: record.writes)
    bytesWritten = Int64(clamping: record.bytes_written)
    syncs = Int64(clamping: record.syncs)
    syncNanoseconds = Int64(clamping: record.sync_ns)
    longestSyncNanoseconds = Int64(clamping: record.longest_sync_ns)
    truncates = Int64(clamping: record.truncates)
  }
}
