// What the slot of a to-one relationship holds: the row of its destination.

/// The object at the end of a to-one relationship, as rows and snapshots name it.
///
/// An object of the same store; objects themselves are read by key.
///
/// ```swift
/// func isRelated(_ value: AttributeValue?) -> Bool {
///   if case .reference = value { true } else { false }
/// }
/// ```
public struct ObjectReference: Sendable, Hashable {
  /// The destination's `Z_PK`; negative while the destination was never saved.
  package let key: Int64
  /// The destination's own entity, by its place in the model.
  package let entityIndex: Int32
  /// The place among the destination's objects where the inverse is ordered (`Z_FOK_…`); 0 before it has one.
  package var order: Int32 = 0

  package init(key: Int64, entityIndex: Int32, order: Int32 = 0) {
    self.key = key
    self.entityIndex = entityIndex
    self.order = order
  }
}

extension AttributeValue {
  package var reference: ObjectReference? { if case .reference(let reference) = self { reference } else { nil } }
}
