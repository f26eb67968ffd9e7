// A store of the tests' own: what is in it as SQL, and the writing of its file, past the library that is tested.
internal import CoreDataFiles
internal import CoreDataModel
internal import Foundation
internal import SQLiteDriver

/// What a store holds, written down from the facts about Core Data's files: nothing of it is made by ObjectGraph.
struct OwnStore: Sendable {
  let generation: Generation
  let uuid: String
  let model: ArchivableModel
  /// The version identifiers of the model.
  var identifiers = [""]
  var otherMetadata: [String: PropertyList] = [:]
  /// Tables and indexes of the entities, in the order in which a fresh store has them.
  let schema: String
  let rows: String
  /// What comes when the rows are there: triggers that call functions that only Core Data has, or a migration.
  var afterwards = ""
  /// The rows of Z_PRIMARYKEY.
  let keys: String
  /// The tables of history and what is in them.
  var history = ""

  private static let systemTables = """
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)
    """
  private static let modelCacheTable = "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"

  /// Writes the file.
  func write(to path: String) throws {
    // The format is a property of the whole file, which rows are written in: it is set while there are none.
    let empty = try Connection(path: path)
    for (pragma, value) in [
      ("page_size", generation.pageSize), ("auto_vacuum", generation.autoVacuumLevel), ("synchronous", 0),
    ] { try empty.execute("PRAGMA \(pragma) = \(value)") }
    try empty.execute(schema)
    try empty.close()
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[47] = generation.schemaFormat
    try bytes.write(to: URL(filePath: path))

    let connection = try Connection(path: path, access: .readWrite)
    try connection.execute("PRAGMA synchronous = 0; BEGIN")
    for sql in [rows, afterwards, OwnStore.systemTables] where !sql.isEmpty { try connection.execute(sql) }
    try connection.execute("INSERT INTO Z_PRIMARYKEY VALUES \(keys)")
    let names = model.entities.map(\.name)
    let metadata = generation.metadata(of: names, identifiers: identifiers, others: otherMetadata)
    try connection.insert(PropertyListWriter.bytes(metadata), "INSERT INTO Z_METADATA VALUES (1, '\(uuid)', ?)")
    if generation.hasModelCache {
      try connection.execute(OwnStore.modelCacheTable)
      let archive = ModelArchive.bytes(model, identifiers: identifiers)
      try connection.insert(deflated(archive), "INSERT INTO Z_MODELCACHE VALUES (?)")
    }
    if !history.isEmpty { try connection.execute(history) }
    try connection.execute("COMMIT")
    try connection.setPragma("journal_mode", to: generation.hasWriteAheadLog ? "wal" : "delete")
    try connection.close()
  }
}

extension Connection {
  fileprivate func insert(_ bytes: [UInt8], _ sql: String) throws {
    let statement = try prepare(sql)
    try bytes.withUnsafeBytes { try statement.bind(blob: $0, at: 1) }
    try statement.run()
  }
}
