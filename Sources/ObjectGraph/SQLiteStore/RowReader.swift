// Reads a row of an entity from a statement's columns, in any order.
internal import CoreDataModel
internal import SQLiteDriver

/// Reads rows of one entity.
///
/// A class, so that passing it for each row takes only one reference.
final class RowReader: Sendable {
  let layout: EntityLayout
  private let columns: [SlotColumns]
  /// The entities' indexes in the model, by the store's numbers.
  private let entityIndexes: [Int: Int]

  /// The closure returns the statement's column for a name.
  init(_ layout: EntityLayout, entityIndexes: [Int: Int], _ column: (String) -> Int?) {
    self.layout = layout
    self.entityIndexes = entityIndexes
    columns = layout.slots.map { SlotColumns($0, column) }
  }

  /// The values of the statement's current row.
  func snapshot(_ statement: Statement, version: Int64) -> RowSnapshot {
    RowSnapshot(count: layout.slotCount, version: version) { slots in
      for slot in 0..<layout.slotCount {
        slots.initialize(slot, to: value(slot, statement))
      }
    }
  }

  @inline(__always)
  private func value(_ slot: Int, _ statement: Statement) -> AttributeValue {
    if layout.hasToOneSlots, let toOne = layout.slots[slot].toOne {
      return statement.reference(toOne, columns[slot], entityIndexes)
    }
    guard let column = columns[slot].value else { return .null }
    return statement.value(column, as: layout.types[slot])
  }
}

/// Reads one row by its key.
struct KeyedRowQuery: Sendable {
  let sql: String
  private let reader: RowReader

  init(_ layout: EntityLayout, entityNumber: Int, entityIndexes: [Int: Int]) {
    let names = layout.columns.map(\.name)
    // A row overwritten by one of another entity no longer belongs to this entity.
    let entity = layout.sharesTable ? " AND Z_ENT = \(entityNumber)" : ""
    sql =
      "SELECT \((["Z_PK", "Z_OPT"] + names).joined(separator: ", ")) FROM \(layout.tableName) WHERE Z_PK = ?\(entity)"
    reader = RowReader(layout, entityIndexes: entityIndexes) { name in names.firstIndex(of: name).map { $0 + 2 } }
  }

  /// The row with the key, using a statement for ``sql``; `nil` if there is none.
  func row(key: Int64, _ statement: Statement) throws(SQLiteError) -> RowSnapshot? {
    try statement.bind(key, at: 1)
    defer { statement.reset() }
    return try statement.step() ? reader.snapshot(statement, version: statement.int64(1)) : nil
  }
}
