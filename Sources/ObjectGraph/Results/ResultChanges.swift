// The changes from one order of a result to another, how they are reported, and where unchanged objects are before and
// after.

/// The changes from one order to another, before they are reported.
struct ResultChanges<Item: Sendable & Hashable> {
  /// An item in both orders.
  struct Kept {
    let item: Item
    /// The former item, if it is different now.
    var former: Item?
    let oldRank: Int
    let newRank: Int
    /// Whether to report its change even if it keeps its position.
    let isChanged: Bool
    /// Whether it keeps its position among those that stay.
    var stays: Bool
  }

  let old: ResultSections
  let new: ResultSections
  var removed: [(item: Item, rank: Int)] = []
  var inserted: [(item: Item, rank: Int)] = []
  var kept: [Kept] = []
  private(set) var sectionChanges: [FetchedSectionChange] = []
  /// Sections that were removed or moved, by their old positions.
  private var goneSections: Set<Int> = []

  /// - Parameters:
  ///   - old: The sections before.
  ///   - new: The sections after.
  ///   - anchors: Whether the section at an old index has unchanged items and therefore stays; `nil` if any section may
  ///     move.
  init(from old: ResultSections, to new: ResultSections, anchors: ((Int) -> Bool)? = nil) {
    self.old = old
    self.new = new
    if !old.names.areSections(new.names) { compareSections(anchors) }
  }

  private mutating func compareSections(_ anchors: ((Int) -> Bool)?) {
    let origins = Dictionary(zip(old.names.map(SectionName.init), old.names.indices)) { first, _ in first }
    let common = new.names.indices.compactMap { index in
      origins[SectionName(new.names[index])].map { SectionPair(old: $0, new: index) }
    }
    let stays = common.stays(beside: anchors.map { isAnchor in common.filter { isAnchor($0.old) } } ?? [])
    let kept = Set(zip(common, stays).filter(\.1).map(\.0.new))
    let keptBefore = Set(zip(common, stays).filter(\.1).map(\.0.old))
    for index in old.names.indices.reversed() where !keptBefore.contains(index) {
      goneSections.insert(index)
      sectionChanges.append(.delete(name: old.names[index], at: index))
    }
    for index in new.names.indices where !kept.contains(index) {
      sectionChanges.append(.insert(name: new.names[index], at: index))
    }
  }

  /// Whether an item is in the same section as before.
  func sharesSection(_ oldRank: Int, _ newRank: Int) -> Bool {
    let section = old.section(ofRank: oldRank)
    return !goneSections.contains(section)
      && SectionName(old.names[section]) == SectionName(new.names[new.section(ofRank: newRank)])
  }

  /// Items that would count as moved although they keep their index path and section.
  ///
  /// As many items crossed them in one direction as in the other. These items stay instead, and the others move.
  var fixed: [Kept] {
    kept.filter {
      !$0.stays && sharesSection($0.oldRank, $0.newRank) && old.path(ofRank: $0.oldRank) == new.path(ofRank: $0.newRank)
    }
  }

  /// Makes items stay that would move to their own position, and makes the items that crossed them move.
  mutating func keep(_ fixed: [Kept]) {
    let olds = fixed.map(\.oldRank).sorted()
    let news = fixed.map(\.newRank).sorted()
    for index in kept.indices {
      let one = kept[index]
      if one.stays {
        kept[index].stays = olds.count(below: one.oldRank) == news.count(below: one.newRank)
      } else {
        kept[index].stays = olds.contains(sorted: one.oldRank)
      }
    }
  }

  /// All changes in the order in which they are reported.
  func transition() -> FetchedTransition<Item> {
    var changes: [FetchedChange<Item>] = []
    for (item, rank) in removed.sorted(by: { $0.rank > $1.rank }) {
      changes.append(.delete(item, at: old.path(ofRank: rank)))
    }
    for (item, rank) in inserted.sorted(by: { $0.rank < $1.rank }) {
      changes.append(.insert(item, at: new.path(ofRank: rank)))
    }
    let kept = kept.sorted { $0.newRank < $1.newRank }
    for one in kept where !one.stays {
      changes.append(.move(one.item, from: old.path(ofRank: one.oldRank), to: new.path(ofRank: one.newRank)))
    }
    for one in kept where one.stays && one.isChanged {
      changes.append(.update(one.item, at: old.path(ofRank: one.oldRank), now: new.path(ofRank: one.newRank)))
    }
    var former: [Int: Item] = [:]
    for one in kept where one.former != nil { former[one.newRank] = one.former }
    return FetchedTransition(
      sectionChanges: sectionChanges, changes: changes, starts: (old.starts, new.starts), former: former)
  }
}

