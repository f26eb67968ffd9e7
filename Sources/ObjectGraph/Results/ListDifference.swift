// What makes one list another: elements that are removed, inserted and moved.

/// The changes from one list to another, by offsets.
///
/// Equal elements are the same one; of several, each of a list is at most one of the other. As many of them as possible stay
/// where they are among each other; the others move. Removing the elements at ``deletions`` and at the start of every move,
/// and then inserting those at ``insertions`` and at the end of every move, in ascending order, makes the new list.
///
/// O(old + new) for lists whose common elements are in the same order, O((old + new) log old) for others. An element is
/// hashed at most once, and not at all when its equal follows closely on that of the element before it. Swift's
/// `difference(from:)` takes time proportional to the product of a list's length and the number of changes.
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
  ///   - old: The former list. The hashes of its elements must not change meanwhile.
  ///   - new: The new list.
  @inlinable
  public init<Element: Hashable>(from old: [Element], to new: [Element]) {
    var pairs = ElementPairs(old, new)
    pairs.findNearby(old, new)
    pairs.findByHash(old, new)
    self.init(pairs)
  }

  @usableFromInline
  init(_ pairs: ElementPairs) {
    deletions = pairs.oldRest
    insertions = pairs.newRest
    let (origins, start) = (pairs.origins, pairs.start)
    let paired = origins.indices.filter { origins[$0] >= 0 }
    let stays = paired.map { Int(origins[$0]) }.positionsInLongestAscent()
    for (position, index) in paired.enumerated() where !stays[position] {
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

extension [Int] {
  /// For each position of a list of different numbers, whether it is in the longest part that ascends.
  ///
  /// O(n) if all ascend, otherwise O(n log n).
  func positionsInLongestAscent() -> [Bool] {
    if zip(self, dropFirst()).allSatisfy({ $0 < $1 }) {
      return [Bool](repeating: true, count: count)
    }
    // For each length, the position of the least number in which an ascent of that length ends.
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: count)
    for (position, number) in enumerated() {
      var (low, high) = (0, ends.count)
      if let end = ends.last, self[end] < number { low = high }
      while low < high {
        let middle = (low + high) / 2
        if self[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[position] = ends[low - 1] }
      if low == ends.count { ends.append(position) } else { ends[low] = position }
    }
    var isIn = [Bool](repeating: false, count: count)
    var position = ends.last ?? -1
    while position >= 0 {
      isIn[position] = true
      position = previous[position]
    }
    return isIn
  }
}
