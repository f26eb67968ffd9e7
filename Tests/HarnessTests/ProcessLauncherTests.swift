// Real processes: shell scripts instead of workers.
import MissionTags
@testable import Analysis
import Foundation
@testable import Harness
import HarnessFixtures
import Instruments
import BatchmarkEngine
import Support
import Testing

@Suite("A6 · worker processes", .tags(.a6))
struct ProcessLauncherTests {
  private func job(text: String = "scenario: quakes") -> SampleJob {
    SampleJob(
      scenarioText: text, scenarioFile: "q.yml", overrides: [],
      cell: Cell(scenario: "quakes", engine: "objectgraph", strategy: "save"), pass: .timing, round: 1,
      directory: "/tmp")
  }

  private func launcher(_ script: String) -> ProcessLauncher {
    ProcessLauncher(
      executable: "/bin/sh", arguments: { _ in ["-c", script] },
      environment: WorkerEnvironment(meter: nil, inheriting: ["HOME": "/secret"]))
  }

  private func take(
    _ job: SampleJob, with launcher: ProcessLauncher, limit: Double = 600, cancellation: Cancellation = Cancellation()
  ) async throws -> SampleOutcome {
    try await onThread { try launcher.take(job, limit: limit, cancellation: cancellation) }
  }

  private func failure(_ script: String, limit: Double = 600) async throws -> FailedSample {
    let outcome = try await take(job(), with: launcher(script), limit: limit)
    guard case .failure(let failure) = outcome.result else { return FailedSample(job(), reason: "it succeeded") }
    return failure
  }

  private func isAlive(_ pid: Int32) -> Bool { kill(pid, 0) == 0 }

  /// Waits until the process is gone.
  ///
  /// A killed process exists for a moment until its parent notices.
  private func isGone(_ pid: Int32) async throws -> Bool {
    for _ in 0..<500 where isAlive(pid) {
      // Without a parent in the group, init has to collect it, which may be slow or never happen. A zombie counts as
      // gone.
      if let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8), stat.contains(") Z ") {
        return true
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    return !isAlive(pid)
  }

  @Test("The job arrives on standard input and the answer comes back from standard output")
  func answer() async throws {
    let folder = try TemporaryFolder()
    let answer = folder.path + "/answer"
    try JSONEncoder().encode(SampleOutcome(answer: sample("quakes/objectgraph/save")))
      .write(to: URL(fileURLWithPath: answer))
    let large = job(text: String(repeating: "# a comment\n", count: 100_000))
    let outcome = try await take(
      large, with: launcher("head -n 1 > '\(folder.path)/job'; cat '\(answer)'; echo; echo noise >&2"))
    guard case .success(let sample) = outcome.result else {
      Issue.record("found \(outcome)")
      return
    }
    #expect(sample.cell == "quakes/objectgraph/save")
    let arrived = try JSONDecoder().decode(
      SampleJob.self, from: Data(contentsOf: URL(fileURLWithPath: folder.path + "/job")))
    #expect(arrived.scenarioText == large.scenarioText)
  }

  @Test("A crash names its signal and keeps standard error")
  func crash() async throws {
    let failure = try await failure("read -r job; echo 'Fatal error: boom' >&2; kill -SEGV $$")
    #expect(failure.reason == "the worker was killed by signal 11 (SIGSEGV)")
    #expect(failure.standardError == "Fatal error: boom\n")
  }

  @Test("A worker that dies before it reads its job is not an error of the harness")
  func earlyDeath() async throws {
    let outcome = try await take(
      job(text: String(repeating: "x", count: 1_000_000)), with: launcher("exec <&-; exit 3"))
    guard case .failure(let failure) = outcome.result else {
      Issue.record("found \(outcome)")
      return
    }
    #expect(failure.reason == "the worker ended without an answer and with status 3")
  }
}

extension ProcessLauncherTests {
  @Test("A hanging worker is stopped with its whole group, and its last words are kept")
  func hang() async throws {
    let folder = try TemporaryFolder()
    let pids = folder.path + "/pids"
    // This is long enough for a shell to start on a machine that is busy with other tests.
    let failure = try await failure("echo waiting >&2; sleep 1000 & echo $$ $! > '\(pids)'; wait", limit: 6)
    #expect(failure.reason == "the worker had not ended after 6 s and was stopped")
    #expect(failure.standardError == "waiting\n")
    let found = try String(contentsOfFile: pids, encoding: .utf8).split { " \n".contains($0) }.compactMap { Int32($0) }
    #expect(found.count == 2)
    for pid in found { #expect(try await isGone(pid)) }
  }

  @Test("A worker that closes its outputs and hangs is stopped too")
  func silentHang() async throws {
    let failure = try await failure("exec >&- 2>&-; sleep 1000", limit: 1)
    #expect(failure.reason == "the worker had not ended after 1 s and was stopped")
  }

  @Test("A worker's end is final: processes that it left are killed, and its answer counts")
  func daemon() async throws {
    let folder = try TemporaryFolder()
    let (answer, pids) = (folder.path + "/answer", folder.path + "/pids")
    try JSONEncoder().encode(SampleOutcome(answer: sample("quakes/objectgraph/save")))
      .write(to: URL(fileURLWithPath: answer))
    let outcome = try await take(
      job(), with: launcher("read -r job; sleep 1000 & echo $! > '\(pids)'; cat '\(answer)'; echo"), limit: 8)
    guard case .success = outcome.result else {
      Issue.record("found \(outcome)")
      return
    }
    let number = try #require(Int32(try String(contentsOfFile: pids, encoding: .utf8).dropLast()))
    #expect(try await isGone(number))
  }

  @Test("A worker that writes endlessly is stopped", arguments: ["", ">&2"])
  func flood(redirection: String) async throws {
    let failure = try await failure("read -r job; while head -c 1000000 /dev/zero \(redirection); do :; done")
    #expect(failure.reason == "the worker had written more than 256 MiB and was stopped")
    #expect(failure.standardError.utf8.count <= ProcessLauncher.standardErrorLimit)
  }
}

extension ProcessLauncherTests {
  @Test("A program that neither answers nor ends at the first question is not a worker")
  func firstAnswer() async throws {
    func problem(_ script: String, limit: Double) async throws -> String? {
      let launcher = launcher(script)
      return try await onThread { try launcher.firstProblem(limit: limit, cancellation: Cancellation()) }
    }
    #expect(try await problem("sleep 1000", limit: 1) == "has not answered within 1 s")
    #expect(try await problem("exec >&- 2>&-; sleep 1000", limit: 1) == "has not answered within 1 s")
    #expect(
      try await problem("while head -c 1000000 /dev/zero; do :; done", limit: 300) == "has written more than 256 MiB")
    for script in [
      "read -r job; echo '{\"error\": \"no job\"}'", "echo '{\"format\": 1, \"sample\": {}}'; sleep 1000 &",
    ] {
      #expect(try await problem(script, limit: 60) == nil, "\(script)")
    }
    let others = [
      "exit 0": "is no worker: it ended without a worker's answer",
      "read -r job; echo \"{}\"": "is no worker: it ended without a worker's answer",
      "echo one >&2; echo no library >&2; exit 127":
        "is no worker: it ended without a worker's answer and with status 127 (no library)",
      "kill -SEGV $$": "is no worker: it was killed by signal 11 (SIGSEGV)",
    ]
    for (script, words) in others { #expect(try await problem(script, limit: 60) == words, "\(script)") }
  }

