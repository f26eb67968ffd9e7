// The whole stack in one object: model, coordinator, stores and contexts.
public import CoreDataModel

/// Sets up a stack and hands out its contexts.
public final class PersistentContainer: Sendable {
  public let persistentStoreCoordinator: PersistentStoreCoordinator
  /// The context of what a user sees; it runs on the main queue.
  public let viewContext: ManagedObjectContext
  /// The stores in the order in which they are opened; the first that may be written takes new objects.
  public let persistentStoreDescriptions: [PersistentStoreDescription]

  /// A stack with one store.
  public convenience init(managedObjectModel: ManagedObjectModel, store: PersistentStoreDescription) {
    self.init(managedObjectModel: managedObjectModel, stores: [store])
  }

  /// A stack with several stores.
  public init(managedObjectModel: ManagedObjectModel, stores: [PersistentStoreDescription]) {
    persistentStoreCoordinator = PersistentStoreCoordinator(managedObjectModel: managedObjectModel)
    persistentStoreDescriptions = stores
    viewContext = ManagedObjectContext(.mainQueue, coordinator: persistentStoreCoordinator)
  }

  /// Opens the stores, making those that are not there.
  ///
  /// - Throws: as ``PersistentStoreCoordinator/addPersistentStore(_:)``; none of them is open then.
  public func loadPersistentStores() throws(ObjectGraphError) {
    var opened: [PersistentStore] = []
    do throws(ObjectGraphError) {
      for description in persistentStoreDescriptions {
        opened.append(try persistentStoreCoordinator.addPersistentStore(description))
      }
    } catch {
      // The first error is the one to report.
      for store in opened { try? persistentStoreCoordinator.remove(store) }
      throw error
    }
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
