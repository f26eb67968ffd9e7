// A VFS that wraps the default one and whose calls can fail.
internal import CSQLite

private typealias VFS = UnsafeMutablePointer<sqlite3_vfs>

/// The wrapped VFS, which is in `pAppData`.
private func beneath(_ vfs: VFS?) -> VFS? {
  vfs?.pointee.pAppData?.assumingMemoryBound(to: sqlite3_vfs.self)
}

enum FaultyVFS {
  /// Registers the VFS as the default one; returns SQLite's result code.
  static func register() -> Int32 {
    guard let real = sqlite3_vfs_find(nil) else { return SQLITE_NOTFOUND }
    let name: StaticString = "faulty"
    // Unchanged methods work on the wrapped VFS without knowing this one: SQLite's methods for libraries, time and
    // randomness do not use the VFS in their argument.
    var vfs = real.pointee
    vfs.pNext = nil
    vfs.zName = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    vfs.pAppData = UnsafeMutableRawPointer(real)
    vfs.szOsFile += Int32(FaultyFile.headerSize)
    forward(&vfs)
    // SQLite keeps the VFS until the process ends.
    let registered = VFS.allocate(capacity: 1)
    registered.initialize(to: vfs)
    return sqlite3_vfs_register(registered, 1)
  }

  private static func forward(_ vfs: inout sqlite3_vfs) {
    vfs.xOpen = { vfs, name, file, flags, outFlags in
      guard let real = beneath(vfs), let open = real.pointee.xOpen, let file else { return SQLITE_CANTOPEN }
      file.pointee.pMethods = nil
      if faults.strikes(.ioError) { return SQLITE_CANTOPEN }
      if flags & SQLITE_OPEN_CREATE != 0, faults.strikes(.diskFull) || faults.strikes(.powerCut) {
        return SQLITE_CANTOPEN
      }
      file.real.pointee.pMethods = nil
      let code = open(real, name, file.real, flags, outFlags)
      // A file with methods must be closed, even if opening it failed.
      if file.real.pointee.pMethods != nil {
        FaultyFile.install(in: file, number: unsynced.number(of: name.map { String(cString: $0) }))
      }
      return code
    }
    vfs.xDelete = { vfs, name, syncsDirectory in
      if faults.strikes(.ioError) || faults.strikes(.powerCut) { return IOErrorCode.delete }
      if let name { unsynced.forget(String(cString: name)) }
      guard let real = beneath(vfs), let delete = real.pointee.xDelete else { return SQLITE_IOERR }
      return delete(real, name, syncsDirectory)
    }
    vfs.xAccess = { vfs, name, flags, result in
      if faults.strikes(.ioError) { return IOErrorCode.access }
      guard let real = beneath(vfs), let access = real.pointee.xAccess else { return SQLITE_IOERR }
      return access(real, name, flags, result)
    }
    vfs.xFullPathname = { vfs, name, count, result in
      if faults.strikes(.ioError) { return SQLITE_CANTOPEN }
      guard let real = beneath(vfs), let resolve = real.pointee.xFullPathname else { return SQLITE_CANTOPEN }
      return resolve(real, name, count, result)
    }
  }
}

/// A file of the VFS: this header, followed by the wrapped file, in the memory that SQLite provides for a file.
///
/// SQLite sees the first field as the file. Swift lays out fields in the order of their declaration.
struct FaultyFile {
  var base: sqlite3_file
  /// The methods of the wrapped file, with ours for those that can fail.
  var methods: sqlite3_io_methods
  /// The file's number among those with recorded writes; -1 for a file without a name.
  var number: Int

  /// A multiple of 16, so that the wrapped file is as aligned as SQLite's memory.
  static let headerSize = (MemoryLayout<FaultyFile>.size + 15) / 16 * 16

  /// Puts a header in front of a file that the wrapped VFS has just opened.
  static func install(in file: UnsafeMutablePointer<sqlite3_file>, number: Int) {
    guard let methods = file.real.pointee.pMethods else { return }
    let header = UnsafeMutableRawPointer(file).assumingMemoryBound(to: FaultyFile.self)
    header.initialize(to: FaultyFile(base: file.pointee, methods: methods.pointee, number: number))
    header.pointee.methods.forwardCalls()
    let installed = UnsafeMutableRawPointer(header) + (MemoryLayout<FaultyFile>.offset(of: \.methods) ?? 0)
    file.pointee.pMethods = UnsafePointer(installed.assumingMemoryBound(to: sqlite3_io_methods.self))
  }
}

extension UnsafeMutablePointer<sqlite3_file> {
  /// The file's number among those with recorded writes.
  var number: Int { UnsafeMutableRawPointer(self).assumingMemoryBound(to: FaultyFile.self).pointee.number }

  /// The wrapped file.
  var real: UnsafeMutablePointer<sqlite3_file> {
    (UnsafeMutableRawPointer(self) + FaultyFile.headerSize).assumingMemoryBound(to: sqlite3_file.self)
  }
}
