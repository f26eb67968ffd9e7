// The settings of a context: its merge policy, its names in history, and how it reads and deletes.
internal import Support
internal import Synchronization

/// The settings of a context.
struct ContextSettings {
  var mergePolicy = MergePolicy.error
  var stalenessInterval: Double = -1
  var faultBatchSize = 100
  var propagatesDeletesAtEndOfEvent = true
  var origin = RequestOrigin()
}

/// Settings; any thread may read and change them, because a context is set up before its queue is used.
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

  /// A name for the context, for debugging and for history.
  public var name: String? {
    get { origin.contextName }
    set { settings.withLock { $0.origin.contextName = newValue } }
  }

  /// The author of the context's changes in history; a context that follows history can skip its own changes.
  ///
  /// A save records the author of the context that writes to the store: for a child, the outermost context's.
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

  /// How old a cached row may be, in seconds, to fill a fault from it; negative for any age, 0 to always read again.
  ///
  /// ```swift
  /// context.stalenessInterval = 60  // rows of the last minute come from the cache
  /// try context.refresh(quake, mergeChanges: true)
  /// ```
  public var stalenessInterval: Double {
    get { settings.withLock { $0.stalenessInterval } }
    set { settings.withLock { $0.stalenessInterval = newValue } }
  }

  /// The most rows to read when a fault is filled; 1 to read only its own row.
  ///
  /// The others are rows of faults that the context got just after or before it, such as the other objects of a to-many
  /// relationship. They stay faults until they are used, and are then filled without a statement: iterating over 100
  /// objects of a relationship takes one statement for their keys and one for their rows. With a ``stalenessInterval``
  /// of 0, each fault reads its own row.
  ///
  /// ```swift
  /// context.faultBatchSize = 1  // each fault reads what is stored when it is looked at
  /// ```
  public var faultBatchSize: Int {
    get { settings.withLock { $0.faultBatchSize } }
    set { settings.withLock { $0.faultBatchSize = newValue } }
  }

  /// Whether delete rules are applied by fetches and by ``processPendingChanges()``, which runs at the end of
  /// `perform`; otherwise they wait for a save or a merge.
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
