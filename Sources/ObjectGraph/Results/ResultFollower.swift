// A result that follows a context: its content, how it is fetched, and how the context's notifications change it.
internal import CoreDataModel

/// The objects that a request finds, kept up to date with a context.
// Sendable by proof: stored variables are only used on the context's queue, which the public types that use this class
// check; the context calls observers there.
final class ResultFollower: @unchecked Sendable {
  let context: ManagedObjectContext
  let sectionNameKeyPath: String?
  private(set) var plan: ResultPlan
  var contents = ResultContents()
  var rows: ResultRows
  /// Objects with unsaved changes, by the keys under which the result knows them, and new objects that are not in the
  /// result.
  ///
  /// They are retained so that nothing must be read after they are saved.
  var unsaved: [ResultKey: ManagedObject] = [:]
  /// The changes since the rows were last updated.
  var written: FollowedChanges
  /// A time before the first of the rows was read.
  var read = ReadTime.now
  /// The objects read along relationships, and the last batch of objects, retained so that they stay in memory.
  var held: [ManagedObject] = []
  /// The ranks of objects, if rows do not determine them.
  var ranks: [ResultKey: Int]?
  private var observations: [ContextObservation] = []
  /// The number of reports of permanent IDs in the family that were processed.
  var knownGeneration = 0
  /// Why the last change could not be followed.
  private(set) var failure: ObjectGraphError?
  /// Objects of the result with changes that could not be followed.
  ///
  /// The next successful change reports them, too.
  private(set) var missed: Set<ResultKey> = []
  /// Whether this applies to all objects.
  private var hasMissedAll = false
  /// The known values of the objects that the current transition removes.
  var departed: [ManagedObjectID: RowSnapshot] = [:]
  /// How often the user has fetched again.
  private var refetches = 0
  /// Notifications that arrived while another one was being reported.
  private var waiting: [ContextNotification]?
  /// Called before and after the contents change.
  var willChange: () -> Void = {}
  var didChange: (FetchedResultsTransition) -> Void = { _ in }
  var didFail: (ObjectGraphError) -> Void = { _ in }

  init(
    _ request: FetchRequest<ManagedObject>, sectionNameKeyPath: String?, context: ManagedObjectContext
  ) throws(ObjectGraphError) {
    self.context = context
    self.sectionNameKeyPath = sectionNameKeyPath
    let model = context.persistentStoreCoordinator.compiledModel
    plan = try ResultPlan(request, sectionNameKeyPath: sectionNameKeyPath, model: model)
    rows = ResultRows(model, stores: context.storeOrder)
    written = context.storedChanges.follow()
    take(try fetch())
    for name in [ContextNotification.Name.objectsDidChange, .didSave, .didMerge] {
      observations.append(context.observe(name) { [weak self] news in self?.take(news) })
    }
  }

  // MARK: News

  /// Follows a notification, or queues it if it arrives while another one is being reported.
  private func take(_ news: ContextNotification) {
    // Pending changes were reported before they were merged. If they do not count, the merge itself is what matters.
    if news.name == .didMerge, plan.request.includesPendingChanges { return }
    let isRefreshed = news.refreshedAllObjects && written.isExpired
    guard failure != nil || isRefreshed || plan.scope.dependsOn(news) || renames(news) else { return }
    if waiting != nil {
      waiting?.append(news)
      return
    }
    waiting = []
    follow(news)
    while let next = waiting?.first {
      waiting?.removeFirst()
      follow(next)
    }
    waiting = nil
  }

  /// Whether rows of objects in the result belong to other entities now.
  private func renames(_ news: ContextNotification) -> Bool {
    [news.inserted, news.updated, news.refreshed].contains { objectIDs in
      objectIDs.contains { !listedKeys(ofRow: $0).isEmpty }
    }
  }

  private func follow(_ news: ContextNotification) {
    if news.invalidatedAllObjects { written.expire() }
    do throws(ObjectGraphError) {
      var step: Step?
      // Rows that must be read again show neither which objects are in the result nor their order.
      if plan.mode == .byObject, failure == nil, !written.isExpired {
        do {
          step = try stepByObject(news)
        } catch is ResultOutOfStep {
          // The order of rows in memory may differ from the store's, which decides.
        } catch {
          throw self.error(error)
        }
      }
      if let step { report(step) } else { report(try stepByFetch(news)) }
      endFailure()
    } catch {
      failure = error
      note(missed: news)
      didFail(error)
    }
  }

  private func endFailure() {
    failure = nil
    missed = []
    hasMissedAll = false
  }

