// The values of one row by name, small enough for arrays with very many rows.

/// One row's values by attribute name: the best element for a large array of a batch insert.
///
/// You write and read it like a dictionary, but it takes a single allocation of about half a dictionary's size. A
/// lookup compares names one by one, O(count), which for an entity's attributes is as fast as hashing. Values keep
/// their insertion order.
///
/// ```swift
/// var rows: [RowDictionary] = [["code": "us1000ep7p", "magnitude": 4.6]]
/// var next: RowDictionary = ["code": "us1000ep5z"]
/// next["magnitude"] = 1.2
/// rows.append(next)
/// ```
// Sendable by proof: storage is only written when the value being changed holds its only reference.
public struct RowDictionary: @unchecked Sendable {
  struct Entry {
    let key: String
    var value: AttributeValue
  }

  final class Storage: ManagedBuffer<Int, Entry> {
    deinit { _ = withUnsafeMutablePointers { count, entries in entries.deinitialize(count: count.pointee) } }
  }

  private var storage: Storage

  /// Creates a row without values.
  ///
  /// - Parameter minimumCapacity: How many values fit before it allocates again.
  public init(minimumCapacity: Int = 4) {
    storage = RowDictionary.allocate(Swift.max(minimumCapacity, 1))
  }

  /// Creates a row with the values of a dictionary, in no particular order.
  public init(_ dictionary: [String: AttributeValue]) {
    self.init(minimumCapacity: dictionary.count)
    for (key, value) in dictionary { append(key, value) }
  }

  /// The value with this name; `nil` if there is none.
  ///
  /// Setting `nil` removes the value. Setting ``AttributeValue/null`` stores the attribute as absent.
  public subscript(key: String) -> AttributeValue? {
    get { position(of: key).map { self[$0].value } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?):
        makeUnique(capacity: count)
        storage.withUnsafeMutablePointerToElements { $0[position].value = value }
      case (let position?, nil): remove(at: position)
      case (nil, let value?): append(key, value)
      case (nil, nil): break
      }
    }
  }

  // MARK: Storage

  private static func allocate(_ capacity: Int) -> Storage {
    unsafeDowncast(Storage.create(minimumCapacity: capacity) { _ in 0 }, to: Storage.self)
  }

  private func position(of key: String) -> Int? {
    storage.withUnsafeMutablePointers { count, entries in
      for position in 0..<count.pointee where entries[position].key == key { return position }
      return nil
    }
  }

  private mutating func append(_ key: String, _ value: AttributeValue) {
    makeUnique(capacity: count + 1)
    storage.withUnsafeMutablePointers { count, entries in
      (entries + count.pointee).initialize(to: Entry(key: key, value: value))
      count.pointee += 1
    }
  }

  private mutating func remove(at position: Int) {
    makeUnique(capacity: count)
    storage.withUnsafeMutablePointers { count, entries in
      (entries + position).deinitialize(count: 1)
      (entries + position).moveInitialize(from: entries + position + 1, count: count.pointee - position - 1)
      count.pointee -= 1
    }
  }

  /// Makes the storage unique to this value, with room for this many values.
  private mutating func makeUnique(capacity: Int) {
    let isUnique = isKnownUniquelyReferenced(&storage)
    if isUnique, capacity <= storage.capacity { return }
    let old = storage
    let new = RowDictionary.allocate(capacity <= old.capacity ? old.capacity : Swift.max(capacity, old.capacity * 2))
    new.withUnsafeMutablePointers { newCount, newEntries in
      old.withUnsafeMutablePointers { oldCount, oldEntries in
        newEntries.initialize(from: oldEntries, count: oldCount.pointee)
        newCount.pointee = oldCount.pointee
      }
    }
    storage = new
  }
}

extension RowDictionary: RandomAccessCollection {
  public typealias Element = (key: String, value: AttributeValue)

  public var startIndex: Int { 0 }
  public var endIndex: Int { storage.header }

  /// The value at `position` in insertion order, from 0, with its name.
  public subscript(position: Int) -> Element {
    precondition(indices.contains(position), "value \(position) of \(count)")
    return storage.withUnsafeMutablePointerToElements { ($0[position].key, $0[position].value) }
  }
}

extension RowDictionary: ExpressibleByDictionaryLiteral {
  /// Creates a row from a literal; of two values with the same name, the later one counts.
  public init(dictionaryLiteral elements: (String, AttributeValue)...) {
    self.init(minimumCapacity: elements.count)
    for (key, value) in elements { self[key] = value }
  }
}

extension RowDictionary: Hashable {
  /// Whether both have the same values under the same names, in any order.
  public static func == (left: RowDictionary, right: RowDictionary) -> Bool {
    left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
  }

  public func hash(into hasher: inout Hasher) {
    var sum = 0
    for (key, value) in self {
      var entry = Hasher()
      entry.combine(key)
      entry.combine(value)
      sum &+= entry.finalize()
    }
    hasher.combine(sum)
  }
}
