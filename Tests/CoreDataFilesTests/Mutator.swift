// Damaged copies of bytes, the same in every run.
import Support

/// Damages bytes in ways that reveal readers that trust their input; the same seed gives the same damage.
struct Mutator {
  private var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// The bytes with one to four damages, but no more than the limit.
  ///
  /// Rarely they are unchanged.
  mutating func mutated(_ bytes: [UInt8], limit: Int = .max) -> [UInt8] {
    var copy = bytes
    for _ in 0...number(below: 4) { damage(&copy) }
    return copy.count > limit ? Array(copy.prefix(limit)) : copy
  }

  private mutating func damage(_ bytes: inout [UInt8]) {
    if bytes.isEmpty { return bytes.append(UInt8(number(below: 256))) }
    let place = number(below: bytes.count)
    let end = min(bytes.count, place + 1 + number(below: 32))
    switch number(below: 9) {
    case 0: bytes[place] ^= 1 << UInt8(number(below: 8))
    case 1: bytes[place] = UInt8(number(below: 256))
    case 2: bytes[place] = [0, 1, 0x0F, 0x7F, 0x80, 0xFF][number(below: 6)]
    case 3: bytes.insert(contentsOf: (0...number(below: 8)).map { _ in UInt8(number(below: 256)) }, at: place)
    case 4: bytes.removeSubrange(place..<end)
    case 5: bytes.removeSubrange(place...)
    case 6: bytes.insert(contentsOf: bytes[place..<end], at: number(below: bytes.count))
    // If there is a count or an offset, it becomes large.
    case 7: for index in place..<min(bytes.count, place + 1 + number(below: 8)) { bytes[index] = 0xFF }
    default:
      let other = number(below: bytes.count)
      for (index, from) in zip(place..<end, other..<bytes.count) { bytes[index] = bytes[from] }
    }
  }

  mutating func number(below bound: Int) -> Int { Int(truncatingIfNeeded: generator.next() >> 1) % bound }
}
