// A long list in blocks, so that a change moves only the elements of a block.

/// A sorted list with elements that can be found by rank and by order.
///
/// It is a value: copying shares all blocks, and changing a copy copies the changed blocks. Finding a rank takes O(log
/// n), finding an element by order O(log n) comparisons. Changing k elements takes O(k log n) comparisons, k moves of
/// at most ``capacity`` elements, and a pass over the blocks.
struct BlockedList<Element> {
  static var capacity: Int { 512 }
  /// No block is empty.
  private var blocks: [[Element]] = []
  /// The rank of each block's first element, followed by the number of all elements.
  private var starts = [0]

  init() {}

  /// O(n).
  init(_ elements: [Element]) {
    // Leave some room in each block, so that the first insertions do not split blocks.
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

  /// Removes and inserts elements.
  ///
  /// - Parameters:
  ///   - ranks: The ranks of the elements to remove, ascending.
  ///   - elements: The elements to insert, in any order.
  ///   - areInOrder: Whether the first argument comes before the second.
  mutating func change(
    removing ranks: [Int], inserting elements: [Element], by areInOrder: (Element, Element) -> Bool
  ) {
    for rank in ranks.reversed() {
      let block = block(of: rank)
      blocks[block].remove(at: rank - starts[block])
      // Only the blocks after those of the remaining ranks move.
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

  /// The position of the first element that is not before the wanted one, or the end of the last block; there must be
  /// blocks.
  private func position(where isBefore: (Element) -> Bool) -> (block: Int, offset: Int) {
    // Find the last block with a first element before it, or the first block.
    let block = max(0, partition(of: blocks.count) { isBefore(blocks[$0][0]) } - 1)
    return (block, partition(of: blocks[block].count) { isBefore(blocks[block][$0]) })
  }

  /// The first number below the count for which the condition is false; it must be true only for numbers before that.
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
