// Manages the readers and writers of a scenario in the worker: starts them before the measured phase, lets them work
// while it runs, and collects their results at its end.
package import BatchmarkEngine
internal import CoreDataModel
internal import Instruments
internal import SQLiteDriver
internal import Statistics
internal import Support

/// Concurrent readers and writers, in separate processes or in threads of this one.
final class ConcurrentOperators {
  /// The seconds each one has to open the store, and to end after its last operation.
  private static let patience = 20.0
  /// Pragmas that each connection must set itself.
  private static let ownPragmas: Set = ["synchronous", "wal_autocheckpoint", "cache_size", "mmap_size", "temp_store"]
  /// Nanoseconds from the begin message to the first operation, so that the message arrives in time.
  private static let lead: UInt64 = 2_000_000

  private let work: ConcurrentWork
  private let path: String
  private let pragmas: [StorePragma]
  private var operators: [(name: OperationClass, operator: any ConcurrentOperator)] = []
  /// The number of pages of the store before the writers' table was made; `nil` without a writers' table.
  private var pagesBefore: Int64?
  /// The moment of the first operation, and the watch over the WAL since then; `nil` before it.
  private var watch: (begin: UInt64, wal: WALWatch)?

  /// Starts all of them and waits until each one has opened the store.
  ///
  /// - Parameters:
  ///   - work: How many there are and what they do.
  ///   - setup: The store, which exists.
  ///   - executable: The executable to start.
  /// - Throws: ``ConcurrentProcessError``, or SQLite's error on the writers' table.
  init(_ work: ConcurrentWork, _ setup: StoreSetup, _ executable: ConcurrentExecutable) throws {
    self.work = work
    path = setup.path
    pragmas = setup.connectionPragmas.filter { ConcurrentOperators.ownPragmas.contains($0.name) }
    if work.writers > 0 { try makeTable(setup) }
    let read = try ConcurrentOperators.read(work.query, of: setup.entity)
    for _ in 0..<work.readers { try start(.read, read, executable) }
    for writer in 0..<work.writers { try start(.write, .write(writer: writer, work.transaction), executable) }
    for (_, each) in operators { try each.waitUntilReady(limit: patience) }
  }

  deinit { watch?.wal.stop() }

  /// The seconds each one has to answer, including an operation that waits for a lock.
  private var patience: Double { ConcurrentOperators.patience + Double(work.busyTimeout) / 1_000 }

  /// Starts the operations, spread evenly over all readers and writers, and returns at the moment of the first one.
  func begin() throws {
    let first = MonotonicClock.now() + ConcurrentOperators.lead
    do throws(SystemError) { watch = (first, try WALWatch(path + "-wal", from: first)) } catch {
      throw InstrumentError.threadNotStarted(errorNumber: error.number)
    }
    for (index, (_, each)) in operators.enumerated() {
      let offset = 1_000_000_000 * UInt64(index) / UInt64(work.rate * operators.count)
      try each.begin(at: first + offset, ofAll: first)
    }
    SystemClock().sleep(until: first)
  }

  /// Ends the operations now, and adds up their results.
  ///
  /// - Throws: ``ConcurrentProcessError``, also if a writer's rows are not all in the store.
  func end() throws -> ConcurrentMeasurement {
    let walBytes = FileStatus(path + "-wal")?.bytes
    let now = MonotonicClock.now()
    let length = now - min(watch?.begin ?? now, now)
    let joining = LatencySlices.joining(length)
    for (_, each) in operators { try each.end(at: now, joining: joining) }
    let sizes = watch?.wal.end(at: now, walBytes) ?? []
    watch = nil
    var tallies: [OperationClass: OperationTally] = [:]
    var slices: [OperationClass: LatencySlices] = [:]
    for (name, each) in operators {
      let (tally, course) = try each.outcome(limit: patience)
      tallies[name, default: OperationTally()].add(tally)
      slices[name, default: LatencySlices()].merge(course)
    }
    operators = []
    let classes = [(OperationClass.read, work.readers), (.write, work.writers)].compactMap { name, count in
      tallies[name].map {
        ConcurrentOperations(name, processes: count, place: work.place, rate: work.rate, tally: $0)
      }
    }
    let processors = Processors.allowed().count
    return ConcurrentMeasurement(
      classes: classes, walBytes: walBytes, processors: processors > 0 ? processors : nil,
      course: ConcurrentCourse(slices, sizes, joining: joining, seconds: Double(length) / 1e9))
  }

