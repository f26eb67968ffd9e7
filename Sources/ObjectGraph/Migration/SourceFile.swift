// A store's file before its migration: its tables under the names that the source model gives them.
internal import CoreDataModel
internal import SQLiteDriver

/// The file of a store that will be migrated.
struct SourceFile {
  /// An index or a trigger, as in SQLite's schema.
  struct Object {
    let name: String
    let table: String
    let sql: String
  }

  let model: CompiledModel
  /// The file's number of each entity of the source model; 0 for an entity that it does not have.
  let numbers: [Int]
  let names: StoreNameMapping
  let tables: StoreTables
  let indexes: [Object]
  let triggers: [Object]
  /// The tables with declarations that a new table does not have: defaults or constraints.
  let decoratedTables: Set<String>
  let hasHistory: Bool

  init(_ connection: Connection, model: CompiledModel, metadataNames: Set<String>) throws(SQLiteError) {
    self.model = model
    tables = try StoreTables(connection)
    let entities = try FileEntities(connection)
    let found = entities.numbers(of: model.model.hierarchy, metadataNames: metadataNames)
    let known = metadataNames.isEmpty ? nil : metadataNames
    // A store of one configuration has the entities in its metadata.
    numbers = model.layouts.map { known?.contains($0.entity.name) ?? true ? found[$0.index] : 0 }
    names = StoreNameMapping(model, numbers: numbers, entities: entities, file: tables)
    let objects = try SourceFile.objects(connection)
    indexes = objects.filter { $0.type == "index" }.map(\.object)
    triggers = objects.filter { $0.type == "trigger" }.map(\.object)
    decoratedTables = Set(
      objects.filter { $0.type == "table" && !Set($0.object.sql.sqlWords).isDisjoint(with: ["DEFAULT", "UNIQUE"]) }
        .map(\.object.table))
    hasHistory = tables.contains("ACHANGE") && tables.contains("ATRANSACTION")
  }

  private static func objects(
    _ connection: Connection
  ) throws(SQLiteError) -> [(type: String, object: Object)] {
    let statement = try connection.prepare(
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql NOT NULL ORDER BY rowid", isPersistent: false)
    defer { statement.reset() }
    var objects: [(type: String, object: Object)] = []
    while try statement.step() {
      objects.append(
        (
          statement.string(0) ?? "",
          Object(
            name: statement.string(1) ?? "", table: statement.string(2) ?? "", sql: statement.string(3) ?? "")
        ))
    }
    return objects
  }

  /// The entities that the store has.
  var held: StoreEntities { StoreEntities(indexes: Set(numbers.indices.filter { numbers[$0] != 0 })) }

  /// The file's name of an entity's table.
  func table(of entity: Int) -> String? { model.table(of: entity).flatMap { names.tables[$0.name] } }

  /// The file's name of a column of a property.
  func column(_ role: TableColumn.Role, of property: String, declaredBy entity: Int) -> String? {
    guard let table = model.table(of: entity) else { return nil }
    return table.column(role, of: property, declaredBy: entity).flatMap { names.columns[table.name]?[$0] }
  }
}

extension String {
  /// The names and keywords of a statement in their order, without quotes.
  var sqlWords: [String] {
    split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }.map(String.init)
  }
}
