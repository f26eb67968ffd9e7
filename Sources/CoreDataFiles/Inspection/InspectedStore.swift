// An open store for inspection: what the model expects, and where it is in the file.
internal import ObjectGraph
internal import CoreDataModel
internal import SQLiteDriver

/// A store under inspection.
struct InspectedStore {
  /// A row of `Z_PRIMARYKEY`.
  struct KeyRow {
    let number: Int
    let name: String
    /// The largest key that was assigned.
    let lastKey: Int64
  }

  /// Numbers from here on belong to Core Data's own entities, such as history.
  static let firstReservedNumber = 16_001
  static let historyTables = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]

  let connection: Connection
  let recovered: RecoveredModel
  let compiled: CompiledModel
  /// In the order of their numbers.
  let keyRows: [KeyRow]
  let tables: StoreTables
  /// The store's number for each entity of the model; 0 if the store does not have the entity.
  let numbers: [Int]
  private let names: StoreNameMapping

  init(_ connection: Connection, _ recovered: RecoveredModel, hashedEntities: [String]) throws(SQLiteError) {
    self.connection = connection
    self.recovered = recovered
    compiled = CompiledModel(recovered.model)
    keyRows = try connection.keyRows()
    tables = try StoreTables(connection)
    let entities = try FileEntities(connection)
    numbers = entities.numbers(of: recovered.model.hierarchy, metadataNames: Set(hashedEntities))
    names = StoreNameMapping(compiled, numbers: numbers, entities: entities, file: tables)
  }

  var entities: [EntityDescription] { recovered.model.entities }

  /// The file's name for a table of the model; `nil` if it is missing.
  func table(_ name: String) -> String? { names.tables[name] }

  /// The file's name for a column, by the model's names of table and column; `nil` if it is missing.
  func column(_ name: String?, of table: String) -> String? { name.flatMap { names.columns[table]?[$0] } }

  /// The file's names for all columns of a table that are also in the model.
  func knownColumns(of table: String) -> Set<String> { Set((names.columns[table] ?? [:]).values) }

  /// The row of `Z_PRIMARYKEY` for an entity of the model.
  func keyRow(of index: Int) -> KeyRow? {
    numbers[index] == 0 ? nil : keyRows.first { $0.number == numbers[index] }
  }

  /// The store's numbers for an entity and all of its descendants.
  func familyNumbers(of index: Int) -> [Int] {
    recovered.model.hierarchy.family(of: index).map { numbers[$0] }.filter { $0 != 0 }
  }

  /// A condition for the rows of an entity and all of its descendants.
  ///
  /// For a root, that is nearly every row of the table, so the index on the number would only slow the query down.
  func isOfFamily(_ index: Int) -> String {
    let isRoot = recovered.model.hierarchy.parents[index] == nil
    return "\(isRoot ? "+" : "")Z_ENT IN (\(familyNumbers(of: index).map(String.init).joined(separator: ", ")))"
  }
}

extension Connection {
  fileprivate func keyRows() throws(SQLiteError) -> [InspectedStore.KeyRow] {
    let statement = try prepare("SELECT Z_ENT, Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT", isPersistent: false)
    var rows: [InspectedStore.KeyRow] = []
    while try statement.step() {
      rows.append(
        InspectedStore.KeyRow(
          number: Int(clamping: statement.int64(0)), name: statement.string(1) ?? "", lastKey: statement.int64(2)))
    }
    return rows
  }

  /// The integers of the first row; empty if there is no row.
  func integers(_ sql: String) throws(SQLiteError) -> [Int64] {
    let statement = try prepare(sql, isPersistent: false)
    defer { statement.reset() }
    return try statement.step() ? (0..<statement.columnCount).map { statement.int64($0) } : []
  }
}

extension String {
  /// The name of a table or column, quoted for SQL.
  var sqlName: String { "\"" + doubling("\"") + "\"" }

  /// A text, quoted for SQL.
  var sqlText: String { "'" + doubling("'") + "'" }

  private func doubling(_ quote: Character) -> String {
    reduce(into: "") { result, character in result += character == quote ? "\(quote)\(quote)" : String(character) }
  }
}
