// A6: the user's commands around each sample: their environment, their order, and the effect of a failure.
import MissionTags
@testable import Analysis
import Foundation
@testable import Harness
import HarnessFixtures
import Instruments
import BatchmarkEngine
import Support
import Testing

@Suite("A6 · commands around samples", .tags(.a6))
struct HookTests {
  private let job = SampleJob(
    scenarioText: "", scenarioFile: "q.yml", overrides: [],
    cell: Cell(scenario: "quakes", engine: "objectgraph", strategy: "save"), pass: .counters, round: 3,
    directory: "/tmp/somewhere")

  /// A launcher that writes a line into the log.
  private func logging(_ log: String, fails: Bool = false) -> MockLauncher {
    MockLauncher { job, _ in
      let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      try? Data((text + "sample\n").utf8).write(to: URL(fileURLWithPath: log))
      return fails
        ? .failure(FailedSample(job, reason: "the worker failed"))
        : .sample(sample(job.cell.id, job.pass, round: job.round))
    }
  }

  private func take(with launcher: HookedLauncher, limit: Double = 60) async throws -> SampleOutcome {
    try await onThread { [job] in try launcher.take(job, limit: limit, cancellation: Cancellation()) }
  }

  private func reason(_ outcome: SampleOutcome) -> String? {
    if case .failure(let failure) = outcome.result { failure.reason } else { nil }
  }

  @Test("The commands run before and after a sample, and know which one it is")
  func order() async throws {
    let folder = try TemporaryFolder()
    let log = folder.path + "/log"
    let words = "$BATCHMARK_CELL $BATCHMARK_PASS $BATCHMARK_ROUND $BATCHMARK_DIRECTORY ${BATCHMARK_SIDE:-none}"
    let hooks = SampleHooks(prepare: "echo before \(words) >> '\(log)'", cleanup: "echo after >> '\(log)'")
    #expect(reason(try await take(with: HookedLauncher(logging(log), hooks: hooks, side: "head"))) == nil)
    #expect(reason(try await take(with: HookedLauncher(logging(log), hooks: hooks))) == nil)
    let told = "before quakes/objectgraph/save counters 3 /tmp/somewhere"
    #expect(
      try String(contentsOfFile: log, encoding: .utf8)
        == "\(told) head\nsample\nafter\n\(told) none\nsample\nafter\n")
  }

  @Test("A failing command fails the sample, with its own sentence and last words; cleanup always runs")
  func failing() async throws {
    let folder = try TemporaryFolder()
    let log = folder.path + "/log"
    let cleanup = "echo after >> '\(log)'"
    let unprepared = try await take(
      with: HookedLauncher(
        logging(log), hooks: SampleHooks(prepare: "echo no room; echo at all >&2; exit 7", cleanup: cleanup)))
    guard case .failure(let failure) = unprepared.result else {
      Issue.record("found \(unprepared)")
      return
    }
    #expect(
      failure.reason
        == "the command to prepare, run before the sample, ended with status 7: echo no room; echo at all >&2; exit 7")
    #expect(failure.standardError == "no room\nat all\n")
    // No sample was taken.
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "after\n")

    let uncleaned = try await take(with: HookedLauncher(logging(log), hooks: SampleHooks(cleanup: "kill -9 $$")))
    #expect(
      reason(uncleaned)?.hasPrefix("the command to clean up, run after the sample, was killed by signal 9") == true)
    // The worker's own failure is more useful than the failure of the cleanup that follows from it.
    let both = try await take(with: HookedLauncher(logging(log, fails: true), hooks: SampleHooks(cleanup: "exit 1")))
    #expect(reason(both) == "the worker failed")
  }

  @Test("A command that hangs is stopped at the sample's limit, with what it started")
  func hanging() async throws {
    let outcome = try await take(
      with: HookedLauncher(MockLauncher(), hooks: SampleHooks(prepare: "sleep 1000 | cat")), limit: 0.5)
    #expect(
      reason(outcome)
        == "the command to prepare, run before the sample, had not ended after 0.5 s and was stopped: sleep 1000 | cat")
  }
}

extension HookTests {
  @Test("A command does not wait for the processes it leaves in the background, although they hold the output open")
  func background() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/number"
    let hooks = SampleHooks(prepare: "sleep 1000 & echo $! > '\(file)'; echo ready")
    #expect(reason(try await take(with: HookedLauncher(MockLauncher(), hooks: hooks), limit: 8)) == nil)
    let number = try #require(Int32(try String(contentsOfFile: file, encoding: .utf8).dropLast()))
    // The process belongs to the user, who ends it with the cleanup command.
    #expect(kill(number, SIGKILL) == 0)
  }

  @Test("A command that writes endlessly is stopped")
  func flooding() async throws {
    let hooks = SampleHooks(prepare: "while head -c 1000000 /dev/zero; do :; done")
    #expect(
      reason(try await take(with: HookedLauncher(MockLauncher(), hooks: hooks), limit: 300))?.hasPrefix(
        "the command to prepare, run before the sample, had written more than 256 MiB and was stopped: ") == true)
  }

  @Test("An interrupt stops the sample, and the cleanup still runs")
  func interrupted() async throws {
    let folder = try TemporaryFolder()
    let log = folder.path + "/log"
    let waiting = MockLauncher { _, _ throws(CancellationError) in throw CancellationError() }
    await #expect(throws: CancellationError.self) {
      try await take(with: HookedLauncher(waiting, hooks: SampleHooks(cleanup: "echo after >> '\(log)'")))
    }
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "after\n")
  }

  @Test("An interrupt during preparation is not a failed sample, and no later sample is prepared")
  func interruptedWhilePreparing() async throws {
    let folder = try TemporaryFolder()
    let log = folder.path + "/log"
    let mark = folder.path + "/mark"
    let hooks = SampleHooks(
      prepare: "echo before >> '\(log)'; touch '\(mark)'; sleep 1000", cleanup: "echo after >> '\(log)'")
    let launcher = HookedLauncher(MockLauncher(), hooks: hooks)
    let cancellation = Cancellation()
    let taking = Task { [job] in
      try await onThread { try launcher.take(job, limit: 300, cancellation: cancellation) }
    }
    while !FileManager.default.fileExists(atPath: mark) { try await Task.sleep(for: .milliseconds(5)) }
    cancellation.cancel()
    await #expect(throws: CancellationError.self) { try await taking.value }
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "before\nafter\n")
    #expect(throws: CancellationError.self) { try launcher.take(job, limit: 300, cancellation: cancellation) }
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "before\nafter\n")
  }
}