  /// Checks that every row committed by a writer is in the store, and removes the writers' table.
  ///
  /// Call it after the session is closed. Afterwards the store has only the model's tables.
  ///
  /// - Returns: How many bytes the table added to the file. They remain in it as free pages.
  func checkWrites(_ measurement: ConcurrentMeasurement) throws -> Int64 {
    guard let pagesBefore else { return 0 }
    let expected = measurement.classes.first { $0.name == .write }?.tally.done ?? 0
    let connection = try Connection(path: path, access: .readWrite)
    let found = Int(try connection.scalar(ConcurrentTable.count) ?? 0)
    guard found == expected else {
      throw ConcurrentProcessError(.write, "the store has \(found) rows of writers; expected the \(expected) committed")
    }
    func number(_ pragma: String) throws -> Int64 { try connection.scalar("PRAGMA \(pragma)") ?? 0 }
    let freeBefore = try number("freelist_count")
    try connection.execute(ConcurrentTable.removal)
    // Deleted rows of the model may also have left free pages, which the writers then reused.
    let grown = try number("page_count") - pagesBefore
    let kept = max(0, min(try number("freelist_count") - freeBefore, grown))
    let bytes = try kept * number("page_size")
    _ = try connection.checkpoint(.truncate)
    try connection.close()
    return bytes
  }

  /// Makes the writers' table, and leaves the WAL empty, as it was before.
  private func makeTable(_ setup: StoreSetup) throws {
    let connection = try setup.connect()
    let pages = try connection.scalar("PRAGMA page_count") ?? 0
    try connection.execute(ConcurrentTable.creation)
    if try connection.checkpoint(.truncate).isBusy { throw SampleError.checkpointIncomplete }
    try connection.close()
    pagesBefore = pages
  }

  /// The statement of a reader: it selects every attribute of the first rows that match the condition.
  private static func read(_ query: ConcurrentWork.Query, of entity: EntityDescription) -> ConcurrentJob.Work {
    let filter = query.condition.map { ConditionSQL($0, entity: entity) }
    let columns = ["Z_PK", "Z_OPT"] + entity.attributes.filter { !$0.isTransient }.map(\.columnName).sorted()
    return .read(
      sql: "SELECT \(columns.joined(separator: ", ")) FROM \(entity.tableName)"
        + (filter.map { " WHERE " + $0.sql } ?? "") + " ORDER BY Z_PK LIMIT \(query.limit)",
      parameters: filter?.parameters ?? [])
  }

  private func start(_ name: OperationClass, _ work: ConcurrentJob.Work, _ executable: ConcurrentExecutable) throws {
    let job = ConcurrentJob(
      path: path, rate: self.work.rate, busyTimeout: self.work.busyTimeout, pragmas: pragmas, work: work)
    let started: any ConcurrentOperator =
      switch self.work.place {
      case .processes: try ConcurrentChild(name, job, executable)
      case .threads: try ConcurrentThread(name, job)
      }
    operators.append((name, started))
  }
}

/// The reason why a concurrent reader or writer failed.
package struct ConcurrentProcessError: Error, Sendable, Hashable, CustomStringConvertible {
  package let name: OperationClass
  /// A clause, without a full stop.
  package let reason: String

  init(_ name: OperationClass, _ reason: String) { (self.name, self.reason) = (name, reason) }

  init(_ name: OperationClass, _ failure: PipedProcess.Failure, printed: String) {
    let what =
      switch failure {
      case .ended(.exited(let status)): "it ended with status \(status)"
      case .ended(.signalled(let signal)): "it was killed by \(WorkerReport.name(ofSignal: signal))"
      case .late: "it did not answer in time"
      case .tooLong, .flooding: "it answered without end"
      case .closed: "it closed its answers"
      }
    let line = printed.split(separator: "\n").last.map { ": \($0.prefix(200))" } ?? ""
    self.init(name, what + line)
  }

  package var description: String {
    let who = name == .read ? "a reader" : "a writer"
    return "\(who) beside the operation failed: \(reason); expected it to work until the phase had ended"
  }
}
