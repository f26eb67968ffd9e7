// The messages between a worker and a concurrent process, as lines of JSON on descriptors 3 and 4.
internal import BatchmarkEngine
internal import Statistics

/// The first line sent to a concurrent process: its job.
struct ConcurrentJob: Codable, Sendable {
  /// The work to do at the fixed rate.
  enum Work: Codable, Sendable {
    /// Runs a statement with these parameters and reads all its rows.
    case read(sql: String, parameters: [StoredValue])
    /// Inserts a row of this writer into ``ConcurrentTable``, in its own transaction.
    case write(writer: Int, ConcurrentWork.TransactionStart)
  }

  /// The path of the store.
  var path: String
  /// Operations a second.
  var rate: Int
  /// Milliseconds.
  var busyTimeout: Int
  /// The pragmas that the store's other connections have set and that each connection must set for itself.
  var pragmas: [StorePragma]
  var work: Work
}

/// Every later line sent to the process.
enum ConcurrentRequest: Codable, Sendable {
  /// When the first operation of this process begins, in nanoseconds of the monotonic clock, which all processes share;
  /// and when the first operation of any process begins.
  case begin(UInt64, ofAll: UInt64)
  /// The moment after which no operation is due, and how many slices to join into one in the answer.
  case end(UInt64, joining: Int)
}

/// A line sent by the process.
enum ConcurrentAnswer: Codable, Sendable {
  /// The store is open and has been read.
  case ready
  /// The outcomes of the operations, and their latencies over time.
  case tally(OperationTally, LatencySlices)
  /// Why it stopped, as a sentence.
  case failed(String)
}

/// The writers' table.
///
/// It is in no model, so an engine can neither miss nor find its rows.
enum ConcurrentTable {
  static let name = "BATCHMARK_CONCURRENT_WRITES"

  static let creation = """
    CREATE TABLE \(name) (writer INTEGER, number INTEGER, text TEXT, PRIMARY KEY (writer, number))
    """
  static let insertion = "INSERT INTO \(name) (writer, number, text) VALUES (?, ?, ?)"
  static let lastNumber = "SELECT max(number) FROM \(name) WHERE writer = ?"
  static let count = "SELECT count(*) FROM \(name)"
  static let removal = "DROP TABLE \(name)"
}
