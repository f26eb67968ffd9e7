// The keys that a save's new rows got.

/// Keys by the index of their rows in the request; 0 if a row has none.
///
/// As long as the first rows have consecutive keys and the others have none, it keeps no list of them, because a save
/// may have very many rows.
struct InsertionKeys: RandomAccessCollection, MutableCollection, Sendable {
  private var first: Int64 = 0
  /// How many rows have consecutive keys from `first` on, while there is no list.
  private var given = 0
  /// `nil` until the keys stop being consecutive.
  private var list: [Int64]?
  private(set) var count: Int

  /// - Parameter count: The number of rows, which have no keys yet.
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

  /// Records a key without a list, if possible.
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
