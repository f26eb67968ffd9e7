// A long list in blocks, so that a change moves a block's elements and not the list's.

/// A list in an order that its user knows, whose elements are found by rank and by order.
///
/// A value: copying shares all blocks, and changing a copy copies the blocks that change. A rank is found in O(log n), an
/// element by order in O(log n) comparisons. Changing k elements takes O(k log n) comparisons, k times the moving of at
/// most ``capacity`` elements, and a pass over the blocks.
struct BlockedList<Element> {
  static var capacity: Int { 512 }
  /// None of them is empty.
  private var blocks: [[Element]] = []
  /// The rank of each block's first element, and the number of all elements at the end.
  private var starts = [0]

  init() {}

  /// O(n).
  init(_ elements: [Element]) {
    // Some room in each, so that the first insertions split none.
    let size = BlockedList.capacity * 7 / 8
    var start = 0
    while start < elements.count {
      let end = min(start + size, elements.count)
      blocks.append(Array(elements[start..<end]))
      start = end
    }
    countBlocks()
  }

  var count: Int { starts[blocks.count] }

  subscript(rank: Int) -> Element {
    let block = block(of: rank)
    return blocks[block][rank - starts[block]]
  }

  func forEach(_ body: (Element) -> Void) { for block in blocks { block.forEach(body) } }

  /// The rank of the first element that is not before the wanted one; the number of elements if all are before it.
  func rank(where isBefore: (Element) -> Bool) -> Int {
    if blocks.isEmpty { return 0 }
    let (block, offset) = position(where: isBefore)
    return starts[block] + offset
  }

  /// Takes elements out and puts others in.
  ///
  /// - Parameters:
  ///   - ranks: The ranks of the elements to remove, ascending.
  ///   - elements: What comes, in any order.
  ///   - areInOrder: Whether the first stands before the second.
  mutating func change(
    removing ranks: [Int], inserting elements: [Element], by areInOrder: (Element, Element) -> Bool
  ) {
    for rank in ranks.reversed() {
      let block = block(of: rank)
      blocks[block].remove(at: rank - starts[block])
      // Only blocks after those of the ranks to come get other places.
      if blocks[block].isEmpty { blocks.remove(at: block) }
    }
    for element in elements {
      if blocks.isEmpty {
        blocks.append([element])
        continue
      }
      let (block, offset) = position { areInOrder($0, element) }
      blocks[block].insert(element, at: offset)
      if blocks[block].count > BlockedList.capacity { split(block) }
    }
    countBlocks()
  }

  /// The place of the first element that is not before the wanted one, or the end of the last block; there
  /// are blocks.
  private func position(where isBefore: (Element) -> Bool) -> (block: Int, offset: Int) {
    // The last block whose first element stands before it, or the first block.
    let block = max(0, partition(of: blocks.count) { isBefore(blocks[$0][0]) } - 1)
    return (block, partition(of: blocks[block].count) { isBefore(blocks[block][$0]) })
  }

  /// The first of the numbers below the count for which the condition, which holds of a beginning of them, does not.
  private func partition(of count: Int, where holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func block(of rank: Int) -> Int { partition(of: blocks.count) { starts[$0] <= rank } - 1 }

  private mutating func split(_ block: Int) {
    let half = blocks[block].count / 2
    let rest = Array(blocks[block][half...])
    blocks[block].removeSubrange(half...)
    blocks.insert(rest, at: block + 1)
  }

  private mutating func countBlocks() {
    starts.removeAll(keepingCapacity: true)
    starts.append(0)
    for block in blocks { starts.append(starts[starts.count - 1] + block.count) }
  }
}
