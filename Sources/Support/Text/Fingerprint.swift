// A short hash that distinguishes texts, plans and executables. It guards against mix-ups, not against malice.

/// 64-bit FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/), as 16 hexadecimal digits.
package struct Fingerprint: Sendable {
  private var hash = FNV1a()

  package init() {}

  /// The fingerprint of everything added so far.
  package var text: String { hash.hexadecimal }

  /// Adds a text and a separator, so that `"ab" + "c"` and `"a" + "bc"` differ.
  package mutating func add(_ text: String) {
    hash.combine(text)
    hash.combine(0x1f)
  }

  /// The fingerprint of a file's bytes; `nil` if it cannot be read.
  ///
  /// It reads eight bytes at a time, so that a large executable takes milliseconds, in constant memory.
  package static func ofFile(_ path: String) -> String? {
    var hash = FNV1a()
    do {
      // All blocks but the last are full, so words never cross a block boundary.
      try InputFile(path).readBlocks { bytes in
        let words = bytes.count / 8
        for index in 0..<words { hash.combine(bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)) }
        for index in (words * 8)..<bytes.count { hash.combine(UInt64(bytes[index])) }
      }
    } catch {
      return nil
    }
    return hash.hexadecimal
  }
}

/// The 64-bit Fowler, Noll and Vo hash, variant 1a (draft-eastlake-fnv).
package struct FNV1a: Sendable {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  package mutating func combine(_ text: String) {
    for byte in text.utf8 { combine(UInt64(byte)) }
  }

  package mutating func combine(_ word: UInt64) { value = (value ^ word) &* 0x100_0000_01B3 }

  /// Sixteen digits.
  package var hexadecimal: String { value.hexadecimal }
}

extension UInt64 {
  /// Sixteen hexadecimal digits.
  package var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
