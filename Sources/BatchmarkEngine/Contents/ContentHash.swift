// A hash of rows that does not depend on their order: the sum of a hash of each row.
internal import Support
package import CoreDataModel
package import SQLiteDriver

/// The hash of one row's values, taken in the order of attribute names.
///
/// Two lanes of FNV-1a (Fowler, Noll, Vo), each finished with the mixer of SplitMix64 (Steele, Lea, Flood 2014), so
/// that sums of rows do not cancel. It distinguishes contents, but does not protect against forgery.
///
/// ```swift
/// var row = RowHash()
/// row.add(4.6)    // the attributes by name: magnitude, then place
/// row.addNull()
/// ```
public struct RowHash: Hashable, Sendable {
  private var lanes = Lanes()

  /// The type of the following value, so that 1, 1.0 and "1" differ.
  private enum Tag: UInt8 {
    case null, integer, real, text, blob
  }

  /// The hash of a row without values.
  public init() {}

  /// Adds a null.
  public mutating func addNull() { lanes.add(Tag.null.rawValue) }

  /// Adds an integer, or a boolean as 0 or 1.
  public mutating func add(_ value: Int64) { add(.integer, UInt64(bitPattern: value)) }

  /// Adds a real number.
  ///
  /// Zero has no sign, because a column may store it as an integer.
  public mutating func add(_ value: Double) { add(.real, (value == 0 ? 0 : value).bitPattern) }

  /// Adds text as UTF-8 bytes.
  public mutating func add(text bytes: UnsafeRawBufferPointer) { add(.text, bytes) }

  /// Adds binary data.
  public mutating func add(blob bytes: UnsafeRawBufferPointer) { add(.blob, bytes) }

  /// Adds another row as a destination of this row.
  public mutating func add(_ other: RowHash) {
    lanes.add(word: other.lanes.first)
    lanes.add(word: other.lanes.second)
  }

  private mutating func add(_ tag: Tag, _ word: UInt64) {
    // A local copy stays in registers for all bytes.
    var lanes = lanes
    lanes.add(tag.rawValue)
    lanes.add(word: word)
    self.lanes = lanes
  }

  private mutating func add(_ tag: Tag, _ bytes: UnsafeRawBufferPointer) {
    var lanes = lanes
    lanes.add(tag.rawValue)
    lanes.add(word: UInt64(bytes.count))
    for byte in bytes { lanes.add(byte) }
    self.lanes = lanes
  }

  /// One lane is enough for a hash table; equality compares both.
  public func hash(into hasher: inout Hasher) { hasher.combine(lanes.first) }

  /// One lane, unmixed.
  package var word: UInt64 { lanes.first }

  /// Both lanes, mixed.
  fileprivate var mixed: (UInt64, UInt64) { (RowHash.mixed(lanes.first), RowHash.mixed(lanes.second)) }

  private static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// The two lanes of a row's hash, byte by byte.
private struct Lanes: Equatable, Sendable {
  private(set) var first: UInt64 = 0xcbf2_9ce4_8422_2325
  private(set) var second: UInt64 = 0x6c62_272e_07bb_0142

  @inline(__always)
  mutating func add(word: UInt64) {
    var rest = word
    for _ in 0..<8 {
      add(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  @inline(__always)
  mutating func add(_ byte: UInt8) {
    first = (first ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    second = (second ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    second = second << 5 | second >> 59
  }
}

/// The hash of a set of rows, independent of their order.
///
/// ```swift
/// var one = ContentHash(entityName: "Quake")
/// one.add(RowHash())
/// one == ContentHash(entityName: "Quake")  // false: it has a row more
/// ```
public struct ContentHash: Hashable, Sendable, CustomStringConvertible {
  private var first: UInt64
  private var second: UInt64

  /// The hash of nothing, without an entity.
  package static let nothing = ContentHash(first: 0, second: 0)

  private init(first: UInt64, second: UInt64) {
    self.first = first
    self.second = second
  }

  /// The hash of no rows of the entity.
  public init(entityName: String) {
    var name = RowHash()
    var copy = entityName
    copy.withUTF8 { name.add(text: UnsafeRawBufferPointer($0)) }
    (first, second) = name.mixed
  }

  /// Adds a row.
  ///
  /// The order of rows does not matter.
  public mutating func add(_ row: RowHash) {
    let (rowFirst, rowSecond) = row.mixed
    first &+= rowFirst
    second &+= rowSecond
  }

  /// Adds the rows of another entity.
  public mutating func add(_ other: ContentHash) {
    first &+= other.first
    second &+= other.second
  }

  /// 32 hexadecimal digits.
  public var description: String { first.hexadecimal + second.hexadecimal }
}

extension RowHash {
  /// Adds a column of a statement's row, and returns whether it had a value.
  @discardableResult
  package mutating func add(_ column: Int, of statement: Statement, as storage: StorageClass) -> Bool {
    if statement.isNull(column) {
      addNull()
      return false
    }
    switch storage {
    case .integer: add(statement.int64(column))
    case .real: add(statement.double(column))
    case .text: add(text: statement.bytes(column) ?? UnsafeRawBufferPointer(start: nil, count: 0))
    case .blob: add(blob: statement.bytes(column) ?? UnsafeRawBufferPointer(start: nil, count: 0))
    }
    return true
  }
}
