// The calls of a file. Each can fail like the system's own call.
internal import CSQLite

private typealias File = UnsafeMutablePointer<sqlite3_file>
private typealias Methods = UnsafePointer<sqlite3_io_methods>

/// Forwards a call to the wrapped file; an error if there is no file or method, which SQLite never allows.
private func handOn(_ file: File?, _ call: (File, Methods) -> Int32?) -> Int32 {
  guard let real = file?.real, let methods = real.pointee.pMethods else { return SQLITE_IOERR }
  return call(real, methods) ?? SQLITE_IOERR
}

extension sqlite3_io_methods {
  /// Replaces the existing methods with ours; the version and missing methods stay unchanged.
  mutating func forwardCalls() {
    forwardTransfers()
    forwardLocks()
    forwardProperties()
    if iVersion >= 2 && xShmMap != nil { forwardSharedMemory() }
    if iVersion >= 3 && xFetch != nil {
      xFetch = { file, offset, count, address in handOn(file) { $1.pointee.xFetch?($0, offset, count, address) } }
      xUnfetch = { file, offset, address in handOn(file) { $1.pointee.xUnfetch?($0, offset, address) } }
    }
  }

  private mutating func forwardTransfers() {
    xRead = { file, buffer, count, offset in
      if faults.strikes(.ioError) { return IOErrorCode.read }
      return handOn(file) { $1.pointee.xRead?($0, buffer, count, offset) }
    }
    xWrite = { file, buffer, count, offset in
      if faults.strikes(.ioError) { return IOErrorCode.write }
      if faults.strikes(.diskFull) { return SQLITE_FULL }
      if faults.strikes(.shortWrite) {
        _ = handOn(file) { $1.pointee.xWrite?($0, buffer, count / 2, offset) }
        return SQLITE_FULL
      }
      if faults.strikes(.powerCut) { return IOErrorCode.write }
      if faults.awaitsPowerCut, let file { unsynced.note(file, offset: offset, count: Int64(count)) }
      return handOn(file) { $1.pointee.xWrite?($0, buffer, count, offset) }
    }
    xTruncate = { file, size in
      if faults.strikes(.ioError) || faults.strikes(.powerCut) { return IOErrorCode.truncate }
      if faults.awaitsPowerCut, let file { unsynced.note(file, offset: size, count: .max) }
      return handOn(file) { $1.pointee.xTruncate?($0, size) }
    }
    // Do not forward it: nothing here loses power, and syncs would take most of the time.
    xSync = { file, _ in
      // File systems that allocate late report missing space here.
      if faults.strikes(.ioError) || faults.strikes(.diskFull) || faults.strikes(.powerCut) { return IOErrorCode.sync }
      if let file { unsynced.synced(file) }
      return SQLITE_OK
    }
    xFileSize = { file, size in
      if faults.strikes(.ioError) { return IOErrorCode.size }
      return handOn(file) { $1.pointee.xFileSize?($0, size) }
    }
  }

  private mutating func forwardLocks() {
    xLock = { file, level in
      if faults.strikes(.ioError) { return IOErrorCode.lock }
      return handOn(file) { $1.pointee.xLock?($0, level) }
    }
    // The lock is released anyway: it ends with the descriptor, whatever the call returns.
    xUnlock = { file, level in
      let code = handOn(file) { $1.pointee.xUnlock?($0, level) }
      return faults.strikes(.ioError) ? IOErrorCode.unlock : code
    }
    xCheckReservedLock = { file, result in
      if faults.strikes(.ioError) { return IOErrorCode.checkReservedLock }
      return handOn(file) { $1.pointee.xCheckReservedLock?($0, result) }
    }
  }

  /// Calls without a system call, or with one whose failure SQLite would not see.
  private mutating func forwardProperties() {
    xClose = { file in handOn(file) { $1.pointee.xClose?($0) } }
    xFileControl = { file, operation, argument in handOn(file) { $1.pointee.xFileControl?($0, operation, argument) } }
    if xSectorSize != nil {
      xSectorSize = { file in handOn(file) { $1.pointee.xSectorSize?($0) } }
    }
    if xDeviceCharacteristics != nil {
      xDeviceCharacteristics = { file in handOn(file) { $1.pointee.xDeviceCharacteristics?($0) } }
    }
  }

  /// The index of the write-ahead log, and its locks.
  private mutating func forwardSharedMemory() {
    xShmMap = { file, region, size, extends, address in
      if faults.strikes(.ioError) { return IOErrorCode.sharedMemoryMap }
      if extends != 0, faults.strikes(.diskFull) { return IOErrorCode.sharedMemorySize }
      return handOn(file) { $1.pointee.xShmMap?($0, region, size, extends, address) }
    }
    xShmLock = { file, offset, count, flags in
      // SQLite does not check whether a lock could be released.
      if flags & SQLITE_SHM_LOCK != 0, faults.strikes(.ioError) { return IOErrorCode.sharedMemoryLock }
      return handOn(file) { $1.pointee.xShmLock?($0, offset, count, flags) }
    }
    xShmBarrier = { file in
      guard let real = file?.real else { return }
      real.pointee.pMethods?.pointee.xShmBarrier?(real)
    }
    xShmUnmap = { file, deletes in handOn(file) { $1.pointee.xShmUnmap?($0, deletes) } }
  }
}
