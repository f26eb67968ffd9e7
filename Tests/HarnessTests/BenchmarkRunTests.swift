// The run, with functions as workers: order, failures, interrupts, resuming, kept stores.
import Foundation
import Harness
import HarnessFixtures
import Instruments
import MissionTags
import BatchmarkEngine
import Support
import Synchronization
import Testing

@Suite("A6 · the run continues", .tags(.a6))
struct BenchmarkRunTests {
  /// Measures a plan into a folder and returns the contents of its journal.
  private func measure(
    _ plan: RunPlan, with launcher: MockLauncher, in folder: TemporaryFolder, resuming: Bool = false,
    keepsStores: Bool = false
  ) throws -> (end: BenchmarkRun.End, ledger: RunLedger, events: [RunEvent]) {
    var ledger = RunLedger()
    let journal: Journal
    if resuming {
      let (resumed, contents) = try Journal.resume(in: folder.path)
      journal = resumed
      ledger = RunLedger(contents.outcomes)
    } else {
      journal = try Journal.create(in: folder.path, header: header(plan))
    }
    let run = BenchmarkRun(
      plan: plan, launcher: launcher, directories: try SampleDirectories(output: folder.path),
      keepsStores: keepsStores)
    var events: [RunEvent] = []
    let end = try run.measure(into: &ledger, journal: journal) { events.append($0) }
    return (end, ledger, events)
  }

  @Test("Samples are taken in the plan's order, each in an empty folder that is removed afterwards")
  func order() throws {
    let folder = try TemporaryFolder()
    let plan = plan(try scenario())
    let launcher = MockLauncher { job, _ in
      let contents = try? FileManager.default.contentsOfDirectory(atPath: job.directory)
      guard contents == [] else { return .failure(FailedSample(job, reason: "the folder is not there or not empty")) }
      try? write("rows", to: job.directory + "/store.sqlite")
      return .sample(sample(job.cell.id, job.pass, round: job.round))
    }
    let (end, ledger, _) = try measure(plan, with: launcher, in: folder)
    #expect(end == .finished)
    #expect(launcher.keys == plan.samples.map(\.key))
    #expect(ledger.samples.map(\.key) == plan.samples.map(\.key))
    #expect(ledger.failures == [])
    #expect(Set(launcher.taken.map(\.directory.utf8.count)).count == 1)
    #expect(launcher.taken.allSatisfy { !FileManager.default.fileExists(atPath: $0.directory) })
    #expect(launcher.taken.allSatisfy { $0.scenarioText == "scenario: quakes" && $0.scenarioFile == "quakes.yml" })
  }

  @Test("A failed sample is recorded, and the run continues")
  func failure() throws {
    let folder = try TemporaryFolder()
    let plan = plan(try scenario())
    let launcher = MockLauncher { job, index in
      index == 4
        ? .failure(FailedSample(job, reason: "the worker was killed by signal 11", standardError: "boom"))
        : .sample(sample(job.cell.id, job.pass, round: job.round))
    }
    let (end, ledger, events) = try measure(plan, with: launcher, in: folder)
    #expect(end == .finished)
    #expect(launcher.taken.count == plan.samples.count)
    #expect(ledger.samples.count == plan.samples.count - 1)
    let failed = try #require(ledger.failures.first)
    #expect(failed.key == plan.samples[4].key)
    #expect(failed.reason == "the worker was killed by signal 11")
    #expect(failed.standardError == "boom")
    #expect(events.contains { if case .failed(failed) = $0 { true } else { false } })
    let contents = try JournalContents(directory: folder.path)
    #expect(RunLedger(contents.outcomes).failures == [failed])
  }

