// The positions of objects in ordered relationships: sparse numbers, so that a move changes as few of them as possible.

enum RelationshipPositions {
  /// The first position, and the step between positions at the end, as in stores that Core Data wrote.
  static let first: Int32 = 2048
  static let step: Int32 = 1024

  /// Ascending positions for objects in their new order; each input is 0 or the object's former position.
  ///
  /// As many objects as possible keep their positions. The others get numbers between their neighbors, or all get new
  /// ones if there is no room. O(n log n).
  static func assign(_ old: [Int32]) -> [Int32] {
    let kept = longestAscending(old)
    var positions = [Int32](repeating: 0, count: old.count)
    var start = 0
    var below: Int32 = 0
    for index in kept + [old.count] {
      let above = index < old.count ? old[index] : nil
      guard fill(&positions, start..<index, above: below, below: above) else { return renumbered(old.count) }
      if let above {
        positions[index] = above
        below = above
      }
      start = index + 1
    }
    return positions
  }

  /// Fills a gap evenly, or continues in steps if nothing follows; false if there is no room.
  private static func fill(
    _ positions: inout [Int32], _ range: Range<Int>, above low: Int32, below high: Int32?
  ) -> Bool {
    if range.isEmpty { return true }
    guard let high else {
      let start = low == 0 ? Int64(first) : Int64(low) + Int64(step)
      guard start + Int64(range.count) * Int64(step) <= Int64(Int32.max) else { return false }
      for (offset, index) in range.enumerated() { positions[index] = Int32(start) + Int32(offset) * step }
      return true
    }
    let room = Int64(high) - Int64(low)
    guard room > Int64(range.count) else { return false }
    for (offset, index) in range.enumerated() {
      positions[index] = Int32(Int64(low) + room * Int64(offset + 1) / Int64(range.count + 1))
    }
    return true
  }

  private static func renumbered(_ count: Int) -> [Int32] {
    let step = max(1, min(Int(Self.step), (Int(Int32.max) - Int(first)) / max(count, 1)))
    return (0..<count).map { Int32(clamping: Int(first) + $0 * step) }
  }

  /// The indexes of a longest ascending subsequence of the positions, ignoring zeros, by patience sorting.
  private static func longestAscending(_ positions: [Int32]) -> [Int] {
    var tails: [Int] = []
    var previous = [Int](repeating: -1, count: positions.count)
    for (index, position) in positions.enumerated() where position > 0 {
      var low = 0
      var high = tails.count
      while low < high {
        let middle = (low + high) / 2
        if positions[tails[middle]] < position { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = tails[low - 1] }
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var run: [Int] = []
    var index = tails.last ?? -1
    while index >= 0 {
      run.append(index)
      index = previous[index]
    }
    return run.reversed()
  }
}