  @Test("Cancelling stops the worker's group and gives no outcome")
  func cancel() async throws {
    let folder = try TemporaryFolder()
    let pids = folder.path + "/pids"
    let launcher = launcher("sleep 1000 & echo $$ $! > '\(pids).new'; mv '\(pids).new' '\(pids)'; wait")
    let job = job()
    let cancellation = Cancellation()
    let task = Task { try await take(job, with: launcher, cancellation: cancellation) }
    while !FileManager.default.fileExists(atPath: pids) { try await Task.sleep(for: .milliseconds(10)) }
    cancellation.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let found = try String(contentsOfFile: pids, encoding: .utf8).split { " \n".contains($0) }.compactMap { Int32($0) }
    #expect(found.count == 2)
    for pid in found { #expect(try await isGone(pid)) }
  }

  @Test("Garbage and floods are not accepted as answers; the end of a flood of errors is kept")
  func garbage() async throws {
    let garbage = try await failure("read -r job; echo hello")
    #expect(garbage.reason.hasPrefix("the worker's answer was \"hello\\n\""))
    let flood = try await failure("read -r job; head -c 300000 /dev/zero | tr '\\0' 'x' >&2; echo end >&2")
    #expect(flood.reason == "the worker ended without an answer")
    #expect(flood.standardError.utf8.count == ProcessLauncher.standardErrorLimit)
    #expect(flood.standardError.hasSuffix("xxxend\n"))
  }
}

extension ProcessLauncherTests {
  @Test("Only the fixed environment is passed to a worker")
  func environment() async throws {
    // Repeat this: the memory behind a variable's last byte must not matter.
    for _ in 1...20 {
      let failure = try await failure("read -r job; env >&2")
      let lines = failure.standardError.split(separator: "\n").filter { !$0.hasPrefix("PWD=") && !$0.hasPrefix("_=") }
      #expect(lines.sorted() == ["LC_ALL=C", "PATH=/usr/bin:/bin", "SWIFT_DETERMINISTIC_HASHING=1", "TZ=UTC"])
    }
  }

  @Test("A missing executable is a failed sample")
  func missingExecutable() async throws {
    let launcher = ProcessLauncher(
      executable: "/nowhere/batchmark", arguments: { _ in [] },
      environment: WorkerEnvironment(meter: nil, inheriting: [:]))
    guard case .failure(let failure) = try await take(job(), with: launcher).result else {
      Issue.record("it succeeded")
      return
    }
    #expect(failure.reason == "the worker could not be started: No such file or directory")
  }

  @Test("A worker that the kernel kills is a failed sample that says why")
  func killed() async throws {
    let failure = try await failure("read -r job; kill -KILL $$")
    #expect(failure.reason == "the worker was killed by signal 9 (SIGKILL, perhaps for want of memory)")
  }

  #if os(Linux)
    @Test("If memory is short, the kernel ends a worker before the harness")
    func expendable() async throws {
      let failure = try await failure(
        "while [ \"$(cat /proc/self/oom_score_adj)\" != 1000 ]; do :; done; cat /proc/self/oom_score_adj >&2")
      #expect(failure.standardError == "1000\n")
    }
  #endif

  @Test("A worker starts with default signal handling, although the harness ignores or blocks some")
  func signals() async throws {
    let launcher = launcher("read -r job; kill -INT $$; echo still here >&2")
    let job = job()
    let outcome = try await onThread {
      var interrupt = sigset_t()
      sigemptyset(&interrupt)
      sigaddset(&interrupt, SIGINT)
      pthread_sigmask(SIG_BLOCK, &interrupt, nil)
      return try launcher.take(job, limit: 60, cancellation: Cancellation())
    }
    guard case .failure(let failure) = outcome.result else {
      Issue.record("found \(outcome)")
      return
    }
    #expect(failure.reason == "the worker was killed by signal 2 (SIGINT)")
  }
}
