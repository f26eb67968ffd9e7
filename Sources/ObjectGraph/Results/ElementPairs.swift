// Which elements of two lists are the same one: most are found where they are expected, the others by their hash.
// All of it that handles elements is inlinable, because it takes a third of the time where their type is known.

/// Equal elements of two lists, one of each.
@usableFromInline
struct ElementPairs {
  /// How many elements are equal at the start of both lists.
  @usableFromInline let start: Int
  @usableFromInline let oldEnd: Int
  /// For each element of the new list from the start on, the offset of the same element in the old list; -1 for none.
  ///
  /// Equal elements at the end of both lists are left out.
  @usableFromInline var origins: [Int32]
  /// The offsets of elements of the old list that are none of the new one, ascending.
  @usableFromInline var oldRest: [Int] = []
  /// The offsets of elements of the new list that are none of the old one, ascending.
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

  /// Pairs elements that follow on the pair before them after a few others; O(old + new), without a hash.
  @inlinable
  mutating func findNearby<Element: Equatable>(_ old: [Element], _ new: [Element]) {
    var next = start
    var misses = 0
    for index in start..<start + origins.count {
      // After 1, 2, 4, 8, … misses in a row it looks farther, past what may have been deleted there.
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

  /// Pairs the rest by their hashes; O(old + new).
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

/// Where the elements of a list are, those that are equal in their order: open addressing with linear probing.
@usableFromInline
struct OccurrenceTable<Element: Hashable> {
  @usableFromInline var slots: [Int32]
  /// Part of each slot's hash, so that elements are compared only when they are probably equal.
  @usableFromInline var hashes: [Int32]
  /// For each of the elements, the next equal one; for those behind the first, none while there are no duplicates.
  @usableFromInline var next: [Int32: Int32] = [:]
  /// The last of several equal elements, by the first.
  @usableFromInline var last: [Int32: Int32] = [:]
  @usableFromInline static var free: Int32 { -1 }
  /// A slot all of whose elements were taken.
  @usableFromInline static var spent: Int32 { -2 }

  /// - Parameters:
  ///   - list: The list.
  ///   - offsets: Those of the elements that count, ascending.
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

  /// The first equal element that is not paired yet; nil if there is none.
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
