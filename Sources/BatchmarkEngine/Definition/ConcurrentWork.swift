// Concurrent readers and writers, at fixed rates, during a scenario's operation.

/// Readers and writers that use the store while an operation is measured, each with its own plain SQLite connection.
package struct ConcurrentWork: Sendable, Hashable {
  /// The rows that a reader reads, with every attribute.
  package struct Query: Sendable, Hashable {
    /// `nil` for any row.
    package var condition: RowCondition?
    /// The maximum number of rows, the first ones by key.
    ///
    /// The default is as many as a list shows at once.
    package var limit = 50

    package init() {}
  }

  /// How a writer's transactions begin.
  package enum TransactionStart: String, Sendable, Hashable, Codable, CaseIterable {
    /// With the write lock.
    case immediate
    /// By reading. The first write takes the write lock.
    ///
    /// SQLite refuses it immediately if others have written since.
    case deferred
  }

  /// What each reader or writer runs in.
  package enum Place: String, Sendable, Hashable, Codable, CaseIterable {
    /// A separate process.
    case processes
    /// A thread of the measured process.
    case threads
  }

  package var readers = 0
  package var writers = 0
  /// The operations per second of each reader or writer.
  package var rate = 100
  package var place = Place.processes
  package var query = Query()
  package var transaction = TransactionStart.immediate
  /// How long each one waits for a lock before it is refused, in milliseconds.
  ///
  /// The default is that of the engines.
  package var busyTimeout = 5_000

  package init() {}

  /// How many readers and writers there are.
  package var processes: Int { readers + writers }

  /// Whether there are readers or writers, so that no two runs are the same.
  package var isThere: Bool { processes > 0 }
}

/// The kinds of operations with separate latencies.
package enum OperationClass: String, Codable, CodingKeyRepresentable, Sendable, Hashable, CaseIterable {
  case read, write
  /// One of the requests that make up the measured operation, such as a save.
  case request
}