  @Test("A cell that fails three times in a row is left alone; the others are measured to the end")
  func givingUp() throws {
    let folder = try TemporaryFolder()
    let plan = plan(try scenario(rounds: 10))
    let launcher = MockLauncher { job, _ in
      job.cell.strategy == "save"
        ? .failure(FailedSample(job, reason: "it hung")) : .sample(sample(job.cell.id, job.pass, round: job.round))
    }
    let (end, ledger, events) = try measure(plan, with: launcher, in: folder)
    #expect(end == .finished)
    #expect(launcher.taken.count { $0.cell.strategy == "save" } == 3)
    #expect(ledger.failures.count == 3)
    #expect(ledger.samples.count == 2 * 12)
    #expect(events.count { if case .gaveUp(_, failures: 3) = $0 { true } else { false } } == 1)
  }
}

extension BenchmarkRunTests {
  @Test("Failures that do not follow one another do not make the run give up")
  func notGivingUp() throws {
    let folder = try TemporaryFolder()
    let plan = plan(try scenario(strategies: ["save"], rounds: 10))
    let launcher = MockLauncher { job, index in
      index % 3 != 0
        ? .failure(FailedSample(job, reason: "it failed")) : .sample(sample(job.cell.id, job.pass, round: job.round))
    }
    let (_, ledger, _) = try measure(plan, with: launcher, in: folder)
    #expect(launcher.taken.count == plan.samples.count)
    #expect(ledger.samples.count == 4)
  }

  @Test("An interrupted run keeps what it has; resuming takes the missing samples, in the same order")
  func resume() throws {
    let folder = try TemporaryFolder()
    let plan = plan(try scenario())
    let interrupted = MockLauncher { (job, index) throws(CancellationError) in
      if index == 7 { throw CancellationError() }
      return .sample(sample(job.cell.id, job.pass, round: job.round))
    }
    let first = try measure(plan, with: interrupted, in: folder)
    #expect(first.end == .interrupted)
    #expect(first.ledger.samples.count == 7)

    let launcher = MockLauncher()
    let second = try measure(plan, with: launcher, in: folder, resuming: true)
    #expect(second.end == .finished)
    #expect(launcher.keys == plan.samples.dropFirst(7).map(\.key))
    #expect(second.ledger.samples.map(\.key) == plan.samples.map(\.key))

    let idle = MockLauncher()
    let third = try measure(plan, with: idle, in: folder, resuming: true)
    #expect(third.end == .finished)
    #expect(idle.taken.isEmpty)
  }

  @Test("Resuming takes failed samples again, and a success replaces the failure")
  func retry() throws {
    let folder = try TemporaryFolder()
    let plan = plan(try scenario())
    let failing = MockLauncher { job, index in
      index == 2
        ? .failure(FailedSample(job, reason: "it failed")) : .sample(sample(job.cell.id, job.pass, round: job.round))
    }
    _ = try measure(plan, with: failing, in: folder)
    let launcher = MockLauncher()
    let (_, ledger, _) = try measure(plan, with: launcher, in: folder, resuming: true)
    #expect(launcher.keys == [plan.samples[2].key])
    #expect(ledger.failures == [])
    #expect(ledger.samples.count == plan.samples.count)
  }
}

extension BenchmarkRunTests {
  @Test("A run that is cancelled ends before the next sample")
  func cancelled() throws {
    let folder = try TemporaryFolder()
    let plan = plan(try scenario())
    let launcher = MockLauncher()
    let directories = try SampleDirectories(output: folder.path)
    let cancellation = Cancellation()
    cancellation.cancel()
    var ledger = RunLedger()
    let end = try BenchmarkRun(plan: plan, launcher: launcher, directories: directories).measure(
      into: &ledger, journal: try Journal.create(in: folder.path, header: header(plan)), cancellation: cancellation
    ) { _ in }
    #expect(end == .interrupted)
    #expect(launcher.taken.isEmpty)
  }

