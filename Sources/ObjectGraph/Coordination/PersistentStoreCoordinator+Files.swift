// The files of stores: copies, removes and replaces them.
internal import CoreDataModel
internal import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PersistentStoreCoordinator {
  /// Copies the store's present content into a new file, while contexts can read and write.
  ///
  /// ```swift
  /// let day = Date().formatted(.iso8601.year().month().day())
  /// try coordinator.backUpPersistentStore(to: "backup-\(day).sqlite")
  /// ```
  ///
  /// - Parameters:
  ///   - path: The new file.
  ///   - store: The store; by default, the first.
  /// - Throws: ``ObjectGraphError/fileExists(path:)``, ``ObjectGraphError/noStore``,
  ///   ``ObjectGraphError/wrongStore(found:expected:)``, ``ObjectGraphError/store(_:during:)``; no file is left behind
  ///   then.
  public func backUpPersistentStore(to path: String, of store: PersistentStore? = nil) throws(ObjectGraphError) {
    let store = try self.store(store)
    if StoreFiles.exists(path) { throw .fileExists(path: path) }
    do throws(ObjectGraphError) {
      try store.backUp(to: path)
    } catch {
      StoreFiles.remove(path)
      throw error
    }
  }

  /// Removes the store's file and its companion files.
  ///
  /// Does nothing if there is none.
  ///
  /// In WAL mode, this detects whether another process has the store open. With a rollback journal, it only detects
  /// that while the process reads or writes.
  ///
  /// ```swift
  /// try coordinator.remove(archive)
  /// try coordinator.destroyPersistentStore(at: archive.path)
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/storeInUse(path:)`` while this process or, if detected, another process has it open,
  ///   ``ObjectGraphError/store(_:during:)`` for a file that is not a database.
  public func destroyPersistentStore(at path: String) throws(ObjectGraphError) {
    guard StoreFiles.exists(path) else { return }
    try refuseOpen(path)
    try StoreFiles.removeUnused(path)
  }

  /// Replaces a store, if it exists, with a copy of another store.
  ///
  /// ```swift
  /// try coordinator.remove(store)
  /// try coordinator.replacePersistentStore(at: store.path, withPersistentStoreFrom: "backup.sqlite")
  /// try coordinator.addPersistentStore(PersistentStoreDescription(path: store.path))
  /// ```
  ///
  /// - Parameters:
  ///   - path: The path of the store to replace.
  ///   - source: The store to copy; it may be in use.
  /// - Throws: The same errors as ``destroyPersistentStore(at:)`` and ``backUpPersistentStore(to:of:)``; the old store
  ///   is kept then.
  public func replacePersistentStore(
    at path: String, withPersistentStoreFrom source: String
  ) throws(ObjectGraphError) {
    try refuseOpen(path)
    let copy = path + ".replacement"
    StoreFiles.remove(copy)
    do throws(ObjectGraphError) {
      try during("copying the store \(source)") { () throws(SQLiteError) in
        let connection = try Connection(path: source, access: .readOnly)
        try connection.backUp(to: copy)
        try connection.close()
      }
      if StoreFiles.exists(path) { try StoreFiles.removeUnused(path) }
      try StoreFiles.move(copy, to: path)
    } catch {
      StoreFiles.remove(copy)
      throw error
    }
  }

  private func refuseOpen(_ path: String) throws(ObjectGraphError) {
    if isOpen(path) || OpenFile.isOpen(path) { throw .storeInUse(path: path) }
  }
}

/// A database file with its log, its shared memory and its journal.
enum StoreFiles {
  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Removes the files that exist.
  static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  /// Removes the files if nothing has the database open.
  ///
  /// In exclusive locking mode, a connection can only open the database if there is no other connection.
  static func removeUnused(_ path: String) throws(ObjectGraphError) {
    do throws(SQLiteError) {
      let connection = try Connection(path: path, access: .readWrite, busyTimeout: 0)
      _ = try connection.setPragma("locking_mode", to: "exclusive")
      try connection.execute("BEGIN EXCLUSIVE")
      connection.rollback()
      try connection.close()
    } catch {
      if error.code == .busy || error.code == .locked { throw .storeInUse(path: path) }
      throw .store(error, during: "destroying the store \(path)")
    }
    remove(path)
  }

  static func move(_ path: String, to destination: String) throws(ObjectGraphError) {
    do {
      try FileManager.default.moveItem(atPath: path, toPath: destination)
    } catch {
      throw .store(
        SQLiteError(extendedCode: .cantOpen, message: "\(error)", path: destination),
        during: "moving a copy to \(destination)")
    }
  }
}
