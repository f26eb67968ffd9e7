// A running random program: its steps are done to contexts on one file, which is checked after each of them.
@testable import CoreDataModel
import Foundation
@testable import ObjectGraph
import ObjectGraphFixtures
import Support
import Synchronization

/// A difference between the library and the rules.
struct ProgramMismatch: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Contexts of one or two coordinators on one file, and all that is known about their required state.
///
/// A program runs on one thread, on the queues of all of its contexts.
final class ProgramRun {
  let kind: RandomProgram.Kind
  let model: ProgramModel
  let schema: ProgramSchema
  let coordinators: [PersistentStoreCoordinator]
  let contexts: [ManagedObjectContext]
  let kinds: [ProgramContexts.Kind]
  /// The objects that the program holds, by context.
  var held: [[ManagedObject]]
  /// The changes that others stored and a context has not merged yet.
  var waiting: [[ChangedObjectIDs]]
  /// Whether a child has seen everything in its parent.
  var isInStep: [Bool]
  /// Objects whose relationships were edited in a context since its last save or rollback, by their IDs at that time:
  /// those of a child may be stored by its parent before the child is saved.
  var edited: [Set<ManagedObjectID>]
  /// Objects that the program deleted in a context since then, and whether the context did not know all stored changes
  /// at that time.
  var asked: [Set<ManagedObjectID>]
  var isBlind: [Bool]
  /// The file after the last step that wrote to it.
  var stored = StoredGraph()
  let reader: StoredGraphReader
  var tally = ProgramTally()
  /// The history checked so far.
  var historyToken: PersistentHistoryToken?
  private let saves: [LastSave]
  private var observations: [ContextObservation] = []

  /// The last save's notification of a context.
  private final class LastSave: Sendable {
    let last = Lock<ContextNotification?>(nil)
  }

  init(
    _ kind: RandomProgram.Kind, _ model: ProgramModel, _ contexts: ProgramContexts, in folder: ProgramFolder
  ) throws {
    self.kind = kind
    self.model = model
    schema = try ProgramSchema(model.entities)
    kinds = contexts.kinds
    let path = folder.path
    var wantsTwo = false
    for case .second in kinds { wantsTwo = true }
    coordinators = try (0..<(wantsTwo ? 2 : 1)).map { _ in
      let coordinator = PersistentStoreCoordinator(
        managedObjectModel: try ManagedObjectModel(entities: model.entities))
      var description = PersistentStoreDescription(path: path)
      description.pragmas = [.init("synchronous", "off")]
      description.tracksPersistentHistory = model.tracksHistory
      try coordinator.addPersistentStore(description)
      return coordinator
    }
    var made: [ManagedObjectContext] = []
    for kind in kinds {
      switch kind {
      case .first: made.append(ManagedObjectContext(coordinator: coordinators[0]))
      case .second: made.append(ManagedObjectContext(coordinator: coordinators[1]))
      case .child(let parent): made.append(ManagedObjectContext(parent: made[parent]))
      }
    }
    self.contexts = made
    held = made.map { _ in [] }
    waiting = made.map { _ in [] }
    isInStep = made.map { _ in true }
    edited = made.map { _ in [] }
    asked = made.map { _ in [] }
    isBlind = made.map { _ in false }
    reader = try StoredGraphReader(path: path, schema)
    saves = made.map { _ in LastSave() }
    for (context, save) in zip(made, saves) {
      observations.append(context.observe(.didSave) { note in save.last.withLock { $0 = note } })
    }
  }

  func close() {
    for coordinator in coordinators { try? coordinator.close() }
  }

  /// Runs the body on the queues of all contexts.
  func onAllQueues(_ body: () throws -> Void, from first: Int = 0) throws {
    guard first < contexts.count else { return try body() }
    try contexts[first].performAndWait { try onAllQueues(body, from: first + 1) }
  }

  // MARK: Steps

