// How large the database file is when a phase ends, asked of the system and not of SQLite.
package import BatchmarkEngine

#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Looks at the file itself, no matter who wrote it.
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
    storePath.flatMap { FileSize.bytes(of: $0) }.map { [.databaseBytes: $0] } ?? [:]
  }
}

extension MetricID {
  /// The database file at the end of the phase, in bytes.
  package static let databaseBytes = MetricID("db_bytes")
}

/// Sizes of files.
package enum FileSize {
  /// The file's length in bytes; nil when there is none at the path.
  package static func bytes(of path: String) -> Int64? {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : nil
  }
}
