// What the deletion of an object does to the objects it is related to.

/// What happens to the objects at the other end of a relationship when an object is deleted.
///
/// ```swift
/// let dogs = RelationshipDescription("dogs", to: "Dog", inverse: "owner", isToMany: true, deleteRule: .cascade)
/// DeleteRule(rawValue: "no_action")  // .noAction, as a scenario file spells it
/// ```
public enum DeleteRule: String, Sendable, Hashable, CaseIterable, Codable {
  /// Nothing: they keep naming an object that is gone.
  case noAction = "no_action"
  /// They forget the deleted object.
  case nullify
  /// They are deleted too.
  case cascade
  /// The deletion is refused while there is one.
  case deny
}
