// The whole stack in one object: model, coordinator, stores and contexts.
public import CoreDataModel
internal import Support
internal import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Sets up a Core Data-style stack and provides its contexts.
///
/// ```swift
/// let container = try PersistentContainer(name: "Kennel", managedObjectModel: model, classes: ["Dog": Dog.self])
/// try container.loadPersistentStores()
/// let dog = try Dog(context: container.viewContext)
/// ```
public final class PersistentContainer: Sendable {
  /// The coordinator of the container's contexts, for adding and removing stores, history, backups and checkpoints.
  public let persistentStoreCoordinator: PersistentStoreCoordinator
  /// The context for the user interface, which runs on the main queue.
  ///
  /// It is isolated to the main actor, so the compiler does not let other tasks use it directly. They get it with
  /// `await` and then call its `perform`.
  ///
  /// ```swift
  /// let context = container.viewContext
  /// let quakes = try context.fetch(FetchRequest<Quake>(entityName: "Quake"))
  /// ```
  @MainActor public var viewContext: ManagedObjectContext { mainContext }
  private let mainContext: ManagedObjectContext
  private let descriptions: Lock<[PersistentStoreDescription]>

  /// Creates a stack with one store of plain managed objects.
  ///
  /// ```swift
  /// let container = PersistentContainer(
  ///   managedObjectModel: model, store: PersistentStoreDescription(path: "quakes.sqlite"))
  /// try container.loadPersistentStores()
  /// ```
  public convenience init(managedObjectModel: ManagedObjectModel, store: PersistentStoreDescription) {
    self.init(managedObjectModel: managedObjectModel, stores: [store])
  }

  /// Creates a stack with several stores of plain managed objects.
  ///
  /// ```swift
  /// let stores = ["quakes.sqlite", "archive.sqlite"].map { PersistentStoreDescription(path: $0) }
  /// let container = PersistentContainer(managedObjectModel: model, stores: stores)
  /// ```
  public convenience init(managedObjectModel: ManagedObjectModel, stores: [PersistentStoreDescription]) {
    self.init(PersistentStoreCoordinator(managedObjectModel: managedObjectModel), stores)
  }

  /// Creates a stack with classes for entities.
  ///
  /// ```swift
  /// let container = try PersistentContainer(
  ///   managedObjectModel: model, stores: [PersistentStoreDescription(path: "quakes.sqlite")],
  ///   classes: ["Quake": Quake.self, "Region": Region.self])
  /// ```
  ///
  /// - Parameters:
  ///   - managedObjectModel: The model of the stores.
  ///   - stores: The stores.
  ///   - classes: The classes of objects by entity name; other entities have plain managed objects.
  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)`` for a name that the model does not have.
  public convenience init(
    managedObjectModel: ManagedObjectModel, stores: [PersistentStoreDescription], classes: [String: ManagedObject.Type]
  ) throws(ObjectGraphError) {
    self.init(try PersistentStoreCoordinator(managedObjectModel: managedObjectModel, classes: classes), stores)
  }

  /// Creates a stack with one store, a file with this name in ``defaultDirectory()``.
  ///
  /// ```swift
  /// let container = try PersistentContainer(
  ///   name: "Quakes", managedObjectModel: model, classes: ["Quake": Quake.self])
  /// try container.loadPersistentStores()  // makes Quakes.sqlite
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)`` for a name in `classes` that the model does not have.
  public convenience init(
    name: String, managedObjectModel: ManagedObjectModel, classes: [String: ManagedObject.Type] = [:]
  ) throws(ObjectGraphError) {
    let path = PersistentContainer.defaultDirectory().appending(path: name + ".sqlite").path
    try self.init(
      managedObjectModel: managedObjectModel, stores: [PersistentStoreDescription(path: path)], classes: classes)
  }

  /// Creates a container for a coordinator that may already have open stores.
  init(_ coordinator: PersistentStoreCoordinator, _ stores: [PersistentStoreDescription]) {
    persistentStoreCoordinator = coordinator
    descriptions = Lock(stores)
    mainContext = ManagedObjectContext(.mainQueue, coordinator: coordinator)
  }

  /// The folder for stores that have only a name: the user's folder for application data, which is created when such a
  /// store is loaded.
  ///
  /// ```swift
  /// let archive = PersistentContainer.defaultDirectory().appending(path: "Archive.sqlite")
  /// let description = PersistentStoreDescription(path: archive.path)
  /// ```
  public static func defaultDirectory() -> URL {
    FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      ?? URL(filePath: FileManager.default.currentDirectoryPath)
  }

  /// The stores in the order in which they are opened; new objects are saved to the first writable one.
  ///
  /// Changes after ``loadPersistentStores()`` take effect when you call it again after closing the open stores.
  ///
  /// ```swift
  /// let container = try PersistentContainer(name: "Quakes", managedObjectModel: model)
  /// container.persistentStoreDescriptions[0].tracksPersistentHistory = true
  /// try container.loadPersistentStores()
  /// ```
  public var persistentStoreDescriptions: [PersistentStoreDescription] {
    get { descriptions.withLock { $0 } }
    set { descriptions.withLock { $0 = newValue } }
  }

  /// Opens the stores, and creates those that do not exist.
  ///
  /// ```swift
  /// do {
  ///   try container.loadPersistentStores()
  /// } catch .incompatibleModel(let path, let entities) {
  ///   print("\(path) was made with another model: \(entities)")
  /// }
  /// ```
  ///
  /// - Throws: The same errors as ``PersistentStoreCoordinator/addPersistentStore(_:)``, for example if a store is
  ///   already open; the stores that the call has opened are then closed again.
  public func loadPersistentStores() throws(ObjectGraphError) {
    var opened: [PersistentStore] = []
    do throws(ObjectGraphError) {
      for description in persistentStoreDescriptions {
        let folder = PersistentContainer.defaultDirectory()
        if URL(filePath: description.path).deletingLastPathComponent().path == folder.path {
          // Ignore failures: opening the store reports the reason.
          try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        opened.append(try persistentStoreCoordinator.addPersistentStore(description))
      }
    } catch {
      // Report the first error, not this one.
      for store in opened { try? persistentStoreCoordinator.remove(store) }
      throw error
    }
  }

  /// A new context with its own queue.
  ///
  /// ```swift
  /// let context = container.newBackgroundContext()
  /// context.name = "import"
  /// try await context.perform { try context.save() }
  /// ```
  public func newBackgroundContext() -> ManagedObjectContext {
    ManagedObjectContext(.privateQueue, coordinator: persistentStoreCoordinator)
  }

  /// Runs the body with a new context, on that context's queue.
  ///
  /// ```swift
  /// let inserted = try await container.performBackgroundTask { context in
  ///   let quake = try Quake(context: context)
  ///   quake[Quake.code] = "us1000ep7p"
  ///   try context.save()
  ///   return quake.objectID
  /// }
  /// ```
  @discardableResult
  public func performBackgroundTask<T: Sendable>(
    _ body: @escaping @Sendable (ManagedObjectContext) throws -> T
  ) async throws -> T {
    let context = newBackgroundContext()
    return try await context.perform { try body(context) }
  }
}
