// A command of the user, run by the shell in a process group of its own.
internal import Subprocess

#if canImport(System)
  internal import System
#else
  internal import SystemPackage
#endif

/// A line for `/bin/sh -c`.
struct ShellCommand: Sendable {
  let text: String
  /// What its environment has beside this process' own.
  let variables: [String: String]

  /// How it ended.
  struct End: Sendable {
    /// What went wrong, as the end of a sentence; nil when it ended well.
    let problem: String?
    /// The last of what it wrote to either stream.
    let output: String
  }

  /// Runs to its end, for `limit` seconds at most; then its whole group is killed.
  func run(limit: Double) async -> End {
    await withTaskGroup(of: End?.self, returning: End.self) { group in
      group.addTask { await run() }
      group.addTask {
        try? await Task.sleep(for: .seconds(min(limit, 1e9)))
        return nil
      }
      var isOverLimit = false
      for await end in group {
        group.cancelAll()
        guard let end else {
          isOverLimit = true
          continue
        }
        return isOverLimit && !Task.isCancelled
          ? End(problem: "had not ended after \(WorkerReport.seconds(limit)) and was stopped", output: end.output) : end
      }
      return End(problem: "was lost sight of", output: "")
    }
  }

  private func run() async -> End {
    var options = PlatformOptions()
    options.processGroupID = 0
    options.teardownSequence = [.send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)]
    let additions = Dictionary(
      uniqueKeysWithValues: variables.map { (Environment.Key(stringLiteral: $0.key), $0.value) })
    do {
      let result = try await Subprocess.run(
        .path("/bin/sh"), arguments: ["-c", text], environment: .inherit.updating(additions),
        platformOptions: options, input: .none, output: .sequence, error: .combinedWithOutput
      ) { command in
        var tail = OutputTail(limit: ProcessLauncher.standardErrorLimit)
        for try await buffer in command.standardOutput { buffer.withUnsafeBytes { tail.append($0) } }
        return tail.text
      }
      return End(problem: ShellCommand.problem(result.terminationStatus), output: result.closureResult)
    } catch {
      return End(problem: "could not be started (\(error))", output: "")
    }
  }

  private static func problem(_ status: TerminationStatus) -> String? {
    switch status {
    case .exited(0): nil
    case .exited(let status): "ended with status \(status)"
    case .signaled(let signal): "was killed by \(WorkerReport.name(ofSignal: signal))"
    }
  }
}
