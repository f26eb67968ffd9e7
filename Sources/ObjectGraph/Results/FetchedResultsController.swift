// A list of objects that follows its context, for showing on a screen, with sections and changes.

/// The objects that a fetch request finds, in order and in sections, kept up to date with a context.
///
/// It follows what its context reports: pending changes when they are processed (at the end of
/// ``ManagedObjectContext/perform(_:)`` and in a save), saves, merges of other contexts' saves, batch requests and
/// history, refreshes, rollbacks and resets. Changes that bypass the context appear once they are merged.
///
/// If the predicate and the order only use the objects' own attributes, a change of k of n objects takes O(k log n) and
/// no statement, except one to read rows that are not in memory. Otherwise, when something that the request depends on
/// changes, one statement fetches it again, and comparing takes O(n). This applies to predicates or sort descriptors
/// that follow relationships, to limits and offsets, and to requests without pending changes.
///
/// Objects are created on first use, as in ``FetchResults``. The controller keeps 40 to 60 bytes for each object, plus
/// its row; with a ``FetchRequest/fetchBatchSize``, only the sort values of the row.
///
/// Use it on its context's queue.
///
/// ```swift
/// let request = FetchRequest<Quake>(
///   entityName: "Quake", predicate: Quake.magnitude > 4.5,
///   sortDescriptors: [FetchSortDescriptor(Quake.place), FetchSortDescriptor(Quake.time)])
/// let controller = FetchedResultsController(
///   fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "place")
/// try controller.performFetch()
/// for section in controller.sections { print(section.name, section.numberOfObjects) }
/// ```
// Sendable by proof: stored variables except the lock are only used on the context's queue, which each entry point
// checks in every build.
public final class FetchedResultsController<ResultType: ManagedObject>: @unchecked Sendable {
  /// The request; after changing it, call ``performFetch()``.
  public var fetchRequest: FetchRequest<ResultType> {
    get {
      managedObjectContext.queue.check()
      return request
    }
    set {
      managedObjectContext.queue.check()
      request = newValue
    }
  }
  /// The context that owns the objects and reports the changes to follow.
  public let managedObjectContext: ManagedObjectContext
  /// The key path that names an object's section; `nil` for a single section.
  ///
  /// It is an attribute, a path through to-one relationships, or a key that the objects' class implements in
  /// ``ManagedObject/accessorValue(forKey:)``. The request's order must keep the objects of a section together.
  public let sectionNameKeyPath: String?
  private var request: FetchRequest<ResultType>
  private weak var listener: (any FetchedResultsControllerDelegate<ResultType>)?
  /// `nil` before the first fetch.
  var follower: ResultFollower?
  private let observers = ObserverList<FetchedTransition<ManagedObjectID>>()

  /// Creates a controller, which has no objects before ``performFetch()``.
  ///
  /// ```swift
  /// let newestFirst = FetchRequest<Quake>(
  ///   entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.time, ascending: false)])
  /// let controller = FetchedResultsController(fetchRequest: newestFirst, managedObjectContext: context)
  /// ```
  ///
  /// - Parameters:
  ///   - fetchRequest: What to fetch; it must have sort descriptors.
  ///   - managedObjectContext: The context of the objects.
  ///   - sectionNameKeyPath: The key path that names an object's section; `nil` for a single section.
  public init(
    fetchRequest: FetchRequest<ResultType>, managedObjectContext: ManagedObjectContext,
    sectionNameKeyPath: String? = nil
  ) {
    request = fetchRequest
    self.managedObjectContext = managedObjectContext
    self.sectionNameKeyPath = sectionNameKeyPath
  }

  /// Called with every change, on the context's queue; a weak reference.
  public var delegate: (any FetchedResultsControllerDelegate<ResultType>)? {
    get {
      managedObjectContext.queue.check()
      return listener
    }
    set {
      managedObjectContext.queue.check()
      listener = newValue
    }
  }

  /// Why the last change could not be followed: a row could not be read, or the objects of a section are not together.
  ///
  /// `nil` while everything works.
  ///
  /// The objects are those from before the failure. The next change, or ``performFetch()``, fetches them again.
  ///
  /// ```swift
  /// if let failure = controller.failure { print("The list is out of date: \(failure)") }
  /// ```
  public var failure: ObjectGraphError? {
    managedObjectContext.queue.check()
    return follower?.failure
  }

