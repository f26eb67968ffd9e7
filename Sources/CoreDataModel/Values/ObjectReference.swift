// The content of a to-one relationship's slot: the row of its destination.

/// The destination of a to-one relationship, as rows and snapshots refer to it.
///
/// It is in the same store. To read the object itself, use its key.
///
/// ```swift
/// func isRelated(_ value: AttributeValue?) -> Bool {
///   if case .reference = value { true } else { false }
/// }
/// ```
public struct ObjectReference: Sendable, Hashable {
  /// The destination's `Z_PK`; negative if the destination was never saved.
  package let key: Int64
  /// The index of the destination's own entity in the model.
  package let entityIndex: Int32
  /// The object's position in the inverse if that is ordered (`Z_FOK_…`); 0 until it has one.
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
