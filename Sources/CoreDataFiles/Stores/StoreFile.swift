// A Core Data store, open for reading.
public import ObjectGraph
package import SQLiteDriver
internal import CoreDataModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A store file open for reading, with its own model or one that the caller passes.
///
/// The file and the files beside it do not change. If there is a write-ahead log, the data is read from a private copy,
/// which needs space in the folder for temporary files. The store must not be open in the same process for writing:
/// copy it first, with `PersistentStoreCoordinator.backUpPersistentStore(to:of:)`.
///
/// ```swift
/// let file = try StoreFile(path: "MyApp.sqlite")
/// for remark in file.recoveredModel.remarks { print(remark) }
/// let context = ManagedObjectContext(coordinator: file.coordinator)
/// let quakes = try context.performAndWait { try context.count(for: FetchRequest(entityName: "Quake")) }
/// ```
public final class StoreFile: Sendable {
  /// The path of the store, as it was passed in.
  public let path: String
  /// The store's own model, if the file has it, or the model that it was opened with.
  public let recoveredModel: RecoveredModel
  /// The store's own metadata.
  public let metadata: StoreFileMetadata
  /// A read-only coordinator for the store, with its history if it has any.
  public let coordinator: PersistentStoreCoordinator
  /// The one store of the ``coordinator``.
  public let store: PersistentStore
  /// The file, for opening more connections.
  package let image: StoreImage

  /// Opens a store.
  ///
  /// ```swift
  /// let file = try StoreFile(path: "MyApp.sqlite", model: RecoveredModel(modelFileAt: "MyApp.xcdatamodeld"))
  /// let context = ManagedObjectContext(coordinator: file.coordinator)
  /// ```
  ///
  /// - Parameters:
  ///   - path: The store's file, with any extension.
  ///   - model: The model to read it with, from the application's model file; `nil` for the store's own.
  /// - Throws: ``CoreDataFileError`` if the file is not an intact Core Data store or does not fit the model.
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

  /// Closes the store; its objects can then no longer be read.
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

  /// Checks every page of the file, which takes as long as reading all of it.
  ///
  /// ```swift
  /// let file = try StoreFile(path: "MyApp.sqlite")
  /// try file.verify()
  /// ```
  ///
  /// - Throws: ``CoreDataFileError/damaged(path:found:)`` with the first problem that SQLite finds.
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
  /// The store's UUID, as it appears in object IDs.
  public var identifier: String
  /// The version of the framework that last wrote the store; `nil` if the store does not have it.
  public var frameworkVersion: Int?
  /// The version hashes of the model's entities by name; empty if the store does not have them.
  public var entityHashes: [String: Data]

  /// Reads the metadata; if its property list cannot be read, entries are missing as in a store without one.
  package init(_ connection: Connection) throws(SQLiteError) {
    let statement = try connection.prepare("SELECT Z_UUID, Z_PLIST FROM Z_METADATA LIMIT 1", isPersistent: false)
    let isThere = try statement.step()
    identifier = isThere ? statement.string(0) ?? "" : ""
    let bytes = isThere ? statement.bytes(1).map { Array($0) } : nil
    // The list may have other keys, such as an application's own.
    let plist = bytes.flatMap { try? PropertyList(binary: $0) }
    frameworkVersion = plist?["NSPersistenceFrameworkVersion"]?.integer.map { Int($0) }
    entityHashes = (plist?["NSStoreModelVersionHashes"]?.entries ?? [:]).compactMapValues(\.data)
  }
}
