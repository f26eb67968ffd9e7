// The whole stack in one object: model, coordinator, store and contexts.

/// Sets up a stack and hands out its contexts.
public final class PersistentContainer: Sendable {
  public let persistentStoreCoordinator: PersistentStoreCoordinator
  /// The context of what a user sees; it runs on the main queue.
  public let viewContext: ManagedObjectContext
  public let persistentStoreDescription: PersistentStoreDescription

  public init(managedObjectModel: ManagedObjectModel, store: PersistentStoreDescription) {
    persistentStoreCoordinator = PersistentStoreCoordinator(managedObjectModel: managedObjectModel)
    persistentStoreDescription = store
    viewContext = ManagedObjectContext(.mainQueue, coordinator: persistentStoreCoordinator)
  }

  /// Opens the store, making it when it is not there.
  /// - Throws: as ``PersistentStoreCoordinator/addPersistentStore(_:)``.
  public func loadPersistentStores() throws(ObjectGraphError) {
    try persistentStoreCoordinator.addPersistentStore(persistentStoreDescription)
  }

  /// A new context with a queue of its own.
  public func newBackgroundContext() -> ManagedObjectContext {
    ManagedObjectContext(.privateQueue, coordinator: persistentStoreCoordinator)
  }

  /// Runs the body with a context of its own, on that context's queue.
  public func performBackgroundTask<T: Sendable>(
    _ body: @escaping @Sendable (ManagedObjectContext) throws -> T
  ) async throws -> T {
    let context = newBackgroundContext()
    return try await context.perform { try body(context) }
  }
}
