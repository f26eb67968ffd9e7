// Logs and statements that several processes share, in their readings.
internal import Support

extension [MeterReading] {
  /// The bytes of all write-ahead logs now.
  ///
  /// If several processes have one open, the largest of their sizes counts.
  package var walBytes: Int64 { sum(\.walBytes) }

  /// The most bytes that all write-ahead logs had together: at most what the peaks of each log, or of each process, add up to.
  var walPeakBytes: Int64 {
    Swift.min(sum(\.walPeakBytes), reduce(0) { $0.addingClamped($1.walPeakBytes) })
  }

  /// The sum of a figure over all logs, each counted once.
  private func sum(_ bytes: (MeterReading.Database) -> Int64) -> Int64 {
    var logs: [String: Int64] = [:]
    for database in flatMap(\.databases) {
      logs[database.path] = Swift.max(logs[database.path] ?? 0, bytes(database))
    }
    return logs.values.reduce(0) { $0.addingClamped($1) }
  }
}

extension MeterReading.Statement {
  /// What the same statement of several processes has in common.
  package struct Identity: Hashable, Sendable {
    private let text: String
    /// The hash of the whole text, if only its beginning is kept.
    private let hash: UInt64?

    fileprivate init(_ statement: MeterReading.Statement) {
      text = statement.text
      hash = statement.isCut ? statement.textHash : nil
    }
  }

  /// Identifies the statement across processes.
  package var identity: Identity { Identity(self) }
}
