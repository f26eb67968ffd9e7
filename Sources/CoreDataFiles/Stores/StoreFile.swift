// A store that Core Data wrote, open for reading.
public import ObjectGraph
package import SQLiteDriver
internal import CoreDataModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A store file open for reading, with the model that it was made with or one of the caller's.
///
/// The file and its neighbors stay byte for byte as they were. What is only in a write-ahead log beside it is read too,
/// from a private copy, for which there must be room in the folder for temporary files. The store must not be open in the
/// same process for writing: copy it first, with `PersistentStoreCoordinator.backUpPersistentStore(to:of:)`.
///
/// ```swift
/// let file = try StoreFile(path: "MyApp.sqlite")
/// for remark in file.recoveredModel.remarks { print(remark) }
/// let context = ManagedObjectContext(coordinator: file.coordinator)
/// let quakes = try context.performAndWait { try context.count(for: FetchRequest(entityName: "Quake")) }
/// ```
public final class StoreFile: Sendable {
  /// The store, as it was named.
  public let path: String
  /// The store's own model, if the file has it, or the one that it was opened with.
  public let recoveredModel: RecoveredModel
  /// The store's own metadata.
  public let metadata: StoreFileMetadata
  /// The store under its own model; read-only, with its history where it has any.
  public let coordinator: PersistentStoreCoordinator
  /// The one store of the ``coordinator``.
  public let store: PersistentStore
  /// The file as connections of one's own can read it.
  package let image: StoreImage

  /// Opens a store.
  ///
  /// ```swift
  /// let file = try StoreFile(path: "MyApp.sqlite", model: RecoveredModel(modelFileAt: "MyApp.xcdatamodeld"))
  /// let context = ManagedObjectContext(coordinator: file.coordinator)
  /// ```
  ///
  /// - Parameters:
  ///   - path: The store's file, whatever its name ends with.
  ///   - model: The model to read it with, from the application's model file; nil for the store's own.
  /// - Throws: ``CoreDataFileError`` for what is not a whole store that Core Data wrote, and for one that does not have
  ///   what the model asks for.
  public convenience init(path: String, model: RecoveredModel? = nil) throws(CoreDataFileError) {
    let image = try StoreImage(path: path)
    let recovered = if let model { model } else { try RecoveredModel(image) }
    try self.init(image, recovered)
  }

  package init(_ image: StoreImage, _ recoveredModel: RecoveredModel) throws(CoreDataFileError) {
    path = image.path
    self.image = image
    self.recoveredModel = recoveredModel
    metadata = try image.read { (connection) throws(SQLiteError) in try StoreFileMetadata(connection) }
    coordinator = PersistentStoreCoordinator(managedObjectModel: recoveredModel.model)
    var description = image.description
    description.tracksPersistentHistory = true
    do throws(ObjectGraphError) {
      store = try coordinator.addPersistentStore(description)
    } catch {
      throw CoreDataFileError(error, path: image.path)
    }
  }

  /// Closes the store, whose objects can then no longer be read.
  ///
  /// Otherwise it stays open while the coordinator is in use.
  ///
  /// ```swift
  /// let file = try StoreFile(path: "MyApp.sqlite")
  /// defer { try? file.close() }
  /// ```
  ///
  /// - Throws: `ObjectGraphError.store(_:during:)`.
  public func close() throws(ObjectGraphError) { try coordinator.close() }

  /// Reads every page of the file and looks whether it is sound, which takes as long as reading all of it.
  ///
  /// ```swift
  /// let file = try StoreFile(path: "MyApp.sqlite")
  /// try file.verify()
  /// ```
  ///
  /// - Throws: ``CoreDataFileError/damaged(path:found:)`` with what SQLite complains about first.
  public func verify() throws(CoreDataFileError) {
    let complaint = try image.read { (connection) throws(SQLiteError) -> String? in
      let found = try connection.texts("PRAGMA quick_check(1)").first ?? "ok"
      return found == "ok" ? nil : found
    }
    if let complaint { throw .damaged(path, found: "damaged pages (\(complaint))") }
  }

  /// Opens another connection to the file, for queries in SQL.
  ///
  /// - Throws: ``CoreDataFileError``.
  package func connection() throws(CoreDataFileError) -> Connection { try image.connection() }
}

/// The metadata of a store.
///
/// ```swift
/// print("written by version \(file.metadata.frameworkVersion ?? 0), \(file.metadata.entityHashes.count) entities")
/// let hasQuakes = file.metadata.entityHashes["Quake"] != nil
/// ```
public struct StoreFileMetadata: Sendable, Hashable, Codable {
  /// The store's UUID, as object IDs spell it.
  public var identifier: String
  /// The version of the framework that last wrote the store; `nil` if the store does not have it.
  public var frameworkVersion: Int?
  /// The version hashes of the model's entities by name; empty if the store does not have them.
  public var entityHashes: [String: Data]

  /// Reads the metadata; if its property list is of another kind, entries are missing as in a store without one.
  package init(_ connection: Connection) throws(SQLiteError) {
    let statement = try connection.prepare("SELECT Z_UUID, Z_PLIST FROM Z_METADATA LIMIT 1", isPersistent: false)
    let isThere = try statement.step()
    identifier = isThere ? statement.string(0) ?? "" : ""
    let bytes = isThere ? statement.bytes(1).map { Array($0) } : nil
    // It may have other keys, such as an application's own.
    let plist = bytes.flatMap { try? PropertyList(binary: $0) }
    frameworkVersion = plist?["NSPersistenceFrameworkVersion"]?.integer.map { Int($0) }
    entityHashes = (plist?["NSStoreModelVersionHashes"]?.entries ?? [:]).compactMapValues(\.data)
  }
}
