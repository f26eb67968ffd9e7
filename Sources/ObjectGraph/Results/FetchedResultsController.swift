// A list of objects that follows its context: what a screen shows, with sections and what changes in it.

/// The objects that a fetch request finds, in order and in sections, kept in step with a context.
///
/// It follows what its context reports: the context's own changes when they are processed, at the end of
/// ``ManagedObjectContext/perform(_:)`` and in a save, its saves, merges of others' saves, of batch requests and of history,
/// refreshes, rollbacks and resets. What is stored past the context shows once it is merged.
///
/// A change of k of n objects takes O(k log n), and no statement, while the predicate and the order are about the
/// attributes of the objects themselves; rows that are in no memory are read with one statement. A request whose predicate
/// or order follows relationships, that has a limit or an offset, or that leaves pending changes out, is fetched again when
/// something changes that it depends on, with one statement, and compared in O(n).
///
/// Objects are made when they are looked at, as in ``FetchResults``. The controller keeps 40 to 60 bytes for each object
/// and the row that it was fetched with; with a ``FetchRequest/fetchBatchSize`` of the row only what it is sorted by.
///
/// It is used on its context's queue.
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
// Sendable by proof: every stored variable but the lock is touched only on the context's queue, which each entry point
// checks in every build.
public final class FetchedResultsController<ResultType: ManagedObject>: @unchecked Sendable {
  /// What is fetched; ``performFetch()`` takes up what was changed in it.
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
  /// The context whose objects these are and whose changes are followed.
  public let managedObjectContext: ManagedObjectContext
  /// The key path whose value names an object's section; nil for one section of all.
  ///
  /// An attribute, a path through to-one relationships, or a key that the objects' class answers with
  /// ``ManagedObject/accessorValue(forKey:)``. The order of the request keeps the objects of one section together.
  public let sectionNameKeyPath: String?
  private var request: FetchRequest<ResultType>
  private weak var listener: (any FetchedResultsControllerDelegate<ResultType>)?
  /// Nil before the first fetch.
  var follower: ResultFollower?
  private let observers = ObserverList<FetchedTransition<ManagedObjectID>>()

  /// A controller, which has no objects before ``performFetch()``.
  ///
  /// ```swift
  /// let newestFirst = FetchRequest<Quake>(
  ///   entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.time, ascending: false)])
  /// let controller = FetchedResultsController(fetchRequest: newestFirst, managedObjectContext: context)
  /// ```
  ///
  /// - Parameters:
  ///   - fetchRequest: What to fetch; it has sort descriptors.
  ///   - managedObjectContext: The context whose objects are wanted.
  ///   - sectionNameKeyPath: What names the section of an object; nil for one section of all.
  public init(
    fetchRequest: FetchRequest<ResultType>, managedObjectContext: ManagedObjectContext,
    sectionNameKeyPath: String? = nil
  ) {
    request = fetchRequest
    self.managedObjectContext = managedObjectContext
    self.sectionNameKeyPath = sectionNameKeyPath
  }

  /// Who is called with every change, on the context's queue; it is not kept alive.
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

  /// Why the last change could not be followed: a row could not be read, or the objects of a section are at two places; nil
  /// while the controller follows.
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
  /// A later call fetches again, with what was changed in ``fetchRequest``. The delegate is not called, as in Core Data;
  /// ``transitions()`` reports the differences. O(n).
  ///
  /// - Throws: ``ObjectGraphError/invalidFetch(entity:found:expected:)`` without sort descriptors, and when they do not keep
  ///   the objects of a section together; else as ``ManagedObjectContext/fetch(_:)``.
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
    // First, because a delegate may fetch again, which is a separate transition.
    if !transition.isEmpty { observers.post(transition) }
    if let listener {
      for change in transition.sectionChanges { listener.controller(self, didChange: change) }
      for change in transition.changes {
        guard let object = follower?.object(change) else { continue }
        // Safe by proof: the fetch has made sure of the class of the request's entities.
        listener.controller(self, didChange: unsafeDowncast(object, to: ResultType.self), change)
      }
      listener.controllerDidChangeContent(self)
    }
  }

  /// Every transition from now on, whole, until the controller is released.
  ///
  /// None is dropped while nobody reads.
  ///
  /// Called on the context's queue together with ``snapshot``, it has all that happens to that snapshot.
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

/// Learns what changes in the objects of a ``FetchedResultsController``, on its context's queue.
///
/// For each transition, ``controllerWillChangeContent(_:)`` is called first, while the controller has its former objects. Then,
/// with the new ones, a method is called for every section that was removed or inserted and every object that was removed,
/// inserted, moved or changed, in the order of ``FetchedResultsTransition``, and at last ``controllerDidChangeContent(_:)``.
/// Every method has a default; those about changes do nothing.
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

  /// Called before the changes; the controller's objects are those from before.
  func controllerWillChangeContent(_ controller: FetchedResultsController<ResultType>)

  /// A section was inserted or removed.
  func controller(_ controller: FetchedResultsController<ResultType>, didChange section: FetchedSectionChange)

  /// An object was inserted, removed, moved or changed.
  func controller(
    _ controller: FetchedResultsController<ResultType>, didChange object: ResultType, _ change: FetchedResultsChange)

  /// Called after the last change.
  func controllerDidChangeContent(_ controller: FetchedResultsController<ResultType>)

  /// The title of a section in ``FetchedResultsController/sectionIndexTitles``; nil for none.
  ///
  /// Its default is the first letter of the section's name, in upper case.
  func controller(
    _ controller: FetchedResultsController<ResultType>, sectionIndexTitleForSectionName name: String
  ) -> String?

  /// A change could not be followed, see ``FetchedResultsController/failure``.
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
