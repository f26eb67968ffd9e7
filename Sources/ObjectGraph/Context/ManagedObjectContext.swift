// A context: the objects somebody works on, their pending changes, and the queue they belong to.
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
// every build, and by deinit, when nobody else has the context; the constants are Sendable themselves, the settings among
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

  /// Where the context's work runs, as it was made.
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

  // Unchecked, because each new object asks: nothing of a user's runs while these are written.
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
  /// How many matches with patterns the save that validates has given up; nil while none validates.
  var matchesGivenUp: Int?
  static let mostMatchesGivenUp = 3
  /// Deleted objects whose delete rules are still to be applied.
  var unpropagated: [ManagedObject] = []
  /// New objects by their temporary keys, once a relationship asked for one.
  @exclusivity(unchecked) var newObjects: [Int64: ManagedObject]?
  /// What was written and deleted since fetches whose results are still held.
  var storedChanges = StoredChangesLog()
  private let settings = Lock(ContextSettings())
  /// The temporary keys of new objects that came from children, that children know, or that are observed: these want to
  /// know what the objects are saved as.
  var childKeys: Set<Int64> = []
  /// Whether new objects have permanent IDs already.
  var hasObtainedIDs = false
  /// What objects that somebody holds were called before they were saved.
  var formerIDs = FormerIDs()
  /// How far a save of this context is; nil while there is none.
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

  /// Has the context read from a generation, or from what is stored at any time.
  ///
  /// What it has read counts for no cache from then on, so that whatever is read again is read there.
  func move(to generation: QueryGeneration?) {
    // Objects that somebody holds keep their values; the others are as they are made again.
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

  /// Makes a new object of the entity, with its defaults set.
  ///
  /// ```swift
  /// let quake = try context.insertNewObject(forEntityName: "Quake")
  /// quake["code"] = "us1000ep7p"
  /// quake[Quake.magnitude] = 4.6
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)``, ``ObjectGraphError/abstractEntity(_:)``.
  @discardableResult
  public func insertNewObject(forEntityName name: String) throws(ObjectGraphError) -> ManagedObject {
    queue.check()
    let layout = try persistentStoreCoordinator.compiledModel.concreteLayout(named: name)
    let object = persistentStoreCoordinator.makeObject(
      newID(layout), layout, row: layout.defaults, state: .inserted, owner: queue)
    takeIn(object)
    return object
  }

  /// The temporary ID of a new object of the entity.
  @inline(__always)
  func newID(_ layout: EntityLayout) -> ManagedObjectID {
    ManagedObjectID(store: temporaryIdentity, entityIndex: Int32(layout.index), key: family.nextKey())
  }

  /// Takes in a new object, which the next save inserts.
  func takeIn(_ object: ManagedObject) {
    pendingInsertions.append(object)
    newObjects?[object.objectID.key] = object
    if object.hasCallbacks { object.awakeFromInsert() }
  }

  /// Marks the object for deletion by the next save; a new object is forgotten at once.
  ///
  /// An object that is marked already stays so.
  ///
  /// ```swift
  /// for quake in region[Region.quakes] where quake[Quake.magnitude] ?? 0 < 1 { try context.delete(quake) }
  /// try context.save()
  /// ```
  ///
  /// - Throws: ``ObjectGraphError/foreignObject(_:)`` for an object of another context,
  ///   ``ObjectGraphError/callDuringSave(_:at:)`` from a merge policy's function,
  ///   ``ObjectGraphError/deletedObject(_:)`` for one that is gone, ``ObjectGraphError/missingObject(_:)`` for a fault whose
  ///   row is gone, ``ObjectGraphError/store(_:during:)`` for one that cannot be read.
  public func delete(_ object: ManagedObject) throws(ObjectGraphError) {
    queue.check()
    try refuseInPolicy("delete(_:)")
    try markForDeletion(object)
  }

  /// Forgets every object and every unsaved change.
  ///
  /// Stored objects still held are faults that are filled no more, whatever they had; ask for new ones by their IDs. New
  /// ones are deleted. Observers of ``ContextNotification/Name/objectsDidChange`` are notified before it
  /// returns, see ``ContextNotification/invalidatedAllObjects``.
  ///
  /// ```swift
  /// for (number, row) in rows.enumerated() {
  ///   let quake = try Quake(context: context)
  ///   for (key, value) in row { try quake.setValue(value, forKey: key) }
  ///   if number % 5_000 == 4_999 { try context.save(); context.reset() }
  /// }
  /// ```
  ///
  /// Inside a save of this context, until its rows are stored, it does nothing and the save fails, with
  /// ``ObjectGraphError/callDuringSave(_:at:)``.
  public func reset() {
    queue.check()
    if isRefusedDuringSave("reset()") { return }
    prepareUndoing()
    for object in pendingInsertions { object.detach(as: .detached) }
    let changed = pendingUpdates + pendingDeletions
    family.forgetStores(of: pendingInsertions)
    pendingInsertions = []
    pendingUpdates = []
    pendingDeletions = []
    unpropagated = []
    newObjects = nil
    childKeys = []
    hasObtainedIDs = false
    unreported = UnreportedChanges()
    for object in registered.removeAll(rowCache) + changed {
      if object.isGone { object.detach(as: object.state) } else { object.forget() }
    }
    formerIDs = FormerIDs()
    if observers.isObserved(.objectsDidChange) {
      observers.post(ContextNotification(.objectsDidChange, invalidatedAllObjects: true))
    }
  }

  /// Called by an object before its first change since it was read or saved.
  func noteChange(of object: ManagedObject) {
    if !object.isListed {
      object.isListed = true
      pendingUpdates.append(object)
    }
  }
}

