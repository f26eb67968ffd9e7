// A context: the objects in use, their pending changes, and their queue.
internal import CoreDataModel
internal import Support
internal import Synchronization

/// A workspace of objects.
///
/// Changes stay in it until ``save(tracer:)`` writes them to the store in one transaction.
///
/// ```swift
/// let context = container.newBackgroundContext()
/// let quakeID = try await context.perform {
///   let quake = try context.insertNewObject(forEntityName: "Quake")
///   quake["code"] = "us1000ep7p"
///   try context.save()
///   return quake.objectID
/// }
/// ```
// Sendable by proof: stored variables are only used on the context's queue, which each entry point checks in every
// build, and by deinit, when nothing else refers to the context. The constants are Sendable themselves; a mutex guards
// the settings.
public final class ManagedObjectContext: @unchecked Sendable {
  /// Where a context's work runs.
  ///
  /// ```swift
  /// let view = ManagedObjectContext(.mainQueue, coordinator: coordinator)
  /// let importer = ManagedObjectContext(.privateQueue, coordinator: coordinator)
  /// ```
  public enum ConcurrencyType: Sendable {
    /// A private queue of the context.
    case privateQueue
    /// The main queue, for the user interface.
    case mainQueue
  }

  /// Where the context's work runs.
  ///
  /// ```swift
  /// container.newBackgroundContext().concurrencyType  // .privateQueue
  /// ```
  public let concurrencyType: ConcurrencyType
  /// The coordinator that connects the context with stores; a child has its parent's.
  public let persistentStoreCoordinator: PersistentStoreCoordinator
  /// The parent that saves go to; `nil` for a context that works on the coordinator.
  let parentSource: ParentContext?
  // Exclusivity is unchecked, because every row that is read uses these; nothing changes them during a read.
  /// The source of the context's objects.
  @exclusivity(unchecked) private(set) var source: any ObjectReader
  /// The rows of the context's objects: the coordinator's cache, a generation's, or a child's own.
  @exclusivity(unchecked) private(set) var rowCache: RowCache
  /// The same cache, for adding rows without retaining it each time.
  @exclusivity(unchecked) private var uncountedCache: Unmanaged<RowCache>
  /// The generation that the context is pinned to.
  private(set) var generation: QueryGeneration?
  let family: ContextFamily
  /// Children that are notified of each other's saves.
  let children = ContextFollowers()
  let queue: ContextQueue
  let observers = ObserverList<ContextNotification>()

  // Exclusivity is unchecked, because every new object uses this; an object's `deinit`, which may call the context,
  // runs only when it is written.
  /// New objects in creation order; some may be deleted again.
  @exclusivity(unchecked) var pendingInsertions: [ManagedObject] = []
  /// Changed stored objects in the order of their first change; some may be unchanged again.
  var pendingUpdates: [ManagedObject] = []
  /// Stored objects to be deleted, in the order of deletion.
  var pendingDeletions: [ManagedObject] = []
  // Exclusivity is unchecked, because every created or looked-up object uses this. The map runs no user code during an
  // access, and returns what it releases.
  @exclusivity(unchecked) var registered: IdentityMap
  /// Objects that were inserted, changed, deleted and refreshed since the last notification.
  var unreported = UnreportedChanges()
  /// Whether pending objects may have been assigned invalid values.
  var hasDefects = false
  /// How many pattern matches were stopped in the current validation; `nil` outside validation.
  var matchesGivenUp: Int?
  static let mostMatchesGivenUp = 3
  /// Deleted objects with delete rules that still have to be applied.
  var unpropagated: [ManagedObject] = []
  /// New objects by their temporary keys, once a relationship needs one.
  @exclusivity(unchecked) var newObjects: [Int64: ManagedObject]?
  /// Changed objects without a row at their last refresh; a rollback does not restore them.
  var lostRows: Set<ManagedObjectID> = []
  /// Rows written and deleted since the fetches of results that are still in use.
  var storedChanges = StoredChangesLog()
  let settings = Lock(ContextSettings())
  /// The temporary keys of new objects that came from children, are known to children, or are observed: these need the
  /// permanent IDs after a save.
  var childKeys: Set<Int64> = []
  /// Whether any new objects already have permanent IDs.
  var hasObtainedIDs = false
  /// The temporary IDs of saved objects that are still in use.
  var formerIDs = FormerIDs()
  /// The progress of the current save; `nil` if there is none.
  var saveStage: SaveStage?
  /// Whether a merge policy's function is running, which must not change anything.
  var isAskingPolicy = false
  /// The part that a save could not store, until it is pending again.
  var unstored: UnstoredRest?
  /// Whether a reset or rollback happened after the save had stored something: if the save then fails, nothing is
  /// restored.
  var isUndone = false
  /// The error of the first call during the save that fails it.
  var refusedCall: ObjectGraphError?
  /// The number of reports of permanent IDs in the family that the context has processed.
  var knownGeneration = 0

