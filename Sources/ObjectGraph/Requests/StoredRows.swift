// The rows of a fetch as they were read, and a single row.
internal import CoreDataModel

/// A row in the store.
struct StoredRow: Sendable {
  let objectID: ManagedObjectID
  let layout: EntityLayout
  let snapshot: RowSnapshot
}

/// Rows by position in a list of IDs; `nil` for rows that are gone.
struct PlacedRows: RandomAccessCollection, Sendable {
  /// The rows that were found, in the order in which they were read.
  private(set) var rows: StoredRows
  /// The index of each position's row in ``rows``, -1 if there is none; empty as long as both are equal.
  private var numbers: [Int32] = []
  let endIndex: Int

  /// Creates this many positions without rows.
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

  /// The index of the position's row in ``rows``.
  @inline(__always)
  func number(at place: Int) -> Int? {
    if numbers.isEmpty { return place < rows.count ? place : nil }
    return numbers[place] < 0 ? nil : Int(numbers[place])
  }

  /// Sets the row of an empty position.
  @inline(__always)
  mutating func put(
    _ key: Int64, _ snapshot: RowSnapshot, of layout: EntityLayout, in store: StoreIdentity, at place: Int
  ) {
    if !numbers.isEmpty || place != rows.count { number(place) }
    rows.append(key, snapshot, of: layout, in: store)
  }

  /// Records the position of the next row.
  @inline(never)
  private mutating func number(_ place: Int) {
    if numbers.isEmpty { numbers = (0..<endIndex).map { $0 < rows.count ? Int32($0) : -1 } }
    numbers[place] = Int32(rows.count)
  }
}

/// The rows that a fetch read, in its order: 16 bytes per row besides its values if all rows have the same entity and
/// store.
///
/// They usually do. A store and an entity for each row would be two references to retain whenever a row is used.
struct StoredRows: RandomAccessCollection, Sendable {
  private struct Origin: Sendable {
    let store: StoreIdentity
    let layout: EntityLayout
  }

  private var keys: [Int64] = []
  private var snapshots: [RowSnapshot] = []
  /// The origin of the first row, and of every other one while ``origins`` is empty.
  private var origin: Origin?
  /// The origin of each row, once two rows have different ones.
  private var origins: [Origin] = []

  /// Creates an empty list with this capacity.
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
