// What a worker and a process beside it say to each other, in lines of JSON on descriptors 3 and 4.
internal import BatchmarkEngine
internal import Statistics

/// The first line to a process beside the operation: what it is to do.
struct ConcurrentJob: Codable, Sendable {
  /// What is done at the fixed rate.
  enum Work: Codable, Sendable {
    /// A statement whose rows are read, with the values of its parameters.
    case read(sql: String, parameters: [StoredValue])
    /// A row of this writer in ``ConcurrentTable``, in its own transaction.
    case write(writer: Int, ConcurrentWork.TransactionStart)
  }

  /// The store.
  var path: String
  /// Operations a second.
  var rate: Int
  /// Milliseconds.
  var busyTimeout: Int
  /// What the store's other connections have set, and that is each connection's own.
  var pragmas: [StorePragma]
  var work: Work
}

/// Every later line to it.
enum ConcurrentRequest: Codable, Sendable {
  /// When the first operation is to begin, in nanoseconds of the monotonic clock, which all processes share, and when the
  /// first of any process is.
  case begin(UInt64, ofAll: UInt64)
  /// The moment after which none is due, and how many slices of time are one in the answer.
  case end(UInt64, joining: Int)
}

/// A line from it.
enum ConcurrentAnswer: Codable, Sendable {
  /// The store is open and has been read.
  case ready
  /// The outcomes of the operations, and their latencies over time.
  case tally(OperationTally, LatencySlices)
  /// Why it does nothing more, in a sentence.
  case failed(String)
}

/// The table of writers, which no model has: what they write is not a row that an engine could miss or meet.
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
