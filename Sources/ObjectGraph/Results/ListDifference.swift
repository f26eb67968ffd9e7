// What makes one list another: elements that go, come and move, found by hashing each element once.

/// The changes from one list to another, by offsets.
///
/// Equal elements are the same one, the first with the first, the second with the second. As many of them as possible stay
/// where they are among each other; the others move. Removing the elements at ``deletions`` and at the start of every move,
/// and then inserting those at ``insertions`` and at the end of every move, in ascending order, makes the new list.
///
/// O(old + new) for lists whose common elements are in the same order, O((old + new) log old) for others; every element is
/// hashed once. Swift's `difference(from:)` takes time proportional to the product of a list's length and the number of
/// changes.
///
/// ```swift
/// let difference = ListDifference(from: ["a", "b", "c", "d"], to: ["d", "a", "x", "c"])
/// difference.deletions   // [1]
/// difference.insertions  // [2]
/// difference.moves       // from 3 to 0
/// ```
public struct ListDifference: Sendable, Hashable {
  /// An element that is in both lists and not in its place among the others.
  ///
  /// ```swift
  /// for move in ListDifference(from: oldRows, to: newRows).moves { print("\(move.from) to \(move.to)") }
  /// ```
  public struct Move: Sendable, Hashable {
    /// The offset in the old list.
    public let from: Int
    /// The offset in the new list.
    public let to: Int
  }

  /// Offsets in the old list of elements that the new one does not have, ascending.
  public private(set) var deletions: [Int] = []
  /// Offsets in the new list of elements that the old one does not have, ascending.
  public private(set) var insertions: [Int] = []
  /// Elements of both lists that are not where they were among the others, by ascending offset in the new list.
  public private(set) var moves: [Move] = []

  /// Whether both lists are equal.
  public var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && moves.isEmpty }

  /// Compares two lists.
  ///
  /// ```swift
  /// let places = ["Reno", "Elko", "Ely"]
  /// ListDifference(from: places, to: places.sorted()).moves.count  // 1
  /// ```
  ///
  /// - Parameters:
  ///   - old: The list as it was; its elements keep their hashes meanwhile.
  ///   - new: The list as it is.
  public init<Element: Hashable>(from old: [Element], to new: [Element]) {
    // Most lists differ in a few places: what is equal at both ends needs no hash.
    let start = zip(old, new).prefix { $0 == $1 }.count
    let most = min(old.count, new.count) - start
    let end = zip(old.reversed(), new.reversed()).prefix(most).prefix { $0 == $1 }.count
    let (oldRange, newRange) = (start..<old.count - end, start..<new.count - end)
    if oldRange.isEmpty || newRange.isEmpty {
      deletions = Array(oldRange)
      insertions = Array(newRange)
      return
    }
    var origins = [Int32](repeating: -1, count: newRange.count)
    var isKept = [Bool](repeating: false, count: oldRange.count)
    var table = OccurrenceTable(old, oldRange)
    for index in newRange {
      guard let origin = table.take(new[index], of: old) else {
        insertions.append(index)
        continue
      }
      origins[index - start] = Int32(truncatingIfNeeded: origin)
      isKept[origin - start] = true
    }
    for index in oldRange where !isKept[index - start] { deletions.append(index) }
    let common = origins.indices.filter { origins[$0] >= 0 }
    let stays = LongestAscent.positions(in: common.map { Int(origins[$0]) })
    for (position, index) in common.enumerated() where !stays[position] {
      moves.append(Move(from: Int(origins[index]), to: index + start))
    }
  }
}

