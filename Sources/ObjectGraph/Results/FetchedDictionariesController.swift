// A list of dictionaries that follows what is stored: properties of objects, groups with their aggregates, distinct values.
internal import CoreDataModel

/// The dictionaries that a fetch request finds, in order and in sections, kept in step with what a context learns of its
/// stores.
///
/// Dictionaries show what is stored, as those of ``ManagedObjectContext/fetchDictionaries(_:)``. They follow the context's
/// saves, its merges of others' saves, of batch requests and of history, its resets, and
/// ``ManagedObjectContext/refreshAllObjects()``; unsaved changes are not part of them. When something changes that they
/// depend on, one statement fetches them again, and they are compared in O(n).
///
/// A dictionary stays the same one as long as it is about the same: the same object; with `propertiesToGroupBy` the same
/// group; the one dictionary of an aggregate without groups. If its values change it is updated or moved. Distinct
/// dictionaries have nothing but their values: they are inserted and deleted.
///
/// It is used on its context's queue. Dictionaries are values, which any queue may use.
///
/// ```swift
/// var request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.place)])
/// request.propertiesToGroupBy = ["place"]
/// request.propertiesToFetch = ["place", .expression(ExpressionDescription("quakes", .count))]
/// let controller = FetchedDictionariesController(fetchRequest: request, managedObjectContext: context)
/// try controller.performFetch()
/// for row in controller.fetchedDictionaries { print(row["place"], row["quakes"]) }
/// ```
// Sendable by proof: every stored variable is touched only on the context's queue, which each entry point checks in every
// build, and on which the context calls observers.
public final class FetchedDictionariesController: @unchecked Sendable {
  /// What is fetched; ``performFetch()`` takes up what was changed in it.
  public var fetchRequest: FetchRequest<ManagedObject> {
    get {
      managedObjectContext.queue.check()
      return request
    }
    set {
      managedObjectContext.queue.check()
      request = newValue
    }
  }
  /// The context whose saves and merges are followed.
  public let managedObjectContext: ManagedObjectContext
  /// The name of the fetched property whose value names a dictionary's section; nil for one section of all.
  public let sectionNameKeyPath: String?
  private var request: FetchRequest<ManagedObject>
  private var handler: ((FetchedTransition<DictionaryRow>) -> Void)?
  /// Nil before the first fetch.
  private var plan: DictionaryPlan?
  private var found = FoundDictionaries()
  private var lastFailure: ObjectGraphError?
  private var observations: [ContextObservation] = []
  private let observers = ObserverList<FetchedTransition<DictionaryRow>>()

  /// A controller, which has no dictionaries before ``performFetch()``.
  ///
  /// ```swift
  /// var request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.place)])
  /// request.propertiesToFetch = ["place", "code"]
  /// let controller = FetchedDictionariesController(
  ///   fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "place")
  /// ```
  ///
  /// - Parameters:
  ///   - fetchRequest: What to fetch. Without sort descriptors the order is that of ``ManagedObjectContext/fetchDictionaries(_:)``.
  ///   - managedObjectContext: The context whose saves and merges the controller follows.
  ///   - sectionNameKeyPath: One of the fetched properties, which names the section of a dictionary; nil for one section
  ///     of all.
  public init(
    fetchRequest: FetchRequest<some ManagedObject>, managedObjectContext: ManagedObjectContext,
    sectionNameKeyPath: String? = nil
  ) {
    request = fetchRequest.untyped
    self.managedObjectContext = managedObjectContext
    self.sectionNameKeyPath = sectionNameKeyPath
  }

  /// Fetches, and follows the context from then on.
  ///
  /// A later call fetches again, with what was changed in ``fetchRequest``; ``transitions()`` reports the
  /// differences. O(n).
  ///
  /// - Throws: As ``ManagedObjectContext/fetchDictionaries(_:)``, and
  ///   ``ObjectGraphError/invalidFetch(entity:found:expected:)`` for sections whose name is not fetched, has no text, or
  ///   whose dictionaries the order does not keep together.
  public func performFetch() throws(ObjectGraphError) {
    managedObjectContext.queue.check()
    let coordinator = managedObjectContext.persistentStoreCoordinator
    let store = coordinator.persistentStores.first?.identity ?? StoreIdentity(uuid: "", entityNames: [])
    let next = try DictionaryPlan(
      request, sectionNameKeyPath: sectionNameKeyPath,
      LayoutSchema(model: coordinator.compiledModel, store: store, entityNumbers: []))
    let rows = try next.fetch(managedObjectContext)
    let isFirst = plan == nil
    // Before others are called, which may save.
    plan = next
    take(rows, isFirst: isFirst)
    guard isFirst else { return }
    for name in [ContextNotification.Name.objectsDidChange, .didSave, .didMerge] {
      observations.append(managedObjectContext.observe(name) { [weak self] news in self?.follow(news) })
    }
  }

