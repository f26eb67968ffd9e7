// The worker's side: the readers and writers that a scenario has beside the operation, started before the measured phase,
// working while it runs, and asked for what became of their operations when it has ended.
package import BatchmarkEngine
internal import CoreDataModel
internal import Foundation
internal import Instruments
internal import SQLiteDriver
internal import Statistics
internal import Support

/// The executable that is started for a reader or a writer; its word for that follows.
struct ConcurrentExecutable {
  let path: String
  let arguments: [String]
}

/// Readers and writers in processes of their own.
final class ConcurrentProcesses {
  /// Seconds that each has to open the store, and to end after its last operation.
  private static let patience = 20.0
  /// Pragmas that every connection has for itself.
  private static let ownPragmas: Set = ["synchronous", "wal_autocheckpoint", "cache_size", "mmap_size", "temp_store"]
  /// Nanoseconds from the message to begin to the first operation, in which it arrives.
  private static let lead: UInt64 = 2_000_000
  /// Bytes of a line; a histogram has a few kilobytes, and there is one for each slice of the phase.
  private static let longestLine = 16 << 20

  private let work: ConcurrentWork
  private let path: String
  private let pragmas: [StorePragma]
  private var processes: [(name: OperationClass, process: PipedProcess)] = []
  private var hasTable = false
  /// The moment of the first operation, and what follows the WAL from then on; nil before.
  private var watch: (begin: UInt64, wal: WALWatch)?

  /// Starts them all, and waits until each has the store open.
  ///
  /// - Parameters:
  ///   - work: How many there are and what they do.
  ///   - setup: The store, which is there.
  ///   - executable: What is started.
  /// - Throws: ``ConcurrentProcessError``, or what SQLite says of the writers' table.
  init(_ work: ConcurrentWork, _ setup: StoreSetup, _ executable: ConcurrentExecutable) throws {
    self.work = work
    path = setup.path
    pragmas = setup.connectionPragmas.filter { ConcurrentProcesses.ownPragmas.contains($0.name) }
    if work.writers > 0 { try makeTable(setup) }
    let read = try ConcurrentProcesses.read(work.query, of: setup.entity)
    for _ in 0..<work.readers { try start(.read, read, executable) }
    for writer in 0..<work.writers { try start(.write, .write(writer: writer, work.transaction), executable) }
    for (name, process) in processes {
      guard case .ready = try answer(of: process, name, limit: patience) else {
        throw ConcurrentProcessError(name, "it answered something else than that it is ready")
      }
    }
  }

  deinit { watch?.wal.stop() }

  /// What a process has for an operation that waits for a lock, beside the time of the answer.
  private var patience: Double { ConcurrentProcesses.patience + Double(work.busyTimeout) / 1_000 }

  /// Has the operations begin, evenly spread over the processes, and returns at the moment of the first.
  func begin() throws {
    let first = MonotonicClock.now() + ConcurrentProcesses.lead
    do throws(SystemError) { watch = (first, try WALWatch(path + "-wal", from: first)) } catch {
      throw InstrumentError.threadNotStarted(errorNumber: error.number)
    }
    for (index, (name, process)) in processes.enumerated() {
      let offset = 1_000_000_000 * UInt64(index) / UInt64(work.rate * processes.count)
      try send(ConcurrentRequest.begin(first + offset, ofAll: first), to: process, name)
    }
    SystemClock().sleep(until: first)
  }

  /// Ends the operations now, and adds up what became of them.
  ///
  /// - Throws: ``ConcurrentProcessError``, also for a writer whose rows are not all in the store.
  func end() throws -> ConcurrentMeasurement {
    let walBytes = FileStatus(path + "-wal")?.bytes
    let now = MonotonicClock.now()
    let length = now - min(watch?.begin ?? now, now)
    let joining = LatencySlices.joining(length)
    for (name, process) in processes { try send(ConcurrentRequest.end(now, joining: joining), to: process, name) }
    let sizes = watch?.wal.end(at: now, walBytes) ?? []
    watch = nil
    var tallies: [OperationClass: OperationTally] = [:]
    var slices: [OperationClass: LatencySlices] = [:]
    for (name, process) in processes {
      guard case .tally(let tally, let course) = try answer(of: process, name, limit: patience) else {
        throw ConcurrentProcessError(name, "it answered something else than what became of its operations")
      }
      tallies[name, default: OperationTally()].add(tally)
      slices[name, default: LatencySlices()].merge(course)
      process.end(within: ConcurrentProcesses.patience)
    }
    processes = []
    let classes = [(OperationClass.read, work.readers), (.write, work.writers)].compactMap { name, count in
      tallies[name].map { ConcurrentOperations(name, processes: count, rate: work.rate, tally: $0) }
    }
    let processors = Processors.allowed().count
    return ConcurrentMeasurement(
      classes: classes, walBytes: walBytes, processors: processors > 0 ? processors : nil,
      course: ConcurrentCourse(slices, sizes, joining: joining, seconds: Double(length) / 1e9))
  }

