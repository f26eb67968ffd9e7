// The real launcher: the same executable started afresh, in a process group of its own that is killed as a whole.
internal import Foundation
public import Instruments
internal import Subprocess
public import Workloads

#if canImport(System)
  internal import System
#else
  internal import SystemPackage
#endif

/// Starts an executable with its hidden worker command for every sample.
public struct ProcessLauncher: WorkerLauncher {
  /// The last bytes of standard error that are kept.
  public static let standardErrorLimit = 64 * 1024
  /// An answer is a few kilobytes; more than this is no answer.
  private static let answerLimit = 16 * 1024 * 1024

  private let executable: String
  private let arguments: @Sendable (Pass) -> [String]
  private let environment: WorkerEnvironment

  /// Makes a launcher; from now on the process ignores SIGPIPE.
  ///
  /// - Parameters:
  ///   - executable: The absolute path of the executable.
  ///   - arguments: What selects its worker command; the job follows on standard input, as one line.
  ///   - environment: What workers are started with.
  public init(
    executable: String, arguments: @escaping @Sendable (Pass) -> [String], environment: WorkerEnvironment
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    // A worker that dies before it has read its job must not take the harness with it. Workers themselves start with
    // the default action again.
    signal(SIGPIPE, SIG_IGN)
  }

  public func take(_ job: SampleJob, limit: Double) async throws(CancellationError) -> WorkerOutcome {
    var isOverLimit = false
    let result = await withTaskGroup(of: Event.self, returning: Result<WorkerReport, any Error>?.self) { group in
      group.addTask {
        do { return .ended(.success(try await run(job))) } catch { return .ended(.failure(error)) }
      }
      group.addTask {
        let slept: Void? = try? await Task.sleep(for: .seconds(min(limit, ProcessLauncher.longestLimit)))
        return slept == nil ? .cancelled : .overLimit
      }
      // A cancelled run kills the worker's whole group and still hands over what it had written.
      for await event in group {
        switch event {
        case .ended(let result):
          group.cancelAll()
          return result
        case .overLimit:
          isOverLimit = true
          group.cancelAll()
        case .cancelled: break
        }
      }
      return nil
    }
    // After an interrupt, whatever the killed worker left says nothing.
    if Task.isCancelled { throw CancellationError() }
    switch result {
    case .success(var report):
      if isOverLimit { report.end = .timedOut(limit) }
      return report.outcome(of: job)
    case .failure(let error):
      return .failure(WorkerFailure(reason: "the worker could not be started: \(error)"))
    case nil:
      return .failure(WorkerFailure(reason: "the worker was lost sight of"))
    }
  }

  private enum Event: Sendable {
    case ended(Result<WorkerReport, any Error>)
    case overLimit
    case cancelled
  }

  /// 30 years; a clock's arithmetic ends somewhere beyond.
  private static let longestLimit = 1e9

  private func run(_ job: SampleJob) async throws -> WorkerReport {
    let request = Array(try JSONEncoder().encode(job)) + [UInt8(ascii: "\n")]
    var options = PlatformOptions()
    options.processGroupID = 0
    // No grace for a cancelled worker: its directory is removed anyway.
    options.teardownSequence = [.send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)]
    // Raw, because a dictionary would give them another order in every process. The library takes C strings.
    let variables = environment.variables(
      preloadsMeter: job.isMetered, profilesHeap: job.profile == .heap, padding: job.padding ?? 0
    ).map { Array($0.utf8) + [0] }
    let result = try await Subprocess.run(
      .path(FilePath(executable)), arguments: Arguments(arguments(job.pass)),
      environment: .custom(variables), platformOptions: options,
      input: .inputWriter, output: .sequence, error: .sequence
    ) { worker in
      async let output = ProcessLauncher.tail(of: worker.standardOutput, limit: ProcessLauncher.answerLimit)
      async let errors = ProcessLauncher.tail(of: worker.standardError, limit: ProcessLauncher.standardErrorLimit)
      // A worker that dies before it has read its job breaks the pipe; its end is judged by the caller.
      _ = try? await worker.standardInputWriter.write(request)
      // Its input stays open until it has ended: that it closes tells a worker that the harness is gone.
      let tails = try await (output: output, errors: errors)
      try? await worker.standardInputWriter.finish()
      return tails
    }
    let end: WorkerReport.End =
      switch result.terminationStatus {
      case .exited(let status): .exited(status)
      case .signaled(let signal): .signalled(signal)
      }
    let tails = result.closureResult
    return WorkerReport(end: end, output: Array(tails.output.data), standardError: tails.errors.text)
  }

  private static func tail(of stream: SubprocessOutputSequence, limit: Int) async throws -> OutputTail {
    var tail = OutputTail(limit: limit)
    for try await buffer in stream { buffer.withUnsafeBytes { tail.append($0) } }
    return tail
  }
}
