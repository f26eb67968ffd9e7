// A2: converting any doubles to integers.
import MissionTags
import Support
import Testing

@Suite("A2 · whole numbers", .tags(.a2))
struct WholeNumberTests {
  @Test(
    "A double is rounded towards zero to a whole number, or to the nearest valid one",
    arguments: [
      (0, 0), (1.9, 1), (-1.9, -1), (0x1p53, 1 << 53), (0x1p63, .max), (-0x1p63, .min), (-0x1p64, .min), (1e300, .max),
      (.infinity, .max), (-.infinity, .min), (.nan, 0), (.leastNonzeroMagnitude, 0),
    ] as [(Double, Int64)])
  func clamped(value: Double, whole: Int64) {
    #expect(Int64(clamping: value) == whole)
  }

  @Test("A narrower type has its own bounds")
  func narrow() {
    #expect(Int8(clamping: 127.5) == 127 && Int8(clamping: 128.0) == 127 && UInt8(clamping: -1.0) == 0)
  }

  @Test("A sum, a difference and a product saturate at the bounds of their type")
  func arithmetic() {
    let pairs = (Int8.min ... .max).flatMap { one in (Int8.min ... .max).map { (one, $0) } }
    let wrong = pairs.filter { one, other in
      let (wide, second) = (Int(one), Int(other))
      let expected: [Int8] = [wide + second, wide - second, wide * second].map { Int8(clamping: $0) }
      return [one.addingClamped(other), one.subtractingClamped(other), one.multipliedClamped(by: other)] != expected
    }
    #expect(pairs.count == 65_536 && wrong.isEmpty, "\(wrong.prefix(3))")
  }
}
