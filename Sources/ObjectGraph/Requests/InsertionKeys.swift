// The keys that a save's new rows have got.

/// Keys by the place of their rows in the request; 0 where a row has none.
///
/// As long as the first rows have keys that follow each other, and the others none, no list of them is kept: a save may have
/// very many rows.
struct InsertionKeys: RandomAccessCollection, MutableCollection, Sendable {
  private var first: Int64 = 0
  /// How many rows have keys, from `first` on, while there is no list.
  private var given = 0
  /// `nil` until the keys stop being consecutive.
  private var list: [Int64]?
  private(set) var count: Int

  /// - Parameter count: How many rows there are, without keys yet.
  init(count: Int) { self.count = count }

  init(_ keys: [Int64]) {
    count = keys.count
    for index in keys.indices { self[index] = keys[index] }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> Int64 {
    @inline(__always) get {
      if let list { return list[index] }
      return index < given ? first &+ Int64(index) : 0
    }
    set {
      if list == nil, !note(newValue, at: index) { list = map { $0 } }
      list?[index] = newValue
    }
  }

  /// Notes a key without a list, if possible.
  private mutating func note(_ key: Int64, at index: Int) -> Bool {
    if self[index] == key { return true }
    if index == given, given == 0 || key == first &+ Int64(given) {
      if given == 0 { first = key }
      given += 1
      return true
    }
    guard key == 0, index == given - 1 else { return false }
    given -= 1
    return true
  }
}
