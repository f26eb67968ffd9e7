// The stack of a session: a coordinator with the store, and the observer's context.
internal import BatchmarkEngine
internal import CoreDataModel
internal import ObjectGraph

/// An open store of the engine, with everything that every session needs.
final class ObjectGraphStack {
  let entity: EntityDescription
  let setup: StoreSetup
  /// The observer of stages; `nil` except in a profile.
  var stages: (any StageObserver)? { setup.stages }
  let observing: ObservingContext?
  private let coordinator: PersistentStoreCoordinator

  init(_ setup: StoreSetup, _ cell: Cell) throws {
    entity = try setup.entity
    self.setup = setup
    let mergeMode = cell[.merge]
    var store = setup.storeDescription
    store.tracksPersistentHistory = cell[.history].isOn || mergeMode == .history
    coordinator = PersistentStoreCoordinator(managedObjectModel: setup.model)
    try coordinator.addPersistentStore(store)
    observing =
      mergeMode == .none
      ? nil
      : try { [coordinator] in try ObservingContext(mergeMode, cell[.results], coordinator: coordinator, setup) }()
  }

  /// A context over the store that the observer follows.
  func makeContext() -> ManagedObjectContext {
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    let mergePolicy = setup.mergePolicy
    context.performAndWait { context.mergePolicy = mergePolicy }
    observing?.follow(context)
    return context
  }

  /// The result type of a batch request: only a status, unless an observer needs the changes.
  var resultType: BatchResultType { observing?.mergeMode == .changes ? .changes : .statusOnly }

  func checkpoint() throws { try coordinator.checkpoint() }

  func pragma(_ name: String) throws -> String? { try coordinator.pragma(name) }

  func close() throws { try coordinator.close() }
}

/// A session over a stack.
protocol StackSession: StoreSession {
  var stack: ObjectGraphStack { get }
}

extension StackSession {
  var stages: (any StageObserver)? { stack.stages }

  func checkpoint() throws { try stack.checkpoint() }

  func pragma(_ name: String) throws -> String? { try stack.pragma(name) }

  func close() throws { try stack.close() }
}

extension StackSession where Self: ObservedSession {
  var observer: (any SessionObserver)? { stack.observing }
}
