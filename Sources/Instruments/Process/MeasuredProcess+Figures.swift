// The figures of another process that does the work of a session: from the system and from its meter.
package import BatchmarkEngine
internal import Foundation
internal import SQLiteDriver
internal import Support

extension MeasuredProcess {
  /// The process that has a store open: this one, or one that it has started, as a shell script does.
  package func holder(ofStoreAt path: String) -> MeasuredProcess {
    guard let file = FileIdentity(of: path), let holder = OperatingSystem.holder(of: file, inGroupOf: number) else {
      return self
    }
    return MeasuredProcess(number: holder, meterFolder: meterFolder, managesHeap: managesHeap)
  }

  /// User and system seconds since it began; `nil` if the system does not report them, for example after its end.
  package var cpuSeconds: Double? { OperatingSystem.cpuSeconds(of: number) }

  /// Interference by others with this process.
  package var interference: Interference { OperatingSystem.interference(of: number) }

  /// The most bytes resident since it began, or since the peak was reset.
  var peakResidentBytes: Int64? { OperatingSystem.peakResidentBytes(of: number) }

  /// Resets the peak to the bytes resident now.
  func resetPeakResident() { _ = OperatingSystem.resetPeakResidentBytes(of: number) }

  /// What its meter and those of its children have published; empty if none can be read.
  func readings() -> [MeterReading] { meterFiles.compactMap { try? MeterReading(of: $0) } }

  /// Resets the peaks of those meters.
  ///
  /// A file that cannot be written to keeps its peaks.
  func markPeaks() { for file in meterFiles { try? MeterReading.markPeaks(of: file) } }

  private var meterFiles: [String] {
    guard let meterFolder else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: meterFolder)) ?? []
    return names.sorted().filter { $0.hasSuffix(MeterReading.fileSuffix) }.map { "\(meterFolder)/\($0)" }
  }

  /// Bytes written through its SQLite so far; `nil` if it has no meter.
  package var bytesWritten: Int64? { meterFolder == nil ? nil : SQLiteCounters(readings()).bytesWritten }

  /// Statements run through its SQLite so far; `nil` if it has no meter.
  package var statements: Int64? { meterFolder == nil ? nil : SQLiteCounters(readings()).statements }

  /// What it has allocated; `nil` if that is not metered.
  func heap() -> MeterReading.Heap? { readings().first { $0.process == number }?.heap }

  /// Why the figures for files are incomplete; `nil` if they are complete.
  func filesGap(storePath: String?) -> String? {
    gap(storePath, subject: "the figures of files") { reading in
      if reading.connectionsElsewhere > 0 {
        return "a connection, or a database that it attached, went through a VFS that is not metered"
      }
      return reading.lostDatabases > 0 ? "it opened more databases than the meter has room for" : nil
    }
  }

  /// Why the figures for statements are incomplete; `nil` if they are complete.
  func statementsGap(storePath: String?) -> String? {
    gap(storePath, subject: "the figures of statements and page caches") { reading in
      if reading.untraced > 0 { return "a connection's trace was taken by the program" }
      if reading.lostConnections > 0 { return "it had more connections open than the meter has room for" }
      return reading.tracesStatements ? nil : "its statements are not traced"
    }
  }

  private func gap(_ storePath: String?, subject: String, _ problem: (MeterReading) -> String?) -> String? {
    let readings = readings()
    let store = storePath.map(MeasuredProcess.realPath)
    let isSeen = readings.contains { $0.databases.contains { MeasuredProcess.realPath($0.path) == store } }
    guard isSeen else {
      return "\(subject) are not known: the program opened its store with a SQLite of its own, or in a process that "
        + "cannot be metered"
    }
    return readings.lazy.compactMap(problem).first.map { "\(subject) are not known: \($0)" }
  }

  private static func realPath(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }
}

extension Int64 {
  /// More than any process counts, but small enough that sums of a few such numbers cannot overflow.
  private static let mostCounted: Int64 = 1 << 53

  /// Adds a count from a file that another process writes, so nothing in it can be trusted.
  fileprivate mutating func addCount(_ count: Int64) { self = Swift.min(addingClamped(count), Int64.mostCounted) }
}

extension SQLiteCounters {
  /// The sum of all databases that the meters of other processes have published.
  init(_ readings: [MeterReading]) {
    self.init()
    for database in readings.flatMap(\.databases) {
      self.database.add(database.file)
      wal.add(database.wal)
      journal.add(database.journal)
      temporary.add(database.temporary)
      sharedMemory.maps.addCount(database.sharedMaps)
      sharedMemory.locks.addCount(database.sharedLocks)
      sharedMemory.barriers.addCount(database.sharedBarriers)
      directorySyncs.addCount(database.directorySyncs)
      walFrames.addCount(database.walFrames)
      walOverwrites.addCount(database.walOverwrites)
      walBytesAppended.addCount(database.walBytesAppended)
      walRestarts.addCount(database.walRestarts)
      walCommits.addCount(database.walCommits)
      walCommitsWithBacklog.addCount(database.walCommitsWithBacklog)
      walCommitPeak = max(walCommitPeak, database.walCommitPeakFrames)
      walBacklogPeak = max(walBacklogPeak, database.walBacklogPeakFrames)
      checkpoints.addCount(database.checkpoints)
      checkpointedPages.addCount(database.checkpointedPages)
      addStatements(of: database)
    }
    walSize.addCount(readings.walBytes)
    walPeak.addCount(readings.walPeakBytes)
  }

  private mutating func addStatements(of database: MeterReading.Database) {
    statements.addCount(database.statements)
    vmSteps.addCount(database.vmSteps)
    sorts.addCount(database.sorts)
    fullScanSteps.addCount(database.fullScanSteps)
    fullScans.addCount(database.fullScans)
    automaticIndexRows.addCount(database.automaticIndexRows)
    repreparations.addCount(database.repreparations)
    pageCache.hits.addCount(database.cacheHits)
    pageCache.misses.addCount(database.cacheMisses)
    pageCache.writes.addCount(database.cacheWrites)
    pageCache.spills.addCount(database.cacheSpills)
  }
}

extension FileCounters {
  fileprivate mutating func add(_ file: MeterReading.File) {
    reads.addCount(file.reads)
    bytesRead.addCount(file.bytesRead)
    writes.addCount(file.writes)
    bytesWritten.addCount(file.bytesWritten)
    syncs.addCount(file.syncs)
    truncates.addCount(file.truncates)
  }
}

extension SQLiteTimes {
  /// What the meters of other processes have published.
  init(_ readings: [MeterReading]) {
    self.init()
    for database in readings.flatMap(\.databases) {
      self.database.add(database.file)
      wal.add(database.wal)
      journal.add(database.journal)
      temporary.add(database.temporary)
      directory.total += .nanoseconds(database.directoryNanoseconds)
      directory.longest = max(directory.longest, .nanoseconds(database.longestDirectoryNanoseconds))
      checkpoints.total += .nanoseconds(database.checkpointNanoseconds)
      checkpoints.longest = max(checkpoints.longest, .nanoseconds(database.longestCheckpointNanoseconds))
    }
  }
}

extension SpentTime {
  fileprivate mutating func add(_ file: MeterReading.File) {
    total += .nanoseconds(file.syncNanoseconds)
    longest = max(longest, .nanoseconds(file.longestSyncNanoseconds))
  }
}
