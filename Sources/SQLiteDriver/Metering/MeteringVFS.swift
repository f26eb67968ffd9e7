// A VFS that hands everything on to the one that was the default, and wraps the files it opens.
internal import CSQLite
internal import Synchronization

private typealias VFS = UnsafeMutablePointer<sqlite3_vfs>

/// The VFS beneath.
private func beneath(_ vfs: VFS?) -> VFS? {
  vfs?.pointee.pAppData?.assumingMemoryBound(to: sqlite3_vfs.self)
}

/// Hands a call to the VFS beneath; nil without one or without its method, which SQLite never lets come about.
private func handOn<Result>(_ vfs: VFS?, _ call: (VFS) -> Result?) -> Result? {
  beneath(vfs).flatMap(call)
}

/// The pass-through VFS; its `pAppData` is the VFS beneath it.
enum MeteringVFS {
  /// Registers the VFS as the default one; answers SQLite's result code.
  static func register() -> Int32 {
    guard let real = sqlite3_vfs_find(nil) else { return SQLITE_NOTFOUND }
    let name: StaticString = "metering"
    var vfs = real.pointee
    vfs.pNext = nil
    vfs.zName = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    vfs.pAppData = UnsafeMutableRawPointer(real)
    vfs.szOsFile += Int32(MeteredFile.headerSize)
    forwardFiles(&vfs)
    forwardLibraries(&vfs)
    forwardSystem(&vfs)
    let countsDirectories = DirectorySyncs.count(in: real)
    meterState.withLock { $0.countsDirectorySyncs = countsDirectories }
    // SQLite keeps the VFS for as long as the process lives.
    let registered = VFS.allocate(capacity: 1)
    registered.initialize(to: vfs)
    return sqlite3_vfs_register(registered, 1)
  }

