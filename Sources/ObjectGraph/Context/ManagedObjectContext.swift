// A context: the objects somebody works on, their pending changes, and the queue they belong to.

/// A workspace of objects. Changes stay in it until ``save()`` sends them to the store in one transaction.
// Sendable by proof: every stored variable is touched only on the context's queue, which each entry point checks in
// every build; the constants are Sendable themselves.
public final class ManagedObjectContext: @unchecked Sendable {
  /// Where a context's work runs.
  public enum ConcurrencyType: Sendable {
    /// A queue of the context's own.
    case privateQueue
    /// The main queue, for what a user sees.
    case mainQueue
  }

  public let persistentStoreCoordinator: PersistentStoreCoordinator
  /// How a save and a batch insert resolve conflicts.
  public var mergePolicy: MergePolicy {
    get {
      queue.check()
      return policy
    }
    set {
      queue.check()
      policy = newValue
    }
  }

  let queue: ContextQueue
  private var policy = MergePolicy.error
  /// What temporary IDs name instead of a store.
  let temporaryIdentity: StoreIdentity
  /// New objects in the order they were made; saving empties it.
  var pendingInsertions: [ManagedObject] = []
  /// Stored objects with changes, in the order they were first changed.
  var pendingUpdates: [ManagedObject] = []
  /// Stored objects to be deleted, in the order of deletion.
  var pendingDeletions: [ManagedObject] = []
  var registered = IdentityMap()
  private var lastTemporaryKey: Int64 = 0

  public init(
    _ concurrencyType: ConcurrencyType = .privateQueue, coordinator: PersistentStoreCoordinator
  ) {
    queue = ContextQueue(concurrencyType == .mainQueue ? .mainQueue : .privateQueue)
    persistentStoreCoordinator = coordinator
    temporaryIdentity = StoreIdentity(
      uuid: "", entityNames: coordinator.compiledModel.layouts.map(\.entity.name))
  }

  /// Runs the body on the context's queue and returns its answer.
  @discardableResult
  public func perform<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body() }) }
    }
  }

  /// Runs the body on the context's queue before returning: on the caller's thread for a private-queue context, and
  /// directly when the caller is on the queue already.
  ///
  /// What it returns may cross queues, objects may not.
  @discardableResult
  public func performAndWait<T: Sendable>(_ body: () throws -> T) rethrows -> T {
    try queue.sync(body)
  }

  /// Makes a new object of the entity, with its defaults set.
  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)``.
  @discardableResult
  public func insertNewObject(forEntityName name: String) throws(ObjectGraphError) -> ManagedObject {
    queue.check()
    let layout = try persistentStoreCoordinator.compiledModel.layout(named: name)
    lastTemporaryKey -= 1
    let object = ManagedObject(
      objectID: ManagedObjectID(
        store: temporaryIdentity, entityIndex: Int32(layout.index), key: lastTemporaryKey),
      layout: layout, snapshot: layout.defaults, state: .inserted, context: self)
    pendingInsertions.append(object)
    return object
  }

  /// Marks the object for deletion by the next save; a new object is forgotten at once.
  /// - Throws: ``ObjectGraphError/foreignObject(_:)`` for an object of another context.
  public func delete(_ object: ManagedObject) throws(ObjectGraphError) {
    queue.check()
    guard object.context === self, object.state != .detached else { throw .foreignObject(object.objectID) }
    switch object.state {
    case .inserted:
      object.state = .detached
      pendingInsertions.removeAll { $0 === object }
    case .stored:
      object.state = .deletionPending
      pendingUpdates.removeAll { $0 === object }
      pendingDeletions.append(object)
    case .deletionPending, .detached, .scratch: break
    }
  }

  /// Whether saving would write anything.
  public var hasChanges: Bool {
    queue.check()
    return !pendingInsertions.isEmpty || !pendingUpdates.isEmpty || !pendingDeletions.isEmpty
  }

  /// New objects, in the order they were made.
  public var insertedObjects: [ManagedObject] {
    queue.check()
    return pendingInsertions
  }

  /// Stored objects with unsaved changes, in the order they were first changed.
  public var updatedObjects: [ManagedObject] {
    queue.check()
    return pendingUpdates
  }

  /// Stored objects that the next save deletes, in the order they were marked.
  public var deletedObjects: [ManagedObject] {
    queue.check()
    return pendingDeletions
  }

  /// Forgets every object and every unsaved change.
  ///
  /// Objects still held are detached.
  public func reset() {
    queue.check()
    for object in pendingInsertions + pendingUpdates + pendingDeletions { object.state = .detached }
    pendingInsertions = []
    pendingUpdates = []
    pendingDeletions = []
    registered.removeAll { $0.state = .detached }
  }

  /// Called by an object before its first change since it was read or saved.
  func noteChange(of object: ManagedObject) {
    pendingUpdates.append(object)
  }
}
