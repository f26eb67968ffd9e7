// Whether an open store still has the model that it was opened with, though others may migrate it.
internal import CoreDataModel
internal import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The version hashes that a store was opened with, for connections to compare.
///
/// A migration changes the schema, and SQLite prepares a statement again when it finds another one than the statement was
/// prepared for. A connection counts that, so that comparing costs nothing until it happens.
struct StoreVersion: Sendable {
  let path: String
  let hashes: [String: Data]

  /// Ends a transaction that found another schema, if the store was migrated.
  ///
  /// - Throws: ``ObjectGraphError/storeMigrated(path:)``, ``ObjectGraphError/store(_:during:)``.
  @inline(__always)
  func check(_ connection: Connection) throws(ObjectGraphError) {
    if connection.schemaReloads == 0 { return }
    try compare(connection)
    connection.schemaReloads = 0
  }

  /// The same after a failure, which may be that a table or a column is not found.
  func check(_ connection: Connection, after error: ObjectGraphError) throws(ObjectGraphError) {
    guard case .store(let cause, _) = error, cause.code == .error else { return }
    do throws(ObjectGraphError) {
      try compare(connection)
    } catch {
      // The first of two failures is the one to report.
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
