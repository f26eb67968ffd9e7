// D5: the keys of a save's new rows are those that were set, with or without a list of them.
import MissionTags
import Testing

@testable import ObjectGraph

@Suite("D5 · the keys of a save's new rows", .tags(.d5))
struct InsertionKeysTests {
  @Test("Each position holds the last value set, whatever is set in whatever order", arguments: 0..<60)
  func random(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let count = Int.random(in: 1..<40, using: &random)
    var (keys, expected) = (InsertionKeys(count: count), [Int64](repeating: 0, count: count))
    var next = Int64.random(in: 1..<9, using: &random)
    var place = 0
    for _ in 0..<120 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        place = Int.random(in: 0..<count, using: &random)
        (keys[place], expected[place]) = (next, next)
      case 1...4 where place > 0:
        // Like a save that returns to a refused row.
        place -= 1
        next -= 1
        (keys[place], expected[place]) = (0, 0)
      default:
        guard place < count else { continue }
        (keys[place], expected[place]) = (next, next)
        place += 1
        next += 1
      }
      #expect(Array(keys) == expected)
    }
    #expect(Array(InsertionKeys(expected)) == expected)
  }

  @Test("Removing a key from between others does not change theirs", arguments: 0..<3)
  func taken(place: Int) {
    var keys = InsertionKeys([5, 6, 7])
    keys[place] = 0
    #expect(Array(keys) == [5, 6, 7].enumerated().map { $0 == place ? 0 : $1 })
  }
}
