// Reports each statement that a connection has run: its text, its duration and how many rows it returned.
internal import CSQLite

/// A finished run of a statement.
///
/// ```swift
/// connection.trace { statement in
///   if statement.nanoseconds > 100_000_000 { print("slow, \(statement.rows) rows: \(statement.sql)") }
/// }
/// ```
public struct FinishedStatement: Sendable, Hashable {
  /// The statement as it was prepared.
  public let sql: String
  /// The statement with its bound values; `nil` unless they were requested.
  public let expandedSQL: String?
  /// The time from the first step to the end, as measured by SQLite.
  public let nanoseconds: Int64
  /// The number of rows returned.
  public let rows: Int
}

extension Connection {
  /// Calls the observer after each run of a statement.
  ///
  /// It replaces any earlier observer; without one, there is no cost.
  ///
  /// Statements of triggers count as part of the statement that fires them. ``SQLiteMeter`` no longer counts the
  /// connection's statements, because SQLite has only one such hook.
  ///
  /// ```swift
  /// connection.trace(expandingValues: true) { print($0.expandedSQL ?? $0.sql) }
  /// try connection.execute("DELETE FROM quake WHERE code = 'us1000ep7p'")
  /// ```
  ///
  /// - Parameters:
  ///   - expandsValues: Whether the trace includes the values bound to a statement, which may be private data.
  ///   - observer: Called on the connection's thread. It must not use the connection.
  public func trace(expandingValues expandsValues: Bool = false, _ observer: @escaping (FinishedStatement) -> Void) {
    guard let handle else { return }
    let tracer = StatementTracer(expandsValues: expandsValues, observer)
    self.tracer = tracer
    let events = SQLITE_TRACE_STMT | SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE
    sqlite3_trace_v2(
      handle, UInt32(events), StatementTracer.hear, Unmanaged.passUnretained(tracer).toOpaque())
  }
}

/// The state of running statements.
final class StatementTracer {
  private let expandsValues: Bool
  private let observer: (FinishedStatement) -> Void
  private var running: [OpaquePointer: (rows: Int, expandedSQL: String?)] = [:]

  init(expandsValues: Bool, _ observer: @escaping (FinishedStatement) -> Void) {
    self.expandsValues = expandsValues
    self.observer = observer
  }

  fileprivate static let hear:
    @convention(c) (UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32 = {
      event, context, statement, detail in
      guard let context, let statement else { return 0 }
      let tracer = Unmanaged<StatementTracer>.fromOpaque(context).takeUnretainedValue()
      tracer.hear(Int32(event), OpaquePointer(statement), detail)
      return 0
    }

  private func hear(_ event: Int32, _ statement: OpaquePointer, _ detail: UnsafeMutableRawPointer?) {
    switch event {
    case SQLITE_TRACE_STMT:
      // SQLite reports a trigger's statement as a comment, under the handle of the statement that fired it.
      guard running[statement] == nil else { return }
      // Read it now: bound memory may be freed before the statement is reset.
      running[statement] = (0, expandsValues ? expandedSQL(statement) : nil)
    case SQLITE_TRACE_ROW: running[statement]?.rows += 1
    case SQLITE_TRACE_PROFILE:
      let known = running.removeValue(forKey: statement)
      observer(
        FinishedStatement(
          sql: sqlite3_sql(statement).map { String(cString: $0) } ?? "", expandedSQL: known?.expandedSQL,
          nanoseconds: detail?.loadUnaligned(as: Int64.self) ?? 0, rows: known?.rows ?? 0))
    default: break
    }
  }

  private func expandedSQL(_ statement: OpaquePointer) -> String? {
    guard let text = sqlite3_expanded_sql(statement) else { return nil }
    defer { sqlite3_free(text) }
    return String(cString: text)
  }
}