  func perform(_ step: ProgramStep) throws {
    tally.steps += 1
    let (index, context) = (step.context, contexts[step.context])
    switch step.action {
    case .save(let isThorough):
      try save(index, isThorough)
      try checkNames()
    case .batchInsert, .batchUpdate, .batchDelete, .batchDeleteObject: try batch(index, step.action)
    case .merge: try merge(index)
    default:
      do {
        try edit(context, index, step.action)
      } catch let error as ObjectGraphError {
        switch error {
        // Others deleted it in the meantime.
        case .missingObject, .deletedObject: break
        default: throw ProgramMismatch("an error nobody expected: \(error)")
        }
      }
    }
    noteEffects(of: step)
    context.processPendingChanges()
    noteBlindness()
    try check(context: index)
  }

  /// Records the effects of a step in a context on those that read from it.
  private func noteEffects(of step: ProgramStep) {
    switch step.action {
    case .fetch, .policy: return
    case .save:
      // Its descendants know, unless a conflict was resolved.
      if contexts[step.context].mergePolicy.mergeType == .error { return }
    case .reset, .refreshAll:
      if !contexts[step.context].hasChanges { isInStep[step.context] = parentIsInStep(step.context) }
    default: break
    }
    for (index, kind) in kinds.enumerated() {
      if case .child(let parent) = kind, parent == step.context || !isInStep[parent] { isInStep[index] = false }
    }
  }

  private func parentIsInStep(_ index: Int) -> Bool {
    if case .child(let parent) = kinds[index] { return isInStep[parent] }
    return true
  }

  /// The context at the end of a context's line of parents.
  func root(of index: Int) -> Int {
    if case .child(let parent) = kinds[index] { return root(of: parent) }
    return index
  }

  func pick(_ index: Int, _ number: UInt32, root: Int? = nil) -> ManagedObject? {
    let living = held[index].filter {
      ($0.state == .inserted || $0.state == .stored) && (root == nil || $0.layout.rootIndex == root)
    }
    return living.isEmpty ? nil : living[Int(number) % living.count]
  }

  /// A context's object for a row, by the row's position in its table or among all rows.
  private func object(_ index: Int, ofRow number: UInt32, _ entity: String? = nil) -> ManagedObject? {
    let keys = stored.rows.keys.filter { entity == nil || schema.model.layouts[$0.root].entity.name == entity }.sorted()
    if keys.isEmpty { return nil }
    let key = keys[Int(number) % keys.count]
    return held[index].first { $0.state == .stored && self.key($0) == key }
  }

  private func edit(_ context: ManagedObjectContext, _ index: Int, _ action: ProgramStep.Action) throws {
    switch action {
    case .insert(let entity, let code, let value): try insert(index, entity, code, value)
    case .set(let number, let key, let value):
      guard let object = pick(index, number), object.values != nil else { return }
      switch key {
      case "value": try object.setValue(.integer(Int64(value)), forKey: key)
      case "code": try object.setValue(.string("code \(value % 4)"), forKey: key)
      default: try object.setValue(.string("note \(value)"), forKey: key)
      }
    case .takeCode(let number, let other, let value): try takeCode(index, number, of: other, value)
    case .link(let number, let relationship, let target): try link(index, number, relationship, target)
    case .add(let number, let relationship, let other):
      try toMany(index, number, relationship) { object, name, root in
        guard let member = pick(index, other, root: root) else { return }
        note(index, member)
        try object.addObject(member, forKey: name)
      }
    case .remove(let number, let relationship, let other):
      try toMany(index, number, relationship) { object, name, _ in
        let members = try object.objects(forKey: name)
        if members.isEmpty { return }
        try object.removeObject(members[Int(other) % members.count], forKey: name)
      }
    case .replace(let number, let relationship, let others):
      try toMany(index, number, relationship) { object, name, root in
        let members = others.compactMap { pick(index, $0, root: root) }
        for member in members { note(index, member) }
        try object.setObjects(members, forKey: name)
      }
    case .delete(let number):
      guard let object = pick(index, number) else { return }
      asked[index].insert(object.objectID)
      try context.delete(object)
    case .rollback:
      context.rollback()
      forgetEdits(index)
      if context.hasChanges { throw ProgramMismatch("a rollback left changes") }
    case .reset:
      context.reset()
      held[index] = []
      forgetEdits(index)
    case .refresh(let number, let mergeChanges):
      if let object = pick(index, number) { try context.refresh(object, mergeChanges: mergeChanges) }
    case .refreshAll: try context.refreshAllObjects()
    case .fetch(let entity):
      let found = try context.fetch(FetchRequest(entityName: entity))
      let known = Set(held[index].map { ObjectIdentifier($0) })
      held[index] += found.filter { !known.contains(ObjectIdentifier($0)) }
    case .policy(let type): context.mergePolicy = MergePolicy(mergeType: type)
    case .contend(let row, let key, let value):
      try object(index, ofRow: row)?.setValue(
        key == "value" ? .integer(Int64(value)) : .string("note \(value)"), forKey: key)
    case .contendLink(let row, let group):
      guard let item = object(index, ofRow: row, "Item"), let group = object(index, ofRow: group, "Group") else {
        return
      }
      for object in [item, group] { note(index, object) }
      if let former = try item.object(forKey: "group") { note(index, former) }
      try item.setObject(group, forKey: "group")
    case .contendDelete(let row):
      guard let object = object(index, ofRow: row) else { return }
      asked[index].insert(object.objectID)
      try context.delete(object)
    case .move(let number, let relationship, let member, let place):
      try move(index, number, relationship, member, to: place)
    case .spoil(let row, let value):
      try object(index, ofRow: row)?.setValue(.integer(ProgramModel.mostValue + Int64(value)), forKey: "value")
    case .takeBack(let number): try takeBack(index, number)
    case .merge, .save, .batchInsert, .batchUpdate, .batchDelete, .batchDeleteObject: break
    }
  }

