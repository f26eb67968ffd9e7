// A session that does nothing where others are measured. Its rows come when nothing is measured any more, so that it is
// verified as every other.
internal import BatchmarkEngine

/// A session of the `sqlite` engine whose insert keeps the rows for later.
final class EmptySession: InsertSession {
  private let session: SQLiteInsertSession
  private var rows: SourceRows?
  private var inserts = 0

  init(_ session: SQLiteInsertSession) { self.session = session }

  func insert(_ rows: SourceRows) throws {
    self.rows = rows
    inserts += 1
  }

  func checkpoint() throws { try session.checkpoint() }

  func pragma(_ name: String) throws -> String? { try session.pragma(name) }

  func close() throws {
    if let rows { for _ in 0..<inserts { try session.insert(rows) } }
    rows = nil
    try session.close()
  }
}
