// What a request with a bounded write-ahead log reports about the log.

/// How large the write-ahead log became while a request ran, and what kept it from being emptied.
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
  /// The size that was asked for.
  public let limitBytes: Int
  /// The size of the log when it was longest.
  public internal(set) var highWaterBytes = 0
  /// Transactions that were committed.
  public internal(set) var transactions = 0
  /// How often the request tried to empty the log: before each transaction.
  public internal(set) var checkpoints = 0
  /// How many of these failed, because a reader still needed what is in the log or another connection held it.
  public internal(set) var heldUpCheckpoints = 0
  /// Transactions that alone are larger than the limit: each has a row that does not fit.
  public internal(set) var oversizedTransactions = 0

  init(limitBytes: Int) { self.limitBytes = limitBytes }

  /// Whether the log grew beyond the limit because it could not be emptied.
  public var isStarved: Bool { heldUpCheckpoints > 0 && highWaterBytes > limitBytes }
}

extension WriteAheadLogReport: CustomStringConvertible {
  /// One sentence: what happened, and what to do about it.
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