  /// Records the objects of a notification that cannot be followed now; those that are not in the result will be new in
  /// it.
  private func note(missed news: ContextNotification) {
    if written.isExpired { hasMissedAll = true }
    if hasMissedAll || news.name != .objectsDidChange { return }
    let ranks = allRanks()
    for objectID in news.inserted + news.updated + news.refreshed {
      if let key = rows.knownKey(objectID), ranks[key] != nil { missed.insert(key) }
    }
  }

  private func report(_ step: Step) {
    let isNews = !step.transition.isEmpty
    let fetch = refetches
    if isNews { willChange() }
    if fetch != refetches {
      // The user's own fetch already includes these changes, and its transition reports them.
      didChange(ResultChanges(from: contents.sections, to: contents.sections).transition())
      return
    }
    for case .delete(let objectID, _) in step.transition.changes {
      departed[objectID] = rows.knownKey(objectID).flatMap { rows[$0] }
    }
    if let found = step.found {
      take(found)
    } else {
      contents = step.contents
      for key in step.forgotten { rows[key] = nil }
      written = context.storedChanges.follow()
      ranks = nil
    }
    if isNews { didChange(step.transition) }
    departed = [:]
  }

  /// Replaces the result with what was found.
  private func take(_ found: Found) {
    contents = found.contents
    rows = found.rows
    unsaved = found.unsaved
    read = found.read
    written = found.written
    ranks = nil
  }

  /// The effect of a notification.
  struct Step {
    var contents: ResultContents
    /// Objects with rows that are no longer needed.
    var forgotten: [ResultKey] = []
    /// The whole result, if it was fetched again.
    var found: Found?
    var transition: FetchedResultsTransition
  }

  /// Fetches again and compares.
  ///
  /// O(n).
  func stepByFetch(_ news: ContextNotification?) throws(ObjectGraphError) -> Step {
    let former = formerKeys()
    var old: [ResultKey] = []
    contents.keys.forEach { old.append($0) }
    if !former.isEmpty {
      // A new object that took the row of a changed one is in the result under both keys: keep the changed one's.
      let listed = Set(old)
      for rank in old.indices {
        if let key = former[old[rank]], !listed.contains(key) { old[rank] = key }
      }
    }
    let isAll = hasMissedAll || written.isExpired
    let found = try fetch()
    var new: [ResultKey] = []
    found.contents.keys.forEach { new.append($0) }
    var changes = ResultChanges<ManagedObjectID>(from: contents.sections, to: found.contents.sections)
    var changed = missed.union(former.values)
    if let news, news.name == .objectsDidChange {
      for objectID in news.inserted + news.updated + news.refreshed {
        if let key = found.rows.knownKey(objectID) { changed.insert(key) }
      }
    }
    var oldIDs: [ManagedObjectID] = []
    contents.keys.forEach { oldIDs.append(rows.objectID($0)) }
    changes.take(ListDifference(from: old, to: new), oldIDs, new.map(found.rows.objectID)) { _, rank in
      isAll || changed.contains(new[rank])
    }
    return Step(contents: found.contents, found: found, transition: changes.transition())
  }

  /// The present keys of new objects with changed IDs, by the keys that the result knows.
  func formerKeys() -> [ResultKey: ResultKey] {
    var former: [ResultKey: ResultKey] = [:]
    for (key, object) in unsaved where !object.isGone && object.objectID != rows.objectID(key) {
      former[key] = rows.key(object.objectID)
    }
    for (key, objectID) in namedObjects() where former[key] == nil && isSameEntity(objectID, key) {
      let now = rows.key(objectID)
      if rows[now] == nil { former[key] = now }
    }
    return former
  }

  /// Fetches again, with another request if it has changed.
  ///
  /// - Returns: The differences.
  func refetch(_ request: FetchRequest<ManagedObject>) throws(ObjectGraphError) -> FetchedResultsTransition {
    let before = plan
    plan = try ResultPlan(
      request, sectionNameKeyPath: sectionNameKeyPath, model: context.persistentStoreCoordinator.compiledModel)
    do throws(ObjectGraphError) {
      let step = try stepByFetch(nil)
      step.found.map(take)
      endFailure()
      refetches += 1
      return step.transition
    } catch {
      plan = before
      throw error
    }
  }

  func error(_ error: any Error) -> ObjectGraphError {
    switch error {
    case let error as ObjectGraphError: error
    case let error as FetchPredicateError: .predicate(error)
    case let error as SectionsOutOfOrder:
      error.error(entity: plan.request.entityName, keyPath: sectionNameKeyPath)
    default: .predicate(.unsupported(in: "a fetched result", reason: "\(error)"))
    }
  }
}

/// The order of a result differs from that of its rows.
struct ResultOutOfStep: Error {}
