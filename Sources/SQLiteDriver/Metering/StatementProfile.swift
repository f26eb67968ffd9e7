// What each SQL text costs: how often it was run, SQLite's steps for it, and time between SQLite's own hooks.
internal import CSQLite
internal import Support
internal import Synchronization
#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// The runs of one SQL text.
///
/// ```swift
/// for cost in profile.costs().prefix(5) where cost.runs > 0 {
///   print("\(cost.nanoseconds / cost.runs) ns a run: \(cost.sql)")
/// }
/// ```
public struct StatementCost: Sendable, Hashable {
  /// The text as it was prepared, with its parameters.
  public var sql: String
  /// How often it was run to an end, counted as ``SQLiteMeter`` counts.
  public var runs: Int64
  /// Steps of SQLite's virtual machine in all runs.
  public var vmSteps: Int64
  /// From the first step of a run to its end, in all runs; of a query also what its caller did between two rows.
  public var nanoseconds: Int64

  public init(sql: String, runs: Int64, vmSteps: Int64, nanoseconds: Int64) {
    self.sql = sql
    self.runs = runs
    self.vmSteps = vmSteps
    self.nanoseconds = nanoseconds
  }
}

/// Counts and times the statements of this process by their text, whichever library runs them.
///
/// SQLite tells of the time of a run itself, but in milliseconds; so its two hooks, as a statement begins and when it is
/// over, read a clock of our own, and what reading it takes is taken off. Every connection that opens after attaching is
/// followed. There is one trace hook a connection: a process has either this or a ``SQLiteMeter``, and a connection with a
/// hook of somebody else is not followed.
///
/// ```swift
/// let profile = try StatementProfile.attach()
/// let connection = try Connection(path: "quakes.sqlite")
/// try connection.execute("DELETE FROM quake WHERE magnitude < 1")
/// let slowest = profile.costs().first?.sql
/// ```
public final class StatementProfile: Sendable {
  private static let attached: Result<StatementProfile, SQLiteError> = {
    let code = sqlite3_shim_auto_extension { connection, _, _ in
      if let connection {
        sqlite3_trace_v2(
          connection, UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE), StatementProfile.hear, nil)
      }
      return SQLITE_OK
    }
    guard code == SQLITE_OK else {
      return .failure(
        SQLiteError(
          extendedCode: ResultCode(rawValue: code),
          message: "this SQLite does not take hooks for new connections, so that its statements cannot be told apart: "
            + (sqlite3_errstr(code).map { String(cString: $0) } ?? "unknown error")))
    }
    return .success(StatementProfile())
  }()

  private init() {}

  /// Attaches the profile to the process, or returns the one that is attached; it stays for good.
  ///
  /// - Throws: What SQLite has against hooks for all connections; nothing is followed then.
  public static func attach() throws(SQLiteError) -> StatementProfile { try attached.get() }

  /// Forgets what was counted.
  ///
  /// ```swift
  /// profile.reset()
  /// try connection.execute("REINDEX")
  /// let steps = profile.costs().reduce(0) { $0 + $1.vmSteps }
  /// ```
  public func reset() { statementCosts.withLock { $0.costs = [:] } }

  /// What was counted since the last reset, by text, the longest time first.
  public func costs() -> [StatementCost] {
    let costs = statementCosts.withLock { Array($0.costs.values) }
    return costs.sorted { ($1.nanoseconds, $0.sql) < ($0.nanoseconds, $1.sql) }
  }

  private static let hear:
    @convention(c) (UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32 = {
      event, _, statement, _ in
      // First of all, so that what follows is no part of the statement's time.
      let now = monotonicNanoseconds()
      guard let statement = statement.map({ OpaquePointer($0) }) else { return 0 }
      let address = Int(bitPattern: statement)
      if Int32(event) == SQLITE_TRACE_STMT {
        statementCosts.withLock { $0.began(address) }
      } else if let text = sqlite3_sql(statement) {
        let sql = String(cString: text)
        // SQLite counts without a sign and answers with one.
        let steps = UInt32(bitPattern: sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1))
        statementCosts.withLock { $0.ended(address, sql, steps: Int64(steps), at: now) }
      }
      return 0
    }
}

/// The statements that run now, and what others came to.
private struct StatementCosts {
  var costs: [String: StatementCost] = [:]
  /// When each began, by its address.
  private var beginnings: [Int: Int64] = [:]
  /// What reading the clock adds to an interval.
  private let clockCost: Int64

  init() {
    clockCost =
      (0..<1_000).map { _ in
        let start = monotonicNanoseconds()
        return monotonicNanoseconds() - start
      }.min() ?? 0
  }

  mutating func began(_ statement: Int) {
    // A trigger's statement comes under its statement's own handle.
    if beginnings[statement] == nil { beginnings[statement] = monotonicNanoseconds() }
  }

  mutating func ended(_ statement: Int, _ sql: String, steps: Int64, at now: Int64) {
    let took = beginnings.removeValue(forKey: statement).map { max(0, now - $0 - clockCost) } ?? 0
    costs[sql, default: StatementCost(sql: sql, runs: 0, vmSteps: 0, nanoseconds: 0)].add(steps: steps, took)
  }
}

extension StatementCost {
  fileprivate mutating func add(steps: Int64, _ nanoseconds: Int64) {
    runs += 1
    vmSteps += steps
    self.nanoseconds += nanoseconds
  }
}

private let statementCosts = Lock(StatementCosts())

/// The system's monotonic clock.
private func monotonicNanoseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