  /// The full path of a file as the VFS beneath names it; the path itself where that fails.
  static func fullPath(of path: String) -> String {
    guard let vfs = sqlite3_vfs_find(nil), let resolve = vfs.pointee.xFullPathname else { return path }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(vfs.pointee.mxPathname) + 1) { buffer in
      guard let start = buffer.baseAddress else { return path }
      let code = resolve(vfs, path, Int32(buffer.count), start)
      // SQLite answers a positive code of success when the path led through a symbolic link.
      return code & 0xff == SQLITE_OK ? String(cString: start) : path
    }
  }

  private static func forwardFiles(_ vfs: inout sqlite3_vfs) {
    vfs.xOpen = { vfs, name, file, flags, outFlags in
      guard let real = beneath(vfs), let open = real.pointee.xOpen, let file else { return SQLITE_CANTOPEN }
      file.pointee.pMethods = nil
      file.real.pointee.pMethods = nil
      let code = open(real, name, file.real, flags, outFlags)
      // A file that has methods must be closed even when opening it failed.
      if file.real.pointee.pMethods != nil { MeteredFile.install(in: file, name: name, flags: flags) }
      return code
    }
    vfs.xDelete = { vfs, name, syncsDirectory in
      guard let real = beneath(vfs), let delete = real.pointee.xDelete else { return SQLITE_IOERR }
      let start = SuspendingClock.now
      let code = delete(real, name, syncsDirectory)
      let duration = start.duration(to: .now)
      if let name, code == SQLITE_OK {
        let path = String(cString: name)
        meterState.withLock { $0.noteDeletion(of: path, lasting: syncsDirectory == 0 ? nil : duration) }
      }
      return code
    }
    vfs.xAccess = { vfs, name, flags, result in
      handOn(vfs) { $0.pointee.xAccess?($0, name, flags, result) } ?? SQLITE_IOERR
    }
    vfs.xFullPathname = { vfs, name, count, result in
      handOn(vfs) { $0.pointee.xFullPathname?($0, name, count, result) } ?? SQLITE_CANTOPEN
    }
  }

  private static func forwardLibraries(_ vfs: inout sqlite3_vfs) {
    guard vfs.xDlOpen != nil else { return }
    vfs.xDlOpen = { vfs, name in handOn(vfs) { $0.pointee.xDlOpen?($0, name) } }
    vfs.xDlError = { vfs, count, message in handOn(vfs) { $0.pointee.xDlError?($0, count, message) } }
    vfs.xDlSym = { vfs, library, symbol in handOn(vfs) { $0.pointee.xDlSym?($0, library, symbol) } }
    vfs.xDlClose = { vfs, library in handOn(vfs) { $0.pointee.xDlClose?($0, library) } }
  }

  private static func forwardSystem(_ vfs: inout sqlite3_vfs) {
    vfs.xRandomness = { vfs, count, bytes in handOn(vfs) { $0.pointee.xRandomness?($0, count, bytes) } ?? 0 }
    vfs.xSleep = { vfs, microseconds in handOn(vfs) { $0.pointee.xSleep?($0, microseconds) } ?? 0 }
    vfs.xCurrentTime = { vfs, days in handOn(vfs) { $0.pointee.xCurrentTime?($0, days) } ?? SQLITE_ERROR }
    if vfs.xGetLastError != nil {
      vfs.xGetLastError = { vfs, count, message in handOn(vfs) { $0.pointee.xGetLastError?($0, count, message) } ?? 0 }
    }
    if vfs.iVersion >= 2, vfs.xCurrentTimeInt64 != nil {
      vfs.xCurrentTimeInt64 = { vfs, milliseconds in
        handOn(vfs) { $0.pointee.xCurrentTimeInt64?($0, milliseconds) } ?? SQLITE_ERROR
      }
    }
    guard vfs.iVersion >= 3, vfs.xSetSystemCall != nil else { return }
    vfs.xSetSystemCall = { vfs, name, call in
      handOn(vfs) { $0.pointee.xSetSystemCall?($0, name, call) } ?? SQLITE_NOTFOUND
    }
    vfs.xGetSystemCall = { vfs, name in handOn(vfs) { $0.pointee.xGetSystemCall?($0, name) } }
    vfs.xNextSystemCall = { vfs, name in handOn(vfs) { $0.pointee.xNextSystemCall?($0, name) } }
  }
}

/// Counts the directories that the unix VFS opens: it opens each to sync it once, and closes it.
///
/// There are two places (`os_unix.c`): the first sync of a journal, a super-journal or a write-ahead log after it was
/// opened to be made if need be, and a deletion that must last. In journal mode `truncate` a journal is opened again for
/// each transaction, so that there is a directory's sync in each, as in mode `delete`. SQLite lets the system calls of
/// that VFS be replaced, `openDirectory` among them; ours hands the call on and counts those that succeeded.
enum DirectorySyncs {
  private typealias OpenDirectory = @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<Int32>?) -> Int32

  // Safe by proof: written once, in attaching the meter and before the hook that reads it is in place.
  nonisolated(unsafe) private static var original: OpenDirectory?

  /// Puts the hook into a VFS; answers whether it has that system call, without which nothing is known of directories.
  static func count(in vfs: UnsafeMutablePointer<sqlite3_vfs>) -> Bool {
    let name = "openDirectory"
    guard vfs.pointee.iVersion >= 3, let find = vfs.pointee.xGetSystemCall, let replace = vfs.pointee.xSetSystemCall,
      let call = find(vfs, name)
    else { return false }
    original = unsafeBitCast(call, to: OpenDirectory.self)
    let hook: OpenDirectory = { path, descriptor in
      guard let original = DirectorySyncs.original else { return SQLITE_CANTOPEN }
      let code = original(path, descriptor)
      if let path, code == SQLITE_OK {
        let path = String(cString: path)
        meterState.withLock { $0.countDirectorySync(for: path) }
      }
      return code
    }
    return replace(vfs, name, unsafeBitCast(hook, to: sqlite3_syscall_ptr.self)) == SQLITE_OK
  }
}
