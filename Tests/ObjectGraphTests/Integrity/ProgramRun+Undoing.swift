// What a random program undoes: canceled deletions, children's saves that fail after a resolved conflict, and temporary
// IDs, which a save replaces with permanent ones wherever they are known.
@testable import CoreDataModel
@testable import ObjectGraph

extension ProgramRun {
  // MARK: Deletions

  /// Cancels one of a context's deletions; both ends of each pair are checked after the step.
  func takeBack(_ index: Int, _ number: UInt32) throws {
    let context = contexts[index]
    let deleted = context.deletedObjects
    guard !deleted.isEmpty else { return }
    // Objects that were deleted with it, or no longer refer to it, stay so, and belong to the program's changes from
    // now on.
    for object in deleted {
      asked[index].insert(object.objectID)
      note(index, object)
    }
    let object = deleted[Int(number) % deleted.count]
    if !held[index].contains(where: { $0 === object }) { held[index].append(object) }
    try context.refresh(object, mergeChanges: false)
    if context.deletedObjects.contains(where: { $0 === object }) {
      throw ProgramMismatch("\(object.objectID) was refreshed, and is still to be deleted in context \(index)")
    }
    tally.takenBack += 1
  }

  // MARK: Saves that fail

  /// The state of a child's parent, if a failed save of the child must not change it.
  func imageOfParent(_ index: Int) throws -> ContextImage? {
    guard kind == .undoing, case .child(let parent) = kinds[index] else { return nil }
    return try ContextImage(contexts[parent])
  }

  /// Checks that the parent of a child with a failed save is unchanged.
  func checkParent(of index: Int, _ before: ContextImage, after error: ObjectGraphError) throws {
    guard case .child(let parent) = kinds[index] else { return }
    if let difference = try before.difference(from: ContextImage(contexts[parent])) {
      throw ProgramMismatch("a child's save that failed (\(error)) left its parent otherwise: \(difference)")
    }
  }

  /// Counts refused values that are not the context's own: a policy has set them.
  func countRefusals(_ error: ObjectGraphError, _ save: PendingSave) {
    guard case .validation(let failures) = error else { return }
    tally.refusedResolutions += failures.count { failure in
      failure.code == .numberTooLarge
        && save.updates.contains { $0.objectID == failure.objectID && $0.current["value"] != failure.value }
    }
  }

  // MARK: Temporary IDs

  /// A temporary ID that a context knows, and its place.
  struct TemporaryName {
    let object: ManagedObject
    let place: String
    let objectID: ManagedObjectID
    /// Whether it belongs to an object that left a relationship.
    var hasLeft = false
  }

  /// All temporary IDs in a context: of objects, and of their destinations now and when they were read.
  func temporaryNames(_ index: Int) -> [TemporaryName] {
    let context = contexts[index]
    var names: [TemporaryName] = []
    for object in context.registered.all + context.insertedObjects where !object.isGone {
      func add(_ place: String, _ objectID: ManagedObjectID) {
        if objectID.isTemporaryID { names.append(TemporaryName(object: object, place: place, objectID: objectID)) }
      }
      func add(_ place: String, _ reference: ObjectReference?) {
        guard let reference, reference.key < 0 else { return }
        let (store, entity) = (context.temporaryIdentity, reference.entityIndex)
        add(place, ManagedObjectID(store: store, entityIndex: entity, key: reference.key))
      }
      add("its ID", object.objectID)
      for slot in object.layout.slots.indices where object.layout.isToOne(slot) {
        let name = object.layout.slots[slot].name
        add(name, object.row?[slot].reference)
        add("the committed \(name)", object.committed?[slot].reference)
      }
      for (list, toMany) in zip(object.links?.lists ?? [], object.layout.toManyRelationships) {
        for related in list.stored ?? [] { add(toMany.relationship.name, related.objectID) }
        for objectID in list.removed where objectID.isTemporaryID {
          let place = "what left \(toMany.relationship.name)"
          names.append(TemporaryName(object: object, place: place, objectID: objectID, hasLeft: true))
        }
      }
    }
    return names
  }

  /// The number of temporary IDs that the descendants of a context know.
  func countNames(below index: Int) -> Int {
    contexts.indices.filter { $0 != index && root(of: $0) == index }.reduce(0) { $0 + temporaryNames($1).count }
  }

  /// Checks that stored objects have permanent IDs in every context.
  func checkNames() throws {
    for index in contexts.indices {
      let root = contexts[root(of: index)]
      for name in temporaryNames(index) {
        let objectID = root.settled(name.objectID)
        if objectID.isTemporaryID { continue }
        // An object whose row belongs to another entity keeps its ID, and is in no relationship; it may have left one.
        if name.hasLeft, objectID.entityIndex != name.objectID.entityIndex { continue }
        throw ProgramMismatch(
          "\(name.place) of \(name.object.objectID) in context \(index) is \(name.objectID), which is stored as \(objectID)"
        )
      }
    }
  }
}