/// What a context's user may set.
private struct ContextSettings {
  var mergePolicy = MergePolicy.error
  var stalenessInterval: Double = -1
  var faultBatchSize = 100
  var propagatesDeletesAtEndOfEvent = true
  var origin = RequestOrigin()
}

/// Settings, which any thread may read and set, since a context is set up before its queue is used.
extension ManagedObjectContext {
  /// How a save and a batch insert resolve conflicts.
  ///
  /// ```swift
  /// let context = container.newBackgroundContext()
  /// context.mergePolicy = .mergeByPropertyObjectTrump  // what is in memory wins
  /// ```
  public var mergePolicy: MergePolicy {
    get { settings.withLock { $0.mergePolicy } }
    set { settings.withLock { $0.mergePolicy = newValue } }
  }

  /// A name of the context for people and for history.
  public var name: String? {
    get { origin.contextName }
    set { settings.withLock { $0.origin.contextName = newValue } }
  }

  /// Who writes, as history names it; a context that follows history can leave out what it wrote itself.
  ///
  /// It counts where the store is written: for a child context, the outermost one's does.
  ///
  /// ```swift
  /// context.transactionAuthor = "feed import"
  /// context.name = "nightly"
  /// ```
  public var transactionAuthor: String? {
    get { origin.author }
    set { settings.withLock { $0.origin.author = newValue } }
  }

  var origin: RequestOrigin { settings.withLock { $0.origin } }

  /// How old a cached row may be, in seconds, when a fault is filled from it; negative for any age, 0 to read again.
  ///
  /// ```swift
  /// context.stalenessInterval = 60  // rows of the last minute come from the cache
  /// try context.refresh(quake, mergeChanges: true)
  /// ```
  public var stalenessInterval: Double {
    get { settings.withLock { $0.stalenessInterval } }
    set { settings.withLock { $0.stalenessInterval = newValue } }
  }

  /// How many rows are read at most when a fault is filled: its own, and those of faults that the context got right after
  /// or before it, such as the other objects of a to-many relationship; 1 for its own alone.
  ///
  /// The others stay faults until they are looked at, and are then filled without a statement: going through 100 objects of
  /// a relationship takes one statement for their keys and one for their rows. With a ``stalenessInterval`` of 0 each
  /// fault reads its own row.
  ///
  /// ```swift
  /// context.faultBatchSize = 1  // each fault reads what is stored when it is looked at
  /// ```
  public var faultBatchSize: Int {
    get { settings.withLock { $0.faultBatchSize } }
    set { settings.withLock { $0.faultBatchSize = newValue } }
  }

  /// Whether delete rules are applied by ``processPendingChanges()``, which runs at the end of `perform`, in fetches and in
  /// saves; else they wait for the save, or for a merge of what others have changed.
  ///
  /// ```swift
  /// context.propagatesDeletesAtEndOfEvent = false
  /// try context.delete(region)
  /// context.processPendingChanges()  // its quakes are not deleted yet
  /// try context.save()  // they are, by the delete rule
  /// ```
  public var propagatesDeletesAtEndOfEvent: Bool {
    get { settings.withLock { $0.propagatesDeletesAtEndOfEvent } }
    set { settings.withLock { $0.propagatesDeletesAtEndOfEvent = newValue } }
  }
}

/// The pending and the existing ones.
extension ManagedObjectContext {
  /// Whether saving would write anything.
  ///
  /// ```swift
  /// try context.delete(quake)
  /// if context.hasChanges { try context.save() }
  /// ```
  public var hasChanges: Bool {
    queue.check()
    return pendingInsertions.contains { $0.isInserted } || pendingUpdates.contains { $0.isUpdated }
      || !pendingDeletions.isEmpty
  }

  /// New objects, in the order they were made.
  ///
  /// ```swift
  /// let quake = try Quake(context: context)
  /// context.insertedObjects.contains(quake)  // true
  /// ```
  public var insertedObjects: [ManagedObject] {
    queue.check()
    return pendingInsertions.filter(\.isInserted)
  }

  /// Stored objects with unsaved changes, in the order they were first changed.
  ///
  /// ```swift
  /// quake[Quake.magnitude] = 4.7
  /// for object in context.updatedObjects { print(object.objectID, object.changedValues()) }
  /// ```
  public var updatedObjects: [ManagedObject] {
    queue.check()
    return pendingUpdates.filter(\.isUpdated)
  }

  /// Stored objects that the next save deletes, in the order they were marked.
  public var deletedObjects: [ManagedObject] {
    queue.check()
    return pendingDeletions
  }

  /// The stored objects that somebody holds, in no order, and then the new ones.
  ///
  /// ```swift
  /// let faults = context.registeredObjects.filter(\.isFault).count
  /// print("\(faults) of \(context.registeredObjects.count) objects hold no values")
  /// ```
  public var registeredObjects: [ManagedObject] {
    queue.check()
    releaseUnheldObjects()
    // New objects with permanent IDs are found by them already.
    return registered.all.filter { !$0.isInserted } + insertedObjects
  }
}
