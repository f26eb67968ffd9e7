// Orders of text, independent of the machine's locale.
import Foundation
import MissionTags
import ObjectGraphFixtures
import Testing

@testable import CoreDataModel
@testable import ObjectGraph

@Suite("D3 · localized and natural orders", .tags(.d3))
struct TextOrderTests {
  private func precedes(_ left: String, _ right: String, _ order: TextOrder) -> Bool {
    order.key(left).lexicographicallyPrecedes(order.key(right))
  }

  @Test("Numbers are ordered by value, and letters before marks before case")
  func natural() {
    let expected = [
      "", " a", "!", "#2", "-1", "$", "+", "0", "1", "2", "9", "9 a", "9a", "10", "10a", "123456789012345678901",
      "a", "A", "á", "Á", "a 9", "a 10", "a-b", "a1", "a1b", "a01c", "a9", "a10", "ab", "Ab", "AB", "b", "B", "cote",
      "Cote", "coté", "Coté", "côte", "file2.txt", "File10.txt", "z", "Z", "ø", "Σ", "я", "Я", "日",
    ]
    #expect(expected.reversed().sorted { precedes($0, $1, .natural) } == expected)
    for (left, right) in zip(expected, expected.dropFirst()) {
      #expect(precedes(left, right, .natural) && !precedes(right, left, .natural), "\(left) \(right)")
    }
  }

  @Test(
    "Texts that are equal have one key",
    arguments: [
      (TextOrder.full, "é", "e\u{301}"), (.full, "ợ", "o\u{31B}\u{323}"), (.full, "각", "\u{1100}\u{1161}\u{11A8}"),
      (.caseInsensitive, "STRASSE", "straße"), (.caseInsensitive, "ÉA", "éa"), (.natural, "a٣٤", "a34"),
      (.natural, "7", "007"),
    ])
  func alike(order: TextOrder, left: String, right: String) {
    #expect(order.key(left) == order.key(right))
  }

  @Test(
    "Texts that are not equal have different keys",
    arguments: [
      (TextOrder.full, "a", "A"), (.full, "07", "7"), (.caseInsensitive, "e", "é"), (.caseInsensitive, "a b", "ab"),
      (.natural, "1 0", "10"), (.natural, "", "\u{301}"),
    ])
  func different(order: TextOrder, left: String, right: String) {
    #expect(precedes(left, right, order) && !precedes(right, left, order))
  }
}

extension TextOrderTests {
  @Test("Without numbers, digits are ordered singly; without case, equals keep their order")
  func others() {
    let full = ["10", "9", "a", "A", "á", "a1", "a10", "a9", "b"]
    #expect(full.reversed().sorted { precedes($0, $1, .full) } == full)
    let blind = ["B", "b", "a", "A", "á", "Á"].sorted { precedes($0, $1, .caseInsensitive) }
    #expect(blind == ["a", "A", "á", "Á", "B", "b"])
  }

  @Test("Small letters and numbers are ordered as by Foundation")
  func oracle() {
    var random = SeededGenerator(seed: 7)
    func text() -> String {
      String((0..<Int.random(in: 0...6, using: &random)).map { _ in random.pick(Array("ab01239")) })
    }
    var distinct = 0
    for _ in 0..<3_000 {
      let (left, right) = (text(), text())
      let expected = left.compare(right, options: [.numeric, .literal])
      // Foundation considers zeros before a number if there is no other difference.
      if TextOrder.natural.key(left) == TextOrder.natural.key(right) { continue }
      distinct += 1
      #expect(precedes(left, right, .natural) == (expected == .orderedAscending), "\(left) \(right)")
    }
    #expect(distinct > 2_000)
  }

  @Test("A fetch, with unsaved objects among its own, sorts as the selector requires")
  func fetch() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait { () throws in
      for place in ["Bay 10", "bay 9", "Ängelholm", "angel", nil, "Bay 9"] {
        try Quake.insert(place ?? "none", into: context)[Quake.place] = place
      }
      try context.save()
      try Quake.insert("new", into: context)[Quake.place] = "bay 10"
      func places(_ selector: SortSelector, ascending: Bool = true) throws -> [String?] {
        let order = [FetchSortDescriptor(Quake.place, ascending: ascending, selector: selector)]
        let request = FetchRequest(entityName: "Quake", sortDescriptors: order)
        let found = try context.fetch(request)
        #expect(try context.fetchObjectIDs(request) == found.objectIDs)
        return found.map { $0[Quake.place] }
      }
      let natural = [nil, "angel", "Ängelholm", "bay 9", "Bay 9", "bay 10", "Bay 10"]
      for _ in 0..<2 {
        #expect(try places(.localizedStandardCompare) == natural)
        #expect(try places(.localizedStandardCompare, ascending: false) == natural.reversed())
        #expect(try places(.compare) == [nil, "Bay 10", "Bay 9", "angel", "bay 10", "bay 9", "Ängelholm"])
        // Equal texts are ordered by their keys, with the new one last.
        #expect(
          try places(.localizedCaseInsensitiveCompare)
            == [nil, "angel", "Ängelholm", "Bay 10", "bay 10", "bay 9", "Bay 9"])
        #expect(
          try places(.caseInsensitiveCompare) == [nil, "angel", "Bay 10", "bay 10", "bay 9", "Bay 9", "Ängelholm"])
        try context.save()
      }
    }
  }
}
