// The cost of each SQL text: how often it ran, its virtual machine steps, and the time between SQLite's hooks.
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
  /// How many runs finished, counted as ``SQLiteMeter`` counts them.
  public var runs: Int64
  /// Steps of SQLite's virtual machine in all runs.
  public var vmSteps: Int64
  /// The time from the first step of a run to its end, over all runs.
  ///
  /// For a query, this includes what the caller did between rows.
  public var nanoseconds: Int64
  /// Other counts; all zero unless the profile counts everything.
  public var work = StatementWork()

  public init(sql: String, runs: Int64, vmSteps: Int64, nanoseconds: Int64) {
    self.sql = sql
    self.runs = runs
    self.vmSteps = vmSteps
    self.nanoseconds = nanoseconds
  }
}

/// Counts and times the statements of this process by their text, whichever library runs them.
///
/// SQLite reports the time of a run only in milliseconds, so the hooks at the beginning and the end of a statement read
/// a clock, and the cost of reading it is subtracted. It follows every connection that opens after attaching. A
/// connection has only one trace hook: a process can use either this or a ``SQLiteMeter``, and a connection is lost
/// when another library sets its hook.
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
        let rows = statementCosts.withLock { $0.countsWork } ? SQLITE_TRACE_ROW : 0
        sqlite3_trace_v2(
          connection, UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE | rows), StatementProfile.hear, nil)
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
  /// - Parameter countsWork: Whether to fill in ``StatementCost/work`` for connections that open from now on. This
  ///   takes time: SQLite reports each row, and each text is prepared again for its plan.
  /// - Returns: The profile.
  /// - Throws: SQLite's reason for refusing hooks for all connections; nothing is profiled then.
  public static func attach(countsWork: Bool = false) throws(SQLiteError) -> StatementProfile {
    statementCosts.withLock { $0.countsWork = countsWork }
    return try attached.get()
  }

  /// Discards all counts.
  ///
  /// ```swift
  /// profile.reset()
  /// try connection.execute("REINDEX")
  /// let steps = profile.costs().reduce(0) { $0 + $1.vmSteps }
  /// ```
  public func reset() { statementCosts.withLock { $0.reset() } }

  /// The costs by SQL text since the last reset, the longest time first.
  public func costs() -> [StatementCost] {
    let costs = statementCosts.withLock { Array($0.costs.values) }
    return costs.sorted { ($1.nanoseconds, $0.sql) < ($0.nanoseconds, $1.sql) }
  }

  private static let hear:
    @convention(c) (UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32 = {
      event, _, statement, _ in
      // Read the clock first: what follows must not count toward the statement's time.
      let now = monotonicNanoseconds()
      guard let statement = statement.map({ OpaquePointer($0) }) else { return 0 }
      let address = Int(bitPattern: statement)
      switch Int32(event) {
      case SQLITE_TRACE_STMT: begin(statement, address)
      case SQLITE_TRACE_ROW: statementCosts.withLock { $0.returnedRow(address) }
      default:
        if let text = sqlite3_sql(statement) { end(statement, address, String(cString: text), at: now) }
      }
      return 0
    }

  private static func begin(_ statement: OpaquePointer, _ address: Int) {
    let countsWork = statementCosts.withLock { costs in
      if !costs.countsWork { costs.began(address, changes: nil) }
      return costs.countsWork
    }
    guard countsWork, let text = sqlite3_sql(statement), sqlite3_stmt_isexplain(statement) == 0 else { return }
    let sql = String(cString: text)
    let connection = sqlite3_db_handle(statement)
    // Ask for the plan before the statement runs: asking afterwards would overwrite SQLite's number of changed rows.
    // Even then, do not ask if the number is not 0 and the statement writes and seems to read it.
    let isHarmless =
      sqlite3_stmt_readonly(statement) != 0 || sqlite3_changes(connection) == 0
      || !sql.lowercased().contains("changes")
    if isHarmless, statementCosts.withLock({ $0.asksPlan(of: sql) }) {
      let plan = StatementPlan(of: sql, on: connection)
      statementCosts.withLock { $0.note(plan, of: sql) }
    }
    let changes = sqlite3_stmt_readonly(statement) == 0 ? Int64(sqlite3_total_changes(connection)) : nil
    statementCosts.withLock { $0.began(address, changes: changes) }
  }

  private static func end(_ statement: OpaquePointer, _ address: Int, _ sql: String, at now: Int64) {
    // SQLite counts in an unsigned integer but returns it as signed.
    func read(_ counter: Int32, setsBack: Bool = true) -> Int64 {
      Int64(UInt32(bitPattern: sqlite3_stmt_status(statement, counter, setsBack ? 1 : 0)))
    }
    let steps = read(SQLITE_STMTSTATUS_VM_STEP)
    guard statementCosts.withLock({ $0.countsWork }) else {
      statementCosts.withLock { $0.ended(address, sql, steps: steps, at: now) }
      return
    }
    if sqlite3_stmt_isexplain(statement) != 0 { return }
    var work = StatementWork()
    // Detect a preparation by the statement's first run: SQLite does not report preparations.
    work.preparations = read(SQLITE_STMTSTATUS_RUN, setsBack: false) == 1 ? 1 : 0
    // Do not reset this counter: connections also read it to detect schema changes.
    work.repreparations = read(SQLITE_STMTSTATUS_REPREPARE, setsBack: false)
    work.fullScanSteps = read(SQLITE_STMTSTATUS_FULLSCAN_STEP)
    work.sorts = read(SQLITE_STMTSTATUS_SORT)
    work.automaticIndexRows = read(SQLITE_STMTSTATUS_AUTOINDEX)
    let changes = Int64(sqlite3_total_changes(sqlite3_db_handle(statement)))
    statementCosts.withLock { $0.ended(address, sql, steps: steps, at: now, work, changes: changes) }
  }
}

