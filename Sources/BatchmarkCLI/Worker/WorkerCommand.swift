// `worker`: the hidden command that takes one sample. It must stay synchronous: no tasks, and no thread that the sample
// did not start itself.
internal import Analysis
internal import ArgumentParser
internal import BatchmarkEngine
internal import Foundation
internal import Harness
internal import Instruments
internal import Support

struct WorkerCommand: ParsableCommand {
  private static let name = "worker"
  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Take one sample; for the harness alone.", shouldDisplay: false)

  /// The job has it too, but address randomization must be turned off before anything is read.
  @Argument var pass: String

  static func arguments(of pass: Pass) -> [String] { [name, pass.rawValue] }

  /// Passed instead of a pass to ask a worker which SQLite it uses.
  ///
  /// The answer is JSON on standard output.
  static let libraryQuestion = "library"

  func run() throws {
    if pass == WorkerCommand.libraryQuestion {
      return try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(SQLiteFacts.own))
    }
    if pass == ConcurrentProcess.word {
      var process = ConcurrentProcess()
      return process.run()
    }
    guard let pass = Pass(rawValue: pass) else {
      throw CommandError(.usage, "found the pass '\(pass)'; the worker command is for the harness alone")
    }
    let notes = pass == .timing ? [] : fixAddresses()
    let channel = try AnswerChannel()
    do {
      try channel.send(SampleOutcome(answer: try takeSample(pass, notes: notes)))
    } catch {
      try channel.send(SampleOutcome(answer: "\(error)"))
    }
  }

  private func takeSample(_ pass: Pass, notes: [String]) throws -> Sample {
    let line = WorkerCommand.readLine()
    let format = try JSONDecoder().decode(JobFormat.self, from: line).format
    guard format == SampleJob.currentFormat else {
      throw CommandError(
        .notComparable,
        "found a job in \(format.map { "format \($0)" } ?? "a format without a number"); expected format "
          + "\(SampleJob.currentFormat): compare builds of one format")
    }
    let job = try JSONDecoder().decode(SampleJob.self, from: line)
    WorkerCommand.endWithHarness()
    // The harness removes the folder's contents, however the worker ends.
    PrivateFolder.choosePlace(job.directory)
    guard job.pass == pass else {
      throw CommandError(
        .internalError, "the worker was started for \(pass.rawValue) and got a \(job.pass.rawValue) job")
    }
    try checkProcess(job)
    var sample = try SampleTaker(
      engines: Batchmark.engines, executable: Executable.path, image: Executable.workerPath,
      arguments: [WorkerCommand.name]
    ).take(job)
    sample.notes += notes
    return sample
  }

}

/// The channel for the answer to the harness.
struct AnswerChannel {
  private let descriptor: Int32

  /// Takes over standard output, and redirects it to standard error for everything else.
  ///
  /// - Throws: ``CommandError`` if no descriptors are available.
  init() throws(CommandError) {
    descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
      throw CommandError(
        .internalError, "the worker cannot set up its standard output: \(String(cString: strerror(errno)))")
    }
  }

  /// Sends the answer as one line.
  func send(_ answer: SampleOutcome) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let line = try encoder.encode(answer) + Data("\n".utf8)
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: line)
  }
}

extension WorkerCommand {
  /// Reads the job's line, or everything if the input ends earlier.
  private static func readLine() -> Data {
    var line = Data()
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while line.last != UInt8(ascii: "\n") {
      let count = block.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { break }
      line.append(contentsOf: block[..<count])
    }
    return line
  }

  /// Makes the kernel end the worker when the harness ends for any reason, so that no worker of an interrupted run
  /// disturbs a resumed one.
  ///
  /// When the last writer closes a pipe, the kernel sends SIGIO to a reader that has requested it, and SIGIO ends a
  /// process that does not handle it. So no thread needs to watch. A parent-death signal would not work, because it is
  /// sent at the end of the thread that started the worker.
  private static func endWithHarness() {
    #if os(Linux)
      var status = stat()
      let flags = fcntl(STDIN_FILENO, F_GETFL)
      guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFIFO, flags >= 0 else { return }
      signal(SIGIO, SIG_DFL)
      _ = fcntl(STDIN_FILENO, F_SETOWN, getpid())
      _ = fcntl(STDIN_FILENO, F_SETFL, flags | O_ASYNC)
      // The harness may have ended before this.
      var end = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
      if poll(&end, 1, 0) == 1 && Int32(end.revents) & Int32(POLLHUP) != 0 {
        _exit(CommandStatus.internalError.rawValue)
      }
    #endif
  }

  /// Restarts the process without address randomization, so that exact figures repeat to the bit.
  ///
  /// - Returns: Why that was not possible, for the sample's notes.
  func fixAddresses() -> [String] {
    do {
      try AddressRandomization.reexecuteWithout()
      return []
    } catch {
      return ["\(error)"]
    }
  }

  /// Checks that the process can measure what the job asks for.
  ///
  /// - Throws: ``CommandError`` with the first problem.
  func checkProcess(_ job: SampleJob) throws {
    guard ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"] == "1" else {
      throw CommandError(.internalError, "the worker was started without SWIFT_DETERMINISTIC_HASHING=1")
    }
    if Jemalloc.isLinked { try Jemalloc.verifyIsAllocator() }
    let isMetered = AllocationMeter.isInMemoryMap
    guard isMetered == job.isMetered else {
      let pass = "the \(job.pass.rawValue) pass" + (job.pass == .timing && job.isMetered ? " of \(job.cell.id)" : "")
      throw CommandError(
        .internalError,
        isMetered
          ? "the allocation meter is loaded in \(pass), whose figures it would spoil"
          : "the allocation meter is not loaded in \(pass); see what '\(Console.programName) doctor' says")
    }
  }
}
