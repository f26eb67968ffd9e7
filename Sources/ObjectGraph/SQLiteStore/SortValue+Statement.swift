// Reading what SQLite sorted a row by.
internal import SQLiteDriver

extension SortValue {
  init(_ statement: Statement, _ column: Int) {
    switch statement.columnType(column) {
    case .null: self = .null
    case .integer: self = .integer(statement.int64(column))
    case .real: self = .real(statement.double(column))
    case .text: self = .text(statement.string(column) ?? "")
    case .blob: self = .blob(statement.bytes(column).map { Array($0) } ?? [])
    }
  }
}