extension ProgramSteps {
  private static let tables = ["Item", "Group", "Chapter", "Tag"]

  /// Rounds after which something is restored, or has another ID.
  mutating func undoing(rounds: Int) -> [ProgramStep] {
    var steps = prologue(fetchesAll: true)
    let children = contexts.kinds.indices.filter { contexts.line(from: $0).count > 1 }
    for _ in 0..<rounds {
      steps += beginning()
      let child = random.pick(children)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: steps += refusal(child)
      case 1: steps += reprieve(random.pick(Array(contexts.kinds.indices)))
      default: steps += naming(contexts.line(from: child))
      }
    }
    return steps
  }

  /// Makes every context fetch and hold all stored objects, without changing anything.
  private func beginning() -> [ProgramStep] {
    var steps = contexts.kinds.indices.map { ProgramStep(context: $0, action: .rollback) }
    steps += contexts.kinds.indices.map { ProgramStep(context: $0, action: .merge) }
    for context in contexts.kinds.indices {
      if case .child = contexts.kinds[context] { steps.append(ProgramStep(context: context, action: .reset)) }
      steps += fetches(context)
    }
    return steps
  }

  private func fetches(_ context: Int) -> [ProgramStep] {
    Self.tables.map { ProgramStep(context: context, action: .fetch(entity: $0)) }
  }

  private mutating func saves(_ line: some Sequence<Int>) -> [ProgramStep] {
    line.map { ProgramStep(context: $0, action: .save(isThorough: random.chance(3))) }
  }

  /// A child's conflict with its parent, in which the child's policy takes the parent's value, which no save accepts.
  private mutating func refusal(_ child: Int) -> [ProgramStep] {
    let (row, above) = (number(), contexts.line(from: child).dropFirst())
    guard let parent = above.first else { return [] }
    var own = ["value", "note"].map {
      ProgramStep(context: child, action: .contend(row: row, key: $0, value()))
    }
    if random.chance(2) { own.append(ProgramStep(context: child, action: .contendLink(row: row, to: number()))) }
    let isEarly = random.chance(2)
    var steps = isEarly ? own : []
    steps.append(ProgramStep(context: parent, action: .contend(row: row, key: "value", value())))
    steps += saves(above)
    steps += above.reversed().map { ProgramStep(context: $0, action: .refreshAll) }
    steps.append(ProgramStep(context: parent, action: .spoil(row: row, value())))
    if !isEarly { steps += own }
    let policy = random.chance(4) ? random.pick(MergePolicy.MergeType.allCases) : .storeTrump
    steps.append(ProgramStep(context: child, action: .policy(policy)))
    steps.append(ProgramStep(context: child, action: .save(isThorough: true)))
    steps.append(ProgramStep(context: parent, action: .rollback))
    return steps + saves([child]) + saves(above)
  }

  /// Deletions of related objects, some of which are canceled.
  private mutating func reprieve(_ context: Int) -> [ProgramStep] {
    let line = contexts.line(from: context)
    var steps: [ProgramStep] = []
    for _ in 0..<4 {
      steps.append(ProgramStep(context: context, action: .add(number(), relationship: number(), number())))
    }
    steps += saves(line)
    for _ in 0..<2 {
      if random.chance(3) {
        steps.append(ProgramStep(context: context, action: .remove(number(), relationship: number(), number())))
      }
      steps.append(ProgramStep(context: context, action: .delete(number())))
      if random.chance(2) { steps.append(ProgramStep(context: context, action: .takeBack(number()))) }
    }
    steps.append(ProgramStep(context: context, action: .takeBack(number())))
    if random.chance(2) {
      steps.append(ProgramStep(context: context, action: .set(number(), key: "note", value())))
    }
    return steps + saves(line)
  }

  /// A child changes references to new objects of its root, which is saved before it.
  private mutating func naming(_ line: [Int]) -> [ProgramStep] {
    guard let child = line.first, let root = line.last else { return [] }
    var steps: [ProgramStep] = []
    for entity in ["Item", "Group", random.pick(Self.tables)] {
      steps.append(ProgramStep(context: root, action: .insert(entity: entity, code: nil, value: value())))
    }
    for _ in 0..<4 {
      steps.append(ProgramStep(context: root, action: .link(number(), relationship: number(), to: number())))
      steps.append(ProgramStep(context: root, action: .add(number(), relationship: number(), number())))
    }
    for context in line.dropLast().reversed() { steps += fetches(context) }
    for _ in 0..<4 {
      steps.append(ProgramStep(context: child, action: .set(number(), key: "note", value())))
      steps.append(ProgramStep(context: child, action: .link(number(), relationship: number(), to: number())))
      steps.append(ProgramStep(context: child, action: .remove(number(), relationship: number(), number())))
    }
    return steps + saves([root]) + saves(line)
  }
}