extension ResultChanges {
  /// Takes over the result of a comparison of both lists.
  ///
  /// - Parameters:
  ///   - difference: The difference of the lists of identities.
  ///   - olds: The items before.
  ///   - news: The items after.
  ///   - isSame: Whether an item is unchanged.
  ///   - isChanged: Whether the item at an old and a new rank changed.
  mutating func take(
    _ difference: ListDifference, _ olds: [Item], _ news: [Item], isSame: (Item, Item) -> Bool = { $0 == $1 },
    isChanged: (_ old: Int, _ new: Int) -> Bool
  ) {
    removed = difference.deletions.map { (olds[$0], $0) }
    inserted = difference.insertions.map { (news[$0], $0) }
    func add(_ old: Int, _ new: Int, isInOrder: Bool) {
      kept.append(
        Kept(
          item: news[new], former: isSame(olds[old], news[new]) ? nil : olds[old], oldRank: old, newRank: new,
          isChanged: isChanged(old, new), stays: isInOrder && sharesSection(old, new)))
    }
    for (old, new) in difference.inOrder(olds.count, news.count) { add(old, new, isInOrder: true) }
    for move in difference.moves { add(move.from, move.to, isInOrder: false) }
    let fixed = fixed
    if !fixed.isEmpty { keep(fixed) }
  }
}

/// A section's index before and after.
private struct SectionPair {
  let old: Int
  let new: Int
}

extension [SectionPair] {
  /// The largest set of pairs that keep their order among each other and relative to the anchors.
  ///
  /// The pairs are in the order of their new indexes.
  fileprivate func stays(beside anchors: [SectionPair]) -> [Bool] {
    let olds = anchors.map(\.old).sorted()
    let news = anchors.map(\.new).sorted()
    let consistent = indices.filter { olds.count(below: self[$0].old) == news.count(below: self[$0].new) }
    var stays = [Bool](repeating: false, count: count)
    let ascent = consistent.map { self[$0].old }.positionsInLongestAscent()
    for (index, isIn) in zip(consistent, ascent) where isIn { stays[index] = true }
    return stays
  }
}

extension ListDifference {
  /// The offsets in both lists of the elements that stay.
  fileprivate func inOrder(_ oldCount: Int, _ newCount: Int) -> [(old: Int, new: Int)] {
    var isGone = [Bool](repeating: false, count: oldCount)
    for offset in deletions { isGone[offset] = true }
    for move in moves { isGone[move.from] = true }
    var isNew = [Bool](repeating: false, count: newCount)
    for offset in insertions { isNew[offset] = true }
    for move in moves { isNew[move.to] = true }
    return Array(zip((0..<oldCount).filter { !isGone[$0] }, (0..<newCount).filter { !isNew[$0] }))
  }
}

extension [Int] {
  /// How many numbers in a sorted array are below the given one, in O(log n).
  func count(below number: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  fileprivate func contains(sorted number: Int) -> Bool {
    let index = count(below: number)
    return index < count && self[index] == number
  }
}

/// The unchanged objects, counted from 0 in their order, which is the same before and after.
struct UntouchedRanks {
  private let old: [Int]
  private let new: [Int]
  /// How many unchanged objects come before each changed one.
  private let oldGaps: [Int]
  private let newGaps: [Int]

  /// - Parameters:
  ///   - old: The old ranks of the changed objects, ascending.
  ///   - new: Their new ranks, ascending.
  init(old: [Int], new: [Int]) {
    self.old = old
    self.new = new
    oldGaps = old.enumerated().map { $1 - $0 }
    newGaps = new.enumerated().map { $1 - $0 }
  }

  func countBefore(old rank: Int) -> Int { rank - old.count(below: rank) }
  func countBefore(new rank: Int) -> Int { rank - new.count(below: rank) }

  /// The ranks of an unchanged object.
  func ranks(_ number: Int) -> (old: Int, new: Int) {
    (number + oldGaps.count(below: number + 1), number + newGaps.count(below: number + 1))
  }

  /// The unchanged objects that are now on another side of a changed object than before.
  ///
  /// For each changed object, there are at most as many as there are changed objects.
  func crossed(by changed: [ResultChanges<ManagedObjectID>.Kept]) -> [Int] {
    var numbers: Set<Int> = []
    for one in changed {
      let (before, after) = (countBefore(old: one.oldRank), countBefore(new: one.newRank))
      numbers.formUnion(min(before, after)..<max(before, after))
    }
    return numbers.sorted()
  }
}
