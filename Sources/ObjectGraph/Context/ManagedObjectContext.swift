// A context: the objects in use, their pending changes, and the queue they belong to.
internal import CoreDataModel
internal import Support
internal import Synchronization

/// A workspace of objects.
///
/// Changes stay in it until ``save(tracer:)`` sends them to the store in one transaction.
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
// Sendable by proof: every stored variable is touched only on the context's queue, which each entry point checks in
// every build, and by deinit, when nothing else has the context; the constants are Sendable themselves, the settings among
// them behind a mutex.
public final class ManagedObjectContext: @unchecked Sendable {
  /// Where a context's work runs.
  ///
  /// ```swift
  /// let view = ManagedObjectContext(.mainQueue, coordinator: coordinator)
  /// let importer = ManagedObjectContext(.privateQueue, coordinator: coordinator)
  /// ```
  public enum ConcurrencyType: Sendable {
    /// A queue of the context's own.
    case privateQueue
    /// The main queue, for what a user sees.
    case mainQueue
  }

  /// Where the context's work runs, as chosen when it was made.
  ///
  /// ```swift
  /// container.newBackgroundContext().concurrencyType  // .privateQueue
  /// ```
  public let concurrencyType: ConcurrencyType
  /// What connects the context with stores; a child has its parent's.
  public let persistentStoreCoordinator: PersistentStoreCoordinator
  /// Where saves go instead of a store; nil for a context that works on the coordinator.
  let parentSource: ParentContext?
  // Unchecked, because every row that is read asks: nothing changes them while anything reads.
  /// What the context's objects are read from.
  @exclusivity(unchecked) private(set) var source: any ObjectReader
  /// The rows of the context's objects: the coordinator's cache, a generation's, or one of a child's own.
  @exclusivity(unchecked) private(set) var rowCache: RowCache
  /// The same cache, for entering rows without counting a reference to it each time.
  @exclusivity(unchecked) private var uncountedCache: Unmanaged<RowCache>
  /// The generation that the context is pinned to.
  private(set) var generation: QueryGeneration?
  let family: ContextFamily
  /// Children that are notified of each other's saves.
  let children = ContextFollowers()
  let queue: ContextQueue
  let observers = ObserverList<ContextNotification>()

  // Unchecked, because each new object asks: an object's `deinit`, which may come back here, runs when they are written.
  /// New objects in the order they were made; some may be gone again.
  @exclusivity(unchecked) var pendingInsertions: [ManagedObject] = []
  /// Stored objects with changes, in the order they were first changed; some may be unchanged again.
  var pendingUpdates: [ManagedObject] = []
  /// Stored objects to be deleted, in the order of deletion.
  var pendingDeletions: [ManagedObject] = []
  // Unchecked, because every object that is made or looked up asks: the map runs no code of a user's inside an access,
  // and hands out what it releases.
  @exclusivity(unchecked) var registered: IdentityMap
  /// What was inserted, changed, deleted and refreshed since the last news of it.
  var unreported = UnreportedChanges()
  /// Whether pending objects may have been given what they could not take.
  var hasDefects = false
  /// How many matches with patterns were stopped in the current validation; nil outside validation.
  var matchesGivenUp: Int?
  static let mostMatchesGivenUp = 3
  /// Deleted objects whose delete rules are still to be applied.
  var unpropagated: [ManagedObject] = []
  /// New objects by their temporary keys, once a relationship asked for one.
  @exclusivity(unchecked) var newObjects: [Int64: ManagedObject]?
  /// Changed objects whose rows were gone when they were last refreshed, which no rollback brings back.
  var lostRows: Set<ManagedObjectID> = []
  /// What was written and deleted since fetches whose results are still held.
  var storedChanges = StoredChangesLog()
  let settings = Lock(ContextSettings())
  /// The temporary keys of new objects that came from children, that children know, or that are observed: these want to
  /// know what the objects are saved as.
  var childKeys: Set<Int64> = []
  /// Whether new objects have permanent IDs already.
  var hasObtainedIDs = false
  /// The IDs that objects still in use had before they were saved.
  var formerIDs = FormerIDs()
  /// The progress of the current save; nil while there is none.
  var saveStage: SaveStage?
  /// Whether a merge policy's function is being asked, which may change nothing.
  var isAskingPolicy = false
  /// What the save could not store, until it is pending again.
  var unstored: UnstoredRest?
  /// Whether a reset or rollback came after the save had stored something: what fails then is not brought back.
  var isUndone = false
  /// The first call during the save that fails it.
  var refusedCall: ObjectGraphError?
  /// The family's news of permanent IDs that the context knows.
  var knownGeneration = 0

  /// A context that works on the coordinator's stores.
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

  /// A child of another context: it sees the parent's objects, saved or not, and saving it makes its changes the
  /// parent's unsaved ones.
  ///
  /// The store knows of them when the outermost context is saved. The child uses its parent's queue while it reads and
  /// saves, so no parent may wait for its child.
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

  /// The context that this one's saves go to; nil for one that works on the coordinator.
  public var parent: ManagedObjectContext? { parentSource?.context }

  var temporaryIdentity: StoreIdentity { family.temporaryIdentity }

  deinit {
    // New objects that refer to each other would keep each other in memory.
    for object in pendingInsertions + pendingUpdates + pendingDeletions { object.detach(as: object.state) }
    _ = registered.removeAll(rowCache)
  }

  /// What is stored, as the context sees it.
  var stored: any MultiStoreReader { generation ?? persistentStoreCoordinator }

  /// Makes the context read from a generation, or from what is currently stored.
  ///
  /// No cache uses what the context has read before, so that it reads everything again there.
  func move(to generation: QueryGeneration?) {
    // Objects in use keep their values. The others are made again.
    releaseUnheldObjects()
    registered.leaveCache(rowCache)
    // What a result read before is not to enter the cache of the generation.
    storedChanges.expireAll()
    self.generation = generation
    source = generation ?? persistentStoreCoordinator
    rowCache = generation?.rowCache ?? persistentStoreCoordinator.rowCache
    uncountedCache = .passUnretained(rowCache)
  }

  /// Adds an object to the map; true when the map must be swept.
  // Safe by proof: `rowCache` holds the cache and changes in `move(to:)` alone, which nothing in here calls.
  @inline(__always)
  func enter(_ object: ManagedObject, as objectID: ManagedObjectID, row: RowSnapshot?, read: ReadTime) -> Bool {
    uncountedCache._withUnsafeGuaranteedRef { cache in
      registered.insert(object, as: objectID, row: row, cache: cache, read: read)
    }
  }

  /// Runs the body on the context's queue and returns its answer.
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
  /// It runs on the caller's thread for a private-queue context, and directly when the caller is on the queue already.
  /// What it returns may cross queues, objects may not.
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
