// A row of a statement, added to a hash column by column.
package import CoreDataModel
package import SQLiteDriver

extension RowHash {
  /// Adds a column of a statement's row, and returns whether there was a value.
  @discardableResult
  package mutating func add(_ column: Int, of statement: Statement, as storage: StorageClass) -> Bool {
    if statement.isNull(column) {
      addNull()
      return false
    }
    switch storage {
    case .integer: add(statement.int64(column))
    case .real: add(statement.double(column))
    case .text: add(text: statement.bytes(column) ?? UnsafeRawBufferPointer(start: nil, count: 0))
    case .blob: add(blob: statement.bytes(column) ?? UnsafeRawBufferPointer(start: nil, count: 0))
    }
    return true
  }
}
