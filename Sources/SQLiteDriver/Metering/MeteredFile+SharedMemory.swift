// The calls of a database file about the index of its log: what they cost, and what its locks show of commits and
// checkpoints.
internal import CSQLite
internal import Synchronization

/// The locks of a log's index, by their places: https://www.sqlite.org/walformat.html#wal_locks.
private enum LogLock {
  static let write: Int32 = 0
  static let checkpoint: Int32 = 1
}

extension MeteredFile {
  mutating func countMap(region: Int32, at address: UnsafeMutableRawPointer?) {
    if region == 0 { logIndex = address }
    meterState.withLock { $0.add(to: database) { $0.sharedMemory.maps += 1 } }
  }

  func countBarrier() {
    meterState.withLock { $0.add(to: database) { $0.sharedMemory.barriers += 1 } }
  }

  /// Notes what ends with a lock that is about to be given up.
  ///
  /// Recovery takes several locks at once, which are none of these.
  mutating func noteUnlock(offset: Int32, count: Int32, flags: Int32) {
    guard count == 1, flags == SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE else { return }
    switch offset {
    case LogLock.write:
      guard let logIndex else { return }
      let checkpointed = Int64(sqlite3_shim_checkpointed_frames(logIndex))
      meterState.withLock { $0.releaseWriteLock(of: database, checkpointedFrames: checkpointed) }
    case LogLock.checkpoint: endCheckpoint()
    default: break
    }
  }

  /// Counts a call about locks, and notes what begins with one.
  mutating func countLock(_ code: Int32, offset: Int32, count: Int32, flags: Int32) {
    meterState.withLock { $0.add(to: database) { $0.sharedMemory.locks += 1 } }
    guard code == SQLITE_OK, count == 1, flags == SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE else { return }
    switch offset {
    case LogLock.write: meterState.withLock { $0.takeWriteLock(of: database) }
    case LogLock.checkpoint: (checkpointBegan, checkpointIsLocked) = (.now, true)
    default: break
    }
  }

  mutating func endCheckpoint() {
    guard let began = checkpointBegan else { return }
    checkpointBegan = nil
    let duration = began.duration(to: .now)
    meterState.withLock { $0.addTime(to: database) { $0.checkpoints.add(duration) } }
  }
}