extension ListDifference {
  /// The same as a difference of the standard library, in which a move is a removal and an insertion that name each other.
  ///
  /// O(changes log changes).
  ///
  /// ```swift
  /// let difference = ListDifference(from: oldRows, to: newRows).collectionDifference(from: oldRows, to: newRows)
  /// let applied = oldRows.applying(difference) == newRows  // true
  /// ```
  ///
  /// - Parameters:
  ///   - old: The list that was compared.
  ///   - new: The list that it was compared with.
  /// - Returns: What makes the old list the new one.
  public func collectionDifference<Element>(from old: [Element], to new: [Element]) -> CollectionDifference<Element> {
    var changes: [CollectionDifference<Element>.Change] = []
    changes.reserveCapacity(deletions.count + insertions.count + 2 * moves.count)
    for offset in deletions { changes.append(.remove(offset: offset, element: old[offset], associatedWith: nil)) }
    for offset in insertions { changes.append(.insert(offset: offset, element: new[offset], associatedWith: nil)) }
    for move in moves {
      changes.append(.remove(offset: move.from, element: old[move.from], associatedWith: move.to))
      changes.append(.insert(offset: move.to, element: new[move.to], associatedWith: move.from))
    }
    return CollectionDifference(trusting: changes)
  }
}

extension CollectionDifference {
  /// A difference of changes that name each offset once.
  init(trusting changes: [Change]) {
    // Nil only for offsets that are named twice, or associations with none.
    self = CollectionDifference(changes) ?? [ChangeElement]().difference(from: []) { _, _ in true }
  }
}

/// Where the elements of a list are, those that are equal in their order: open addressing with linear probing.
private struct OccurrenceTable<Element: Hashable> {
  private var slots: [Int32]
  /// Part of each slot's hash, so that elements are compared only when they are probably equal.
  private var hashes: [Int32]
  /// For each element of the range, the next equal one; for those behind the first, none while there are no duplicates.
  private var next: [Int32: Int32] = [:]
  /// The last of several equal elements, by the first.
  private var last: [Int32: Int32] = [:]
  private static var free: Int32 { -1 }
  /// A slot all of whose elements were taken.
  private static var spent: Int32 { -2 }

  init(_ list: [Element], _ range: Range<Int>) {
    var capacity = 16
    while capacity < range.count * 2 { capacity *= 2 }
    slots = [Int32](repeating: OccurrenceTable.free, count: capacity)
    hashes = [Int32](repeating: 0, count: capacity)
    for index in range { add(Int32(truncatingIfNeeded: index), list) }
  }

  private mutating func add(_ index: Int32, _ list: [Element]) {
    let hash = list[Int(index)].hashValue
    var slot = hash & (slots.count - 1)
    let mark = Int32(truncatingIfNeeded: hash >> 32)
    while slots[slot] != OccurrenceTable.free {
      let first = slots[slot]
      if hashes[slot] == mark, list[Int(first)] == list[Int(index)] {
        next[last[first] ?? first] = index
        last[first] = index
        return
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = index
    hashes[slot] = mark
  }

  /// The first equal element that was not taken yet; nil when there is none.
  mutating func take(_ element: Element, of list: [Element]) -> Int? {
    let hash = element.hashValue
    var slot = hash & (slots.count - 1)
    let mark = Int32(truncatingIfNeeded: hash >> 32)
    while slots[slot] != OccurrenceTable.free {
      let first = slots[slot]
      if first >= 0, hashes[slot] == mark, list[Int(first)] == element {
        slots[slot] = next.isEmpty ? OccurrenceTable.spent : next[first] ?? OccurrenceTable.spent
        return Int(first)
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }
}

/// The longest part of a list of different numbers that ascends.
enum LongestAscent {
  /// Whether the number at each position is in it; O(n) where all ascend, else O(n log n).
  static func positions(in numbers: [Int]) -> [Bool] {
    if zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) {
      return [Bool](repeating: true, count: numbers.count)
    }
    // For each length, the position of the least number in which an ascent of that length ends.
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: numbers.count)
    for (position, number) in numbers.enumerated() {
      var (low, high) = (0, ends.count)
      if let end = ends.last, numbers[end] < number { low = high }
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[position] = ends[low - 1] }
      if low == ends.count { ends.append(position) } else { ends[low] = position }
    }
    var isIn = [Bool](repeating: false, count: numbers.count)
    var position = ends.last ?? -1
    while position >= 0 {
      isIn[position] = true
      position = previous[position]
    }
    return isIn
  }
}
