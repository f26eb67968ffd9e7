// A run: every step is done with the library and with the plain model, which are compared after each.
internal import CoreDataModel
import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization

/// A difference between the library and the model.
struct GraphMismatch: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Several contexts with one store, and a model of what they should show.
///
/// Everything happens while the caller is on the queues of all contexts.
final class GraphRun {
  let stack: TestStack
  let file: GraphFile
  let contexts: [ManagedObjectContext]
  var model: GraphModel
  /// The objects that are held, by context and ID of the model.
  var held: [[Int: ManagedObject]]
  /// Every row that has ever existed.
  private(set) var objectIDs: [Int: ManagedObjectID] = [:]
  private(set) var ids: [ManagedObjectID: Int] = [:]
  private let saves: [SaveChanges]
  private var observations: [ContextObservation] = []
  /// The total effects of steps, to show that the run tested something.
  private(set) var tally = GraphTally()

  /// The last save's notification of a context.
  private final class SaveChanges: Sendable {
    let last = Lock<ContextNotification?>(nil)
  }

  init(contexts count: Int = 3) throws {
    stack = try TestStack(GraphSchema.entities, pragmas: [.init("synchronous", "off")])
    file = try GraphFile(stack)
    contexts = (0..<count).map { [stack] _ in stack.context() }
    model = GraphModel(contexts: count)
    held = Array(repeating: [:], count: count)
    saves = contexts.map { _ in SaveChanges() }
    for (context, news) in zip(contexts, saves) {
      observations.append(context.observe(.didSave) { note in news.last.withLock { $0 = note } })
    }
  }

  /// Runs the body on the queues of all contexts.
  func onAllQueues(_ body: () throws -> Void, from first: Int = 0) throws {
    guard first < contexts.count else { return try body() }
    try contexts[first].performAndWait { try onAllQueues(body, from: first + 1) }
  }

  /// The object of a record, made or found if it is not held.
  func object(_ context: Int, _ id: Int) throws -> ManagedObject {
    if let object = held[context][id] { return object }
    let object: ManagedObject
    if model.views[context].inserted.contains(id) {
      guard let new = contexts[context].insertedObjects.first(where: { $0["id"] == .integer(Int64(id)) }) else {
        throw GraphMismatch("the new object \(id) is not among the inserted ones of context \(context)")
      }
      object = new
    } else {
      guard let objectID = objectIDs[id] else { throw GraphMismatch("\(id) has no permanent ID") }
      object = try contexts[context].object(with: objectID)
    }
    held[context][id] = object
    return object
  }

  /// The record of an object.
  func id(_ object: ManagedObject) -> Int? {
    if let id = ids[object.objectID] { return id }
    if case .integer(let id) = object["id"] { return Int(id) }
    return nil
  }

  // MARK: Steps

  /// Does the step if it fits the current model, and checks its immediate effects.
  func perform(_ step: GraphStep) throws {
    guard model.allows(step) else { return }
    tally.count(step)
    let context = step.context
    do {
      switch step.action {
      case .save(let isThorough):
        try save(context, step)
        try compareAfterSave(isThorough)
      case .failedSave(let id): try failedSave(context, id, step)
      default:
        try edit(contexts[context], context, step.action)
        model.apply(step)
        try check(context, step.action)
      }
    } catch let error as ObjectGraphError {
      throw GraphMismatch("an error nobody expected: \(error)")
    }
  }

  private func edit(_ context: ManagedObjectContext, _ index: Int, _ action: GraphStep.Action) throws {
    func object(_ id: Int) throws -> ManagedObject { try self.object(index, id) }
    switch action {
    case .insert(let id, let entity, let value):
      let object = try context.insertNewObject(forEntityName: entity)
      object["id"] = .integer(Int64(id))
      object["name"] = .string("new \(value)")
      object["value"] = .integer(Int64(value))
      held[index][id] = object
    case .set(let id, let key, let value): try object(id).setValue(value, forKey: key)
    case .link(let id, let key, let target): try object(id).setObject(try target.map(object), forKey: key)
    case .add(let id, let key, let ids): for other in ids { try object(id).addObject(try object(other), forKey: key) }
    case .remove(let id, let key, let ids):
      for other in ids { try object(id).removeObject(try object(other), forKey: key) }
    case .replace(let id, let key, let ids): try object(id).setObjects(try ids.map(object), forKey: key)
    case .place(let book, let page, let place):
      try object(book).insertObject(try object(page), forKey: "pages", at: place)
    case .delete(let id, let waits):
      context.propagatesDeletesAtEndOfEvent = !waits
      try context.delete(try object(id))
      context.propagatesDeletesAtEndOfEvent = true
      context.processPendingChanges()
    case .rollback: context.rollback()
    case .refresh(let id, let mergeChanges): try refresh(index, id, mergeChanges)
    case .refreshAll: try context.refreshAllObjects()
    case .reset:
      context.reset()
      held[index] = [:]
    case .drop:
      held[index] = [:]
      GraphProbes.release(context)
    case .look, .fetch, .compare, .save, .failedSave: break
    }
  }

