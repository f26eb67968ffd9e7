// A hash that is the same on every machine and in every process.

/// The 64-bit Fowler, Noll and Vo hash, variant 1a (draft-eastlake-fnv).
package struct FNV1a: Sendable {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  package mutating func combine(_ text: String) {
    for byte in text.utf8 { combine(UInt64(byte)) }
  }

  package mutating func combine(_ word: UInt64) { value = (value ^ word) &* 0x100_0000_01B3 }

  /// Sixteen digits.
  package var hexadecimal: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
