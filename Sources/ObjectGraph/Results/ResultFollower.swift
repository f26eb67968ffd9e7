// A result that follows a context: what is in it, how it is fetched, and what the context's news does to it.
internal import CoreDataModel

/// The objects that a request finds, kept in step with a context.
// Sendable by proof: every stored variable is touched only on the context's queue, which the public types that have one
// check; the context calls observers there.
final class ResultFollower: @unchecked Sendable {
  let context: ManagedObjectContext
  let sectionNameKeyPath: String?
  private(set) var plan: ResultPlan
  var contents = ResultContents()
  var rows: ResultRows
  /// Objects with unsaved changes, by the keys under which the result knows them, and new ones that it does not have:
  /// they are held, so that what they are saved as needs no reading.
  var unsaved: [ResultKey: ManagedObject] = [:]
  /// What was written since the rows were last brought up to date.
  private var written: FollowedChanges
  /// Before the first of the rows was read.
  private var read = ReadTime.now
  /// What was read along relationships, and the last batch of objects, held so that they stay read.
  private var held: [ManagedObject] = []
  /// The ranks of objects where rows do not give them.
  private var ranks: [ResultKey: Int]?
  private var observations: [ContextObservation] = []
  /// How often the family's new objects had been given permanent IDs when they were last looked at.
  var knownGeneration = 0
  /// Why the last change could not be followed.
  private(set) var failure: ObjectGraphError?
  /// What is known of the objects that the transition being reported takes out.
  private var departed: [ManagedObjectID: RowSnapshot] = [:]
  /// How often the user has fetched again.
  private var refetches = 0
  /// News that came while other news was being reported.
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
    let found = try fetch()
    contents = found.contents
    rows = found.rows
    unsaved = found.unsaved
    for name in [ContextNotification.Name.objectsDidChange, .didSave, .didMerge] {
      observations.append(context.observe(name) { [weak self] news in self?.take(news) })
    }
  }

  // MARK: Fetching

  /// What a fetch finds now.
  struct Found {
    var contents = ResultContents()
    var rows: ResultRows
    var unsaved: [ResultKey: ManagedObject] = [:]
  }

  /// Fetches; O(n), one statement and those of prefetched relationships.
  func fetch() throws(ObjectGraphError) -> Found {
    let start = ReadTime.now
    let changes = context.storedChanges.follow()
    var found = Found(rows: rows.emptied(stores: context.storeOrder))
    do {
      if plan.mode == .byFetch, !plan.hasWholeRows, plan.sectionPath == nil {
        let keys = try context.fetchObjectIDs(plan.request).map { objectID in
          let key = found.rows.key(objectID)
          // A save gives it another ID.
          if objectID.isTemporaryID { found.unsaved[key] = context.knownObject(objectID) }
          return key
        }
        found.contents.keys = BlockedList(keys)
        found.contents.sections = ResultSections(count: keys.count)
      } else {
        try take(context.find(plan.rowRequest), into: &found)
      }
    } catch {
      throw self.error(error)
    }
    read = start
    written = changes
    ranks = nil
    knownGeneration = context.family.generation
    return found
  }

  private func take(_ objects: FoundObjects, into found: inout Found) throws {
    var keys: [ResultKey] = []
    var names: [String] = []
    let isStored = !hasUnsavedObjects
    for one in objects.contents {
      guard let row = one.row else { continue }
      let objectID = one.predicateObjectID
      let key = found.rows.key(objectID)
      keys.append(key)
      found.rows[key] = row
      if case .object(let object) = one, object.hasChanges { found.unsaved[key] = object }
      guard plan.sectionPath != nil else { continue }
      names.append(
        try plan.sectionName(objectID, found.rows.layout(key), row) {
          switch one {
          case .object(let object): isStored ? StoredSubject(object: object) : object
          case .row(let row): StoredSubject(object: context.object(for: row, read: .now))
          }
        })
    }
    held = objects.prefetched
    found.contents.keys = BlockedList(keys)
    found.contents.sections =
      plan.sectionPath == nil ? ResultSections(count: keys.count) : try ResultSections.of(names)
  }

  /// Whether objects that may be in the result have unsaved changes, so that memory decided their order.
  private var hasUnsavedObjects: Bool {
    (context.pendingInsertions + context.pendingUpdates + context.pendingDeletions).contains {
      $0.hasChanges && plan.scope.isOfFamily($0.objectID)
    }
  }

  // MARK: News

  /// Follows what happened, or notes it for later when it happened while something else was being reported.
  private func take(_ news: ContextNotification) {
    // Pending changes were news before what was merged; where they do not count, the merge itself is the news.
    if news.name == .didMerge, plan.request.includesPendingChanges { return }
    guard failure != nil || plan.scope.dependsOn(news) else { return }
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

  private func follow(_ news: ContextNotification) {
    do throws(ObjectGraphError) {
      var step: Step?
      if plan.mode == .byObject, failure == nil, !news.invalidatedAllObjects {
        do {
          step = try stepByObject(news)
        } catch is ResultOutOfStep {
          // What rows say of the order is not what the store says: it decides.
        } catch {
          throw self.error(error)
        }
      }
      if let step { report(step) } else { report(try stepByFetch(news)) }
      failure = nil
    } catch {
      failure = error
      didFail(error)
    }
  }

  private func report(_ step: Step) {
    let isNews = !step.transition.isEmpty
    let fetch = refetches
    if isNews { willChange() }
    if fetch != refetches {
      // The user's own fetch has taken the news in, and its transition has all of it.
      didChange(ResultChanges(from: contents.sections, to: contents.sections).transition())
      return
    }
    for case .delete(let objectID, _) in step.transition.changes {
      departed[objectID] = rows.knownKey(objectID).flatMap { rows[$0] }
    }
    contents = step.contents
    for key in step.forgotten { rows[key] = nil }
    if let found = step.found {
      rows = found.rows
      unsaved = found.unsaved
    } else {
      written = context.storedChanges.follow()
    }
    ranks = nil
    if isNews { didChange(step.transition) }
    departed = [:]
  }

  /// What news changes.
  struct Step {
    var contents: ResultContents
    /// Objects whose rows are not kept any longer.
    var forgotten: [ResultKey] = []
    /// All of it, where it was fetched again.
    var found: Found?
    var transition: FetchedResultsTransition
  }

  /// Fetches again, and compares.
  ///
  /// O(n).
  func stepByFetch(_ news: ContextNotification?) throws(ObjectGraphError) -> Step {
    let former = formerKeys()
    var old: [ResultKey] = []
    contents.keys.forEach { old.append(former[$0] ?? $0) }
    let found = try fetch()
    var new: [ResultKey] = []
    found.contents.keys.forEach { new.append($0) }
    var changes = ResultChanges<ManagedObjectID>(from: contents.sections, to: found.contents.sections)
    let isAll = news?.invalidatedAllObjects ?? false
    var changed = Set(former.values)
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

  /// New objects that have other IDs than the result knows: the keys that they have now.
  func formerKeys() -> [ResultKey: ResultKey] {
    var former: [ResultKey: ResultKey] = [:]
    for (key, object) in unsaved where !object.isGone && object.objectID != rows.objectID(key) {
      former[key] = rows.key(object.objectID)
    }
    return former
  }

  /// Fetches again, with another request if there is one.
  ///
  /// - Returns: What is otherwise than before.
  func refetch(_ request: FetchRequest<ManagedObject>) throws(ObjectGraphError) -> FetchedResultsTransition {
    let before = plan
    plan = try ResultPlan(
      request, sectionNameKeyPath: sectionNameKeyPath, model: context.persistentStoreCoordinator.compiledModel)
    do throws(ObjectGraphError) {
      let step = try stepByFetch(nil)
      contents = step.contents
      if let found = step.found { (rows, unsaved) = (found.rows, found.unsaved) }
      failure = nil
      refetches += 1
      return step.transition
    } catch {
      plan = before
      throw error
    }
  }

  private func error(_ error: any Error) -> ObjectGraphError {
    switch error {
    case let error as ObjectGraphError: error
    case let error as FetchPredicateError: .predicate(error)
    case let error as SectionsOutOfOrder:
      error.error(entity: plan.request.entityName, keyPath: sectionNameKeyPath)
    default: .predicate(.unsupported(in: "a fetched result", reason: "\(error)"))
    }
  }
}

/// The order of a result is not what its rows say.
struct ResultOutOfStep: Error {}

// MARK: Objects

extension ResultFollower {
  /// The object of a key, made if the context does not have it.
  func object(_ key: ResultKey) -> ManagedObject {
    let objectID = rows.objectID(key)
    if let object = unsaved[key] ?? context.knownObject(objectID) { return object }
    if objectID.isTemporaryID, context.parentSource == nil { return context.missingObject(objectID, values: rows[key]) }
    guard plan.hasWholeRows, let row = rows[key], !written.contains(objectID) else {
      return context.objectOrFault(objectID)
    }
    return context.object(for: StoredRow(objectID: objectID, layout: rows.layout(key), snapshot: row), read: read)
  }

  /// The object of a change; one that is gone has the values that it was known with.
  func object(_ change: FetchedResultsChange) -> ManagedObject? {
    let objectID = change.objectID
    if case .delete = change {
      return context.knownObject(objectID) ?? context.missingObject(objectID, values: departed[objectID])
    }
    return rows.knownKey(objectID).map(object)
  }

  /// The object of a key that stood at a rank; with a batch size, what stands about it now is read with one statement.
  func object(_ key: ResultKey, atRank rank: Int) -> ManagedObject {
    let object = object(key)
    let size = plan.request.fetchBatchSize
    guard object.isFault, size > 0, rank < contents.keys.count, contents.keys[rank] == key else { return object }
    let first = rank / size * size
    held = (first..<min(first + size, contents.keys.count)).map { self.object(contents.keys[$0]) }
    // What cannot be read now says why when it is looked at.
    try? context.fulfil(held)
    return object
  }

  /// Where an object is; nil when it is not in the result.
  ///
  /// O(log n), and O(n) for the first of a result that is fetched again for each change.
  func rank(of objectID: ManagedObjectID) -> Int? {
    // One that was given its permanent ID since is known by its temporary one.
    let former = unsaved.first { $0.value.objectID == objectID }?.key
    guard let key = former ?? rows.knownKey(objectID) else { return nil }
    if plan.mode == .byObject, let rank = rank(of: key) { return rank }
    if plan.mode == .byObject, rows[key] == nil { return nil }
    if ranks == nil {
      var found: [ResultKey: Int] = [:]
      contents.keys.forEach { found[$0] = found.count }
      ranks = found
    }
    return ranks?[key]
  }
}

/// An object as it is stored, with what it is related to: where nothing in a result is unsaved, the store decided the order, by
/// what is stored of other objects too.
private struct StoredSubject: PredicateSubject {
  let object: ManagedObject

  var predicateObjectID: ManagedObjectID { object.objectID }

  func predicateValue(forKey key: String) throws -> PredicateValue {
    if let committed = object.committed, let slot = object.layout.slot(named: key) {
      guard object.layout.isToOne(slot) else { return .attribute(committed[slot]) }
      let destination = committed[slot].reference.flatMap { object.context?.object($0, from: object) }
      return .object(destination.map { StoredSubject(object: $0) })
    }
    let value = try object.predicateValue(forKey: key)
    if case .object(let destination as ManagedObject) = value { return .object(StoredSubject(object: destination)) }
    return value
  }
}

extension FoundObject {
  /// What is known of its values, without what the store does not have.
  fileprivate var row: RowSnapshot? {
    switch self {
    case .row(let row): row.snapshot
    case .object(let object): object.values.map { object.hasChanges ? $0 : object.layout.stored($0) }
    }
  }
}
