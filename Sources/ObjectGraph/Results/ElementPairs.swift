// Matches the elements of two lists: most are found where they are expected, the others by hash. All code that handles
// elements is inlinable, because it takes a third of the time if their type is known.

/// Equal elements of two lists, in pairs.
@usableFromInline
struct ElementPairs {
  /// How many elements are equal at the start of both lists.
  @usableFromInline let start: Int
  @usableFromInline let oldEnd: Int
  /// For each element of the new list from the start on, the offset of the same element in the old list; -1 for none.
  ///
  /// Equal elements at the end of both lists are omitted.
  @usableFromInline var origins: [Int32]
  /// The offsets of unmatched elements in the old list, ascending.
  @usableFromInline var oldRest: [Int] = []
  /// The offsets of unmatched elements in the new list, ascending.
  @usableFromInline var newRest: [Int] = []

  /// Pairs the equal elements at both ends.
  @inlinable
  init<Element: Equatable>(_ old: [Element], _ new: [Element]) {
    let shorter = min(old.count, new.count)
    var start = 0
    while start < shorter, old[start] == new[start] { start += 1 }
    var (oldEnd, newEnd) = (old.count, new.count)
    while min(oldEnd, newEnd) > start, old[oldEnd - 1] == new[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
    }
    self.start = start
    self.oldEnd = oldEnd
    origins = [Int32](repeating: -1, count: newEnd - start)
  }

  /// Pairs elements that follow the previous pair after a few others; O(old + new), without hashing.
  @inlinable
  mutating func findNearby<Element: Equatable>(_ old: [Element], _ new: [Element]) {
    var next = start
    var misses = 0
    for index in start..<start + origins.count {
      // After 1, 2, 4, 8, … consecutive misses, search farther, past elements that may have been deleted.
      let reach = misses & (misses - 1) == 0 ? 4 + 4 * misses : 4
      let end = min(next + reach, oldEnd)
      var candidate = next
      while candidate < end, old[candidate] != new[index] { candidate += 1 }
      if candidate == end {
        newRest.append(index)
        misses += 1
        continue
      }
      origins[index - start] = Int32(truncatingIfNeeded: candidate)
      oldRest.append(contentsOf: next..<candidate)
      next = candidate + 1
      misses = 0
    }
    oldRest.append(contentsOf: next..<oldEnd)
  }

  /// Pairs the remaining elements by hash; O(old + new).
  @inlinable
  mutating func findByHash<Element: Hashable>(_ old: [Element], _ new: [Element]) {
    if oldRest.isEmpty || newRest.isEmpty { return }
    var table = OccurrenceTable(old, at: oldRest)
    var isPaired = [Bool](repeating: false, count: oldEnd - start)
    newRest.removeAll { index in
      guard let origin = table.take(new[index], of: old) else { return false }
      origins[index - start] = Int32(truncatingIfNeeded: origin)
      isPaired[origin - start] = true
      return true
    }
    oldRest.removeAll { isPaired[$0 - start] }
  }
}

/// The positions of a list's elements; equal elements keep their order.
///
/// Uses open addressing with linear probing.
@usableFromInline
struct OccurrenceTable<Element: Hashable> {
  @usableFromInline var slots: [Int32]
  /// Part of each slot's hash, so that elements are compared only when they are probably equal.
  @usableFromInline var hashes: [Int32]
  /// For each element, the next equal one.
  ///
  /// Missing for later elements as long as there are no duplicates.
  @usableFromInline var next: [Int32: Int32] = [:]
  /// The last of several equal elements, by the first one.
  @usableFromInline var last: [Int32: Int32] = [:]
  @usableFromInline static var free: Int32 { -1 }
  /// A slot from which all elements were taken.
  @usableFromInline static var spent: Int32 { -2 }

  /// - Parameters:
  ///   - list: The list.
  ///   - offsets: The offsets of the elements to include, ascending.
  @inlinable
  init(_ list: [Element], at offsets: [Int]) {
    var capacity = 16
    while capacity < offsets.count * 2 { capacity *= 2 }
    slots = [Int32](repeating: OccurrenceTable.free, count: capacity)
    hashes = [Int32](repeating: 0, count: capacity)
    for index in offsets { add(Int32(truncatingIfNeeded: index), list) }
  }

  @inlinable
  mutating func add(_ index: Int32, _ list: [Element]) {
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

  /// The first equal element that is not paired yet; `nil` if there is none.
  @inlinable
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