  /// Fetches, and follows the context from then on.
  ///
  /// A later call fetches again, with any changes to ``fetchRequest``. As in Core Data, the delegate is not called;
  /// ``transitions()`` reports the differences. O(n).
  ///
  /// - Throws: ``ObjectGraphError/invalidFetch(entity:found:expected:)`` without sort descriptors, or if they do not
  ///   keep the objects of a section together; otherwise the same errors as ``ManagedObjectContext/fetch(_:)``.
  public func performFetch() throws(ObjectGraphError) {
    managedObjectContext.queue.check()
    try managedObjectContext.persistentStoreCoordinator.checkClass(of: request)
    if let follower {
      let transition = try follower.refetch(request.untyped)
      if !transition.isEmpty { observers.post(transition) }
      return
    }
    let follower = try ResultFollower(
      request.untyped, sectionNameKeyPath: sectionNameKeyPath, context: managedObjectContext)
    follower.willChange = { [weak self] in self.map { $0.listener?.controllerWillChangeContent($0) } }
    follower.didChange = { [weak self] in self?.report($0) }
    follower.didFail = { [weak self] failure in self.map { $0.listener?.controller($0, didFailWith: failure) } }
    self.follower = follower
  }

  private func report(_ transition: FetchedResultsTransition) {
    // Do this first, because a delegate may fetch again, which is a separate transition.
    if !transition.isEmpty { observers.post(transition) }
    if let listener {
      for change in transition.sectionChanges { listener.controller(self, didChange: change) }
      for change in transition.changes {
        guard let object = follower?.object(change) else { continue }
        // Safe by proof: the fetch has checked the class of the request's entities.
        listener.controller(self, didChange: unsafeDowncast(object, to: ResultType.self), change)
      }
      listener.controllerDidChangeContent(self)
    }
  }

  /// Every transition from now until the controller is deallocated.
  ///
  /// Unread ones are kept.
  ///
  /// If you call it on the context's queue together with ``snapshot``, the transitions contain every change to that
  /// snapshot.
  ///
  /// ```swift
  /// let (start, transitions) = (controller.snapshot, controller.transitions())
  /// Task {
  ///   var rows = start
  ///   for await transition in transitions { rows.apply(transition) }
  /// }
  /// ```
  public func transitions() -> AsyncStream<FetchedResultsTransition> {
    managedObjectContext.queue.check()
    return observers.stream()
  }
}

/// Receives the changes of a ``FetchedResultsController``, on its context's queue.
///
/// For each transition, ``controllerWillChangeContent(_:)`` is called first, while the controller has its former
/// objects. When it has the new ones, a method is called for every section that was removed or inserted and every
/// object that was removed, inserted, moved or changed, in the order of ``FetchedResultsTransition``.
/// ``controllerDidChangeContent(_:)`` comes last. Every method has a default implementation; those about changes do
/// nothing.
///
/// ```swift
/// final class QuakeList: FetchedResultsControllerDelegate {
///   func controller(
///     _ controller: FetchedResultsController<Quake>, didChange object: Quake, _ change: FetchedResultsChange
///   ) {
///     if case .insert(_, let path) = change { print("\(object[Quake.place] ?? "") at \(path.item)") }
///   }
/// }
/// ```
public protocol FetchedResultsControllerDelegate<ResultType>: AnyObject {
  /// The class of the controller's objects.
  associatedtype ResultType: ManagedObject

  /// Called before the changes, while the controller has its former objects.
  func controllerWillChangeContent(_ controller: FetchedResultsController<ResultType>)

  /// Called when a section was inserted or removed.
  func controller(_ controller: FetchedResultsController<ResultType>, didChange section: FetchedSectionChange)

  /// Called when an object was inserted, removed, moved or changed.
  func controller(
    _ controller: FetchedResultsController<ResultType>, didChange object: ResultType, _ change: FetchedResultsChange)

  /// Called after the last change.
  func controllerDidChangeContent(_ controller: FetchedResultsController<ResultType>)

  /// The title of a section in ``FetchedResultsController/sectionIndexTitles``; `nil` for none.
  ///
  /// By default, the first letter of the section's name in uppercase.
  func controller(
    _ controller: FetchedResultsController<ResultType>, sectionIndexTitleForSectionName name: String
  ) -> String?

  /// Called when a change could not be followed, see ``FetchedResultsController/failure``.
  func controller(_ controller: FetchedResultsController<ResultType>, didFailWith failure: ObjectGraphError)
}

extension FetchedResultsControllerDelegate {
  public func controllerWillChangeContent(_ controller: FetchedResultsController<ResultType>) {}
  public func controller(_ controller: FetchedResultsController<ResultType>, didChange section: FetchedSectionChange) {}
  public func controller(
    _ controller: FetchedResultsController<ResultType>, didChange object: ResultType, _ change: FetchedResultsChange
  ) {}
  public func controllerDidChangeContent(_ controller: FetchedResultsController<ResultType>) {}
  public func controller(
    _ controller: FetchedResultsController<ResultType>, sectionIndexTitleForSectionName name: String
  ) -> String? { FetchedResultsSectionInfo.indexTitle(forSectionName: name) }
  public func controller(_ controller: FetchedResultsController<ResultType>, didFailWith failure: ObjectGraphError) {}
}
