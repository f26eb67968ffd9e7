// Checks whether an open store still has the model that it was opened with, because others may migrate it.
internal import CoreDataModel
internal import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The version hashes that a store was opened with, for connections to compare.
///
/// A migration changes the schema, and SQLite prepares a statement again when the schema has changed. The connection
/// counts this, so that checking costs nothing until it happens.
struct StoreVersion: Sendable {
  let path: String
  let hashes: [String: Data]

  /// Fails a transaction that encountered another schema, if the store was migrated.
  ///
  /// - Throws: ``ObjectGraphError/storeMigrated(path:)``, ``ObjectGraphError/store(_:during:)``.
  @inline(__always)
  func check(_ connection: Connection) throws(ObjectGraphError) {
    if connection.schemaReloads == 0 { return }
    try compare(connection)
    connection.schemaReloads = 0
  }

  /// Checks after a failure, because a missing table or column may be the result of a migration.
  func check(_ connection: Connection, after error: ObjectGraphError) throws(ObjectGraphError) {
    guard case .store(let cause, _) = error, cause.code == .error else { return }
    do throws(ObjectGraphError) {
      try compare(connection)
    } catch {
      // Report the first of two failures.
      if case .storeMigrated = error { throw error }
    }
  }

  /// Compares the hashes in the file with those that the store was opened with.
  func compare(_ connection: Connection) throws(ObjectGraphError) {
    let found = try during("comparing the model of \(path)") { () throws(SQLiteError) in
      try StoredMetadata(connection).versionHashes
    }
    if found != hashes { throw .storeMigrated(path: path) }
  }
}
