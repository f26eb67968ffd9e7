// The difference between two lists: elements that are removed, inserted and moved.

/// The changes from one list to another, by offsets.
///
/// Equal elements count as the same; of duplicates, each is matched at most once. As many elements as possible keep
/// their order; the others move. To get the new list, remove the elements at ``deletions`` and at the start of every
/// move, then insert those at ``insertions`` and at the end of every move, in ascending order.
///
/// O(old + new) for lists with their common elements in the same order, O((old + new) log old) for others. Each element
/// is hashed at most once, and not at all if its match closely follows the match of the element before it. Swift's
/// `difference(from:)` takes time proportional to the product of a list's length and the number of changes.
///
/// ```swift
/// let difference = ListDifference(from: ["a", "b", "c", "d"], to: ["d", "a", "x", "c"])
/// difference.deletions   // [1]
/// difference.insertions  // [2]
/// difference.moves       // from 3 to 0
/// ```
public struct ListDifference: Sendable, Hashable {
  /// An element that is in both lists but changed its position among the others.
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

  /// Offsets in the old list of elements that are not in the new one, ascending.
  public private(set) var deletions: [Int] = []
  /// Offsets in the new list of elements that are not in the old one, ascending.
  public private(set) var insertions: [Int] = []
  /// Elements of both lists that changed their position among the others, by ascending offset in the new list.
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
  ///   - old: The former list. The hashes of its elements must not change during the comparison.
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
  /// The difference as a standard library type, in which a move is a removal and an insertion that refer to each other.
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
  /// - Returns: The changes from the old list to the new one.
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
  /// Creates a difference from changes that contain each offset only once.
  init(trusting changes: [Change]) {
    // The initializer only fails if an offset occurs twice, or an association is unmatched.
    self = CollectionDifference(changes) ?? [ChangeElement]().difference(from: []) { _, _ in true }
  }
}

extension [Int] {
  /// For each index in a list of distinct numbers, whether it is part of the longest ascending subsequence.
  ///
  /// O(n) if all ascend, otherwise O(n log n).
  func positionsInLongestAscent() -> [Bool] {
    if zip(self, dropFirst()).allSatisfy({ $0 < $1 }) {
      return [Bool](repeating: true, count: count)
    }
    // For each length, the index of the lowest number that ends an ascending subsequence of that length.
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
