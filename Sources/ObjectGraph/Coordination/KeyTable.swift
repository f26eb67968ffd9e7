// A hash table with the keys of rows, for finding a context's objects and cached rows.

/// Values by row key.
///
/// Keys and values are stored densely in insertion order. A table of their indexes, with open addressing and linear
/// probing, finds them: growing moves small integers, and iterating over all values reads memory in order. Rows are
/// usually visited in key order, so runs of sixteen keys are adjacent in the table, and the runs are scattered by
/// multiplication: keys that are far apart, or share their low digits, do not cluster. O(1) for a key, amortized if the
/// table grows.
struct KeyTable<Value> {
  private static var smallestCapacity: Int { 32 }
  private static var free: Int32 { -1 }

  private var keys: ContiguousArray<Int64> = []
  private var values: ContiguousArray<Value> = []
  /// The hash table: the indexes of keys in ``keys``.
  ///
  /// Its size is a power of two, and at most three quarters are in use. It is empty until something is added.
  private var positions: ContiguousArray<Int32> = []

  var count: Int { keys.count }
  var isEmpty: Bool { keys.isEmpty }

  subscript(key: Int64) -> Value? {
    @inline(__always) get {
      guard let number = number(of: key) else { return nil }
      return values[number]
    }
  }

  /// Sets the key's value.
  ///
  /// - Returns: The previous value.
  @discardableResult
  @inline(__always)
  mutating func updateValue(_ value: Value, forKey key: Int64) -> Value? {
    if (keys.count + 1) * 4 > positions.count * 3 { resize(for: keys.count + 1) }
    let position = position(of: key)
    let number = positions[position]
    if number == KeyTable.free {
      append(key, value, at: position)
      return nil
    }
    let old = values[Int(number)]
    values[Int(number)] = value
    return old
  }

  /// Changes the key's value in place; if the body returns false, the value is removed.
  ///
  /// - Returns: Whether there was a value.
  @discardableResult
  @inline(__always)
  mutating func change(_ key: Int64, _ body: (inout Value) -> Bool) -> Bool {
    guard let number = number(of: key) else { return false }
    if !body(&values[number]) { remove(number) }
    return true
  }

  /// Changes the key's value in place, or inserts a first value.
  @inline(__always)
  mutating func change(_ key: Int64, orInsert value: @autoclosure () -> Value, _ body: (inout Value) -> Void) {
    if (keys.count + 1) * 4 > positions.count * 3 { resize(for: keys.count + 1) }
    let position = position(of: key)
    let number = positions[position]
    if number == KeyTable.free {
      append(key, value(), at: position)
    } else {
      body(&values[Int(number)])
    }
  }

  /// Adds a key and puts its index into a free slot.
  @inline(__always)
  private mutating func append(_ key: Int64, _ value: Value, at position: Int) {
    positions[position] = Int32(truncatingIfNeeded: keys.count)
    keys.append(key)
    values.append(value)
  }

  /// - Returns: The removed value.
  @discardableResult
  mutating func removeValue(forKey key: Int64) -> Value? {
    guard let number = number(of: key) else { return nil }
    let value = values[number]
    remove(number)
    return value
  }

  /// Passes every value to the body, and removes those for which it returns false.
  ///
  /// The remaining values move together, and the positions are computed again: that costs less than correcting them for
  /// each removed key.
  @inline(__always)
  mutating func filter(_ isKept: (inout Value) -> Bool) {
    let count = keys.count
    let kept = keys.withUnsafeMutableBufferPointer { keys in
      values.withUnsafeMutableBufferPointer { values in
        var kept = 0
        for number in 0..<count where isKept(&values[number]) {
          if kept != number {
            keys.swapAt(kept, number)
            values.swapAt(kept, number)
          }
          kept += 1
        }
        return kept
      }
    }
    if kept == count { return }
    keys.removeLast(count - kept)
    values.removeLast(count - kept)
    if kept == 0 { self = KeyTable() } else { resize(for: kept) }
  }

  func forEach(_ body: (Value) -> Void) { values.forEach(body) }

  /// The keys, in insertion order if none was removed.
  var allKeys: [Int64] { Array(keys) }

  /// Passes the values that were added after the key's to the body until it returns false, followed by those added
  /// before it, the nearest first.
  ///
  /// Later values may have taken the places of removed ones.
  mutating func neighbours(of key: Int64, _ body: (inout Value) -> Bool) {
    guard let number = number(of: key) else { return }
    for next in number + 1..<max(keys.count, number + 1) where !body(&values[next]) { break }
    for previous in (0..<number).reversed() where !body(&values[previous]) { break }
  }

  // MARK: Places

  /// The position at which the search for the key begins.
  @inline(__always)
  private func home(of key: Int64) -> Int {
    // The golden ratio in 64 bits: it spreads consecutive runs far apart and evenly.
    let scattered = UInt64(bitPattern: key >> 4) &* 0x9E37_79B9_7F4A_7C15
    let runBits = UInt64(truncatingIfNeeded: positions.count.trailingZeroBitCount - 4)
    return Int(truncatingIfNeeded: scattered &>> (64 &- runBits)) << 4 | Int(key & 15)
  }

  /// The position of the key, or the free position where it belongs.
  ///
  /// The table must not be empty.
  @inline(__always)
  private func position(of key: Int64) -> Int {
    var position = home(of: key)
    while true {
      let number = positions[position]
      if number == KeyTable.free || keys[Int(number)] == key { return position }
      position = (position &+ 1) & (positions.count &- 1)
    }
  }

  @inline(__always)
  private func number(of key: Int64) -> Int? {
    if keys.isEmpty { return nil }
    let number = positions[position(of: key)]
    return number == KeyTable.free ? nil : Int(number)
  }

  /// Removes a key and its value; the last key takes over its index.
  private mutating func remove(_ number: Int) {
    var free = position(of: keys[number])
    let last = keys.count - 1
    if number != last {
      positions[position(of: keys[last])] = Int32(truncatingIfNeeded: number)
      keys.swapAt(number, last)
      values.swapAt(number, last)
    }
    // Move up entries that were placed further along only because this position was taken.
    var next = free
    while true {
      next = (next + 1) & (positions.count - 1)
      if positions[next] == KeyTable.free { break }
      // The circular distance from its home: it may move up to its home, but not past it.
      let distance = (next - home(of: keys[Int(positions[next])])) & (positions.count - 1)
      if distance >= (next - free) & (positions.count - 1) {
        positions[free] = positions[next]
        free = next
      }
    }
    positions[free] = KeyTable.free
    keys.removeLast()
    values.removeLast()
  }

  @inline(never)
  private mutating func resize(for needed: Int) {
    var capacity = KeyTable.smallestCapacity
    while needed * 4 > capacity * 3 { capacity *= 2 }
    positions = ContiguousArray(repeating: KeyTable.free, count: capacity)
    for number in keys.indices { positions[position(of: keys[number])] = Int32(truncatingIfNeeded: number) }
  }
}
