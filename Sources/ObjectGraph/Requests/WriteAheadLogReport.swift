// A report about the write-ahead log of a request that limits it.

/// How large the write-ahead log became during a request, and what kept it from being emptied.
///
/// See ``BatchInsertRequest/walSizeLimit``.
///
/// ```swift
/// var request = BatchInsertRequest(entityName: "Quake", objects: rows)
/// request.walSizeLimit = 16 << 20
/// request.walReportHandler = { print("\($0.transactions) transactions, at most \($0.highWaterBytes) bytes") }
/// try context.execute(request)
/// ```
public struct WriteAheadLogReport: Sendable, Hashable {
  /// The requested limit.
  public let limitBytes: Int
  /// The largest size of the log.
  public internal(set) var highWaterBytes = 0
  /// Transactions that were committed.
  public internal(set) var transactions = 0
  /// How often the request tried to empty the log, which is before each transaction.
  public internal(set) var checkpoints = 0
  /// How many of these attempts failed, because a reader still needed the log or another connection held it.
  public internal(set) var heldUpCheckpoints = 0
  /// Transactions that exceed the limit by themselves: each has a row that does not fit.
  public internal(set) var oversizedTransactions = 0

  init(limitBytes: Int) { self.limitBytes = limitBytes }

  /// Whether the log grew beyond the limit because it could not be emptied.
  public var isStarved: Bool { heldUpCheckpoints > 0 && highWaterBytes > limitBytes }
}

extension WriteAheadLogReport: CustomStringConvertible {
  /// One sentence with the cause and the remedy.
  public var description: String {
    let sizes = "the write-ahead log grew to \(highWaterBytes) bytes, limit \(limitBytes)"
    if isStarved {
      return sizes + ": \(heldUpCheckpoints) of \(checkpoints) checkpoints were held up by a reader, such as a "
        + "long-running fetch or a context pinned to a query generation, here or in another process; end it and "
        + "checkpoint"
    }
    if highWaterBytes > limitBytes {
      return sizes + ": \(oversizedTransactions) of \(transactions) transactions had a row that does not fit; raise "
        + "the limit"
    }
    return sizes + ", in \(transactions) transaction\(transactions == 1 ? "" : "s")"
  }
}
