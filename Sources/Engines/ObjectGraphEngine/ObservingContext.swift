// The context behind a user interface, in addition to the working one: it holds every row and gets notified of changes.
internal import BatchmarkEngine
internal import Dispatch
internal import CoreDataModel
internal import ObjectGraph
internal import Synchronization

/// A context that shows every row of an entity and reads objects again after notifications, like a list on a screen.
///
/// If the cell has a list, a controller or a fetch after each merge keeps it up to date as well.
///
/// Merging waits for ``merge()``, so that its time is measured separately: changes are collected while others store,
/// one entry per save or request, and then merged one by one. If a context merges automatically, its queue is blocked
/// until then.
final class ObservingContext: SessionObserver {
  let mergeMode: MergeMode
  private let context: ManagedObjectContext
  private let coordinator: PersistentStoreCoordinator
  private let entity: EntityDescription
  /// The shown objects; used only on the context's queue.
  private var objects: [ManagedObjectID: ManagedObject] = [:]
  private var list: ShownList?
  private let pending = PendingChanges()
  private var observations: [ContextObservation] = []
  private let gate = DispatchSemaphore(value: 0)
  private var isHeldUp = false
  private var token: PersistentHistoryToken?
  private let stages: (any StageObserver)?

  /// The changes to merge, and the merged ones.
  private final class PendingChanges: Sendable {
    let saves = Mutex<[ContextNotification]>([])
    let requests = Mutex<[ChangedObjectIDs]>([])
    let merged = Mutex<[ContextNotification]>([])
    /// Why the list could not be updated.
    let failure = Mutex<(any Error)?>(nil)
  }

  /// Shows the currently stored rows.
  init(_ mergeMode: MergeMode, _ results: ShownResults, coordinator: PersistentStoreCoordinator, _ setup: StoreSetup)
    throws
  {
    let entity = try setup.entity
    self.mergeMode = mergeMode
    self.coordinator = coordinator
    stages = setup.stages
    self.entity = entity
    context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    token = try coordinator.currentPersistentHistoryToken()
    try context.performAndWait {
      for object in try context.fetch(FetchRequest(entityName: entity.name)) { objects[object.objectID] = object }
      if results != .none, let list = setup.list {
        self.list = try ShownList(results, of: list, entity: entity, in: context)
      }
    }
    observations.append(
      context.observe(.didMerge) { [pending] notification in pending.merged.withLock { $0.append(notification) } })
    if let list {
      observations.append(
        context.observe(.didMerge) { [pending] _ in
          do { try list.mergeHasEnded() } catch { pending.failure.withLock { $0 = $0 ?? error } }
        })
    }
    guard mergeMode == .automatic else { return }
    context.automaticallyMergesChangesFromParent = true
    isHeldUp = true
    context.perform(later: { [gate] in gate.wait() })
  }

  deinit { release() }

  /// Collects the notifications of a context's saves.
  func follow(_ saver: ManagedObjectContext) {
    guard mergeMode == .changes else { return }
    observations.append(saver.observe(.didSave) { [pending] saved in pending.saves.withLock { $0.append(saved) } })
  }

  /// Collects the changes of a batch request.
  func note(_ result: BatchResult) {
    if case .changes(let changes) = result { pending.requests.withLock { $0.append(changes) } }
  }

  func merge() throws {
    stages?.began(.merging)
    switch mergeMode {
    case .none: break
    case .automatic:
      release()
      // The queue runs this last.
      context.performAndWait {}
    case .changes:
      for save in pending.saves.withLock({ $0 }) {
        try context.performAndWait { try context.mergeChanges(fromContextDidSave: save) }
      }
      for changes in pending.requests.withLock({ $0 }) {
        try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
      }
    case .history: token = try coordinator.mergeHistory(after: token, into: [context])
    }
    if let failure = pending.failure.withLock({ $0 }) { throw failure }
    stages?.began(.reading)
    try context.performAndWait { try show() }
  }

  func contents() throws -> ObservedContents {
    context.performAndWait {
      if let list { return list.contents(of: entity) }
      var contents = ObservedContents(of: entity)
      for object in objects.values { contents.add { object[$0] } }
      return contents
    }
  }

  /// Reads the objects that the merges reported.
  private func show() throws {
    let merged = pending.merged.withLock { pending in
      defer { pending = [] }
      return pending
    }
    let gone = Set(merged.flatMap(\.deleted))
    for objectID in gone { objects[objectID] = nil }
    for notification in merged {
      // Objects deleted by a later notification cannot be read any longer.
      for objectID in notification.inserted + notification.updated where !gone.contains(objectID) {
        objects[objectID] = try context.existingObject(with: objectID)
      }
    }
  }

  private func release() {
    if isHeldUp { gate.signal() }
    isHeldUp = false
  }
}
