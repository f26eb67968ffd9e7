// A short hash that tells one text, plan or executable from another. It guards against mix-ups, not against malice.
internal import Foundation

/// 64-bit FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/), as 16 hexadecimal digits.
public struct Fingerprint: Sendable {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  public init() {}

  /// The fingerprint of all that was added.
  public var text: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Adds a text and a separator, so that `"ab" + "c"` and `"a" + "bc"` differ.
  public mutating func add(_ text: String) {
    for byte in text.utf8 { mix(UInt64(byte)) }
    mix(0x1f)
  }

  /// The fingerprint of a file's bytes, nil when it cannot be read; eight bytes at a time, so that a large
  /// executable takes milliseconds.
  public static func ofFile(_ path: String) -> String? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    var fingerprint = Fingerprint()
    data.withUnsafeBytes { bytes in
      let words = bytes.count / 8
      for index in 0..<words { fingerprint.mix(bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)) }
      for index in (words * 8)..<bytes.count { fingerprint.mix(UInt64(bytes[index])) }
    }
    return fingerprint.text
  }

  private mutating func mix(_ value: UInt64) {
    state = (state ^ value) &* 0x0000_0100_0000_01b3
  }
}