  private func follow(_ news: ContextNotification) {
    guard let plan else { return }
    // Pending changes are not stored; after a reset or a refresh another state of the store may be read.
    let isOfStore = news.name != .objectsDidChange || news.invalidatedAllObjects || news.refreshedAllObjects
    guard isOfStore, lastFailure != nil || news.refreshedAllObjects || plan.scope.dependsOn(news) else { return }
    do throws(ObjectGraphError) {
      try take(plan.fetch(managedObjectContext), isFirst: false)
    } catch {
      lastFailure = error
    }
  }

  private func take(_ next: FoundDictionaries, isFirst: Bool) {
    let last = found
    found = next
    lastFailure = nil
    if isFirst { return }
    var changes = ResultChanges<DictionaryRow>(from: last.sections, to: next.sections)
    let difference = ListDifference(from: last.identities, to: next.identities)
    changes.take(difference, last.rows, next.rows, isSame: { $0.isStored(as: $1) }) { old, new in
      !last.rows[old].isStored(as: next.rows[new])
    }
    let transition = changes.transition()
    if transition.isEmpty { return }
    observers.post(transition)
    handler?(transition)
  }

  /// Called with every transition, on the context's queue, when the controller has the new dictionaries.
  ///
  /// ```swift
  /// let quakes = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.code)])
  /// let list = FetchedDictionariesController(fetchRequest: quakes, managedObjectContext: context)
  /// try list.performFetch()
  /// list.didChange = { print("\($0.changes.count) changes") }
  /// ```
  public var didChange: ((FetchedTransition<DictionaryRow>) -> Void)? {
    get {
      managedObjectContext.queue.check()
      return handler
    }
    set {
      managedObjectContext.queue.check()
      handler = newValue
    }
  }

  /// Every transition from now on, whole, until the controller is gone; none is dropped while it is not being read.
  ///
  /// Called on the context's queue together with ``snapshot``, it has all that happens to that snapshot.
  ///
  /// ```swift
  /// let quakes = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.code)])
  /// let list = FetchedDictionariesController(fetchRequest: quakes, managedObjectContext: context)
  /// try list.performFetch()
  /// let (start, transitions) = (list.snapshot, list.transitions())
  /// Task {
  ///   var rows = start
  ///   for await transition in transitions { rows.apply(transition) }
  /// }
  /// ```
  public func transitions() -> AsyncStream<FetchedTransition<DictionaryRow>> {
    managedObjectContext.queue.check()
    return observers.stream()
  }
}

// MARK: Dictionaries

extension FetchedDictionariesController {
  /// The dictionaries in their order, in O(1); none before ``performFetch()``.
  public var fetchedDictionaries: [DictionaryRow] {
    managedObjectContext.queue.check()
    return found.rows
  }

  /// The sections in their order, in O(sections); one, which may be empty, without a ``sectionNameKeyPath``.
  public var sections: [FetchedResultsSectionInfo] {
    managedObjectContext.queue.check()
    return found.sections.infos
  }

  /// The dictionary at an index path, in O(1); nil where there is none, as for a path from before a change.
  ///
  /// ```swift
  /// let quakes = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.code)])
  /// let list = FetchedDictionariesController(fetchRequest: quakes, managedObjectContext: context)
  /// try list.performFetch()
  /// let first = list.dictionary(at: FetchedIndexPath(section: 0, item: 0))?["code"]
  /// ```
  public func dictionary(at indexPath: FetchedIndexPath) -> DictionaryRow? {
    managedObjectContext.queue.check()
    return found.sections.rank(of: indexPath).map { found.rows[$0] }
  }

  /// The dictionaries by section, for code on other queues, in O(n).
  public var snapshot: FetchedSnapshot<DictionaryRow> {
    managedObjectContext.queue.check()
    return FetchedSnapshot(found.sections, found.rows)
  }

  /// Why the last change could not be followed; nil while the controller follows.
  ///
  /// The dictionaries are those from before the failure. The next change, or ``performFetch()``, fetches them again.
  public var failure: ObjectGraphError? {
    managedObjectContext.queue.check()
    return lastFailure
  }
}
