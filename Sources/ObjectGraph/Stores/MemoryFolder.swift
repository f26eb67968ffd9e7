// The location of a store in memory: a folder in a memory file system, removed with its last user.
internal import SQLiteDriver
internal import Support
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension PersistentStoreDescription {
  /// A store in memory, like Core Data's `NSInMemoryStoreType`, for tests, previews and temporary data.
  ///
  /// It supports everything that a store in a file does: history, query generations, several contexts that read while
  /// one writes. Each call creates a new store, which is removed with its last description and the last coordinator
  /// that has it open. SQLite's files are in `/dev/shm`, or with the temporary files if there is no such folder.
  /// Creating a store in memory also removes those that crashed processes left behind.
  ///
  /// ```swift
  /// let container = PersistentContainer(managedObjectModel: model, store: try .inMemory())
  /// try container.loadPersistentStores()
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` if its folder cannot be created.
  public static func inMemory() throws(ObjectGraphError) -> PersistentStoreDescription {
    let folder = try during("making a store in memory") { () throws(SQLiteError) in try MemoryFolder() }
    var description = PersistentStoreDescription(path: folder.file)
    description.image = KeptImage(folder)
    // Nothing outlives the process, so nothing needs to reach a disk.
    description.pragmas = [.init("synchronous", "OFF")]
    return description
  }
}

/// A private folder with one store.
final class MemoryFolder: StoreFileImage {
  /// The store's file.
  var file: String { folder.path + "/store.sqlite" }
  private let folder: PrivateFolder

  /// The folders of this process, removed at its end: objects that live until then are never deinitialized.
  private static let live: Lock<Set<String>> = {
    atexit { for path in MemoryFolder.live.withLock({ $0 }) { PrivateFolder.remove(path) } }
    return Lock([])
  }()

  /// Linux's memory file system, if there is one that can be written.
  static var place: String {
    let shared = "/dev/shm"
    return access(shared, W_OK | X_OK) == 0 ? shared : PrivateFolder.temporaryFiles
  }

  /// Creates an empty folder, after removing those that ended processes left beside it.
  ///
  /// - Throws: ``ResultCode/cantOpen`` with the system's reason.
  init(in place: String = MemoryFolder.place) throws(SQLiteError) {
    do {
      folder = try PrivateFolder(in: place)
    } catch {
      throw SQLiteError(extendedCode: .cantOpen, message: error.reason, path: place)
    }
    let path = folder.path
    MemoryFolder.live.withLock { _ = $0.insert(path) }
  }

  deinit {
    let path = folder.path
    MemoryFolder.live.withLock { _ = $0.remove(path) }
  }
}
