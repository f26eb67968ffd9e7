// D4: the table that finds objects and cached rows, compared with a dictionary.
import MissionTags
import Testing

@testable import ObjectGraph

@Suite("D4 · the table of keys", .tags(.d4))
struct KeyTableTests {
  /// Keys like those in stores and contexts: consecutive, temporary ones below zero, far apart, and with equal low
  /// digits.
  private static let makers: [@Sendable (Int64) -> Int64] = [
    { $0 }, { -$0 }, { $0 &* 0x1E37_79B9_7F4A_7C15 }, { $0 << 20 }, { $0 * 16 },
    { $0 % 2 == 0 ? .min + $0 : .max - $0 },
  ]

  @Test("The table agrees with a dictionary after any insertions, changes and removals", arguments: 0..<12)
  func agrees(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let make = KeyTableTests.makers[Int(seed) % KeyTableTests.makers.count]
    var table = KeyTable<Int>()
    var reference: [Int64: Int] = [:]
    for step in 0..<6000 {
      // It grows, then shrinks, then grows again.
      let span: Int64 = step / 2000 == 1 ? 200 : 3000
      let key = make(Int64.random(in: 0..<span, using: &random))
      switch Int.random(in: 0..<(step / 2000 == 1 ? 4 : 8), using: &random) {
      case 0, 1: #expect(table.removeValue(forKey: key) == reference.removeValue(forKey: key))
      case 2:
        let isKept = step % 3 == 0
        let isThere = table.change(key) { value in
          value += 1
          return isKept
        }
        #expect(isThere == (reference[key] != nil))
        reference[key] = isKept ? reference[key].map { $0 + 1 } : nil
      default: #expect(table.updateValue(step, forKey: key) == reference.updateValue(step, forKey: key))
      }
      #expect(table[key] == reference[key] && table.count == reference.count)
      if step % 1500 == 1499 {
        let limit = Int.random(in: 0...6000, using: &random)
        table.filter { $0 > limit }
        reference = reference.filter { $0.value > limit }
      }
    }
    for number in 0..<3000 { #expect(table[make(Int64(number))] == reference[make(Int64(number))]) }
    var values: [Int] = []
    table.forEach { values.append($0) }
    #expect(values.sorted() == reference.values.sorted())
    table.filter { _ in false }
    #expect(table.isEmpty && table[make(1)] == nil)
  }
}
