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

  /// Has the objects that this one was and is linked with follow, where that is no longer as it was; `willChange` is
  /// called for each of them first.
  final func bringPartnersInStep(from old: [Int: Ends], willChange: (ManagedObject) -> Void = { _ in }) {
    guard let context else { return }
    for (slot, old) in old.sorted(by: { $0.key < $1.key }) {
      guard let toOne = layout.slots[slot].toOne, let inverse = toOne.inverse else { continue }
      func partner(_ reference: ObjectReference?) -> ManagedObject? {
        reference.flatMap { context.object($0, from: self) }.flatMap { $0 === self || !$0.isAlive ? nil : $0 }
      }
      // A fault leads where its row does.
      let new = row == nil && state == .stored ? old.stored : ends(slot).current
      if new?.key == old.current?.key { continue }
      if let former = partner(old.current) {
        willChange(former)
        former.lose(self, inverse)
      }
      if let partner = partner(new) {
        willChange(partner)
        partner.gain(self, inverse, through: toOne.relationship.name)
      }
    }
  }

  /// Where this object was moved here, and by what others stored somebody still leads to it, that one no longer does.
  final func leaveStoredPartners(willChange: (ManagedObject) -> Void = { _ in }) {
    guard layout.hasToOneSlots, let context, let committed, let row else { return }
    for slot in layout.slots.indices where changedSlots.contains(slot) {
      guard let inverse = layout.slots[slot].toOne?.inverse, !inverse.isToMany,
        let stored = committed[slot].reference, stored.key != row[slot].reference?.key,
        let former = context.object(stored, from: self), former !== self, former.isAlive
      else { continue }
      willChange(former)
      // What it was read with may be older than what the others stored.
      if former.state == .stored && !former.isChanged { former.turnIntoFault() }
      former.lose(self, inverse)
    }
  }
}
