// What is set of a context: its merge policy, its names in history, and how it reads and deletes.
internal import Support
internal import Synchronization

/// What a context's user may set.
struct ContextSettings {
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
