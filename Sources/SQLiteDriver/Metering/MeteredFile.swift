// A file of the metering VFS: a header of ours, followed by the file of the VFS beneath.
internal import CSQLite
internal import Synchronization

/// What precedes the file beneath, in the memory SQLite gives for a file.
///
/// SQLite sees the first field as the file, and never moves the memory while the file is open.
/// Swift lays fields out in the order they are declared, so that `base` is at the start as SQLite needs it.
struct MeteredFile {
  var base: sqlite3_file
  /// The methods of the file beneath, with ours replacing those that are there: a database and its log have
  /// different ones, and SQLite decides by the version and the gaps what a file can do.
  var methods: sqlite3_io_methods
  var kind: FileKind
  var database: DatabaseNumber
  var log = WALWriteReader()
  /// Pages written since a checkpoint of this database file began; nil when none is running.
  var checkpointedPages: Int64?
  /// When a checkpoint of this database file began; nil when none is running.
  var checkpointBegan: SuspendingClock.Instant?
  /// Whether that is when its lock was taken.
  var checkpointIsLocked = false
  /// The head of the log's index, in shared memory; nil while it is not mapped.
  var logIndex: UnsafeMutableRawPointer?

  /// A multiple of 16, so that the file beneath is as aligned as the memory SQLite gives.
  static let headerSize = (MemoryLayout<MeteredFile>.size + 15) / 16 * 16

  /// Puts a header in front of a file that the VFS beneath has just opened.
  static func install(in file: UnsafeMutablePointer<sqlite3_file>, name: UnsafePointer<CChar>?, flags: Int32) {
    guard let methods = file.real.pointee.pMethods else { return }
    let kind = FileKind(openFlags: flags)
    let path = databasePath(kind, name: name, flags: flags)
    let database = meterState.withLock { $0.number(of: path) }
    let header = file.metered
    header.initialize(
      to: MeteredFile(base: file.pointee, methods: methods.pointee, kind: kind, database: database))
    header.pointee.methods.forwardCalls()
    let installed = UnsafeMutableRawPointer(header) + (MemoryLayout<MeteredFile>.offset(of: \.methods) ?? 0)
    file.pointee.pMethods = UnsafePointer(installed.assumingMemoryBound(to: sqlite3_io_methods.self))
    if kind == .database { meterState.withLock { $0.noteOpening(of: database) } }
    guard kind == .wal else { return }
    // A log that is left from before has a size already.
    var size: Int64 = 0
    guard methods.pointee.xFileSize?(file.real, &size) == SQLITE_OK else { return }
    meterState.withLock { $0.setWALSize(size, of: database) }
  }

  /// Whether there is a header of ours in front of an open file: its methods are then in the header itself.
  static func isInstalled(in file: UnsafeMutablePointer<sqlite3_file>) -> Bool {
    let ours = UnsafeRawPointer(file) + (MemoryLayout<MeteredFile>.offset(of: \.methods) ?? 0)
    return file.pointee.pMethods.map { UnsafeRawPointer($0) == ours } ?? false
  }

  /// The path of the database a file belongs to; empty for files that belong to none.
  private static func databasePath(_ kind: FileKind, name: UnsafePointer<CChar>?, flags: Int32) -> String {
    guard let name else { return "" }
    switch kind {
    case .database: return String(cString: name)
    case .wal: return sqlite3_filename_database(name).map { String(cString: $0) } ?? ""
    case .journal where flags & SQLITE_OPEN_MAIN_JOURNAL != 0:
      return sqlite3_filename_database(name).map { String(cString: $0) } ?? ""
    case .journal, .temporary: return ""
    }
  }
}

extension FileKind {
  /// The kind of a file, from the flags SQLite opens it with.
  init(openFlags flags: Int32) {
    self =
      if flags & SQLITE_OPEN_MAIN_DB != 0 {
        .database
      } else if flags & SQLITE_OPEN_WAL != 0 {
        .wal
      } else if flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL) != 0 {
        .journal
      } else {
        .temporary
      }
  }
}

extension UnsafeMutablePointer<sqlite3_file> {
  /// The header of a file of ours.
  var metered: UnsafeMutablePointer<MeteredFile> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: MeteredFile.self)
  }

  /// The file beneath.
  var real: UnsafeMutablePointer<sqlite3_file> {
    (UnsafeMutableRawPointer(self) + MeteredFile.headerSize).assumingMemoryBound(to: sqlite3_file.self)
  }
}
