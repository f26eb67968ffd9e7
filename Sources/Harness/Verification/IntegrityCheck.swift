// SQLite's own check of a closed store, which takes longer than all other reads of it together.
internal import Instruments
internal import SQLiteDriver
internal import Support
internal import Synchronization

/// `PRAGMA integrity_check` of a closed store, in a separate thread if another processor is free for it.
struct IntegrityCheck {
  private let path: String
  /// `nil` if the check runs only when its result is needed.
  private let thread: PlainThread?
  private let found = Found()

  /// Begins the check.
  ///
  /// - Parameters:
  ///   - path: The store, which is not being written to.
  ///   - isBesides: Whether the check may run alongside other work. With one processor, or without a thread, it runs only
  ///     when its result is needed.
  init(ofStoreAt path: String, isBesides: Bool) {
    self.path = path
    guard isBesides, Processors.allowed().count > 1 else {
      thread = nil
      return
    }
    let found = found
    thread = try? PlainThread(stackBytes: 1 << 20) { found.complaints.withLock { $0 = IntegrityCheck.ask(path) } }
  }

  /// Does other work while the check runs, and then waits for the check.
  ///
  /// If one of the two fails, it is repeated alone, because the process may not be allowed enough open files for both.
  ///
  /// - Parameter work: The work to do. Its error counts only if SQLite has no complaint.
  /// - Returns: What SQLite complains about, and the result of the work.
  /// - Throws: SQLite's error if the store cannot be read.
  func complaints<Value>(beside work: () throws -> Value) throws -> ([String], Result<Value, any Error>) {
    var value = Result { try work() }
    guard let thread else { return (try IntegrityCheck.ask(path).get(), value) }
    thread.join()
    var answer = found.complaints.withLock { $0 } ?? IntegrityCheck.ask(path)
    if case .failure = answer { answer = IntegrityCheck.ask(path) }
    let complaints = try answer.get()
    if complaints.isEmpty, case .failure = value { value = Result { try work() } }
    return (complaints, value)
  }

  private static func ask(_ path: String) -> Result<[String], SQLiteError> {
    Result { () throws(SQLiteError) in
      let connection = try Connection(path: path, access: .readOnly)
      try connection.mapFile()
      let complaints = try connection.integrityCheck()
      try connection.close()
      return complaints
    }
  }

  private final class Found: Sendable {
    let complaints = Lock<Result<[String], SQLiteError>?>(nil)
  }
}

extension Connection {
  /// Makes SQLite map the file into memory, because a check looks up every row in every index.
  func mapFile() throws(SQLiteError) { try setPragma("mmap_size", to: "1099511627776") }
}