  private func forgetEdits(_ index: Int) {
    edited[index] = []
    asked[index] = []
    isBlind[index] = false
  }

  /// Every object that is currently linked to the object may change with it.
  func note(_ index: Int, _ object: ManagedObject) { edited[index].insert(object.objectID) }

  func key(_ object: ManagedObject) -> StoredGraph.Key? { key(object.objectID) }

  func key(_ objectID: ManagedObjectID) -> StoredGraph.Key? {
    objectID.isTemporaryID ? nil : StoredGraph.Key(root: schema.root(Int(objectID.entityIndex)), key: objectID.key)
  }

  /// The rows of objects, by IDs that they have had in a context's family.
  func keys(_ objectIDs: Set<ManagedObjectID>, _ index: Int) -> Set<StoredGraph.Key> {
    Set(objectIDs.compactMap { key(contexts[index].settled($0)) })
  }

  private func link(_ index: Int, _ number: UInt32, _ relationship: UInt32, _ target: UInt32?) throws {
    guard let object = pick(index, number) else { return }
    let toOnes = schema.relationships(of: object.layout.rootIndex).filter {
      if case .toOne = $0.kind { true } else { false }
    }
    guard !toOnes.isEmpty else { return }
    let chosen = toOnes[Int(relationship) % toOnes.count]
    let destination = target.flatMap { pick(index, $0, root: chosen.destinationRoot) }
    if target != nil && destination == nil { return }
    note(index, object)
    if let former = try object.object(forKey: chosen.name) { note(index, former) }
    if let destination {
      note(index, destination)
      // One-to-one: the former partner loses it.
      if case .toOne(let inverse?) = chosen.kind, let former = try destination.object(forKey: inverse) {
        note(index, former)
      }
    }
    try object.setObject(destination, forKey: chosen.name)
  }

  private func toMany(
    _ index: Int, _ number: UInt32, _ relationship: UInt32, _ body: (ManagedObject, String, Int) throws -> Void
  ) throws {
    guard let object = pick(index, number) else { return }
    let toManys = schema.relationships(of: object.layout.rootIndex).filter {
      if case .toOne = $0.kind { false } else { true }
    }
    guard !toManys.isEmpty else { return }
    let chosen = toManys[Int(relationship) % toManys.count]
    note(index, object)
    for member in try object.objects(forKey: chosen.name) { note(index, member) }
    try body(object, chosen.name, chosen.destinationRoot)
  }

  // MARK: New objects

  private func insert(_ index: Int, _ entity: String, _ code: Int?, _ value: Int) throws {
    let object: ManagedObject
    switch entity {
    case "Group": object = try makeGroup(index)
    case "Item", "Special": object = try makeItem(index, entity)
    default:
      object = try make(index, entity)
      if entity == "Chapter", model.required.contains("Chapter.group") {
        try object.setObject(try anyGroup(index, value), forKey: "group")
      }
    }
    object["value"] = .integer(Int64(value))
    object["note"] = .string("note \(value)")
    if let code { object["code"] = .string("code \(code)") }
  }

