// What is one in the readings of several processes.
internal import Support

extension [MeterReading] {
  /// The bytes of all write-ahead logs now: of one that several processes have open, the most that one of them knows of.
  package var walBytes: Int64 {
    var logs: [String: Int64] = [:]
    for database in flatMap(\.databases) {
      logs[database.path] = Swift.max(logs[database.path] ?? 0, database.walBytes)
    }
    return logs.values.reduce(0) { $0.addingClamped($1) }
  }
}

extension MeterReading.Statement {
  /// What statements of several processes have in common that are one.
  package struct Identity: Hashable, Sendable {
    private let text: String
    /// Of the whole text, where only its beginning is kept.
    private let hash: UInt64?

    fileprivate init(_ statement: MeterReading.Statement) {
      text = statement.text
      hash = statement.isCut ? statement.textHash : nil
    }
  }

  /// The statement, whichever process ran it.
  package var identity: Identity { Identity(self) }
}
