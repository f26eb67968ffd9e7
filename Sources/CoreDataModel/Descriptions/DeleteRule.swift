// What the deletion of an object does to the objects it is related to.

/// What happens to the objects at the other end of a relationship when an object is deleted.
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
