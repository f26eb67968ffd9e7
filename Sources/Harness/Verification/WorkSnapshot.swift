// What another connection sees of a store when a phase has ended. It does not see work that is deferred to the
// checkpoint, to closing or to another thread.
internal import CoreDataModel
internal import Instruments
internal import SQLiteDriver
internal import BatchmarkEngine

/// What another connection saw, or why it saw nothing.
///
/// This value keeps the connection open and must outlive the connections of the session.
struct WorkSnapshot {
  let phase: Phase
  let contents: Result<CommittedContents, any Error>
  private let connection: Connection?
}

/// The rows that were committed at one moment.
struct CommittedContents: Hashable {
  var contents: StoredContents
  /// How many rows each relationship links, by the name of its expected links.
  var linkedRows: [String: Int] = [:]
}

/// Work that another connection did not see.
package enum DeferredWork: Sendable, Hashable, CustomStringConvertible {
  /// Why the connection could not read.
  case unreadable(String)
  case rows(found: Int, expected: Int)
  /// The number of rows was right, but not their values or versions.
  case values(rows: Int)
  case links(String, found: Int, expected: Int)

  package var description: String {
    let now = "which the store has now that it is closed"
    return switch self {
    case .unreadable(let reason):
      "another connection could not read the store; expected its work to be committed: \(reason)"
    case .rows(let found, let expected): "another connection saw \(found) rows; expected \(expected), \(now)"
    case .values(let rows):
      "another connection saw \(rows) rows, as it should, but other values or versions; expected those \(now)"
    case .links(let name, let found, let expected):
      "another connection saw \(found) rows linked by '\(name)'; expected \(expected), \(now)"
    }
  }
}

extension WorkSnapshot {
  /// Reads the store of a session over a separate connection, without changing anything.
  ///
  /// - Parameters:
  ///   - phase: The phase that has just ended.
  ///   - path: The store, which the session has open.
  ///   - read: Reads the contents to compare.
  init(after phase: Phase, ofStoreAt path: String, _ read: (Connection) throws -> CommittedContents) {
    self.phase = phase
    var opened: Connection?
    contents = Result {
      let connection = try Connection(path: path, access: .unnoticed)
      opened = connection
      // One transaction, so that all statements read the same snapshot.
      try connection.begin(.deferred)
      defer { connection.rollback() }
      return try read(connection)
    }
    connection = opened
  }

  /// Compares what was seen with what had to be stored at that time.
  ///
  /// - Throws: ``VerificationError/notStoredInPhase(_:_:)``.
  func check(against expected: ExpectedContents, versionsToo: Bool) throws(VerificationError) {
    let seen: CommittedContents
    do { seen = try contents.get() } catch { throw .notStoredInPhase(phase, .unreadable("\(error)")) }
    let rows = seen.contents
    if rows.rows != expected.rows {
      throw .notStoredInPhase(phase, .rows(found: rows.rows, expected: expected.rows))
    }
    guard rows.contentHash == expected.contentHash,
      !versionsToo || expected.hasVersions(rows)
    else { throw .notStoredInPhase(phase, .values(rows: rows.rows)) }
    for links in expected.links {
      let found = seen.linkedRows[links.relationship] ?? 0
      if found != links.linkedRows {
        throw .notStoredInPhase(phase, .links(links.relationship, found: found, expected: links.linkedRows))
      }
    }
  }
}

extension Connection {
  /// How many pairs of rows a relationship of the entity has.
  func pairs(of relationship: StoredRelationship, from entity: StoredEntity) throws(SQLiteError) -> Int {
    let own = "Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity.name)')"
    let sql =
      switch relationship.storage {
      case .key(let column): "SELECT count(\(column)) FROM \(entity.tableName) WHERE \(own)"
      case .join(let table, let source, _):
        "SELECT count(*) FROM \(table) JOIN \(entity.tableName) ON Z_PK = \(source) WHERE \(own)"
      }
    return Int(try scalar(sql) ?? 0)
  }
}
