// The expected state of a context in a random program: its own edits on top of what is stored, with both ends of each
// pair consistent.
@testable import CoreDataModel
@testable import ObjectGraph

extension ProgramRun {
  /// Whether the context has merged all changes that others stored.
  func isUpToDate(_ index: Int) -> Bool {
    if case .child(let parent) = kinds[index] { return isInStep[index] && isUpToDate(parent) }
    return waiting[index].isEmpty
  }

  func check(context index: Int) throws {
    guard isUpToDate(index) else { return }
    let context = contexts[index]
    var objects: [ManagedObject] = []
    do {
      for table in schema.model.tables {
        objects += try context.fetch(FetchRequest(entityName: schema.model.layouts[table.root].entity.name))
      }
      for object in objects { try checkEnds(of: object, index) }
    } catch let error as ObjectGraphError {
      throw ProgramMismatch("context \(index) cannot be read: \(error)")
    }
    tally.objectsCompared += objects.count
    if case .child = kinds[index] {
      let root = contexts[root(of: index)]
      if let object = objects.first(where: { $0.objectID.isTemporaryID && !root.settled($0.objectID).isTemporaryID }) {
        throw ProgramMismatch("context \(index) does not know that \(object.objectID) is stored")
      }
      return
    }
    let deleted = Set(context.deletedObjects.compactMap(key))
    let found = Set(objects.compactMap(key))
    let expected = Set(stored.rows.keys).subtracting(deleted)
    if found != expected {
      throw ProgramMismatch(
        "context \(index) shows \(found.subtracting(expected).sorted()), which are not stored, and lacks "
          + "\(expected.subtracting(found).sorted())")
    }
    try checkLeftAlone(index, objects)
    let isClean = !context.hasChanges
    for object in objects {
      guard let key = key(object), let row = stored.rows[key] else { continue }
      try checkValues(of: object, row, index)
      if isClean { try checkMembers(of: object, key, index) }
    }
  }

  /// Checks that all destinations of an object exist and refer back to it.
  private func checkEnds(of object: ManagedObject, _ index: Int) throws {
    for relationship in schema.relationships(of: object.layout.rootIndex) {
      let members: [ManagedObject]
      if case .toOne = relationship.kind {
        members = try object.object(forKey: relationship.name).map { [$0] } ?? []
      } else {
        members = try object.objects(forKey: relationship.name)
      }
      if Set(members).count != members.count {
        throw ProgramMismatch("\(relationship.name) of \(object.objectID) in context \(index) holds an object twice")
      }
      for member in members {
        // Its rule denies the deletion, or others related it in the meantime: the save reports or reverts that.
        if member.state == .deletionPending { continue }
        // After a deletion without action, the program has to remove the object.
        if relationship.inverseRule == .noAction, isDeleted(member, above: index) { continue }
        guard member.isAlive, member.context === contexts[index] else {
          throw ProgramMismatch(
            "\(relationship.name) of \(object.objectID) in context \(index) leads to \(member.objectID), which is gone")
        }
        let back: [ManagedObject]
        if member.layout.toOneSlot(named: relationship.inverse) != nil {
          back = try member.object(forKey: relationship.inverse).map { [$0] } ?? []
        } else {
          back = try member.objects(forKey: relationship.inverse)
        }
        if !back.contains(where: { $0 === object }) {
          throw ProgramMismatch(
            "\(relationship.name) of \(object.objectID) in context \(index) leads to \(member.objectID), whose "
              + "\(relationship.inverse) does not lead back but to \(back.map(\.objectID))")
        }
      }
    }
  }

  /// Whether an object's row is deleted for the context, in the store or in a context that it reads from.
  private func isDeleted(_ object: ManagedObject, above index: Int) -> Bool {
    if case .child(let parent) = kinds[index] {
      let known = contexts[parent].registeredObject(for: object.objectID)
      return known?.isDeleted == true || known?.isInserted != true && isDeleted(object, above: parent)
    }
    return key(object).map { stored.rows[$0] == nil } ?? !object.isAlive
  }

  /// Checks that unchanged values equal the stored ones.
  private func checkValues(of object: ManagedObject, _ row: StoredGraph.Row, _ index: Int) throws {
    guard object.state == .stored else { return }
    for name in ProgramSchema.attributes {
      guard let slot = object.layout.slot(named: name), !object.changedSlots.contains(slot) else { continue }
      let found = object[name]
      if found != row.values[name] {
        throw ProgramMismatch(
          "\(name) of \(object.objectID) in context \(index) is \(found), stored is \(row.values[name] ?? .null)")
      }
    }
    for (slot, property) in object.layout.slots.enumerated()
    where property.toOne != nil && !object.changedSlots.contains(slot) {
      let found = try object.object(forKey: property.name).flatMap(key)
      if found != row.links[property.name] {
        throw ProgramMismatch(
          "\(property.name) of \(object.objectID) in context \(index) leads to \(found.map { "\($0)" } ?? "nothing"), "
            + "stored is \(row.links[property.name].map { "\($0)" } ?? "nothing")")
      }
    }
  }

