// A store made by the tests: its contents as SQL, and code that writes its file without the tested library.
internal import CoreDataFiles
internal import CoreDataModel
internal import Foundation
internal import SQLiteDriver

/// The contents of a store, written from facts about Core Data's files without using ObjectGraph.
struct OwnStore: Sendable {
  let generation: Generation
  let uuid: String
  let model: ArchivableModel
  /// The version identifiers of the model.
  var identifiers = [""]
  var otherMetadata: [String: PropertyList] = [:]
  /// Tables and indexes of the entities, in the order of a new store.
  let schema: String
  let rows: String
  /// SQL to run after the rows are stored: triggers that call functions that only Core Data has, or a migration.
  var afterwards = ""
  /// The rows of Z_PRIMARYKEY.
  let keys: String
  /// The tables of history and their contents.
  var history = ""

  private static let systemTables = """
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)
    """
  private static let modelCacheTable = "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"

  /// Writes the file.
  func write(to path: String) throws {
    // The format is a property of the whole file and applies to rows as they are written, so set it while there are
    // none.
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
