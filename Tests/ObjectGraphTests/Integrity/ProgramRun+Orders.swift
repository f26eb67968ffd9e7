// Ordered relationships of a random program: the order in a context is the stored order.
@testable import CoreDataModel
@testable import ObjectGraph

extension ProgramRun {
  /// A changed ordered relationship, with its objects as the context shows them.
  struct PendingOrder {
    let object: ManagedObject
    let relationship: ProgramSchema.Relationship
    let members: [ManagedObject]
  }

  /// Moves an object of an ordered relationship, or adds another one.
  func move(_ index: Int, _ number: UInt32, _ relationship: UInt32, _ member: UInt32, to place: UInt32) throws {
    func ordered(_ object: ManagedObject) -> [ProgramSchema.Relationship] {
      schema.relationships(of: object.layout.rootIndex).filter(\.isOrdered)
    }
    let owners = held[index].filter { $0.isAlive && !ordered($0).isEmpty }
    guard !owners.isEmpty else { return }
    let owner = owners[Int(number) % owners.count]
    let all = ordered(owner)
    let chosen = all[Int(relationship) % all.count]
    let members = try owner.objects(forKey: chosen.name)
    for object in [owner] + members { note(index, object) }
    let position = Int(member) % (members.count + 1)
    guard
      let moved = position < members.count ? members[position] : pick(index, member, root: chosen.destinationRoot)
    else { return }
    note(index, moved)
    if moved.layout.toOneSlot(named: chosen.inverse) != nil, let former = try moved.object(forKey: chosen.inverse) {
      note(index, former)
    }
    try owner.insertObject(moved, forKey: chosen.name, at: Int(place) % (members.count + 1))
  }

  /// The orders that a save has to store; none if the context does not know all changes that others stored.
  func pendingOrders(_ index: Int) throws -> [PendingOrder] {
    guard isUpToDate(index) else { return [] }
    let context = contexts[index]
    return try (context.insertedObjects + context.updatedObjects).flatMap { object in
      let changed = object.changedRelationships
      return try schema.relationships(of: object.layout.rootIndex)
        .filter { $0.isOrdered && changed.contains($0.name) }
        .map { PendingOrder(object: object, relationship: $0, members: try object.objects(forKey: $0.name)) }
    }
  }

  /// Checks that objects still in the relationship have the same order.
  func checkOrders(_ orders: [PendingOrder]) throws {
    for order in orders {
      guard let key = key(order.object), stored.rows[key] != nil else { continue }
      let wanted = order.members.compactMap(self.key)
      // A new object may have overwritten another one's row.
      if Set(wanted).count < wanted.count { continue }
      try compare(wanted, stored.members(of: key, order.relationship), order, "the store")
    }
  }

  /// Checks the same for what a child passes to its parent.
  func checkOrders(_ orders: [PendingOrder], ofParent parent: ManagedObjectContext) throws {
    for order in orders {
      guard let object = parent.registeredObject(for: order.object.objectID), object.isAlive else { continue }
      // After a deletion without action, the program has to remove the object; it has no position among the others.
      let isLeft = order.relationship.inverseRule == .noAction
      let found = try object.objects(forKey: order.relationship.name)
        .filter { !isLeft || $0.values != nil && $0.isAlive }.map(\.objectID)
      try compare(order.members.map(\.objectID), found, order, "the parent")
    }
  }

  private func compare<ID: Hashable>(_ wanted: [ID], _ found: [ID], _ order: PendingOrder, _ place: String) throws {
    let (here, there) = (wanted.filter(found.contains), found.filter(wanted.contains))
    tally.ordersCompared += here.count > 1 ? 1 : 0
    if here == there { return }
    throw ProgramMismatch(
      "\(order.relationship.name) of \(order.object.objectID) were saved in the order \(here), and \(place) has "
        + "\(there)")
  }
}

extension ProgramSteps {
  /// Steps that move objects of ordered relationships, mixed with steps of every kind.
  mutating func ordering(length: Int) -> [ProgramStep] {
    var steps = prologue(fetchesAll: true)
    for entity in ["Chapter", "Tag", "Chapter", "Tag"] {
      let context = Int.random(in: 0..<contexts.kinds.count, using: &random)
      steps.append(ProgramStep(context: context, action: .insert(entity: entity, code: nil, value: value())))
    }
    for _ in 0..<length {
      let context = Int.random(in: 0..<contexts.kinds.count, using: &random)
      let line = contexts.line(from: context)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        if random.chance(2) { steps += line.reversed().map { ProgramStep(context: $0, action: .merge) } }
        steps.append(
          ProgramStep(context: context, action: .move(number(), relationship: number(), number(), to: number())))
      case 5..<7:
        steps += line.map { ProgramStep(context: $0, action: .save(isThorough: random.chance(3))) }
      default: steps.append(next())
      }
    }
    return steps
  }
}
