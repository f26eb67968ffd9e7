// The methods of a metered file: each hands the call on, and those that transfer bytes are then counted.
internal import CSQLite

private typealias File = UnsafeMutablePointer<sqlite3_file>
private typealias Methods = UnsafePointer<sqlite3_io_methods>

/// Hands a call to the file beneath; an error without a file or its method, which SQLite never lets come about.
private func handOn(_ file: File?, _ call: (File, Methods) -> Int32?) -> Int32 {
  guard let real = file?.real, let methods = real.pointee.pMethods else { return SQLITE_IOERR }
  return call(real, methods) ?? SQLITE_IOERR
}

extension sqlite3_io_methods {
  /// Replaces the methods that are there by ours; the version and the gaps stay as they are.
  mutating func forwardCalls() {
    forwardTransfers()
    forwardLocks()
    forwardProperties()
    if iVersion >= 2 && xShmMap != nil { forwardSharedMemory() }
    if iVersion >= 3 && xFetch != nil { forwardMemoryMap() }
  }

  /// What is counted.
  private mutating func forwardTransfers() {
    xRead = { file, buffer, count, offset in
      let code = handOn(file) { $1.pointee.xRead?($0, buffer, count, offset) }
      file?.metered.pointee.countRead(code, count: count)
      return code
    }
    xWrite = { file, buffer, count, offset in
      let code = handOn(file) { $1.pointee.xWrite?($0, buffer, count, offset) }
      file?.metered.pointee.countWrite(code, buffer, count: count, offset: offset)
      return code
    }
    xTruncate = { file, size in
      let code = handOn(file) { $1.pointee.xTruncate?($0, size) }
      file?.metered.pointee.countTruncate(code, size: size)
      return code
    }
    xSync = { file, flags in
      let start = SuspendingClock.now
      let code = handOn(file) { $1.pointee.xSync?($0, flags) }
      file?.metered.pointee.countSync(start.duration(to: .now))
      return code
    }
    xFileControl = { file, operation, argument in
      let code = handOn(file) { $1.pointee.xFileControl?($0, operation, argument) }
      file?.metered.pointee.noteControl(operation)
      return code
    }
  }

  private mutating func forwardLocks() {
    xLock = { file, level in handOn(file) { $1.pointee.xLock?($0, level) } }
    xUnlock = { file, level in handOn(file) { $1.pointee.xUnlock?($0, level) } }
    xCheckReservedLock = { file, result in handOn(file) { $1.pointee.xCheckReservedLock?($0, result) } }
  }

  private mutating func forwardProperties() {
    xClose = { file in handOn(file) { $1.pointee.xClose?($0) } }
    xFileSize = { file, size in handOn(file) { $1.pointee.xFileSize?($0, size) } }
    if xSectorSize != nil {
      xSectorSize = { file in handOn(file) { $1.pointee.xSectorSize?($0) } }
    }
    if xDeviceCharacteristics != nil {
      xDeviceCharacteristics = { file in handOn(file) { $1.pointee.xDeviceCharacteristics?($0) } }
    }
  }

  /// The index of the write-ahead log, and the locks that lie in it.
  private mutating func forwardSharedMemory() {
    xShmMap = { file, region, size, extends, address in
      let code = handOn(file) { $1.pointee.xShmMap?($0, region, size, extends, address) }
      file?.metered.pointee.countMap(region: region, at: address?.pointee)
      return code
    }
    xShmLock = { file, offset, count, flags in
      // A lock is released, and others continue, before the call returns.
      file?.metered.pointee.noteUnlock(offset: offset, count: count, flags: flags)
      let code = handOn(file) { $1.pointee.xShmLock?($0, offset, count, flags) }
      file?.metered.pointee.countLock(code, offset: offset, count: count, flags: flags)
      return code
    }
    xShmBarrier = { file in
      guard let real = file?.real else { return }
      real.pointee.pMethods?.pointee.xShmBarrier?(real)
      file?.metered.pointee.countBarrier()
    }
    xShmUnmap = { file, deletes in
      file?.metered.pointee.logIndex = nil
      return handOn(file) { $1.pointee.xShmUnmap?($0, deletes) }
    }
  }

  /// Pages read through a memory map.
  private mutating func forwardMemoryMap() {
    xFetch = { file, offset, count, address in handOn(file) { $1.pointee.xFetch?($0, offset, count, address) } }
    xUnfetch = { file, offset, address in handOn(file) { $1.pointee.xUnfetch?($0, offset, address) } }
  }
}
