// The parts of a sample that are measured apart, as instruments know them.

/// The parts of a sample that are measured apart.
package enum Phase: String, Codable, Sendable, CaseIterable {
  /// Parsing or generating the rows.
  case load
  /// Filling the store with the rows that an update, a delete or a fetch is about: alike for every engine.
  case prepare
  /// Storing the rows: from parsed rows to committed transactions.
  case ingest
  /// Storing the same rows again, in scenarios that repeat.
  case reingest
  /// Changing stored rows.
  case update
  /// Removing stored rows.
  case delete
  /// Reading stored rows.
  case fetch
  /// Telling the observing context what was stored.
  case merge
  /// Moving the WAL into the database file.
  case checkpoint
  /// Reading back, hashing and checking integrity.
  case verify
}
