// Updates the other ends of relationships when a conflict, a merge or a refresh changes an object's values.
internal import CoreDataModel

extension ManagedObject {
  /// The stored destination of a to-one relationship, and the one after changes in this context.
  struct Ends: Equatable {
    var stored: ObjectReference?
    var current: ObjectReference?

    static func == (left: Ends, right: Ends) -> Bool {
      left.stored?.key == right.stored?.key && left.current?.key == right.current?.key
    }
  }

  /// Runs the body, which changes the object's values or state, and updates the inverse to-many relationships.
  final func relinking(_ body: () -> Void) {
    guard layout.hasToOneSlots, let context else { return body() }
    let slots = layout.slots.indices.filter { layout.slots[$0].toOne?.inverse?.isToMany == true }
    let before = slots.map { (ends($0), state == .deletionPending ? row?[$0].reference : nil) }
    body()
    for (slot, (old, left)) in zip(slots, before) {
      // A fault has no changes, and its row's references are not known yet.
      let new = row == nil && state == .stored ? Ends(stored: old.stored, current: old.stored) : ends(slot)
      guard let inverse = layout.slots[slot].toOne?.inverse, old != new || left != nil else { continue }
      /// Corrects what the object at the other end knows about its relationship.
      ///
      /// If it has not read the relationship yet, it will read it when needed.
      func correct(_ reference: ObjectReference?, _ change: (inout ToManyList) -> Void) {
        guard let object = reference.flatMap({ context.knownObject($0, from: self) }), let links = object.links,
          let index = object.layout.toManyIndex(named: inverse.name)
        else { return }
        change(&links.lists[index])
      }
      func edit(_ reference: ObjectReference?, _ change: (inout ToManyList) -> Void) {
        guard let object = reference.flatMap({ context.object($0, from: self) }), !object.isGone,
          let index = object.layout.toManyIndex(named: inverse.name)
        else { return }
        object.beginRelationshipChange()
        change(&object.linksMade().lists[index])
      }
      // For a deletion, the delete rules decide whether the object was removed from its destination.
      correct(left) { $0.cancelAddition(of: self) }
      correct(old.stored) { $0.cancelRemoval(of: self) }
      // Do this even for the stored destination: the object may have been moved away and back.
      correct(old.current) { $0.cancelAddition(of: self) }
      if old.stored?.key != new.stored?.key {
        // Do this even for the destination set by others: the object may have been recorded as removed, because it was
        // not known to be there.
        correct(new.stored) { $0.cancelRemoval(of: self) }
        for reference in [old.stored, new.stored] { correct(reference) { $0.forget() } }
      }
      if new.stored?.key != new.current?.key {
        edit(new.stored) { $0.remove(self) }
        edit(new.current) { $0.add(self) }
      }
    }
  }

  final func ends(_ slot: Int) -> Ends {
    switch state {
    case .detached, .deleted, .forgotten, .scratch: return Ends()
    case .inserted: return Ends(current: row?[slot].reference)
    case .stored: return Ends(stored: (committed ?? row)?[slot].reference, current: row?[slot].reference)
    case .deletionPending:
      return Ends(
        stored: (committed ?? row)?[slot].reference,
        current: layout.slots[slot].toOne?.relationship.deleteRule == .nullify ? nil : row?[slot].reference)
    }
  }

  /// Removes this object, whose row is gone, from objects that were linked with it since the last save.
  final func dropPendingLinks() {
    if let links {
      for (index, toMany) in layout.toManyRelationships.enumerated() {
        for object in links.lists[index].added { object.lose(self, toMany.inverse) }
      }
    }
    guard layout.hasToOneSlots, isChanged else { return }
    for slot in layout.slots.indices where changedSlots.contains(slot) {
      guard let toOne = layout.slots[slot].toOne, let inverse = toOne.inverse, !inverse.isToMany else { continue }
      destination(slot)?.lose(self, inverse)
    }
  }

  /// Drops the orders that were set in this context.
  final func dropArrangements() {
    guard let links else { return }
    for index in links.lists.indices { dropArrangement(index) }
  }

  /// The stored orders, as known here, of the relationships that this context has reordered.
  final func ordersBeforeArrangements() -> [Int: [ManagedObjectID]] {
    guard let links else { return [:] }
    var orders: [Int: [ManagedObjectID]] = [:]
    for index in links.lists.indices where links.lists[index].arrangement != nil {
      orders[index] = links.lists[index].stored?.map(\.objectID)
    }
    return orders
  }

  /// Drops the orders that were set in this context if others have stored a different order than was known here.
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` if a relationship cannot be read.
  final func dropArrangements(ofOtherThan orders: [Int: [ManagedObjectID]]) throws(ObjectGraphError) {
    if !isAlive { return }
    for (index, known) in orders.sorted(by: { $0.key < $1.key }) {
      let stored = try storedMembers(index).map(\.objectID)
      if known.filter(Set(stored).contains) != stored.filter(Set(known).contains) { dropArrangement(index) }
    }
  }

  private final func dropArrangement(_ index: Int) {
    guard let links, let arranged = links.lists[index].arrangement else { return }
    links.lists[index].arrangement = nil
    let toMany = layout.toManyRelationships[index]
    guard case .inverseKey = toMany.storage else { return }
    for object in arranged { object.takeBackPlace(toMany.inverse.name) }
  }

  /// Restores the object's stored position in the inverse of a relationship: a save may already have assigned another
  /// one.
  private final func takeBackPlace(_ name: String) {
    guard state == .stored, let slot = layout.toOneSlot(named: name), changedSlots.contains(slot),
      let stored = committed?[slot].reference, row?[slot].reference?.key == stored.key
    else { return }
    row?[slot] = .reference(stored)
    changedSlots = SlotMask(layout.slots.indices.filter { $0 != slot && changedSlots.contains($0) })
  }

  /// Undoes unsaved changes of many-to-many relationships, at both ends.
  final func dropPairChanges() {
    guard let links, links.isChanged, let context else { return }
    for (index, toMany) in layout.toManyRelationships.enumerated() where links.lists[index].isChanged {
      guard case .join = toMany.storage else { continue }
      let list = links.lists[index]
      func back(_ object: ManagedObject?, _ change: (inout ToManyList) -> Void) {
        guard let object, let links = object.links, let back = object.layout.toManyIndex(named: toMany.inverse.name)
        else { return }
        change(&links.lists[back])
      }
      for object in list.added { back(object) { $0.cancelAddition(of: self) } }
      for objectID in list.removed { back(context.knownObject(objectID)) { $0.cancelRemoval(of: self) } }
      links.lists[index] = ToManyList()
    }
  }
}
