// What the calls of a metered file mean: transfers, frames of the write-ahead log, checkpoints.
internal import CSQLite
internal import Synchronization

extension MeteredFile {
  func countRead(_ code: Int32, count: Int32) {
    meterState.withLock {
      $0.add(to: database) {
        $0[kind].reads += 1
        if code == SQLITE_OK { $0[kind].bytesRead += Int64(count) }
      }
    }
  }

  mutating func countWrite(_ code: Int32, _ buffer: UnsafeRawPointer?, count: Int32, offset: Int64) {
    guard code == SQLITE_OK else {
      meterState.withLock { $0.add(to: database) { $0[kind].writes += 1 } }
      return
    }
    if let pages = checkpointedPages { checkpointedPages = pages + 1 }
    let bytes = UnsafeRawBufferPointer(start: buffer, count: Int(count))
    let meaning = kind == .wal ? log.read(bytes, offset: offset) : nil
    meterState.withLock {
      $0.add(to: database) {
        $0[kind].writes += 1
        $0[kind].bytesWritten += Int64(count)
      }
      guard kind == .wal else { return }
      $0.extendWAL(to: offset + Int64(count), of: database)
      if let meaning { $0.note(meaning, offset: offset, bytes: Int64(count), of: database) }
    }
  }

  func countTruncate(_ code: Int32, size: Int64) {
    meterState.withLock {
      $0.add(to: database) { $0[kind].truncates += 1 }
      if kind == .wal && code == SQLITE_OK { $0.setWALSize(size, of: database) }
    }
  }

  func countSync(_ duration: Duration) {
    meterState.withLock {
      $0.add(to: database) { $0[kind].syncs += 1 }
      $0.addTime(to: database) { $0[kind].add(duration) }
    }
  }

  /// Notes where a checkpoint's pages begin and end, which SQLite announces to the database file.
  ///
  /// The pages written between are what it moved. It reports the end even when a page could not be written.
  mutating func noteControl(_ operation: Int32) {
    switch operation {
    case SQLITE_FCNTL_CKPT_START:
      checkpointedPages = 0
      // Under a lock, the checkpoint began with that.
      if checkpointBegan == nil { (checkpointBegan, checkpointIsLocked) = (.now, false) }
    case SQLITE_FCNTL_CKPT_DONE:
      if !checkpointIsLocked { endCheckpoint() }
      guard let pages = checkpointedPages else { return }
      checkpointedPages = nil
      guard pages > 0 else { return }
      meterState.withLock {
        $0.add(to: database) {
          $0.checkpoints += 1
          $0.checkpointedPages += pages
        }
      }
    default: break
    }
  }
}
