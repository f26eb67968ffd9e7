// The helper for engines in Swift: implements the protocol, so an engine only stores rows.
//
// An engine is a class that conforms to `Engine`; `serve` makes it. Batchmark's request is in `Job`; see the article
// "Engines in any language". scripts/engines builds this with swiftc alone.
import Foundation

struct Job: Decodable {
  struct Entity: Decodable {
    var table, sourceTable: String
    var columns: [Column]
    /// The columns of each uniqueness constraint.
    var uniqueTogether: [[String]]
  }
  struct Column: Decodable {
    var attribute, column, type, storage: String
    var optional, unique: Bool
  }
  struct Pragma: Decodable { var name, value: String }

  /// A number of rows, or "all".
  struct Count: Decodable {
    var number: Int?
    init(from decoder: any Decoder) throws { number = try? decoder.singleValueContainer().decode(Int.self) }
  }

  var strategy, store, source, insert, firstWrite, mergePolicy: String
  var parameters: [String: Count]
  var entities: [Entity]
  var pragmas: [Pragma]
  var answeredPragmas: [String]

  /// Returns a parameter that is a number of rows, or `rows` if it is "all".
  func number(_ parameter: String, of rows: Int) -> Int { parameters[parameter]?.number ?? max(rows, 1) }

  /// Reads all rows of the source, with their values in the order of the entity's columns.
  func heldRows() throws -> [[Value]] {
    try Database(source).rows("SELECT * FROM \"\(entities[0].sourceTable)\" ORDER BY rowid")
  }

  /// Sets the pragmas and runs the first write.
  func prepare(_ store: Database) throws {
    for pragma in pragmas { try store.run("PRAGMA \(pragma.name) = \(pragma.value)") }
    try store.run(firstWrite)
  }
}

/// The value of a column in a row.
enum Value {
  case null, integer(Int64), real(Double), text(String), blob([UInt8])

  var text: String? {
    switch self {
    case .null, .blob: nil
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): value
    }
  }
}

struct EngineError: Error, CustomStringConvertible { var description: String }

/// A connection to SQLite.
final class Database {
  let handle: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    guard sqlite3_open(path, &opened) == SQLITE_OK, let opened else {
      throw EngineError(description: "cannot open \(path)")
    }
    handle = opened
  }

  func check(_ status: Int32, _ expected: Int32 = SQLITE_OK) throws {
    if status != expected { throw EngineError(description: String(cString: sqlite3_errmsg(handle))) }
  }

  func run(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

  func prepare(_ sql: String) throws -> OpaquePointer {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    guard let statement else { throw EngineError(description: "found no statement") }
    return statement
  }

  /// Returns the rows of a statement's result.
  func rows(_ sql: String) throws -> [[Value]] {
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    var rows: [[Value]] = []
    while true {
      let status = sqlite3_step(statement)
      if status == SQLITE_DONE { return rows }
      try check(status, SQLITE_ROW)
      rows.append((0..<sqlite3_column_count(statement)).map { Database.value(statement, $0) })
    }
  }

  private static func value(_ statement: OpaquePointer, _ column: Int32) -> Value {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT: return .text(String(cString: sqlite3_column_text(statement, column)))
    case SQLITE_BLOB:
      let bytes = sqlite3_column_blob(statement, column)
      return .blob([UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column)))))
    default: return .null
    }
  }

  func close() throws { try check(sqlite3_close(handle)) }
}

protocol Engine: AnyObject {
  /// Opens the store and reads the rows into memory.
  init(_ job: Job) throws
  var store: Database { get }
  /// Stores all rows and returns their number.
  func insert(firstKey: Int64) throws -> Int
  func close() throws
}

/// Describes a strategy for `hello`.
///
/// A strategy that gives up "no upsert" cannot handle rows with unique values that are already in the store.
func strategy(_ name: String, _ role: String, _ summary: String, givesUp: [String]) -> [String: Any] {
  [
    "name": name, "operation": "insert", "role": role, "summary": summary, "rows": "held", "gives_up": givesUp,
    "upserts": !givesUp.contains("no upsert"), "parameters": ["save_every": "all"],
  ]
}

private struct Opening: Decodable { var open: Job }

private func answer(_ line: Data, _ hello: [String: Any], _ engine: inout (any Engine)?, _ type: any Engine.Type) throws
  -> [String: Any]
{
  let message = try JSONSerialization.jsonObject(with: line) as? [String: Any]
  switch message?.keys.first {
  case "hello": return hello
  case "open":
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let job = try decoder.decode(Opening.self, from: line).open
    let opened = try type.init(job)
    engine = opened
    let answers = try job.answeredPragmas.map { ($0, try opened.store.rows("PRAGMA \($0)").first?.first?.text) }
    return ["ready": Dictionary(uniqueKeysWithValues: answers).compactMapValues { $0 }]
  case "go":
    let key = (message?["go"] as? [String: Any])?["first_key"] as? Int ?? 1
    let start = DispatchTime.now().uptimeNanoseconds
    let rows = try engine?.insert(firstKey: Int64(key)) ?? 0
    return ["done": ["rows": rows, "seconds": Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9]]
  case "checkpoint":
    guard try engine?.store.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first?.text == "0" else {
      throw EngineError(description: "the checkpoint left frames in the WAL")
    }
    return ["checkpointed": 1]
  case "close":
    try engine?.close()
    return ["closed": 1]
  case let request: throw EngineError(description: "this program knows no request '\(request ?? "")'")
  }
}

/// Answers requests until Batchmark closes the connection.
func serve(_ name: String, version: String, strategies: [[String: Any]], as type: any Engine.Type) throws {
  let sqlite = ["version": String(cString: sqlite3_libversion()), "source_id": String(cString: sqlite3_sourceid())]
  let hello: [String: Any] = [
    "hello": 1, "engine": name, "version": version, "runtime": "Swift", "sqlite": sqlite, "strategies": strategies,
  ]
  guard let requests = fdopen(3, "r") else { throw EngineError(description: "found no descriptor 3") }
  let answers = FileHandle(fileDescriptor: 4)
  var (line, room): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
  var engine: (any Engine)?
  while case let length = getline(&line, &room, requests), length > 0, let line {
    var said: [String: Any]
    do { said = try answer(Data(bytes: line, count: length), hello, &engine, type) } catch {
      said = ["error": "\(error)"]
    }
    try answers.write(contentsOf: JSONSerialization.data(withJSONObject: said, options: .sortedKeys) + Data("\n".utf8))
    if said["closed"] != nil { return }
  }
}
