// A9: the workers of a profile, and the use of their answers.
import Foundation
import Harness
import HarnessFixtures
import Instruments
import MissionTags
import BatchmarkEngine
import Synchronization
import Testing

@Suite("A9 · taking a profile", .tags(.a9))
struct ProfileRunTests {
  private let quakes: Scenario
  private let folder: TemporaryFolder

  init() throws {
    quakes = try scenario(strategies: ["save"])
    folder = try TemporaryFolder()
  }

  private func run(_ launcher: MockLauncher, rounds: Int = 3) throws -> ProfileRun {
    ProfileRun(
      of: quakes.cells[0], in: planned(quakes), rounds: rounds, launcher: launcher,
      directories: try SampleDirectories(output: folder.path))
  }

  /// The answer of a worker with the job's instrument; the stages of later rounds take longer.
  private static func answer(_ job: SampleJob, stacks: Int = 4) -> SampleOutcome {
    var answer = sample(job.cell.id, job.pass, round: job.round, wall: Double(job.round))
    guard let instrument = job.profile else { return .sample(answer) }
    var profile = PhaseProfile()
    switch instrument {
    case .stages:
      profile.stages = StageFigures(
        stages: [.init(name: "validation", turns: 1, nanoseconds: Int64(job.round) * 1_000)],
        other: .init(name: "other"))
    case .allocations:
      profile.stages = StageFigures(
        stages: [.init(name: "validation", turns: 1, allocations: 7)], other: .init(name: "other"))
    case .statements:
      // Counting takes time, so another worker measures the times.
      let counts = job.countsStatementWork == true
      var cost = SQLCost(sql: "COMMIT", runs: 1, vmSteps: 3, nanoseconds: counts ? 500 : 5)
      cost.work = counts ? SQLWork(preparations: 1, rows: 2, plan: "SCAN a") : nil
      profile.statements = [cost]
    case .stacks: profile.stacks = ["main;save": stacks]
    case .heap: break
    case .peak: profile.peakStacks = ["main;save": Int(job.heapPeakBytes ?? 0)]
    }
    if instrument == .allocations {
      answer.phases[0].metrics[.heapPeak] = 4_096
      answer.heap = [HeapPoint(seconds: 1, liveBytes: 4_096, sqliteBytes: 0, stage: "validation")]
    }
    answer.phases[0].profile = profile
    return .sample(answer)
  }

  @Test("Every instrument has its own worker; times are taken alternately with and without the tracer")
  func workers() throws {
    let launcher = MockLauncher { job, _ in
      if job.profile == .heap {
        try? Data("heap_v2/1".utf8).write(to: URL(filePath: "\(job.directory)/\(ProfileInstrument.heapFile)"))
      }
      return ProfileRunTests.answer(job)
    }
    let results = try run(launcher).take(unavailable: [:])
    #expect(
      launcher.taken.map(\.profile) == [
        nil, .stages, nil, .stages, nil, .stages, .allocations, .statements, .statements, .stacks, .heap, .peak,
      ])
    #expect(launcher.taken.map(\.isMetered) == launcher.taken.map { $0.profile == .allocations || $0.profile == .peak })
    let phase = try #require(results.phases.first)
    #expect(results.phases.count == 1 && phase.phase == .ingest && phase.rows == 100)
    // The median of three.
    #expect(phase.times?.totalNanoseconds == 2_000 && results.timedRounds == 3 && phase.plainSeconds == 2)
    #expect(phase.allocations?.totalAllocations == 7)
    let statement = try #require(phase.statements?.first)
    #expect(statement.nanoseconds == 5 && statement.work?.rows == 2 && statement.work?.plan == "SCAN a")
    #expect(statement.sql == "COMMIT" && phase.stacks == ["main;save": 4])
    // The last worker looks at the level that the allocation meter found.
    #expect(phase.peakStacks == ["main;save": 4_096] && phase.heapPeakBytes == 4_096)
    #expect(phase.heapTimeline.map(\.stage) == ["validation"])
    #expect(results.heap == "heap_v2/1" && results.failures.isEmpty)
    #expect(ProfileInstrument.allCases.allSatisfy { results.gap(of: $0) == nil })
    #expect(folder.names == ["stores"])
  }

  @Test("A failing worker leaves a reason and the others continue; unsupported instruments are not tried")
  func gaps() throws {
    let launcher = MockLauncher { job, _ in
      job.profile == .statements ? .failure(FailedSample(job, reason: "it broke")) : ProfileRunTests.answer(job)
    }
    let events = Mutex<[String]>([])
    let results = try run(launcher, rounds: 1).take(unavailable: [.heap: "no profiler here", .peak: "no profiler here"])
    { event in
      if case .failed(let instrument, let failure) = event {
        events.withLock { $0.append("\(instrument?.rawValue ?? "none"): \(failure.reason)") }
      }
    }
    #expect(launcher.taken.map(\.profile) == [nil, .stages, .allocations, .statements, .stacks])
    #expect(events.withLock { $0 } == ["statements: it broke"])
    #expect(results.failures.map(\.instrument) == [.statements])
    #expect(results.gap(of: .statements) == "it broke" && results.gap(of: .heap) == "no profiler here")
    #expect(results.phases.first?.statements == nil && results.phases.first?.stacks != nil)
  }
}

