// The values bound to a statement's parameters, for error messages, and the memory of copied text and blobs.
internal import CSQLite

/// The type of a value in SQLite.
///
/// ```swift
/// while try query.step() {
///   if query.columnType(1) == .real { print(query.double(1)) }
/// }
/// ```
public enum ValueType: Sendable, Hashable, CaseIterable {
  case integer, real, text, blob, null

  /// The type for one of SQLite's codes.
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
  /// Whether `bits` is the address of bytes that live as long as the binding.
  var isReadable = false
  /// The length of text or a blob in bytes.
  var count: UInt32 = 0
  /// The integer, the double's bit pattern, or the address of the bytes.
  var bits: Int64 = 0
}

/// One slot per parameter: its value, and a buffer that outlives a reset of the statement.
///
/// Each parameter has its own buffer, so that a value stays bound however often the others are bound again, as in
/// SQLite. Buffers are cut from chunks that never move.
final class BoundParameters {
  private struct Slot {
    var value = BoundValue(type: .null)
    var buffer: UnsafeMutableRawPointer?
    var capacity = 0
  }

  /// SQLite copies larger values itself, and frees that memory afterwards.
  static let largestBufferedValue = 16_384
  private static let chunkSize = 16_384
  private static let smallestBuffer = 32

  let count: Int
  // Exclusivity is unchecked, because this is read for each row of a group; no access lasts longer than reading or
  // counting.
  /// How many values SQLite copied so far.
  @exclusivity(unchecked) var largeValues = 0
  private let slots: UnsafeMutablePointer<Slot>
  private var chunks: [UnsafeMutableRawPointer] = []
  /// How many bytes of the last chunk are used.
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

  /// Records a bound value; SQLite must have accepted `index`, which starts at 1.
  @inline(__always)
  func note(_ value: BoundValue, at index: Int) {
    slots[index - 1].value = value
  }

  /// The bound value of a parameter; `index`, from 1, must be in range.
  subscript(index: Int) -> BoundValue { slots[index - 1].value }

  /// The parameter's buffer with at least `size` bytes, at most `largestBufferedValue`; `index`, from 1, must be in
  /// range.
  @inline(__always)
  func buffer(at index: Int, size: Int) -> UnsafeMutableRawPointer {
    if let buffer = slots[index - 1].buffer, slots[index - 1].capacity >= size { return buffer }
    return growBuffer(at: index, size: size)
  }

  /// Sizes are powers of two, so that all buffers of a parameter together take less than twice the last one.
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

  /// The bound values as SQL literals; long ones are shortened.
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
