// The rows of a fetch as they were read, and one row on its own.
internal import CoreDataModel

/// A row in the store.
struct StoredRow: Sendable {
  let objectID: ManagedObjectID
  let layout: EntityLayout
  let snapshot: RowSnapshot
}

/// Rows by their places in a list of IDs: nil in those whose rows are gone.
struct PlacedRows: RandomAccessCollection, Sendable {
  /// What was found, in the order in which it was read.
  private(set) var rows: StoredRows
  /// The number of each place's row among ``rows``, -1 where there is none; empty while each place has the row of its own
  /// number.
  private var numbers: [Int32] = []
  let endIndex: Int

  /// As many places, without rows.
  init(count: Int) {
    endIndex = count
    rows = StoredRows(capacity: count)
  }

  init(_ rows: [StoredRow?]) {
    self.init(count: rows.count)
    for (place, row) in rows.enumerated() {
      if let row { put(row.objectID.key, row.snapshot, of: row.layout, in: row.objectID.store, at: place) }
    }
  }

  var startIndex: Int { 0 }

  subscript(place: Int) -> StoredRow? { number(at: place).map { rows[$0] } }

  /// Where the place's row stands among ``rows``.
  @inline(__always)
  func number(at place: Int) -> Int? {
    if numbers.isEmpty { return place < rows.count ? place : nil }
    return numbers[place] < 0 ? nil : Int(numbers[place])
  }

  /// Gives a place that has none its row.
  @inline(__always)
  mutating func put(
    _ key: Int64, _ snapshot: RowSnapshot, of layout: EntityLayout, in store: StoreIdentity, at place: Int
  ) {
    if !numbers.isEmpty || place != rows.count { number(place) }
    rows.append(key, snapshot, of: layout, in: store)
  }

  /// Notes the place of the next row.
  @inline(never)
  private mutating func number(_ place: Int) {
    if numbers.isEmpty { numbers = (0..<endIndex).map { $0 < rows.count ? Int32($0) : -1 } }
    numbers[place] = Int32(rows.count)
  }
}

/// What a fetch of rows read, in its order: 16 bytes a row beside its values where all rows are of one entity and one
/// store.
///
/// Nearly always they are. A store and an entity beside each row would be two references to count whenever a row is
/// looked at.
struct StoredRows: RandomAccessCollection, Sendable {
  private struct Origin: Sendable {
    let store: StoreIdentity
    let layout: EntityLayout
  }

  private var keys: [Int64] = []
  private var snapshots: [RowSnapshot] = []
  /// Where the first row is from, and every other one while ``origins`` is empty.
  private var origin: Origin?
  /// Where each row is from, once two are from different ones.
  private var origins: [Origin] = []

  /// No rows, and room for as many.
  init(capacity: Int = 0) {
    keys.reserveCapacity(capacity)
    snapshots.reserveCapacity(capacity)
  }

  init(_ rows: some Sequence<StoredRow>) {
    for row in rows { append(row) }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { keys.count }

  subscript(position: Int) -> StoredRow {
    @inline(__always) get {
      guard let origin = origins.isEmpty ? origin : origins[position] else {
        preconditionFailure("index \(position) of no rows")
      }
      return StoredRow(
        objectID: ManagedObjectID(
          store: origin.store, entityIndex: Int32(truncatingIfNeeded: origin.layout.index), key: keys[position]),
        layout: origin.layout, snapshot: snapshots[position])
    }
  }

  mutating func append(_ row: StoredRow) {
    append(row.objectID.key, row.snapshot, of: row.layout, in: row.objectID.store)
  }

  @inline(__always)
  mutating func append(_ key: Int64, _ snapshot: RowSnapshot, of layout: EntityLayout, in store: StoreIdentity) {
    let isAlike = origins.isEmpty && origin?.store === store && origin?.layout === layout
    if !isAlike { append(Origin(store: store, layout: layout)) }
    keys.append(key)
    snapshots.append(snapshot)
  }

  @inline(never)
  private mutating func append(_ next: Origin) {
    guard let origin else { return origin = next }
    if origins.isEmpty { origins = [Origin](repeating: origin, count: keys.count) }
    origins.append(next)
  }
}
