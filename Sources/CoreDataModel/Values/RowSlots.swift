// The memory layout of a row's values: 16 bytes each, while an `AttributeValue` takes 24.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The slots of one row: two words for each value, followed by a byte for each value's kind.
///
/// The owner provides the memory and makes sure that a slot is initialized before it is read. This is not API: it is
/// public so that row loops of other modules can inline it.
@_documentation(visibility: internal)
public struct RowSlots {
  /// The kind of a slot's value; kinds before ``string`` are plain bytes.
  @usableFromInline enum Kind: UInt8 {
    case null, integer, boolean, real, date, reference, uuid, string, binary, boxed
  }

  /// A value that is, or may be, larger than two words.
  @usableFromInline final class Box: Sendable {
    @usableFromInline let value: AttributeValue
    @usableFromInline init(_ value: AttributeValue) { self.value = value }
  }

  @usableFromInline let values: UnsafeMutableRawPointer
  @usableFromInline let kinds: UnsafeMutablePointer<Kind>

  /// The slots in these words.
  @inlinable @inline(__always)
  init(_ words: UnsafeMutablePointer<UInt64>, count: Int) {
    values = UnsafeMutableRawPointer(words)
    kinds = UnsafeMutableRawPointer(words + 2 * count).assumingMemoryBound(to: Kind.self)
  }

  /// How many words this many slots take.
  @inlinable static func words(for count: Int) -> Int { 2 * count + (count + 7) / 8 }

  @inlinable @inline(__always)
  func place<Value>(_ slot: Int, of type: Value.Type) -> UnsafeMutablePointer<Value> {
    (values + 16 * slot).assumingMemoryBound(to: type)
  }

  @inlinable subscript(slot: Int) -> AttributeValue {
    @inline(__always) get {
      switch kinds[slot] {
      case .null: .null
      case .integer: .integer(place(slot, of: Int64.self).pointee)
      case .boolean: .boolean(place(slot, of: Bool.self).pointee)
      case .real: .real(place(slot, of: Double.self).pointee)
      case .date: .date(place(slot, of: Date.self).pointee)
      case .reference: .reference(place(slot, of: ObjectReference.self).pointee)
      case .uuid: .uuid(place(slot, of: UUID.self).pointee)
      case .string: .string(place(slot, of: String.self).pointee)
      case .binary: .binary(place(slot, of: Data.self).pointee)
      case .boxed: place(slot, of: Box.self).pointee.value
      }
    }
  }

  /// Initializes a slot.
  @inlinable @inline(__always)
  public func initialize(_ slot: Int, to value: AttributeValue) {
    switch value {
    case .null: kinds[slot] = .null
    case .integer(let value): initialize(slot, .integer, value)
    case .boolean(let value): initialize(slot, .boolean, value)
    case .real(let value): initialize(slot, .real, value)
    case .date(let value): initialize(slot, .date, value)
    case .reference(let value): initialize(slot, .reference, value)
    case .uuid(let value): initialize(slot, .uuid, value)
    case .string(let value): initialize(slot, .string, value)
    case .binary(let value): initialize(slot, .binary, value)
    case .decimal, .uri: initialize(slot, .boxed, Box(value))
    }
  }

  /// Initializes a slot with the other row's value.
  @inlinable @inline(__always)
  func initialize(_ slot: Int, from other: RowSlots) {
    switch other.kinds[slot] {
    case .string: initialize(slot, .string, other.place(slot, of: String.self).pointee)
    case .binary: initialize(slot, .binary, other.place(slot, of: Data.self).pointee)
    case .boxed: initialize(slot, .boxed, other.place(slot, of: Box.self).pointee)
    case let kind:
      kinds[slot] = kind
      (values + 16 * slot).copyMemory(from: other.values + 16 * slot, byteCount: 16)
    }
  }

  /// Deinitializes a slot, which can then be initialized again.
  @inlinable @inline(__always)
  func deinitialize(_ slot: Int) {
    switch kinds[slot] {
    case .string: place(slot, of: String.self).deinitialize(count: 1)
    case .binary: place(slot, of: Data.self).deinitialize(count: 1)
    case .boxed: place(slot, of: Box.self).deinitialize(count: 1)
    default: break
    }
  }

  @inlinable @inline(__always)
  func hasData(_ slot: Int) -> Bool { kinds[slot] == .binary }

  /// Takes a slot's data out.
  ///
  /// The caller releases it after giving the slot its next value, because releasing data may run a function of the
  /// user's that uses the row.
  @usableFromInline @inline(never)
  func takeData(_ slot: Int) -> Data {
    kinds[slot] = .null
    return place(slot, of: Data.self).move()
  }

  @inlinable @inline(__always)
  func initialize<Value>(_ slot: Int, _ kind: Kind, _ value: Value) {
    assert(MemoryLayout<Value>.size <= 16 && MemoryLayout<Value>.alignment <= 8)
    kinds[slot] = kind
    place(slot, of: Value.self).initialize(to: value)
  }
}
