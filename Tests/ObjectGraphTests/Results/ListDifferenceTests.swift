// D12: the difference of two lists makes the one of the other, with few moves.
import MissionTags
import Testing

@testable import ObjectGraph

@Suite("D12 · differences of lists")
struct ListDifferenceTests {
  /// Applies a difference as its documentation says.
  private func applied<Element>(_ difference: ListDifference, to old: [Element], _ new: [Element]) -> [Element] {
    var list = old
    for offset in (difference.deletions + difference.moves.map(\.from)).sorted(by: >) { list.remove(at: offset) }
    let coming = difference.insertions.map { ($0, new[$0]) } + difference.moves.map { ($0.to, old[$0.from]) }
    for (offset, element) in coming.sorted(by: { $0.0 < $1.0 }) { list.insert(element, at: offset) }
    return list
  }

  @Test(
    "Random lists with duplicates become each other, by offsets and as a difference of the standard library",
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
      // No element both goes and comes.
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

  @Test("Every element is hashed once, and none that is equal at both ends", .tags(.d12))
  func hashes() {
    let old = (0..<10_000).map(Counted.init)
    var new = old.filter { $0.value % 10 != 0 }
    new.insert(contentsOf: (10_000..<11_000).map(Counted.init), at: 5_000)
    Counted.hashes = 0
    let difference = ListDifference(from: old, to: new)
    #expect(difference.deletions.count == 1_000 && difference.insertions.count == 1_000 && difference.moves.isEmpty)
    #expect(Counted.hashes <= old.count + new.count)
    Counted.hashes = 0
    _ = ListDifference(from: old, to: Array(old.dropFirst(0)) + [Counted(-1)])
    #expect(Counted.hashes == 0)
  }
}

@Suite("D12 · lists in blocks")
struct BlockedListTests {
  @Test("Random changes leave what a sorted array leaves, and copies are values", .tags(.d12))
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
