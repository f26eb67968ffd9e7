// D12: the difference of two lists turns one into the other, with few moves.
import MissionTags
import Testing

@testable import ObjectGraph

@Suite("D12 · differences of lists")
struct ListDifferenceTests {
  /// Applies a difference as documented.
  private func applied<Element>(_ difference: ListDifference, to old: [Element], _ new: [Element]) -> [Element] {
    var list = old
    for offset in (difference.deletions + difference.moves.map(\.from)).sorted(by: >) { list.remove(at: offset) }
    let coming = difference.insertions.map { ($0, new[$0]) } + difference.moves.map { ($0.to, old[$0.from]) }
    for (offset, element) in coming.sorted(by: { $0.0 < $1.0 }) { list.insert(element, at: offset) }
    return list
  }

  @Test(
    "Random lists with duplicates are transformed into each other, by offsets and as a standard library difference",
    .tags(.d12))
  func random() throws {
    var random = SeededGenerator(seed: 45)
    for round in 0..<2_000 {
      let values = 1...Int.random(in: 1...30, using: &random)
      func list() -> [Int] {
        (0..<Int.random(in: 0...20, using: &random)).map { _ in Int.random(in: values, using: &random) }
      }
      let old = list()
      var new = random.chance(2) ? list() : old
      for _ in 0..<3 where !new.isEmpty { new.swapAt(Int.random(in: new.indices, using: &random), 0) }
      let difference = ListDifference(from: old, to: new)
      try #require(applied(difference, to: old, new) == new, "round \(round): \(old) to \(new)")
      try #require(old.applying(difference.collectionDifference(from: old, to: new)) == new, "round \(round)")
      #expect(difference.isEmpty == (old == new))
      #expect(
        difference.insertions == difference.insertions.sorted() && difference.deletions == difference.deletions.sorted()
      )
      // No element is both removed and inserted.
      #expect(Set(difference.deletions.map { old[$0] }).isDisjoint(with: difference.insertions.map { new[$0] }))
    }
  }

  @Test("One element that moves is one move, and a reversed list moves all but one", .tags(.d12))
  func moves() {
    let list = Array(0..<100)
    #expect(ListDifference(from: list, to: [99] + list.dropLast()).moves == [.init(from: 99, to: 0)])
    #expect(ListDifference(from: list, to: list.dropFirst() + [0]).moves == [.init(from: 0, to: 99)])
    #expect(ListDifference(from: list, to: list.reversed()).moves.count == 99)
    #expect(ListDifference(from: list, to: list).isEmpty)
    #expect(ListDifference(from: [Int](), to: list).insertions == list)
    #expect(ListDifference(from: list, to: []).deletions == list)
  }

  /// An element that counts how often it is hashed.
  private final class Counted: Hashable {
    let value: Int
    nonisolated(unsafe) static var hashes = 0

    init(_ value: Int) { self.value = value }

    static func == (left: Counted, right: Counted) -> Bool { left.value == right.value }
    func hash(into hasher: inout Hasher) {
      Counted.hashes += 1
      hasher.combine(value)
    }
  }

  @Test(
    "An element is hashed at most once, and hardly ever if the lists are equal after the changes",
    .tags(.d12))
  func hashes() {
    let old = (0..<10_000).map(Counted.init)
    func hashes(_ new: [Counted]) -> Int {
      Counted.hashes = 0
      _ = ListDifference(from: old, to: new)
      return Counted.hashes
    }
    var random = SeededGenerator(seed: 3)
    let shuffled = old.shuffled(using: &random)
    #expect(hashes(shuffled) <= old.count + shuffled.count && hashes(shuffled) > old.count)
    #expect(hashes(old + [Counted(-1)]) == 0 && hashes(old.filter { $0.value % 10 != 0 }) == 0)
    var new = old.filter { $0.value % 10 != 0 }
    new.insert(contentsOf: (10_000..<11_000).map(Counted.init), at: 5_000)
    let difference = ListDifference(from: old, to: new)
    #expect(difference.deletions.count == 1_000 && difference.insertions.count == 1_000 && difference.moves.isEmpty)
    #expect(hashes(new) <= 2_010)
    // One block replaced by another, with the same rest in both lists.
    let replaced = old.prefix(3_000) + (10_000..<10_700).map(Counted.init) + old.dropFirst(3_500)
    #expect(hashes(replaced + [Counted(-1)]) <= 3_000)
  }

  @Test("Lists without duplicates have the fewest possible moves", .tags(.d12))
  func leastMoves() {
    var random = SeededGenerator(seed: 46)
    for round in 0..<500 {
      let old = Array(0..<Int.random(in: 0...60, using: &random))
      var new = old.filter { _ in !random.chance(6) }
      for number in 0..<Int.random(in: 0...8, using: &random) {
        new.insert(100 + number, at: Int.random(in: 0...new.count, using: &random))
      }
      for _ in 0..<Int.random(in: 0...6, using: &random) where new.count > 1 {
        let moved = new.remove(at: Int.random(in: new.indices, using: &random))
        new.insert(moved, at: Int.random(in: 0...new.count, using: &random))
      }
      let difference = ListDifference(from: old, to: new)
      #expect(applied(difference, to: old, new) == new, "round \(round): \(old) to \(new)")
      #expect(difference.deletions == old.filter { !new.contains($0) }, "round \(round)")
      #expect(difference.insertions.map { new[$0] } == new.filter { $0 >= 100 }, "round \(round)")
      // The longest ascending sequence that ends with each common element.
      let common = new.filter { $0 < 100 }
      var lengths: [Int] = []
      for (index, element) in common.enumerated() {
        let before = (0..<index).filter { common[$0] < element }.map { lengths[$0] }
        lengths.append(1 + (before.max() ?? 0))
      }
      #expect(difference.moves.count == common.count - (lengths.max() ?? 0), "round \(round)")
    }
  }
}

@Suite("D12 · lists in blocks")
struct BlockedListTests {
  @Test("Random changes match a sorted array, and copies are values", .tags(.d12))
  func random() throws {
    var random = SeededGenerator(seed: 7)
    var model = (0..<3_000).map { $0 * 10 }
    var list = BlockedList(model)
    for round in 0..<300 {
      let before = list
      let kept = model
      let gone = Set(
        (0..<Int.random(in: 0...40, using: &random)).compactMap { _ in model.indices.randomElement(using: &random) })
      let come = Set(
        (0..<Int.random(in: 0...40, using: &random)).map { _ in Int.random(in: 0..<40_000, using: &random) }
      )
      .subtracting(model)
      list.change(removing: gone.sorted(), inserting: Array(come), by: <)
      model = (model.indices.filter { !gone.contains($0) }.map { model[$0] } + come).sorted()
      try #require(list.count == model.count && before.count == kept.count, "round \(round)")
      for rank in stride(from: 0, to: model.count, by: 97) {
        #expect(list[rank] == model[rank])
        #expect(list.rank { $0 < model[rank] } == rank)
      }
      for rank in stride(from: 0, to: kept.count, by: 331) { #expect(before[rank] == kept[rank]) }
      if round % 50 == 49 {
        list.change(removing: Array(model.indices), inserting: [], by: <)
        #expect(list.count == 0 && list.rank { _ in true } == 0)
        list.change(removing: [], inserting: model.shuffled(using: &random), by: <)
        var all: [Int] = []
        list.forEach { all.append($0) }
        #expect(all == model)
      }
    }
  }
}
