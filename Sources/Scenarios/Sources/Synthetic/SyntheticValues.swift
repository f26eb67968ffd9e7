// Numbered values that replace others of their type and length. Different numbers give different values.
import BatchmarkEngine
internal import Foundation
import CoreDataModel

/// The values of one length that an attribute may have.
///
/// Text is printable ASCII, a URI letters and digits, a blob any bytes; numbers are positive while there are enough.
struct SyntheticValues {
  private let type: AttributeType
  private let length: Int
  private let order: Permutation
  /// Fills the parts of a value that its number does not determine.
  private let filling: RandomField

  /// Chooses values; `field` makes them independent of other attributes.
  init(_ type: AttributeType, length: Int, seed: UInt64, field: String) {
    self.type = type
    self.length = length
    order = Permutation(of: SyntheticValues.choices(of: type, length: length), seed: seed, field: "\(field) \(length)")
    filling = RandomField(seed: seed, field: "\(field) \(length) filling")
  }

  /// Appends the value with a number from 0 to capacity - 1 to a column of the type.
  func append(_ number: Int, to column: inout ColumnBuilder) {
    switch type.storageClass {
    case .integer: column.append(integer: Int64(wholeNumber(number)))
    case .real where length == 8: column.append(real: Double(order[number] * 2 + 1) / 1024)
    case .real: column.append(real: Double(wholeNumber(number)))
    case .text, .blob: column.append(bytes: bytes(number))
    }
  }

  private func wholeNumber(_ number: Int) -> Int {
    let numbers = NumbersOfLength(type, length)
    let choices = order.count
    return number < choices
      ? numbers.first + order[number] * numbers.step : -(numbers.lower + (number - choices + 1) * numbers.step)
  }

  private func bytes(_ number: Int) -> [UInt8] {
    let alphabet = SyntheticValues.alphabet(of: type)
    var rest = order[number]
    return (0..<length).map { position in
      guard position < alphabet.digits else {
        return alphabet.byte(filling.number(number &* length &+ position, below: alphabet.count))
      }
      let digit: Int
      (rest, digit) = rest.quotientAndRemainder(dividingBy: alphabet.count)
      return alphabet.byte(digit)
    }
  }
}

// MARK: - Capacity

extension SyntheticValues {
  /// The possible lengths of a type with few lengths; empty if any length is possible.
  static func lengths(of type: AttributeType) -> [Int] {
    switch type {
    case .boolean: [0]
    case .int16: [0, 1, 2]
    case .int32: [0, 1, 2, 3, 4]
    case .int64, .float, .double, .decimal, .date: StoredLength.all
    case .uuid: [16]
    case .string, .uri, .binary, .transformable: []
    }
  }

  /// Whether a value of a type may have the length: no URI is empty.
  static func allows(_ length: Int, of type: AttributeType) -> Bool {
    let lengths = lengths(of: type)
    return lengths.isEmpty ? length > 0 || type != .uri : lengths.contains(length)
  }

  /// The number of different values of a length, or a lower bound if it exceeds 2⁵⁰.
  static func capacity(of type: AttributeType, length: Int) -> Int {
    let choices = choices(of: type, length: length)
    switch type.storageClass {
    case .integer, .real: return choices + NumbersOfLength(type, length).negatives
    case .text, .blob: return choices
    }
  }

  /// The most different values that are possible with these lengths.
  static func mostDistinct(of type: AttributeType, _ lengths: Distribution) -> Int {
    lengths.parts.reduce(0) { $0 + min($1.count, capacity(of: type, length: $1.number)) }
  }

  /// How many values are chosen from: the positive numbers, or the texts that differ in the first bytes.
  private static func choices(of type: AttributeType, length: Int) -> Int {
    switch type.storageClass {
    case .integer, .real: NumbersOfLength(type, length).positives
    case .text, .blob:
      (0..<min(length, alphabet(of: type).digits)).reduce(1) { power, _ in power * alphabet(of: type).count }
    }
  }

  private static func alphabet(of type: AttributeType) -> Alphabet {
    switch type {
    case .string: Alphabet(count: 95, digits: 8) { UInt8(0x20 + $0) }
    case .uri: Alphabet(count: 62, digits: 9) { UInt8($0 < 10 ? 0x30 + $0 : $0 < 36 ? 0x37 + $0 : 0x3D + $0) }
    default: Alphabet(count: 256, digits: 7) { UInt8($0) }
    }
  }

  /// The bytes of the values.
  private struct Alphabet {
    let count: Int
    /// How many characters of a value identify it; they allow more than 2⁵² values.
    let digits: Int
    let byte: (Int) -> UInt8
  }
}

/// The numbers that SQLite stores in this many bytes.
private struct NumbersOfLength {
  /// The lowest positive number that is used.
  let first: Int
  /// Every number with a shorter length is between this and its negative.
  let lower: Int
  let positives: Int
  let negatives: Int
  /// The distance between numbers: a float keeps at most 24 bits.
  let step: Int

  init(_ type: AttributeType, _ length: Int) {
    let shorter = StoredLength.all.last { $0 < length } ?? 0
    lower = shorter == 0 ? 0 : 1 << (shorter * 8 - 1)
    switch length {
    case 0: (first, positives, negatives, step) = (0, 2, 0, 1)
    case 1: (first, positives, negatives, step) = (2, 126, 128, 1)
    // There are more eight-byte numbers than any store has rows, so use only some of them.
    case 8: (first, positives, negatives, step) = (lower, 1 << (type == .float ? 23 : 39), 0, 1)
    default:
      step = type == .float ? max((1 << (length * 8 - 1)) >> 23, 1) : 1
      first = lower
      positives = ((1 << (length * 8 - 1)) - lower) / step
      negatives = positives
    }
  }
}

// MARK: - Orders

/// A random order of the numbers below a bound; each position is computed on its own.
///
/// It repeats a bijection of some bits (adding, multiplying by odd numbers and folding high bits onto low ones can all
/// be undone) until the number is below the bound, which takes less than two steps on average.
struct Permutation {
  let count: Int
  private let mask: UInt64
  private let fold: UInt64
  private let keys: [UInt64]

  init(of count: Int, seed: UInt64, field: String) {
    self.count = count
    let bits = count > 1 ? UInt64(Int.bitWidth - (count - 1).leadingZeroBitCount) : 0
    mask = (1 << bits) - 1
    fold = bits / 2 + 1
    let random = RandomField(seed: seed, field: field)
    keys = (0..<3).map { random[$0] }
  }

  /// The number at a position, both from 0 to count - 1.
  subscript(position: Int) -> Int {
    var number = UInt64(position)
    repeat {
      for key in keys {
        number = (number &+ key) &* (key | 1) & mask
        number ^= number >> fold
      }
    } while number >= UInt64(count)
    return Int(number)
  }
}