  private func checkMembers(of object: ManagedObject, _ key: StoredGraph.Key, _ index: Int) throws {
    for relationship in schema.relationships(of: key.root) {
      if case .toOne = relationship.kind { continue }
      if relationship.inverseRule == .noAction { continue }
      var found = try object.objects(forKey: relationship.name).compactMap(self.key)
      if !relationship.isOrdered { found.sort() }
      let expected = stored.members(of: key, relationship)
      if found != expected {
        throw ProgramMismatch(
          "\(relationship.name) of \(object.objectID) in context \(index) are \(found), stored are \(expected)")
      }
    }
  }
}

/// Everything that a context shows, to compare it with its state after a failed save.
struct ContextImage {
  private struct Shown: Equatable {
    let state: ManagedObject.State
    let values: [String: AttributeValue]
    let links: [String: Set<ManagedObjectID>]
  }

  private var objects: [ObjectIdentifier: (object: ManagedObject, shown: Shown)] = [:]
  /// The updated objects whose values or members differ from the stored ones.
  private let toStore: Set<ObjectIdentifier>
  private let inserted: [ObjectIdentifier]
  private let updated: Set<ObjectIdentifier>
  private let deleted: Set<ObjectIdentifier>

  init(_ context: ManagedObjectContext) throws {
    // Twice: reading one end of a pair that a child's parent has by now makes the other end be read again.
    for _ in 0..<2 {
      for object in context.insertedObjects + context.updatedObjects + context.deletedObjects {
        objects[ObjectIdentifier(object)] = (object, try ContextImage.shown(object))
      }
    }
    // Do this last: reading may have shown that a row is deleted.
    inserted = context.insertedObjects.map { ObjectIdentifier($0) }
    updated = Set(context.updatedObjects.map { ObjectIdentifier($0) })
    toStore = Set(context.updatedObjects.filter(ContextImage.isToStore).map { ObjectIdentifier($0) })
    deleted = Set(context.deletedObjects.map { ObjectIdentifier($0) })
  }

  private static func isToStore(_ object: ManagedObject) -> Bool {
    object.links?.isChanged == true
      || object.layout.slots.indices.contains { object.changedSlots.contains($0) && object.isOtherwise($0) }
  }

  private static func shown(_ object: ManagedObject) throws -> Shown {
    var values: [String: AttributeValue] = [:]
    for name in ProgramSchema.attributes { values[name] = object[name] }
    var links: [String: Set<ManagedObjectID>] = [:]
    for slot in object.layout.slots where slot.toOne != nil {
      links[slot.name] = Set((try? object.object(forKey: slot.name)).map { [$0.objectID] } ?? [])
    }
    for toMany in object.layout.toManyRelationships {
      let name = toMany.relationship.name
      links[name] = Set((try? object.objects(forKey: name).map(\.objectID)) ?? [])
    }
    return Shown(state: object.state, values: values, links: links)
  }

  /// The differences in a later image; nil if there are none.
  func difference(from later: ContextImage) throws -> String? {
    if inserted != later.inserted { return "it had \(inserted.count) new objects and has \(later.inserted.count)" }
    if deleted != later.deleted { return "it had \(deleted.count) deleted objects and has \(later.deleted.count)" }
    // Positions of ordered objects may have been assigned already. If a row turned out to be deleted, an object whose
    // values were the stored ones had nothing to lose.
    let ended = updated.subtracting(later.updated).filter { id in
      objects[id]?.object.state == .detached && !toStore.contains(id)
    }
    if !later.updated.isSuperset(of: updated.subtracting(ended)) { return "an updated object is none any more" }
    for (id, (object, shown)) in objects where !ended.contains(id) {
      let now = try later.objects[id]?.shown ?? ContextImage.shown(object)
      if now.state != shown.state { return "\(object.objectID) was \(shown.state) and is \(now.state)" }
      if now.values != shown.values { return "\(object.objectID) had \(shown.values) and has \(now.values)" }
      for (name, links) in shown.links where links != now.links[name] {
        return "\(name) of \(object.objectID) was \(links) and is \(now.links[name] ?? [])"
      }
    }
    return nil
  }
}
