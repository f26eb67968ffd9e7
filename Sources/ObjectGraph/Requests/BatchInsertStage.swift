// The stages of a batch insert, for tracers that follow one.

/// A stage of a batch insert, in the order they come.
///
/// A stage lasts until the next one begins. Those from ``handler`` to ``history`` come once a row, or once for several
/// rows that are stored together.
///
/// ```swift
/// let names = BatchInsertStage.allCases.map(\.name)
/// names.last  // "commit"
/// ```
public enum BatchInsertStage: Int, Sendable, Hashable, CaseIterable {
  /// From the request to the first row of a transaction: waiting for the store's writer, statements, BEGIN, the last
  /// key.
  case preparation
  /// The caller's handler fills a dictionary or an object; not of an array, which was filled before the request.
  case handler
  /// Values become those of a row: names, types, defaults, and what is required; and what is reused is emptied again.
  case conversion
  /// Values are bound to the statement.
  case binding
  /// SQLite inserts the row.
  case stepping
  /// The outcome of the row is recorded for history and the request's result, and the write-ahead log is kept within its limit.
  ///
  /// This stage exists only if one of them is requested.
  case history
  /// The last key is recorded, the last of history written and the transaction committed.
  case commit

  /// The case's name.
  public var name: String { "\(self)" }
}

/// Follows a batch insert, stage by stage.
///
/// It is called several times a row, so what it does takes a share of the time it sees. Without a tracer nothing is
/// called and nothing is asked: the rows go through code that was compiled without it.
///
/// ```swift
/// final class TransactionCount: BatchInsertTracer {
///   let count = Mutex(0)
///   func began(_ stage: BatchInsertStage) { if stage == .commit { count.withLock { $0 += 1 } } }
///   func ended(isStored: Bool) { print(count.withLock { $0 }) }
/// }
/// try context.execute(BatchInsertRequest(entityName: "Quake", objects: rows), tracer: TransactionCount())
/// ```
public protocol BatchInsertTracer: AnyObject, Sendable {
  /// Called on the thread that executes the request when a stage begins.
  func began(_ stage: BatchInsertStage)
  /// Called when the request has ended, stored or not.
  func ended(isStored: Bool)
}

/// Receives the stages of a batch insert.
///
/// The type is known at compile time, so rows that nobody traces cost nothing extra.
protocol BatchInsertStages {
  /// Whether there is an observer.
  static var areNoted: Bool { get }
  func began(_ stage: BatchInsertStage)
}

/// Nobody follows.
struct UntracedBatchInsert: BatchInsertStages {
  static var areNoted: Bool { false }

  @inline(__always)
  func began(_ stage: BatchInsertStage) {}
}

/// A tracer follows.
struct TracedBatchInsert: BatchInsertStages {
  static var areNoted: Bool { true }
  let tracer: any BatchInsertTracer

  func began(_ stage: BatchInsertStage) { tracer.began(stage) }
}
