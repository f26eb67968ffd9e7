// The values bound to a statement's parameters: shown in error messages, with the memory of copied text and blobs.
internal import CSQLite

/// The kind of a value in SQLite.
///
/// ```swift
/// while try query.step() {
///   if query.columnType(1) == .real { print(query.double(1)) }
/// }
/// ```
public enum ValueType: Sendable, Hashable, CaseIterable {
  case integer, real, text, blob, null

  /// The kind that SQLite names by a code.
  @inline(__always)
  init(code: Int32) {
    self =
      switch code {
      case SQLITE_INTEGER: .integer
      case SQLITE_FLOAT: .real
      case SQLITE_TEXT: .text
      case SQLITE_BLOB: .blob
      default: .null
      }
  }
}

/// A value bound to a parameter, in 16 bytes.
struct BoundValue {
  var type: ValueType
  /// Whether `bits` is the address of bytes that live as long as the binding does.
  var isReadable = false
  /// Bytes of text or blob.
  var count: UInt32 = 0
  /// The integer, the double's bit pattern, or the address of the bytes.
  var bits: Int64 = 0
}

/// One slot per parameter: its value, and a buffer that is kept when the statement is reset.
///
/// Each parameter has a buffer of its own, so that a value bound once keeps its place however often the others are
/// bound again, as SQLite's bindings do. Buffers are cut from chunks that never move.
final class BoundParameters {
  private struct Slot {
    var value = BoundValue(type: .null)
    var buffer: UnsafeMutableRawPointer?
    var capacity = 0
  }

  /// Larger values are left to SQLite to copy, which gives their memory back.
  static let largestBufferedValue = 16_384
  private static let chunkSize = 16_384
  private static let smallestBuffer = 32

  let count: Int
  // Unchecked, because each row of a group asks: no access lasts longer than reading or counting.
  /// Values that were left to SQLite so far.
  @exclusivity(unchecked) var largeValues = 0
  private let slots: UnsafeMutablePointer<Slot>
  private var chunks: [UnsafeMutableRawPointer] = []
  /// Bytes of the last chunk that are given out.
  private var used = BoundParameters.chunkSize

  init(count: Int) {
    self.count = count
    slots = .allocate(capacity: count)
    slots.initialize(repeating: Slot(), count: count)
  }

  deinit {
    slots.deallocate()
    for chunk in chunks { chunk.deallocate() }
  }

  /// Notes what a parameter was bound to; `index`, from 1, is one that SQLite accepted.
  @inline(__always)
  func note(_ value: BoundValue, at index: Int) {
    slots[index - 1].value = value
  }

  /// What a parameter is bound to; `index`, from 1, is in range.
  subscript(index: Int) -> BoundValue { slots[index - 1].value }

  /// The parameter's buffer, of at least `size` bytes, at most `largestBufferedValue`; `index`, from 1, is in range.
  @inline(__always)
  func buffer(at index: Int, size: Int) -> UnsafeMutableRawPointer {
    if let buffer = slots[index - 1].buffer, slots[index - 1].capacity >= size { return buffer }
    return growBuffer(at: index, size: size)
  }

  /// Sizes are powers of two, so that all buffers of a parameter together take less than twice its last one.
  @inline(never)
  private func growBuffer(at index: Int, size: Int) -> UnsafeMutableRawPointer {
    var capacity = BoundParameters.smallestBuffer
    while capacity < size { capacity *= 2 }
    if used + capacity > BoundParameters.chunkSize {
      chunks.append(.allocate(byteCount: BoundParameters.chunkSize, alignment: 16))
      used = 0
    }
    let buffer = chunks[chunks.count - 1] + used
    used += capacity
    slots[index - 1].buffer = buffer
    slots[index - 1].capacity = capacity
    return buffer
  }

  func clear() {
    for index in 0..<count { slots[index].value = BoundValue(type: .null) }
  }

  /// The bound values as SQL literals, long ones cut short.
  func descriptions() -> [String] {
    (0..<count).map { slots[$0].value.description }
  }
}

extension BoundValue: CustomStringConvertible {
  var description: String {
    switch type {
    case .null: return "NULL"
    case .integer: return "\(bits)"
    case .real: return "\(Double(bitPattern: UInt64(bitPattern: bits)))"
    case .text, .blob:
      guard isReadable, let start = UnsafeRawPointer(bitPattern: Int(bits)) else {
        return "(\(type) of \(count) bytes)"
      }
      let shown = UnsafeRawBufferPointer(start: start, count: min(Int(count), 80))
      let rest = count > 80 ? "… (\(count) bytes)" : ""
      return type == .text ? "'\(String(decoding: shown, as: UTF8.self))'\(rest)" : "x'\(hexadecimal(shown))'\(rest)"
    }
  }

  private func hexadecimal(_ bytes: UnsafeRawBufferPointer) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
