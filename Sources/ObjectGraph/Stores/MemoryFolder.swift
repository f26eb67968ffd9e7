// Where a store in memory lies: a folder of a file system that is kept in memory, which goes with its last user.
internal import SQLiteDriver
internal import Support
internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension PersistentStoreDescription {
  /// A store in memory, as Core Data's `NSInMemoryStoreType` is: for tests, previews, and what nobody needs tomorrow.
  ///
  /// It can do whatever a store in a file can: history, query generations, several contexts that read while one writes. Each
  /// call makes a store of its own, which is gone with its last description and the last coordinator that has it open.
  /// SQLite's files lie in `/dev/shm`, or among the temporary files where there is no such place; what a process that
  /// crashed has left there is removed when the next store in memory is made.
  ///
  /// ```swift
  /// let container = PersistentContainer(managedObjectModel: model, store: try .inMemory())
  /// try container.loadPersistentStores()
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` where there is no place for it.
  public static func inMemory() throws(ObjectGraphError) -> PersistentStoreDescription {
    let folder = try during("making a store in memory") { () throws(SQLiteError) in
      try MemoryFolder(in: MemoryFolder.place)
    }
    var description = PersistentStoreDescription(path: folder.file)
    description.image = KeptImage(folder)
    // Nothing outlives the process, so that nothing need reach a disk.
    description.pragmas = [.init("synchronous", "OFF")]
    return description
  }
}

/// A folder with one store, locked as long as its process lives.
final class MemoryFolder: StoreFileImage {
  /// The store's file.
  var file: String { path + "/" + MemoryFolder.fileName }
  private let path: String
  /// Holds the lock on the folder; the system gives it up however the process ends.
  private let lock: Int32

  private static let prefix = "objectgraph-memory-"
  private static let fileName = "store.sqlite"

  /// The folders of this process, which are removed when it ends: objects that live until then have no end of their own.
  private static let live: Lock<Set<String>> = {
    atexit { for path in MemoryFolder.live.withLock({ $0 }) { MemoryFolder.remove(path) } }
    return Lock([])
  }()

  /// The file system that Linux keeps in memory, if there is one that can be written.
  static var place: String {
    let shared = "/dev/shm"
    return access(shared, W_OK | X_OK) == 0 ? shared : FileManager.default.temporaryDirectory.path
  }

  /// Makes an empty folder, after removing those that ended processes left beside it.
  ///
  /// - Throws: ``ResultCode/cantOpen`` with the system's reason.
  init(in place: String) throws(SQLiteError) {
    MemoryFolder.sweep(place)
    // Between its making and its lock another process may take a folder for one that was left.
    for _ in 1...100 {
      var template = Array("\(place)/\(MemoryFolder.prefix)XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { break }
      let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if let lock = MemoryFolder.lock(path), access(path, F_OK) == 0 {
        (self.path, self.lock) = (path, lock)
        MemoryFolder.live.withLock { _ = $0.insert(path) }
        return
      }
    }
    throw SQLiteError(extendedCode: .cantOpen, message: String(cString: strerror(errno)), path: place)
  }

  deinit {
    // While it is locked, so that nobody else removes it.
    MemoryFolder.remove(path)
    MemoryFolder.live.withLock { _ = $0.remove(path) }
    close(lock)
  }

  /// A descriptor that holds the lock on a folder of this user's; nil when another one has it, or it is none.
  private static func lock(_ path: String) -> Int32? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else { return nil }
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
    if descriptor >= 0 { close(descriptor) }
    return nil
  }

  private static func sweep(_ place: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [] where name.hasPrefix(prefix) {
      guard let lock = lock(place + "/" + name) else { continue }
      remove(place + "/" + name)
      close(lock)
    }
  }

  /// Removes a folder with the files that SQLite makes, and nothing else.
  private static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + "/" + fileName + suffix) }
    rmdir(path)
  }
}
