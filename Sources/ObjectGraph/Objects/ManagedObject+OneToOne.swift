// One-to-one relationships: each end has a key of its own, so when one changes behind its back the other must follow.
internal import CoreDataModel

extension ManagedObject {
  /// Where the one-to-one relationships lead, by slot.
  final func partners() -> [Int: Ends] {
    guard layout.hasToOneSlots else { return [:] }
    var partners: [Int: Ends] = [:]
    for slot in layout.slots.indices where layout.slots[slot].toOne?.inverse?.isToMany == false {
      partners[slot] = ends(slot)
    }
    return partners
  }

  /// Has the objects that this one was and is linked with follow, where that is no longer as it was.
  final func bringPartnersInStep(from old: [Int: Ends]) {
    guard let context else { return }
    for (slot, old) in old.sorted(by: { $0.key < $1.key }) {
      guard let toOne = layout.slots[slot].toOne, let inverse = toOne.inverse else { continue }
      func partner(_ reference: ObjectReference?) -> ManagedObject? {
        // Also one that is to be deleted, whose delete rules then know this object.
        reference.flatMap { context.object($0, from: self) }.flatMap { $0 === self || $0.isGone ? nil : $0 }
      }
      // A fault leads where its row does.
      let new = row == nil && state == .stored ? old.stored : ends(slot).current
      if new?.key == old.current?.key { continue }
      if let former = partner(old.current) { leave(former, inverse) }
      partner(new)?.gain(self, inverse, through: toOne.relationship.name)
    }
  }

  /// If this context moved the object while another context stored a reference to it, drops that reference.
  final func leaveStoredPartners() {
    guard layout.hasToOneSlots, let context, let committed, let row else { return }
    for slot in layout.slots.indices where changedSlots.contains(slot) {
      guard let inverse = layout.slots[slot].toOne?.inverse, !inverse.isToMany,
        let stored = committed[slot].reference, stored.key != row[slot].reference?.key,
        let former = context.object(stored, from: self), former !== self, former.isAlive
      else { continue }
      leave(former, inverse)
    }
  }

  /// Has a former partner lose this object.
  ///
  /// What it was read with may be older than what the others stored, and a partner that they gave it since is not taken away.
  private final func leave(_ former: ManagedObject, _ inverse: RelationshipDescription) {
    if former.state == .stored && !former.isChanged { former.turnIntoFault() }
    former.lose(self, inverse)
  }

  /// If others' changes show an object that this context linked here as leading elsewhere, has it lead back.
  final func keepPartners() {
    guard layout.hasToOneSlots, isAlive else { return }
    for slot in layout.slots.indices where changedSlots.contains(slot) {
      guard let toOne = layout.slots[slot].toOne, let inverse = toOne.inverse, !inverse.isToMany,
        let partner = destination(slot), partner !== self, partner.isAlive, partner.values != nil
      else { continue }
      partner.gain(self, inverse, through: toOne.relationship.name)
    }
  }
}
