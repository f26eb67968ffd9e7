// The parts of a sample that are measured separately, and the operations that have them.

/// The parts of a sample that are measured separately.
package enum Phase: String, Codable, Sendable, CaseIterable {
  /// Parsing or generating the rows.
  case load
  /// Filling the store with rows for an update, a delete, a fetch or a migration; the same for every engine.
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
  /// Migrating a store with rows to another version of its model, from a closed file to an open store.
  case migrate
  /// Notifying the observing context of what was stored.
  case merge
  /// Moving the WAL into the database file.
  case checkpoint
  /// Reading back, hashing and checking integrity.
  case verify
}

extension Phase {
  /// Whether an operation is measured in this phase.
  package var isMain: Bool { Operation.Kind.allCases.contains { $0.phase == self } }

  /// The operations that have the phase.
  package var operations: Set<Operation.Kind> {
    switch self {
    case .load, .merge, .checkpoint, .verify: Set(Operation.Kind.allCases)
    case .ingest, .reingest: [.insert]
    case .prepare: [.update, .delete, .fetch, .migrate]
    case .update: [.update]
    case .delete: [.delete]
    case .fetch: [.fetch]
    case .migrate: [.migrate]
    }
  }
}

extension Operation.Kind {
  /// The phase in which the operation is measured.
  package var phase: Phase {
    switch self {
    case .insert: .ingest
    case .update: .update
    case .delete: .delete
    case .fetch: .fetch
    case .migrate: .migrate
    }
  }
}
