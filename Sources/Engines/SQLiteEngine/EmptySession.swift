// A session that does nothing where others are measured. Its rows come when nothing is measured any more, so that it is
// verified as every other.
internal import Scenarios
internal import Workloads

/// A session of the `sqlite` engine whose ingest keeps the rows for later.
final class EmptySession: EngineSession {
  private let session: SQLiteSession
  private var rows: SourceRows?
  private var ingests = 0

  init(_ session: SQLiteSession) { self.session = session }

  func ingest(_ rows: ColumnarRows) throws { try ingest(SourceRows(rows)) }

  func ingest(_ rows: SourceRows) throws {
    self.rows = rows
    ingests += 1
  }

  func checkpoint() throws { try session.checkpoint() }

  func pragma(_ name: String) throws -> String? { try session.pragma(name) }

  func close() throws {
    if let rows { for _ in 0..<ingests { try session.ingest(rows) } }
    rows = nil
    try session.close()
  }
}
