// Random numbers without state: every value is a function of seed, field and row. So a row does not depend on the
// requested fields, and a field does not depend on earlier rows.
internal import Support

/// The random numbers of one field.
///
/// Row n's number is the n-th output of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014), seeded from the scenario's seed and the field's name. It uses only integer arithmetic, so that
/// every machine gets the same numbers.
struct RandomField {
  static let golden: UInt64 = 0x9E37_79B9_7F4A_7C15
  private let key: UInt64

  /// The numbers of a field.
  ///
  /// A field that needs several numbers per row adds a word to its name for each.
  init(seed: UInt64, field: String) {
    var name = FNV1a()
    name.combine(field)
    key = RandomField.mixed(seed &+ RandomField.mixed(name.value))
  }

  /// The 64 random bits of a row.
  subscript(row: Int) -> UInt64 {
    RandomField.mixed(key &+ UInt64(truncatingIfNeeded: row) &* RandomField.golden)
  }

  /// A number from 0 to `bound - 1`, uniformly distributed except for one part in 2⁶⁴ / `bound`.
  func number(_ row: Int, below bound: Int) -> Int {
    Int(self[row].multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// True for about one row in `rows`.
  func happens(_ row: Int, onceIn rows: Int) -> Bool {
    number(row, below: rows) == 0
  }

  static func mixed(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