  /// Checks that every row that a writer committed is there, and removes the writers' table.
  ///
  /// Called when the session is closed, so that the store is again the model's alone.
  func checkWrites(_ measurement: ConcurrentMeasurement) throws {
    guard hasTable else { return }
    let expected = measurement.classes.first { $0.name == .write }?.tally.done ?? 0
    let connection = try Connection(path: path, access: .readWrite)
    let found = Int(try connection.scalar(ConcurrentTable.count) ?? 0)
    guard found == expected else {
      throw ConcurrentProcessError(.write, "the store has \(found) rows of writers; expected the \(expected) committed")
    }
    try connection.execute(ConcurrentTable.removal)
    _ = try connection.checkpoint(.truncate)
    try connection.close()
  }

  /// Makes the writers' table, and leaves the WAL empty as it was.
  private func makeTable(_ setup: StoreSetup) throws {
    let connection = try setup.connect()
    try connection.execute(ConcurrentTable.creation)
    if try connection.checkpoint(.truncate).isBusy { throw SampleError.checkpointIncomplete }
    try connection.close()
    hasTable = true
  }

  /// The statement of a reader: every attribute of the first rows that meet the condition.
  private static func read(_ query: ConcurrentWork.Query, of entity: EntityDescription) -> ConcurrentJob.Work {
    let filter = query.condition.map { ConditionSQL($0, entity: entity) }
    let columns = ["Z_PK", "Z_OPT"] + entity.attributes.filter { !$0.isTransient }.map(\.columnName).sorted()
    return .read(
      sql: "SELECT \(columns.joined(separator: ", ")) FROM \(entity.tableName)"
        + (filter.map { " WHERE " + $0.sql } ?? "") + " ORDER BY Z_PK LIMIT \(query.limit)",
      parameters: filter?.parameters ?? [])
  }

  private func start(_ name: OperationClass, _ work: ConcurrentJob.Work, _ executable: ConcurrentExecutable) throws {
    var child = ChildProcess(
      executable.path, executable.arguments + [ConcurrentProcess.word], output: .dropped, errors: .dropped)
    child.isExpendable = true
    let process: PipedProcess
    do throws(SystemError) { process = try PipedProcess(child) } catch {
      throw ConcurrentProcessError(name, "it could not be started: \(error)")
    }
    processes.append((name, process))
    let job = ConcurrentJob(
      path: path, rate: self.work.rate, busyTimeout: self.work.busyTimeout, pragmas: pragmas, work: work)
    try send(job, to: process, name)
  }

  private func send(_ line: some Encodable, to process: PipedProcess, _ name: OperationClass) throws {
    let bytes = Array(try JSONEncoder().encode(line)) + [UInt8(ascii: "\n")]
    do throws(PipedProcess.Failure) { try process.write(bytes, limit: ConcurrentProcesses.patience) } catch {
      throw ConcurrentProcessError(name, error, printed: process.lastPrinted)
    }
  }

  private func answer(of process: PipedProcess, _ name: OperationClass, limit: Double) throws -> ConcurrentAnswer {
    let line: [UInt8]
    do throws(PipedProcess.Failure) {
      line = try process.readLine(longest: ConcurrentProcesses.longestLine, limit: limit)
    } catch {
      throw ConcurrentProcessError(name, error, printed: process.lastPrinted)
    }
    guard let answer = try? JSONDecoder().decode(ConcurrentAnswer.self, from: Data(line)) else {
      throw ConcurrentProcessError(
        name, "it answered \(String(decoding: line.prefix(80), as: UTF8.self).debugDescription)")
    }
    if case .failed(let reason) = answer { throw ConcurrentProcessError(name, reason) }
    return answer
  }
}

/// Why a reader or a writer beside the operation did not do its work.
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