  /// Creates a context that works on the coordinator's stores.
  ///
  /// ```swift
  /// let context = ManagedObjectContext(coordinator: coordinator)
  /// context.mergePolicy = .mergeByPropertyObjectTrump
  /// try context.performAndWait { print(try context.count(for: FetchRequest(entityName: "Quake"))) }
  /// ```
  public init(
    _ concurrencyType: ConcurrencyType = .privateQueue, coordinator: PersistentStoreCoordinator
  ) {
    self.concurrencyType = concurrencyType
    queue = ContextQueue(concurrencyType == .mainQueue ? .mainQueue : .privateQueue)
    persistentStoreCoordinator = coordinator
    parentSource = nil
    source = coordinator
    rowCache = coordinator.rowCache
    uncountedCache = .passUnretained(coordinator.rowCache)
    family = ContextFamily(coordinator.compiledModel)
    registered = IdentityMap(coordinator.compiledModel)
    queue.adopt(self)
  }

  /// Creates a child of another context.
  ///
  /// It sees the parent's objects, saved or not, and saves its changes to the parent.
  ///
  /// The changes reach the store when the outermost context is saved. The child uses its parent's queue while it reads
  /// and saves, so a parent must never wait for its child.
  ///
  /// ```swift
  /// let editor = ManagedObjectContext(parent: context)
  /// try await editor.perform {
  ///   try editor.existingObject(with: quakeID)["place"] = "Nevada"
  ///   try editor.save()  // changes its parent; the store has it when the parent saves
  /// }
  /// ```
  public init(_ concurrencyType: ConcurrencyType = .privateQueue, parent: ManagedObjectContext) {
    self.concurrencyType = concurrencyType
    queue = ContextQueue(concurrencyType == .mainQueue ? .mainQueue : .privateQueue)
    persistentStoreCoordinator = parent.persistentStoreCoordinator
    let parentSource = ParentContext(parent)
    self.parentSource = parentSource
    source = parentSource
    let model = parent.persistentStoreCoordinator.compiledModel
    let cache = RowCache(model)
    rowCache = cache
    uncountedCache = .passUnretained(cache)
    family = parent.family
    knownGeneration = parent.family.generation
    registered = IdentityMap(model)
    queue.adopt(self)
    family.descendants.follow(self, true)
  }

  /// The context that this one saves to; `nil` for one that works on the coordinator.
  public var parent: ManagedObjectContext? { parentSource?.context }

  var temporaryIdentity: StoreIdentity { family.temporaryIdentity }

  deinit {
    // Break reference cycles of new objects that refer to each other.
    for object in pendingInsertions + pendingUpdates + pendingDeletions { object.detach(as: object.state) }
    _ = registered.removeAll(rowCache)
  }

  /// The stored content, as the context sees it.
  var stored: any MultiStoreReader { generation ?? persistentStoreCoordinator }

  /// Makes the context read from a generation, or from what is currently stored.
  ///
  /// It stops using cached rows, so that everything is read again.
  func move(to generation: QueryGeneration?) {
    // Objects in use keep their values. The others are created again.
    releaseUnheldObjects()
    registered.leaveCache(rowCache)
    // Rows that a result has already read must not enter the generation's cache.
    storedChanges.expireAll()
    self.generation = generation
    source = generation ?? persistentStoreCoordinator
    rowCache = generation?.rowCache ?? persistentStoreCoordinator.rowCache
    uncountedCache = .passUnretained(rowCache)
  }

  /// Adds an object to the map; true if the map must be swept.
  // Safe by proof: `rowCache` holds the cache and changes only in `move(to:)`, which nothing in here calls.
  @inline(__always)
  func enter(_ object: ManagedObject, as objectID: ManagedObjectID, row: RowSnapshot?, read: ReadTime) -> Bool {
    uncountedCache._withUnsafeGuaranteedRef { cache in
      registered.insert(object, as: objectID, row: row, cache: cache, read: read)
    }
  }

  /// Runs the body on the context's queue and returns its result.
  ///
  /// ```swift
  /// let quakes = try await context.perform {
  ///   try context.count(for: FetchRequest(entityName: "Quake"))
  /// }
  /// ```
  @discardableResult
  public func perform<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        let result = Result { try body() }
        self.processPendingChanges()
        continuation.resume(with: result)
      }
    }
  }

  /// Runs the body on the context's queue before returning.
  ///
  /// For a private-queue context it runs on the caller's thread, and directly if the caller is already on the queue.
  /// The result may cross queues, but objects may not.
  ///
  /// ```swift
  /// let place = try context.performAndWait {
  ///   try context.existingObject(with: quakeID)["place"]
  /// }
  /// ```
  @discardableResult
  public func performAndWait<T: Sendable>(_ body: () throws -> T) rethrows -> T {
    if queue.isCurrent { return try body() }
    return try queue.sync {
      defer { releaseAfterWork() }
      return try body()
    }
  }

  /// Runs the body on the context's queue some time later.
  ///
  /// ```swift
  /// context.perform(later: {
  ///   do { try context.save() } catch { print(error) }
  /// })
  /// ```
  public func perform(later body: @escaping @Sendable () -> Void) {
    queue.async {
      body()
      self.processPendingChanges()
    }
  }

}
