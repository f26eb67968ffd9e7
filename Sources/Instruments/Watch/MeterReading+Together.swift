// Combines readings of several processes that share logs and statements.
internal import Support

extension [MeterReading] {
  /// The present size of all write-ahead logs.
  ///
  /// If several processes have the same log open, the largest of the sizes counts.
  package var walBytes: Int64 { sum(\.walBytes) }

  /// The largest size that all write-ahead logs had together, at most: the lower of the sums of peaks by log and by
  /// process.
  var walPeakBytes: Int64 {
    Swift.min(sum(\.walPeakBytes), reduce(0) { $0.addingClamped($1.walPeakBytes) })
  }

  /// The sum of a figure over all logs, counting each log once.
  private func sum(_ bytes: (MeterReading.Database) -> Int64) -> Int64 {
    var logs: [String: Int64] = [:]
    for database in flatMap(\.databases) {
      logs[database.path] = Swift.max(logs[database.path] ?? 0, bytes(database))
    }
    return logs.values.reduce(0) { $0.addingClamped($1) }
  }
}

extension MeterReading.Statement {
  /// What identifies the same statement in several processes.
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