extension ProfileRunTests {
  @Test(
    "Workers sample stacks until the main phase has 1,000; only one runs if 20 would not reach that",
    arguments: [(49, 1), (50, 20), (51, 20), (100, 10), (333, 4), (1_000, 1), (0, 1)])
  func stackWorkers(stacks: Int, workers: Int) throws {
    let launcher = MockLauncher { job, _ in ProfileRunTests.answer(job, stacks: stacks) }
    let directories = try SampleDirectories(output: folder.path)
    let profile = ProfileRun(
      of: quakes.cells[0], in: planned(quakes), rounds: 1, samplingRate: 2_000, launcher: launcher,
      directories: directories)
    let results = try profile.take(unavailable: [.heap: "no profiler here"])
    let sampling = launcher.taken.filter { $0.profile == .stacks }
    #expect(sampling.map(\.round) == Array(1...workers) && sampling.allSatisfy { $0.samplingRate == 2_000 })
    #expect(launcher.taken.allSatisfy { $0.profile == .stacks || $0.samplingRate == nil })
    let phase = try #require(results.phases.first)
    #expect(phase.stackSamples == stacks * workers && phase.stackWorkers == workers)
    #expect(results.samplingRate == 2_000 && phase.stacksSeconds == Double(workers + 1) / 2)
  }

  @Test("An interrupt keeps the earlier measurements")
  func interrupt() throws {
    let launcher = MockLauncher { (job, before) throws(CancellationError) in
      if before == 2 { throw CancellationError() }
      return ProfileRunTests.answer(job)
    }
    let results = try run(launcher, rounds: 1).take(unavailable: [:])
    #expect(results.isInterrupted && results.failures.isEmpty && launcher.taken.count == 3)
    #expect(results.phases.first?.times != nil)
    #expect(results.gap(of: .stacks) == "the profile was interrupted before")
  }

  @Test("Only a heap profile's worker has the allocator's profiler in its environment")
  func environment() {
    let environment = WorkerEnvironment(meter: nil, inheriting: ["MALLOC_CONF": "junk:true"])
    let plain = environment.variables(preloadsMeter: false)
    #expect(!plain.contains { $0.hasPrefix("MALLOC_CONF") })
    let profiled = environment.variables(preloadsMeter: false, profilesHeap: true)
    #expect(profiled.contains { $0.hasPrefix("MALLOC_CONF=prof:true") })
    #expect(profiled.count == plain.count + 1)
  }
}
