// One-to-one relationships: each end has its own key, so if one end changes in the store, the other must follow.
internal import CoreDataModel

extension ManagedObject {
  /// The destinations of one-to-one relationships, by slot.
  final func partners() -> [Int: Ends] {
    guard layout.hasToOneSlots else { return [:] }
    var partners: [Int: Ends] = [:]
    for slot in layout.slots.indices where layout.slots[slot].toOne?.inverse?.isToMany == false {
      partners[slot] = ends(slot)
    }
    return partners
  }

  /// Updates the object's former and present partners, if they differ.
  final func bringPartnersInStep(from old: [Int: Ends]) {
    guard let context else { return }
    for (slot, old) in old.sorted(by: { $0.key < $1.key }) {
      guard let toOne = layout.slots[slot].toOne, let inverse = toOne.inverse else { continue }
      func partner(_ reference: ObjectReference?) -> ManagedObject? {
        // Include objects that will be deleted, so that their delete rules know this object.
        reference.flatMap { context.object($0, from: self) }.flatMap { $0 === self || $0.isGone ? nil : $0 }
      }
      // A fault has the references of its row.
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

  /// Removes this object from a former partner.
  ///
  /// The partner's values may be older than what others stored. If others gave it another partner since, that partner
  /// is kept.
  private final func leave(_ former: ManagedObject, _ inverse: RelationshipDescription) {
    if former.state == .stored && !former.isChanged { former.turnIntoFault() }
    former.lose(self, inverse)
  }

  /// Restores the reference of an object that this context linked with this one, if others changed it.
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
