// The codes of generated earthquakes: unique ones that look like `us10ep7pk2`, and repeated ones.
import BatchmarkEngine

/// The code of every row, by row number.
struct EventCodes {
  /// The networks of the feeds; busier ones occur more often.
  private static let networks =
    ["ak", "ak", "ak", "ci", "ci", "ci", "hv", "hv", "hv", "hv", "nc", "nc", "nc", "nn"]
    .map { Array($0.utf8) } + ["nn", "us", "us", "us", "pr", "uw", "uu", "mb"].map { Array($0.utf8) }
  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
  private static let bits = 30

  private let networkField: RandomField
  private let offset: UInt64
  /// The code number of each row; empty if row n has code n.
  private let indices: [Int32]

  init(_ settings: GeneratorSettings) {
    networkField = RandomField(seed: settings.seed, field: "code network")
    offset = RandomField(seed: settings.seed, field: "code order")[0]
    indices = EventCodes.indices(settings)
  }

  /// Appends a row's code.
  func append(_ row: Int, to bytes: inout [UInt8]) {
    appendNetwork(row, to: &bytes)
    bytes.append(UInt8(ascii: "1"))
    bytes.append(UInt8(ascii: "0"))
    let scrambled = scrambled(UInt64(index(row)))
    for shift in stride(from: EventCodes.bits - 5, through: 0, by: -5) {
      bytes.append(EventCodes.digits[Int(scrambled >> UInt64(shift)) & 31])
    }
  }

  /// Appends the network, the first two letters of the code.
  func appendNetwork(_ row: Int, to bytes: inout [UInt8]) {
    let number = networkField.number(index(row), below: EventCodes.networks.count)
    bytes.append(contentsOf: EventCodes.networks[number])
  }

  private func index(_ row: Int) -> Int {
    indices.isEmpty ? row : Int(indices[row])
  }

  /// A permutation of the 30-bit numbers, so that codes are unique and in no order.
  ///
  /// Each step can be undone.
  private func scrambled(_ number: UInt64) -> UInt64 {
    let mask: UInt64 = (1 << UInt64(EventCodes.bits)) - 1
    var x = (number &+ offset) & mask
    for factor: UInt64 in [0x2C9D_2B35, 0x1B87_3593] {
      x = (x &* factor) & mask
      x ^= x >> 15
    }
    return x
  }

  /// How many rows repeat a code: the share of all rows, rounded down.
  ///
  /// The first row cannot repeat one.
  static func duplicates(_ settings: GeneratorSettings) -> Int {
    // The added millionth corrects shares such as 0.29: as a double, 0.29 times 100 is slightly below 29.
    let count = Int(settings.duplicates * Double(settings.rows) + 0.000_001)
    return max(0, min(count, settings.rows - 1))
  }

  /// Chooses the rows that repeat a code (selection sampling: Knuth, The Art of Computer Programming 2, 3.4.2,
  /// algorithm S), and for each one an earlier row, all with equal probability.
  private static func indices(_ settings: GeneratorSettings) -> [Int32] {
    var wanted = duplicates(settings)
    guard wanted > 0 else { return [] }
    let choice = RandomField(seed: settings.seed, field: "code repeats")
    let earlier = RandomField(seed: settings.seed, field: "code repeated")
    var indices: [Int32] = [0]
    indices.reserveCapacity(settings.rows)
    var next: Int32 = 1
    for row in 1..<settings.rows {
      if choice.number(row, below: settings.rows - row) < wanted {
        wanted -= 1
        indices.append(indices[earlier.number(row, below: row)])
      } else {
        indices.append(next)
        next += 1
      }
    }
    return indices
  }
}
