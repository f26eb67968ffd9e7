// What SQLite counts for a statement besides runs and steps, and the statement's query plan.
internal import CSQLite

/// The total work of all runs of one SQL text, as SQLite counts it.
///
/// ```swift
/// let profile = try StatementProfile.attach(countsWork: true)
/// let connection = try Connection(path: "quakes.sqlite")
/// try connection.execute("DELETE FROM quake WHERE magnitude < 1")
/// for cost in profile.costs() where cost.work.fullScanSteps > 1_000 {
///   print("\(cost.sql) reads a table through: \(cost.work.plan ?? "its plan is not known")")
/// }
/// ```
public struct StatementWork: Sendable, Hashable {
  /// How often the text was prepared and then run.
  public var preparations: Int64 = 0
  /// How often SQLite prepared it again because the schema had changed.
  public var repreparations: Int64 = 0
  /// Rows returned, and rows inserted, updated or deleted, including by triggers.
  public var rows: Int64 = 0
  /// Steps from row to row in full table scans.
  public var fullScanSteps: Int64 = 0
  /// Sorts that no index avoided.
  public var sorts: Int64 = 0
  /// Rows put into automatic indexes.
  public var automaticIndexRows: Int64 = 0
  /// How long preparing the text takes, in nanoseconds: the shortest of several times; `nil` if there is no plan.
  public var preparationNanoseconds: Int64?
  /// Its `EXPLAIN QUERY PLAN` when it first ran, one line per step; `nil` for statements that have no plan.
  public var plan: String?

  public init() {}

  mutating func add(_ other: StatementWork) {
    preparations += other.preparations
    repreparations += other.repreparations
    rows += other.rows
    fullScanSteps += other.fullScanSteps
    sorts += other.sorts
    automaticIndexRows += other.automaticIndexRows
    preparationNanoseconds = preparationNanoseconds ?? other.preparationNanoseconds
    plan = plan ?? other.plan
  }
}

/// The plan of a text, requested on the connection that is about to run it.
struct StatementPlan {
  /// `nil` if it has none.
  let text: String?
  /// The shortest of several preparations; `nil` if there is no plan.
  let preparationNanoseconds: Int64?

  /// Statements that have a plan; preparing other statements, such as PRAGMA, can have side effects.
  private static let words: Set<Substring> = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "REPLACE", "VALUES"]
  private static let preparations = 5

  init(of sql: String, on connection: OpaquePointer?) {
    let first = sql.drop { $0.isWhitespace }.prefix { $0.isLetter }.uppercased()
    guard StatementPlan.words.contains(first[...]) else {
      (text, preparationNanoseconds) = (nil, nil)
      return
    }
    var shortest: Int64?
    for _ in 0..<StatementPlan.preparations {
      let start = monotonicNanoseconds()
      var statement: OpaquePointer?
      let code = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
      sqlite3_finalize(statement)
      let took = monotonicNanoseconds() - start
      if code == SQLITE_OK { shortest = min(shortest ?? took, took) }
    }
    preparationNanoseconds = shortest
    text = StatementPlan.steps(of: sql, on: connection)
  }

  private static func steps(of sql: String, on connection: OpaquePointer?) -> String? {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(connection, "EXPLAIN QUERY PLAN " + sql, -1, &statement, nil) == SQLITE_OK else {
      return nil
    }
    var depths: [Int32: Int] = [:]
    var lines: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      guard let detail = sqlite3_column_text(statement, 3) else { continue }
      let depth = depths[sqlite3_column_int(statement, 1)].map { $0 + 1 } ?? 0
      depths[sqlite3_column_int(statement, 0)] = depth
      lines.append(String(repeating: "  ", count: depth) + String(cString: detail))
    }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}
