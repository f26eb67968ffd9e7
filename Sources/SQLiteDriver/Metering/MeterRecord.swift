// Reads the figures that the C meter keeps for each database.
internal import CSQLite
internal import CStoreMeter

/// Copies of the records of the meter that is linked to this process; its threads update the originals at any time.
enum MeterRecord {
  static var total: store_meter_database {
    var total = store_meter_database()
    store_meter_read_total(&total)
    return total
  }

  /// The record of all databases without a file.
  static var unnamed: store_meter_database { database(atFullPath: "") }

  /// The record of a database; any path to the file will do.
  static func database(at path: String) -> store_meter_database { database(atFullPath: fullPath(of: path)) }

  private static func database(atFullPath path: String) -> store_meter_database {
    var database = store_meter_database()
    store_meter_read_database(path, &database)
    return database
  }

  /// The full path of a file, as the default VFS resolves it; the path itself if that fails.
  private static func fullPath(of path: String) -> String {
    guard let vfs = sqlite3_vfs_find(nil), let resolve = vfs.pointee.xFullPathname else { return path }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(vfs.pointee.mxPathname) + 1) { buffer in
      guard let start = buffer.baseAddress else { return path }
      let code = resolve(vfs, path, Int32(buffer.count), start)
      // SQLite returns a positive success code if the path contained a symbolic link.
      return code & 0xff == SQLITE_OK ? String(cString: start) : path
    }
  }
}

extension SQLiteCounters {
  init(_ record: store_meter_database) {
    database = FileCounters(record.database)
    wal = FileCounters(record.wal)
    journal = FileCounters(record.journal)
    temporary = FileCounters(record.temporary)
    sharedMemory.maps = Int64(clamping: record.shared_maps)
    sharedMemory.locks = Int64(clamping: record.shared_locks)
    sharedMemory.barriers = Int64(clamping: record.shared_barriers)
    directorySyncs = Int64(clamping: record.directory_syncs)
    walFrames = Int64(clamping: record.wal_frames)
    walOverwrites = Int64(clamping: record.wal_overwrites)
    walBytesAppended = Int64(clamping: record.wal_bytes_appended)
    walRestarts = Int64(clamping: record.wal_restarts)
    walCommits = Int64(clamping: record.wal_commits)
    walCommitPeak = Int64(clamping: record.wal_commit_peak)
    walBacklogPeak = Int64(clamping: record.wal_backlog_peak)
    walCommitsWithBacklog = Int64(clamping: record.wal_commits_with_backlog)
    walSize = Int64(clamping: record.wal_size)
    walPeak = Int64(clamping: record.wal_peak)
    checkpoints = Int64(clamping: record.checkpoints)
    checkpointedPages = Int64(clamping: record.checkpointed_pages)
    statements = Int64(clamping: record.statements)
    vmSteps = Int64(clamping: record.vm_steps)
    sorts = Int64(clamping: record.sorts)
    fullScanSteps = Int64(clamping: record.full_scan_steps)
    fullScans = Int64(clamping: record.full_scans)
    automaticIndexRows = Int64(clamping: record.automatic_index_rows)
    repreparations = Int64(clamping: record.repreparations)
    pageCache.hits = Int64(clamping: record.cache_hits)
    pageCache.misses = Int64(clamping: record.cache_misses)
    pageCache.writes = Int64(clamping: record.cache_writes)
    pageCache.spills = Int64(clamping: record.cache_spills)
  }
}

extension FileCounters {
  fileprivate init(_ record: store_meter_file) {
    reads = Int64(clamping: record.reads)
    bytesRead = Int64(clamping: record.bytes_read)
    writes = Int64(clamping: record.writes)
    bytesWritten = Int64(clamping: record.bytes_written)
    syncs = Int64(clamping: record.syncs)
    truncates = Int64(clamping: record.truncates)
  }
}

extension ConnectionCounters {
  init(_ record: store_meter_database) {
    opened = Int(clamping: record.connections)
    unmetered = Int(clamping: record.opened_elsewhere)
    untraced = Int(clamping: record.untraced)
    open = Int(clamping: record.open)
  }
}

extension SQLiteTimes {
  init(_ record: store_meter_database) {
    database = SpentTime(syncs: record.database)
    wal = SpentTime(syncs: record.wal)
    journal = SpentTime(syncs: record.journal)
    temporary = SpentTime(syncs: record.temporary)
    directory = SpentTime(record.directory_ns, longest: record.longest_directory_ns)
    checkpoints = SpentTime(record.checkpoint_ns, longest: record.longest_checkpoint_ns)
  }
}

extension SpentTime {
  fileprivate init(_ nanoseconds: UInt64, longest: UInt64) {
    total = .nanoseconds(Int64(clamping: nanoseconds))
    self.longest = .nanoseconds(Int64(clamping: longest))
  }

  fileprivate init(syncs file: store_meter_file) { self.init(file.sync_ns, longest: file.longest_sync_ns) }
}