  private func refresh(_ context: Int, _ id: Int, _ mergeChanges: Bool) throws {
    let view = model.views[context]
    // Find an object to delete among the deleted ones, because it may not be held.
    let object =
      view.deleted.contains(id)
      ? contexts[context].deletedObjects.first { self.id($0) == id } : try self.object(context, id)
    guard let object else { throw GraphMismatch("\(id) is not among the deleted objects of context \(context)") }
    try contexts[context].refresh(object, mergeChanges: mergeChanges)
    if !mergeChanges { held[context][id] = object }
  }

  private func check(_ context: Int, _ action: GraphStep.Action) throws {
    switch action {
    case .look(let ids):
      let toMany = model.views[context].state.toMany()
      for id in ids where model.views[context].state.records[id] != nil { try compare(context, id, toMany) }
    case .fetch(let query): try compare(context, query)
    case .compare: for index in contexts.indices { try compare(context: index) }
    case .rollback, .reset:
      if contexts[context].hasChanges { throw GraphMismatch("changes are left in context \(context)") }
    case .refresh(let id, mergeChanges: false): try adoptOrders(context, id)
    default: break
    }
    // Objects outside of the view are not held: those of others must not depend on them.
    held[context] = held[context].filter { model.views[context].state.records[$0.key] != nil }
  }

  /// Reads orders after a refresh, because the model does not predict the positions of later additions.
  private func adoptOrders(_ context: Int, _ id: Int) throws {
    for (book, pages) in model.views[context].state.pages.sorted(by: { $0.key < $1.key })
    where book == id || pages.contains(id) {
      let order = try object(context, book).objects(forKey: "pages").compactMap(self.id)
      if order.sorted() != pages.sorted() {
        throw GraphMismatch("after a refresh, \(book).pages in context \(context) are \(order), expected \(pages)")
      }
      model.views[context].adopt(book, order)
    }
  }

  // MARK: Saves

  private func failedSave(_ context: Int, _ id: Int, _ step: GraphStep) throws {
    let tooLong = String(repeating: "x", count: GraphSchema.longestName + 1)
    let object = try object(context, id)
    object["name"] = .string(tooLong)
    model.views[context].set(id, "name", .string(tooLong))
    model.views[context].propagate()
    do {
      try contexts[context].save()
      throw GraphMismatch("a name of \(tooLong.count) characters was saved")
    } catch let error as ObjectGraphError {
      guard case .validation(let failures) = error, failures.map(\.key) == ["name"] else { throw error }
    }
    try file.compare(with: model.committed)
    try compare(context: context, isExact: false)
    object["name"] = "fixed"
    model.views[context].set(id, "name", "fixed")
    try save(context, step)
    try compareAfterSave(false)
  }

  private func save(_ index: Int, _ step: GraphStep) throws {
    let context = contexts[index]
    let before = model.views[index]
    let had = context.hasChanges
    saves[index].last.withLock { $0 = nil }
    try context.save()
    model.apply(step)
    guard let news = saves[index].last.withLock({ $0 }) else {
      if had || before.hasChanges { throw GraphMismatch("a save of changes was not reported") }
      return
    }
    try learnIDs(news)
    try file.compare(with: model.committed)
    var expected = before
    expected.propagate()
    try file.compare(news, expected.changed, ids)
    for other in contexts.indices where other != index {
      try contexts[other].mergeChanges(fromContextDidSave: news)
      held[other] = held[other].filter { model.views[other].state.records[$0.key] != nil }
    }
  }

  /// Learns the keys of the new rows.
  private func learnIDs(_ news: ContextNotification) throws {
    for objectID in news.inserted {
      guard let id = try file.id(of: objectID) else {
        throw GraphMismatch("\(objectID) was reported and is not stored")
      }
      objectIDs[id] = objectID
      ids[objectID] = id
    }
  }

  private func compareAfterSave(_ isThorough: Bool) throws {
    for index in contexts.indices {
      if isThorough {
        try compare(context: index)
      } else {
        try compareLists(index, isExact: false)
      }
    }
    try GraphProbes.compareCache(self)
  }
}

/// The number of each kind of event.
struct GraphTally {
  private(set) var steps = 0
  private(set) var saves = 0

  mutating func count(_ step: GraphStep) {
    steps += 1
    switch step.action {
    case .save, .failedSave: saves += 1
    default: break
    }
  }
}
