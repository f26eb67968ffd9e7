// What a scenario has going on beside the operation that it measures: readers and writers at fixed rates.

/// Readers and writers that use the store while an operation is measured, each over a connection of plain SQLite.
package struct ConcurrentWork: Sendable, Hashable {
  /// The rows that a reader asks for, all of them with every attribute.
  package struct Query: Sendable, Hashable {
    /// Nil for any row.
    package var condition: RowCondition?
    /// The most rows, the first by key; as many as a list shows at once unless the scenario says otherwise.
    package var limit = 50

    package init() {}
  }

  /// How a writer's transactions begin.
  package enum TransactionStart: String, Sendable, Hashable, Codable, CaseIterable {
    /// With the write lock.
    case immediate
    /// By reading, and taking the write lock only at the first write.
    ///
    /// SQLite refuses it at once if others have written since.
    case deferred
  }

  /// What each of them runs in.
  package enum Place: String, Sendable, Hashable, Codable, CaseIterable {
    /// A process of its own.
    case processes
    /// A thread of the process that is measured.
    case threads
  }

  package var readers = 0
  package var writers = 0
  /// Operations that each of them is to begin in a second.
  package var rate = 100
  package var place = Place.processes
  package var query = Query()
  package var transaction = TransactionStart.immediate
  /// How long each waits for a lock before it is refused, in milliseconds: as long as the engines do by themselves unless
  /// the scenario says otherwise.
  package var busyTimeout = 5_000

  package init() {}

  /// How many readers and writers there are.
  package var processes: Int { readers + writers }

  /// Whether there is anything beside the operation, so that no two runs are the same.
  package var isThere: Bool { processes > 0 }
}

/// The kinds of operations that have latencies of their own.
package enum OperationClass: String, Codable, CodingKeyRepresentable, Sendable, Hashable, CaseIterable {
  case read, write
  /// One of the requests that the measured operation itself is made of, such as a save.
  case request
}
