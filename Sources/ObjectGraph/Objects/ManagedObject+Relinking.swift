// When an object's values change behind its back - by a conflict, a merge, a refresh - the other ends follow.
internal import CoreDataModel

extension ManagedObject {
  /// The destination of a to-one relationship in the store, and the one after changes in this context.
  struct Ends: Equatable {
    var stored: ObjectReference?
    var current: ObjectReference?

    static func == (left: Ends, right: Ends) -> Bool {
      left.stored?.key == right.stored?.key && left.current?.key == right.current?.key
    }
  }

  /// Runs the body, which changes the object's values or state, and makes the inverse to-many relationships agree with the
  /// outcome.
  final func relinking(_ body: () -> Void) {
    guard layout.hasToOneSlots, let context else { return body() }
    let slots = layout.slots.indices.filter { layout.slots[$0].toOne?.inverse?.isToMany == true }
    let before = slots.map { (ends($0), state == .deletionPending ? row?[$0].reference : nil) }
    body()
    for (slot, (old, left)) in zip(slots, before) {
      // A fault has no changes, and its row's references are not known yet.
      let new = row == nil && state == .stored ? Ends(stored: old.stored, current: old.stored) : ends(slot)
      guard let inverse = layout.slots[slot].toOne?.inverse, old != new || left != nil else { continue }
      /// Corrects what is known about the objects at the other end.
      ///
      /// An object that knows nothing about them reads them when asked.
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
      // A deletion leaves it to the rules whether the object was taken out of where it led.
      correct(left) { $0.cancelAddition(of: self) }
      correct(old.stored) { $0.cancelRemoval(of: self) }
      // Also where it led in the store already: it may have been moved away and back.
      correct(old.current) { $0.cancelAddition(of: self) }
      if old.stored?.key != new.stored?.key {
        // Also where others let it lead: it may have been taken for one that left, as it was not known to be there.
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

  /// Drops the orders that were set by the user.
  final func dropArrangements() {
    guard let links else { return }
    for index in links.lists.indices { dropArrangement(index) }
  }

  /// The stored orders, as they are known here, of the relationships that the user has put into another one.
  final func ordersBeforeArrangements() -> [Int: [ManagedObjectID]] {
    guard let links else { return [:] }
    var orders: [Int: [ManagedObjectID]] = [:]
    for index in links.lists.indices where links.lists[index].arrangement != nil {
      orders[index] = links.lists[index].stored?.map(\.objectID)
    }
    return orders
  }

  /// Drops the orders that were set by the user where others have meanwhile stored another one than was known here.
  ///
  /// - Throws: ``ObjectGraphError/store(_:during:)`` when a relationship cannot be read.
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

  /// Has the object the place again, among those that lead where it does, that the store has it at: a save may have
  /// given it another one already.
  private final func takeBackPlace(_ name: String) {
    guard state == .stored, let slot = layout.toOneSlot(named: name), changedSlots.contains(slot),
      let stored = committed?[slot].reference, row?[slot].reference?.key == stored.key
    else { return }
    row?[slot] = .reference(stored)
    changedSlots = SlotMask(layout.slots.indices.filter { $0 != slot && changedSlots.contains($0) })
  }

  /// Takes back unsaved changes of many-to-many relationships, at both ends.
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
