// The code of a concurrent reader or writer, which uses plain SQLite: it performs one operation after another at a
// fixed rate and holds no lock between two of them.
internal import BatchmarkEngine
internal import Foundation
internal import SQLiteDriver
internal import Statistics
internal import Support

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The process's side of the conversation with the worker that started it.
package struct ConcurrentProcess {
  /// The word that selects this role when the executable is started, in place of a pass.
  package static let word = "beside"

  private static let input: Int32 = 3
  private static let output: Int32 = 4

  private var unread: [UInt8] = []

  package init() {}

  /// Follows the worker's messages until the phase has ended, and reports every error to the worker.
  package mutating func run() {
    do {
      try work()
    } catch {
      try? answer(.failed("\(error)"))
    }
  }

  private mutating func work() throws {
    let job = try next(ConcurrentJob.self)
    let operation = try ConcurrentOperation(job)
    try answer(.ready)
    guard case .begin(let begin, let origin) = try next(ConcurrentRequest.self) else { return }
    var conversation = self
    let (tally, slices) = try operation.run(rate: job.rate, begin: begin, origin: origin) {
      guard conversation.hasMore, case .end(let end, let joining) = try conversation.next(ConcurrentRequest.self)
      else { return nil }
      return (end, joining)
    }
    try operation.close()
    try answer(.tally(tally, slices))
  }

  /// Whether there is more input to read.
  ///
  /// If the process could not run for a while, the begin and the end message may arrive in one block.
  private var hasMore: Bool {
    if unread.contains(UInt8(ascii: "\n")) { return true }
    var polled = pollfd(fd: ConcurrentProcess.input, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) > 0
  }

  /// Reads the next line.
  ///
  /// End of input means that the worker has ended, and this process ends too.
  private mutating func next<Line: Decodable>(_ type: Line.Type) throws -> Line {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeSubrange(...end) }
        return try JSONDecoder().decode(type, from: Data(unread[..<end]))
      }
      let count = block.withUnsafeMutableBytes { read(ConcurrentProcess.input, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw SystemError(EPIPE) }
      unread += block[..<count]
    }
  }

  private func answer(_ answer: ConcurrentAnswer) throws {
    let line = try JSONEncoder().encode(answer) + Data("\n".utf8)
    try FileHandle(fileDescriptor: ConcurrentProcess.output, closeOnDealloc: false).write(contentsOf: line)
  }
}

/// The system's monotonic clock.
struct SystemClock: OperationClock {
  func now() -> UInt64 { MonotonicClock.now() }

  func sleep(until moment: UInt64) {
    let now = now()
    if now < moment { PlainThread.sleep(nanoseconds: Int(moment - now)) }
  }
}

/// Performs a reader's or writer's operations over its connection.
final class ConcurrentOperation {
  private let connection: Connection
  private let work: ConcurrentJob.Work
  private let statement: Statement
  /// The statement with which a deferred transaction first reads.
  private let look: Statement?
  /// A checksum of everything that was read, so that the reads cannot be optimized away.
  private var checksum: Int64 = 0

  /// Opens the store and reads from it once.
  init(_ job: ConcurrentJob) throws(SQLiteError) {
    work = job.work
    let isReader = if case .read = job.work { true } else { false }
    connection = try Connection(
      path: job.path, access: isReader ? .readOnly : .readWrite, busyTimeout: Int32(clamping: job.busyTimeout))
    for pragma in job.pragmas { _ = try connection.setPragma(pragma.name, to: pragma.value) }
    switch job.work {
    case .read(let sql, let parameters):
      statement = try connection.prepare(sql)
      for (index, value) in parameters.enumerated() { try statement.bind(value, at: index + 1) }
      look = nil
    case .write(_, let start):
      statement = try connection.prepare(ConcurrentTable.insertion)
      look = start == .deferred ? try connection.prepare(ConcurrentTable.lastNumber) : nil
    }
    _ = try connection.scalar("SELECT count(*) FROM sqlite_master")
  }

  /// Tries the operation with that number once.
  ///
  /// - Throws: SQLite's error, unless the reason is a lock.
  func attempt(_ number: Int) throws(SQLiteError) -> OperationAttempt {
    do throws(SQLiteError) {
      switch work {
      case .read: try readRows()
      case .write(let writer, let start): try write(number, of: writer, start)
      }
      return .done
    } catch {
      connection.rollback()
      switch error.extendedCode {
      case .busy, .locked: return .refused(error.extendedCode.name)
      default: throw error
      }
    }
  }

  /// Carries out the operations at a fixed rate until the end.
  ///
  /// - Parameters:
  ///   - rate: Operations a second.
  ///   - begin: When the first one begins, in nanoseconds of the monotonic clock.
  ///   - origin: When the first one of all readers and writers begins.
  ///   - end: Returns the moment after which no operation is due, and how many slices to join into one; `nil` while
  ///     unknown.
  /// - Returns: Their outcomes, and their latencies over time.
  /// - Throws: What an attempt or `end` throws.
  func run(
    rate: Int, begin: UInt64, origin: UInt64, until end: () throws -> (moment: UInt64, joining: Int)?
  ) throws -> (tally: OperationTally, slices: LatencySlices) {
    var slices = LatencySlices()
    var joining = 1
    let tally = try FixedRateLoop(begin: begin, rate: rate).run(SystemClock()) {
      slices.record($1, dueAfter: $0 - origin)
    } until: {
      guard let end = try end() else { return nil }
      joining = end.joining
      return end.moment
    } _: {
      try attempt($0)
    }
    return (tally, slices.joined(by: joining))
  }

  func close() throws(SQLiteError) { try connection.close() }

  private func readRows() throws(SQLiteError) {
    // Reset it after an error too: a statement that is not reset keeps its snapshot open.
    defer { statement.reset() }
    while try statement.step() {
      for column in 0..<statement.columnCount {
        switch statement.columnType(column) {
        case .integer: checksum &+= statement.int64(column)
        case .real: checksum &+= Int64(truncatingIfNeeded: statement.double(column).bitPattern)
        case .text, .blob: checksum &+= Int64(statement.bytes(column)?.last ?? 0)
        case .null: break
        }
      }
    }
  }

  private func write(_ number: Int, of writer: Int, _ start: ConcurrentWork.TransactionStart) throws(SQLiteError) {
    defer {
      look?.reset()
      statement.reset()
    }
    try connection.begin(start == .immediate ? .immediate : .deferred)
    if let look {
      try look.bind(writer, at: 1)
      while try look.step() { checksum &+= look.int64(0) }
      look.reset()
    }
    try statement.bind(writer, at: 1)
    try statement.bind(number, at: 2)
    try statement.bind(
      text: "what writer \(writer) has to say for the \(number)th time, in as many bytes as a note", at: 3)
    try statement.run()
    try connection.commit()
  }
}
