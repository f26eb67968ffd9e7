// The known part of an order stays known, even if the rest is too noisy.
import Analysis
import Foundation
import MissionTags
import Support
import Testing

@Suite("A2 A5 · partially known orders", .tags(.a2, .a5))
struct PartialOrderTests {
  /// The order of cells for these pairs, with the faster cell first in each.
  private func order(_ cells: [CellID], _ pairs: [(String, String)]) -> PartialOrder {
    PartialOrder(cells) { one, other in pairs.contains { $0 == (one, other) } }
  }

  @Test("Cells that can be distinguished have a tier each, and the others share one")
  func tiers() {
    let all = order(["a", "b", "c"], [("a", "b"), ("a", "c"), ("b", "c")])
    #expect(all.tiers == [["a"], ["b"], ["c"]] && all.unplaced.isEmpty && all.undominated == ["a"])
    let pairs = order(["a", "b", "c", "d"], [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")])
    #expect(pairs.tiers == [["a", "b"], ["c", "d"]] && pairs.undominated == ["a", "b"])
    let none = order(["a", "b"], [])
    #expect(none.tiers == [["a", "b"]] && none.undominated == ["a", "b"])
  }

  @Test("A cell with a shorter median comes after one that is certainly faster; in a cycle no cell leads")
  func medians() {
    let found = order(["a", "b", "c"], [("b", "a"), ("a", "c"), ("b", "c")])
    #expect(found.tiers == [["b"], ["a"], ["c"]] && found.undominated == ["b"] && found.unplaced.isEmpty)
    let circle = order(["a", "b", "c"], [("a", "b"), ("b", "c"), ("c", "a")])
    #expect(circle.undominated.isEmpty)
  }

  @Test("A noisy cell does not hide the known order of the others")
  func noisy() {
    let found = order(["a", "b", "e", "c", "d"], [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")])
    #expect(found.tiers == [["a", "b"], ["c", "d"]])
    #expect(found.unplaced.map(\.cell) == ["e"] && found.unplaced.map { [$0.firstTier, $0.lastTier] } == [[0, 1]])
    #expect(found.undominated == ["a", "b", "e"])
  }

  @Test("An order is stored in the format of stored results")
  func stored() throws {
    let found = order(["a", "b", "e", "c", "d"], [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")])
    let text = """
      {"tiers":[["a","b"],["c","d"]],"undominated":["a","b","e"],"unplaced":[{"cell":"e","firstTier":0,"lastTier":1}]}
      """
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(found), as: UTF8.self) == text)
    #expect(try JSONDecoder().decode(PartialOrder.self, from: Data(text.utf8)) == found)
  }

  @Test("A cell with a faster one is not among the fastest, whatever else is known of it")
  func between() {
    let found = order(["a", "b", "c"], [("a", "c")])
    #expect(found.undominated == ["a", "b"])
    #expect(found.tiers == [["a"], ["c"]] && found.unplaced.map(\.cell) == ["b"])
  }

  @Test(
    "Every tier is faster than the next, has no known pair within it, and no cell is missing",
    arguments: 1...UInt64(60))
  func properties(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let cells = (0..<Int(2 + generator.next() % 9)).map { "c\($0)" }
    // With intervals, a cell is faster than another if its interval ends before the other's begins.
    let intervals = Dictionary(
      uniqueKeysWithValues: cells.map { cell in
        let low = generator.nextUnit()
        return (cell, low...(low + generator.nextUnit() * 0.5))
      })
    func isFaster(_ one: CellID, _ other: CellID) -> Bool {
      guard let first = intervals[one], let second = intervals[other] else { return false }
      return first.upperBound < second.lowerBound
    }
    let sorted = cells.sorted { (intervals[$0]?.lowerBound ?? 0) < (intervals[$1]?.lowerBound ?? 0) }
    let found = PartialOrder(sorted, isFaster: isFaster)
    #expect(Set(found.tiers.flatMap(\.self) + found.unplaced.map(\.cell)) == Set(cells))
    #expect(found.undominated == sorted.filter { cell in !cells.contains { isFaster($0, cell) } })
    for (index, tier) in found.tiers.enumerated() {
      #expect(!tier.contains { one in tier.contains { isFaster(one, $0) } }, "\(found)")
      for later in found.tiers.dropFirst(index + 1) {
        #expect(tier.allSatisfy { one in later.allSatisfy { isFaster(one, $0) } }, "\(found)")
      }
    }
  }
}
