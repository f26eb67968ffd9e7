// A typed key: an attribute's name, the Swift type of its value, and a cache of its last location.
public import CoreDataModel
internal import Synchronization

/// An attribute's name together with a Swift type for its value: `static let code = AttributeKey<String>("code")`.
///
/// A key remembers the slot that it last resolved to, so that using it in a loop costs one comparison and no lookup. It
/// fits an attribute if its type can represent all of the attribute's values: an `AttributeKey<Int32>` does not fit an
/// `int64`.
///
/// ```swift
/// let magnitude = AttributeKey<Double>("magnitude")
/// quake[magnitude] = 4.6
/// let strong = FetchRequest<Quake>(entityName: "Quake", predicate: magnitude > 4)
/// ```
public struct AttributeKey<Value: AttributeConvertible>: Sendable {
  @usableFromInline let resolver: SlotResolver

  /// Creates a key for the attribute with this name, which any number of entities may have.
  ///
  /// ```swift
  /// enum Event {
  ///   static let code = AttributeKey<String>("code")
  ///   static let time = AttributeKey<Date>("time")
  /// }
  /// ```
  public init(_ name: String) { resolver = SlotResolver(name, Value.self) }

  public var name: String { resolver.name }
}

/// The part of a key that does not depend on the type of its value, so that it contains no generic code.
@usableFromInline
final class SlotResolver: Sendable {
  let name: String
  /// The Swift type of the key's values.
  let valueType: any AttributeConvertible.Type
  /// The layout's identity in the upper half, the slot in the lower.
  ///
  /// Relaxed ordering is sufficient, because every stored value is correct for the layout that it contains.
  private let hint = Atomic<UInt64>(0)

  init(_ name: String, _ valueType: any AttributeConvertible.Type) {
    self.name = name
    self.valueType = valueType
  }

  /// The attribute's slot in the layout; `nil` if the entity has no such attribute of the key's type.
  @inline(__always)
  func slot(in layout: EntityLayout) -> Int? {
    let known = hint.load(ordering: .relaxed)
    if known >> 32 == UInt64(layout.identity) { return Int(known & 0xFFFF_FFFF) }
    return resolve(in: layout)
  }

  @inline(never)
  private func resolve(in layout: EntityLayout) -> Int? {
    guard let slot = layout.slot(named: name), !layout.isToOne(slot),
      valueType.stands(for: layout.types[slot])
    else { return nil }
    hint.store(UInt64(layout.identity) << 32 | UInt64(slot), ordering: .relaxed)
    return slot
  }
}
