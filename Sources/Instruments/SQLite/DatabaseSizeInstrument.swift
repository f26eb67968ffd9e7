// The size of the database file at the end of a phase, as reported by the system, not by SQLite.
package import BatchmarkEngine
internal import Support

/// Reads the size of the file, whichever process wrote it.
struct DatabaseSizeInstrument: Instrument {
  static let pass = Pass.counters

  static let metrics = [
    MetricDeclaration(.databaseBytes, .bytes, in: pass, "the database file at the end of the phase")
  ]

  private var storePath: String?

  init(in context: InstrumentContext) {}

  mutating func engineOpens(storeAt path: String) { storePath = path }

  func phaseBegins(_ phase: Phase) {}

  func phaseEnds(_ phase: Phase) -> [MetricID: Int64] {
    storePath.flatMap { FileStatus($0)?.bytes }.map { [.databaseBytes: $0] } ?? [:]
  }
}

extension MetricID {
  /// The database file at the end of the phase, in bytes.
  package static let databaseBytes = MetricID("db_bytes")
}
