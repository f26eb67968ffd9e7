// The stages of a batch insert, for tracers.

/// A stage of a batch insert; the cases are in order.
///
/// A stage lasts until the next one begins. Those from ``handler`` to ``history`` occur once per row, or once for
/// several rows that are stored together.
///
/// ```swift
/// let names = BatchInsertStage.allCases.map(\.name)
/// names.last  // "commit"
/// ```
public enum BatchInsertStage: Int, Sendable, Hashable, CaseIterable {
  /// From the request to the first row of a transaction: waiting for the store's writer, preparing statements, BEGIN,
  /// reading the last key.
  case preparation
  /// The caller's handler fills a dictionary or an object; an array has no such stage.
  case handler
  /// Values are converted for the row: names, types, defaults, and required values.
  ///
  /// Reused memory is cleared.
  case conversion
  /// Values are bound to the statement.
  case binding
  /// SQLite inserts the row.
  case stepping
  /// The row's outcome is recorded for history and the request's result, and the write-ahead log is kept within its
  /// limit.
  ///
  /// This stage exists only if one of them is requested.
  case history
  /// The last key is recorded, the rest of history written and the transaction committed.
  case commit

  /// The case's name.
  public var name: String { "\(self)" }
}

/// Observes a batch insert, stage by stage.
///
/// It is called several times for each row, so its own work is part of the time that it sees. Without a tracer, nothing
/// is called or checked: the rows use code that was compiled without it.
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
/// The type is known at compile time, so rows without a tracer cost nothing extra.
protocol BatchInsertStages {
  /// Whether there is an observer.
  static var areNoted: Bool { get }
  func began(_ stage: BatchInsertStage)
}

/// Stages without a tracer.
struct UntracedBatchInsert: BatchInsertStages {
  static var areNoted: Bool { false }

  @inline(__always)
  func began(_ stage: BatchInsertStage) {}
}

/// Stages with a tracer.
struct TracedBatchInsert: BatchInsertStages {
  static var areNoted: Bool { true }
  let tracer: any BatchInsertTracer

  func began(_ stage: BatchInsertStage) { tracer.began(stage) }
}
