// A list of dictionaries that follows what is stored: properties of objects, groups with their aggregates, distinct
// values.
internal import CoreDataModel

/// The dictionaries that a fetch request finds, in order and in sections, kept up to date with what a context learns
/// about its stores.
///
/// Dictionaries show what is stored, as with ``ManagedObjectContext/fetchDictionaries(_:)``. They follow the context's
/// saves, its merges of other contexts' saves, batch requests and history, its resets, and
/// ``ManagedObjectContext/refreshAllObjects()``. They do not include unsaved changes. When something that they depend
/// on changes, one statement fetches them again, and comparing them takes O(n).
///
/// A dictionary keeps its identity as long as it describes the same object, the same group with `propertiesToGroupBy`,
/// or the only aggregate without groups. If its values change, it is updated or moved. Distinct dictionaries consist
/// only of their values: they are inserted and deleted.
///
/// Use it on its context's queue. Dictionaries are values, which any queue may use.
///
/// ```swift
/// var request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.place)])
/// request.propertiesToGroupBy = ["place"]
/// request.propertiesToFetch = ["place", .expression(ExpressionDescription("quakes", .count))]
/// let controller = FetchedDictionariesController(fetchRequest: request, managedObjectContext: context)
/// try controller.performFetch()
/// for row in controller.fetchedDictionaries { print(row["place"], row["quakes"]) }
/// ```
// Sendable by proof: stored variables are only used on the context's queue, which each entry point checks in every
// build, and on which the context calls observers.
public final class FetchedDictionariesController: @unchecked Sendable {
  /// The request; after changing it, call ``performFetch()``.
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
  /// The context with the saves and merges to follow.
  public let managedObjectContext: ManagedObjectContext
  /// The name of the fetched property that names a dictionary's section; `nil` for a single section.
  public let sectionNameKeyPath: String?
  private var request: FetchRequest<ManagedObject>
  private var handler: ((FetchedTransition<DictionaryRow>) -> Void)?
  /// `nil` before the first fetch.
  private var plan: DictionaryPlan?
  private var found = FoundDictionaries()
  private var lastFailure: ObjectGraphError?
  private var observations: [ContextObservation] = []
  private let observers = ObserverList<FetchedTransition<DictionaryRow>>()

  /// Creates a controller, which has no dictionaries before ``performFetch()``.
  ///
  /// ```swift
  /// var request = FetchRequest(entityName: "Quake", sortDescriptors: [FetchSortDescriptor(Quake.place)])
  /// request.propertiesToFetch = ["place", "code"]
  /// let controller = FetchedDictionariesController(
  ///   fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "place")
  /// ```
  ///
  /// - Parameters:
  ///   - fetchRequest: What to fetch. Without sort descriptors, the order is that of
  ///     ``ManagedObjectContext/fetchDictionaries(_:)``.
  ///   - managedObjectContext: The context with the saves and merges to follow.
  ///   - sectionNameKeyPath: The fetched property that names a dictionary's section; `nil` for a single section.
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
  /// A later call fetches again, with any changes to ``fetchRequest``; ``transitions()`` reports the differences. O(n).
  ///
  /// - Throws: The same errors as ``ManagedObjectContext/fetchDictionaries(_:)``, and
  ///   ``ObjectGraphError/invalidFetch(entity:found:expected:)`` if the section name is not fetched or has no text, or
  ///   if the order does not keep the dictionaries of a section together.
  public func performFetch() throws(ObjectGraphError) {
    managedObjectContext.queue.check()
    let coordinator = managedObjectContext.persistentStoreCoordinator
    let store = coordinator.persistentStores.first?.identity ?? StoreIdentity(uuid: "", entityNames: [])
    let next = try DictionaryPlan(
      request, sectionNameKeyPath: sectionNameKeyPath,
      LayoutSchema(model: coordinator.compiledModel, store: store, entityNumbers: []))
    let rows = try next.fetch(managedObjectContext)
    let isFirst = plan == nil
    // Do this before calling observers, which may save.
    plan = next
    take(rows, isFirst: isFirst)
    guard isFirst else { return }
    for name in [ContextNotification.Name.objectsDidChange, .didSave, .didMerge] {
      observations.append(managedObjectContext.observe(name) { [weak self] news in self?.follow(news) })
    }
  }

  private func follow(_ news: ContextNotification) {
    guard let plan else { return }
    // Pending changes are not stored; after a reset or a refresh, another state of the store may be read.
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

  /// Called with every transition, on the context's queue, after the controller has updated its dictionaries.
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

  /// Every transition from now until the controller is deallocated; unread ones are kept.
  ///
  /// If you call it on the context's queue together with ``snapshot``, the transitions contain every change to that
  /// snapshot.
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
  /// The dictionaries in their order, in O(1); empty before ``performFetch()``.
  public var fetchedDictionaries: [DictionaryRow] {
    managedObjectContext.queue.check()
    return found.rows
  }

  /// The sections in their order, in O(sections); without a ``sectionNameKeyPath`` there is one, which may be empty.
  public var sections: [FetchedResultsSectionInfo] {
    managedObjectContext.queue.check()
    return found.sections.infos
  }

  /// The dictionary at an index path, in O(1); `nil` if there is none, for example for an outdated path.
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

  /// The dictionaries by section, for use on other queues, in O(n).
  public var snapshot: FetchedSnapshot<DictionaryRow> {
    managedObjectContext.queue.check()
    return FetchedSnapshot(found.sections, found.rows)
  }

  /// Why the last change could not be followed; `nil` while everything works.
  ///
  /// The dictionaries are those from before the failure. The next change, or ``performFetch()``, fetches them again.
  public var failure: ObjectGraphError? {
    managedObjectContext.queue.check()
    return lastFailure
  }
}