/// The running statements, and the totals of those that finished.
private struct StatementCosts {
  /// Whether to count rows, plans and the like, which takes time.
  var countsWork = false
  private(set) var costs: [String: StatementCost] = [:]
  /// The running statements by address.
  private var running: [Int: Run] = [:]
  private var plans: [String: StatementPlan] = [:]
  /// How often SQLite prepared a statement again, by address; absent for 0.
  private var repreparations: [Int: Int64] = [:]
  /// How much reading the clock adds to an interval.
  private let clockCost: Int64

  /// A run that has begun.
  private struct Run {
    var beginning: Int64
    var rows: Int64 = 0
    /// Rows that its connection had changed by then; `nil` for a statement that changes no rows.
    var changes: Int64?
  }

  /// How many texts get a plan; a program that writes its values into the SQL can have any number of texts.
  private static let mostPlans = 500

  init() {
    clockCost =
      (0..<1_000).map { _ in
        let start = monotonicNanoseconds()
        return monotonicNanoseconds() - start
      }.min() ?? 0
  }

  mutating func reset() {
    costs = [:]
    plans = [:]
  }

  mutating func asksPlan(of sql: String) -> Bool { plans[sql] == nil && plans.count < StatementCosts.mostPlans }

  mutating func note(_ plan: StatementPlan, of sql: String) { plans[sql] = plan }

  mutating func began(_ statement: Int, changes: Int64?) {
    // SQLite reports a trigger's statement under the handle of the statement that fired it.
    if running[statement] == nil { running[statement] = Run(beginning: monotonicNanoseconds(), changes: changes) }
  }

  mutating func returnedRow(_ statement: Int) { running[statement]?.rows += 1 }

  mutating func ended(
    _ statement: Int, _ sql: String, steps: Int64, at now: Int64, _ work: StatementWork? = nil, changes: Int64 = 0
  ) {
    let run = running.removeValue(forKey: statement)
    let took = run.map { max(0, now - $0.beginning - clockCost) } ?? 0
    var cost = costs[sql] ?? StatementCost(sql: sql, runs: 0, vmSteps: 0, nanoseconds: 0)
    cost.runs += 1
    cost.vmSteps += steps
    cost.nanoseconds += took
    if var work {
      work.repreparations = newRepreparations(statement, work)
      work.rows = (run?.rows ?? 0) + (run?.changes.map { max(0, changes - $0) } ?? 0)
      if cost.runs == 1, let plan = plans[sql] {
        work.plan = plan.text
        work.preparationNanoseconds = plan.preparationNanoseconds
      }
      cost.work.add(work)
    }
    costs[sql] = cost
  }

  /// How much SQLite's counter grew since the statement's last run ended.
  private mutating func newRepreparations(_ statement: Int, _ work: StatementWork) -> Int64 {
    let counted = work.repreparations
    // Another statement may have had this address before.
    let before = work.preparations > 0 ? 0 : repreparations[statement] ?? 0
    repreparations[statement] = counted > 0 ? counted : nil
    // The program may have reset the counter.
    return counted < before ? counted : counted - before
  }
}

private let statementCosts = Lock(StatementCosts())

/// The system's monotonic clock.
func monotonicNanoseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
