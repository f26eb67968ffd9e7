// The declarations of a store's tables and indexes, read without the library.
package import SQLiteDriver
package import StoreFixtures

package enum StoreLayout {
  /// The tables and indexes as declared, in alphabetical order, without the bookkeeping, the history and the triggers;
  /// then the entities as `number name super`.
  package static func entities(of path: String, access: Connection.Access = .readOnly) throws -> [String] {
    try texts(
      of: path, access,
      """
      SELECT sql FROM sqlite_master WHERE type IN ('table', 'index') AND sql NOT NULL AND tbl_name NOT LIKE 'A%'
      AND tbl_name NOT IN ('Z_PRIMARYKEY', 'Z_METADATA', 'Z_MODELCACHE') ORDER BY sql
      """,
      "SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16001 ORDER BY Z_ENT")
  }

  package static func entities(of store: SampleStore) throws -> [String] {
    try entities(of: store.path, access: .immutable)
  }

  /// The history's tables and indexes, in the order of their creation, then the entities that count keys.
  package static func history(of path: String, access: Connection.Access = .readOnly) throws -> [String] {
    try texts(
      of: path, access,
      "SELECT sql FROM sqlite_master WHERE tbl_name IN ('ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING') ORDER BY rowid",
      "SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT")
  }

  package static func history(of store: SampleStore) throws -> [String] {
    try history(of: store.path, access: .immutable)
  }

  private static func texts(of path: String, _ access: Connection.Access, _ queries: String...) throws -> [String] {
    let connection = try Connection(path: path, access: access)
    defer { try? connection.close() }
    var texts: [String] = []
    for sql in queries {
      let statement = try connection.prepare(sql)
      while try statement.step() { texts.append(statement.string(0) ?? "") }
    }
    return texts
  }
}