  private func make(_ index: Int, _ entity: String) throws -> ManagedObject {
    let object = try contexts[index].insertNewObject(forEntityName: entity)
    held[index].append(object)
    return object
  }

  private func makeGroup(_ index: Int) throws -> ManagedObject {
    let group = try make(index, "Group")
    guard model.required.contains("Group.leader") else { return group }
    let leader = try make(index, "Item")
    try group.setObject(leader, forKey: "leader")
    if model.required.contains("Item.group") { try leader.setObject(group, forKey: "group") }
    return group
  }

  private func makeItem(_ index: Int, _ entity: String) throws -> ManagedObject {
    let item = try make(index, entity)
    if model.required.contains("Item.group") { try item.setObject(try anyGroup(index, 0), forKey: "group") }
    return item
  }

  private func anyGroup(_ index: Int, _ number: Int) throws -> ManagedObject {
    let root = schema.model.layouts.first { $0.entity.name == "Group" }?.index
    let found = pick(index, UInt32(truncatingIfNeeded: number), root: root)
    let group = if let found { found } else { try makeGroup(index) }
    note(index, group)
    return group
  }

  // MARK: Changes stored by others

  private func merge(_ index: Int) throws {
    let changes = waiting[index]
    waiting[index] = []
    for change in changes {
      do {
        try ManagedObjectContext.mergeChanges(fromRemoteContextSave: change, into: [contexts[index]])
      } catch {
        throw ProgramMismatch("merging failed: \(error)")
      }
    }
  }

  /// Passes the changes that one context, or none, stored to the others.
  func announce(_ changes: ChangedObjectIDs, by saver: Int?) {
    for (index, kind) in kinds.enumerated() where index != saver {
      if case .child = kind { continue }
      let coordinator = contexts[index].persistentStoreCoordinator
      func translated(_ objectIDs: [ManagedObjectID]) -> [ManagedObjectID] {
        objectIDs.compactMap { coordinator.managedObjectID(forURIRepresentation: $0.uriRepresentation()) }
      }
      waiting[index].append(
        ChangedObjectIDs(
          inserted: translated(changes.inserted), updated: translated(changes.updated),
          deleted: translated(changes.deleted)))
    }
  }

  /// A context's notification about a save that has just ended; nil if there was none.
  func lastSave(_ index: Int) -> ContextNotification? {
    saves[index].last.withLock { last in
      defer { last = nil }
      return last
    }
  }
}

/// The total effects of programs.
struct ProgramTally {
  var steps = 0
  var saves = 0
  var failedSaves = 0
  var conflicts = 0
  var takenCodes = 0
  /// Values that a policy decided on.
  var decided = 0
  var batches = 0
  var refusedBatches = 0
  var rowsChecked = 0
  var objectsCompared = 0
  var ordersCompared = 0
  /// Objects of children that were requested from their parents.
  var handedOver = 0
  var transactions = 0
  /// Canceled deletions.
  var takenBack = 0
  /// Values that a policy set and no save accepts.
  var refusedResolutions = 0
  /// Temporary IDs that a context's descendants knew when it was saved.
  var namesSettled = 0

  static func + (left: ProgramTally, right: ProgramTally) -> ProgramTally {
    var sum = left
    sum.steps += right.steps
    sum.saves += right.saves
    sum.failedSaves += right.failedSaves
    sum.conflicts += right.conflicts
    sum.takenCodes += right.takenCodes
    sum.decided += right.decided
    sum.batches += right.batches
    sum.refusedBatches += right.refusedBatches
    sum.rowsChecked += right.rowsChecked
    sum.objectsCompared += right.objectsCompared
    sum.ordersCompared += right.ordersCompared
    sum.handedOver += right.handedOver
    sum.transactions += right.transactions
    sum.takenBack += right.takenBack
    sum.refusedResolutions += right.refusedResolutions
    sum.namesSettled += right.namesSettled
    return sum
  }
}