  @Test("Progress counts every sample of the plan, those of earlier runs included")
  func progress() throws {
    let folder = try TemporaryFolder()
    let plan = plan(try scenario())
    let interrupted = MockLauncher { (job, index) throws(CancellationError) in
      if index == 7 { throw CancellationError() }
      return .sample(sample(job.cell.id, job.pass, round: job.round))
    }
    _ = try measure(plan, with: interrupted, in: folder)
    let (_, _, events) = try measure(plan, with: MockLauncher(), in: folder, resuming: true)
    let counts = events.compactMap { if case .began(_, let done, let total) = $0 { [done, total] } else { nil } }
    #expect(counts == (7..<plan.samples.count).map { [$0, plan.samples.count] })
  }

  @Test("The store of each cell's first timed sample is kept on request, with its WAL")
  func keptStores() throws {
    let folder = try TemporaryFolder()
    let plan = plan(try scenario(strategies: ["save", "insert"], rounds: 3))
    let launcher = MockLauncher { job, _ in
      let files = ["store.sqlite": "\(job.pass.rawValue) \(job.round)", "store.sqlite-wal": "wal"]
      for (name, text) in files {
        try? write(text, to: "\(job.directory)/\(name)")
      }
      return .sample(sample(job.cell.id, job.pass, round: job.round))
    }
    let (_, _, events) = try measure(plan, with: launcher, in: folder, keepsStores: true)
    let stores = folder.path + "/stores"
    let names = try FileManager.default.contentsOfDirectory(atPath: stores).sorted()
    #expect(
      names == [
        "quakes_objectgraph_save.sqlite", "quakes_objectgraph_save.sqlite-wal", "quakes_sqlite_insert.sqlite",
        "quakes_sqlite_insert.sqlite-wal",
      ])
    let text = try String(contentsOfFile: stores + "/quakes_sqlite_insert.sqlite", encoding: .utf8)
    #expect(text == "timing 1")
    #expect(events.count { if case .kept = $0 { true } else { false } } == 2)
  }
}

extension BenchmarkRunTests {
  @Test("A run that loses its sample folder keeps its results, and says how to continue")
  func nowhereToWork() throws {
    let folder = try TemporaryFolder()
    let plan = plan(try scenario())
    let stores = folder.path + "/stores"
    let removing = MockLauncher { job, index in
      if index == 3 { try? FileManager.default.removeItem(atPath: stores) }
      return .sample(sample(job.cell.id, job.pass, round: job.round))
    }
    let error = #expect(throws: OutputError.self) { try measure(plan, with: removing, in: folder) }
    guard case .unwritableInRun(let path, reason: "No such file or directory") = error else {
      Issue.record("found \(String(describing: error))")
      return
    }
    #expect(path.hasPrefix(stores + "/"))
    #expect(error?.description.hasSuffix("what was measured is kept: fix this, and continue with --resume") == true)
    #expect(try JournalContents(directory: folder.path).outcomes.map(\.key) == plan.samples.prefix(4).map(\.key))
    let launcher = MockLauncher()
    #expect(try measure(plan, with: launcher, in: folder, resuming: true).end == .finished)
    #expect(launcher.keys == plan.samples.dropFirst(4).map(\.key))
  }

  @Test("A sample is kept even if its store cannot be")
  func storeNotKept() throws {
    let folder = try TemporaryFolder()
    let plan = plan(try scenario(strategies: ["save"], rounds: 2))
    let kept = folder.path + "/stores/quakes_objectgraph_save.sqlite"
    let launcher = MockLauncher { job, _ in
      try? write("store", to: job.directory + "/store.sqlite")
      try? write("wal", to: job.directory + "/store.sqlite-wal")
      try? FileManager.default.createDirectory(atPath: kept + "-wal", withIntermediateDirectories: true)
      return .sample(sample(job.cell.id, job.pass, round: job.round))
    }
    let error = #expect(throws: OutputError.self) { try measure(plan, with: launcher, in: folder, keepsStores: true) }
    guard case .unwritableInRun(path: kept, reason: _) = error else {
      Issue.record("found \(String(describing: error))")
      return
    }
    #expect(try JournalContents(directory: folder.path).outcomes.map(\.key) == plan.samples.prefix(3).map(\.key))
  }
}
