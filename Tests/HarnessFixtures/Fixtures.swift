// Scenarios, samples, temporary folders and a launcher that starts no process.
internal import ObjectGraph
internal import Foundation
package import Harness
internal import CoreDataModel
internal import Instruments
package import BatchmarkEngine
package import Support
internal import Synchronization

/// A scenario of cells that differ by strategy; `sqlite/insert` is used as written.
package func scenario(
  _ name: String = "quakes", strategies: [String] = ["save", "batch-objects", "batch-dictionary"], rounds: Int = 4,
  fingerprint: String = "f00d", limit: Double = 60
) throws -> Scenario {
  let quake = EntityDescription("Quake", attributes: [AttributeDescription("code", .string)])
  return Scenario(
    name: name, description: "A test.", file: "\(name).yml", fingerprint: fingerprint,
    model: try ManagedObjectModel(entities: [quake]), entityName: "Quake",
    source: .generate(GeneratorSettings(rows: 100)), repeats: 1, mergePolicy: .mergeByPropertyObjectTrump,
    pragmas: [StorePragma("journal_mode", "wal")],
    cells: strategies.map {
      Cell(
        scenario: name, engine: $0 == "insert" ? "sqlite" : "objectgraph", strategy: $0,
        role: $0 == "insert" ? .reference : .objectByObject)
    },
    measure: MeasureSettings(rounds: rounds, sampleLimit: limit))
}

package func planned(_ scenario: Scenario) -> PlannedScenario {
  PlannedScenario(
    scenario: scenario, text: "scenario: \(scenario.name)", overrides: [], source: "100 generated rows", rows: 100)
}

package func plan(_ scenarios: Scenario..., seed: UInt64 = 7, isQuick: Bool = false) -> RunPlan {
  RunPlan(scenarios: scenarios.map(planned), seed: seed, isQuick: isQuick)
}

/// A sample with an ingest phase of these seconds.
package func sample(
  _ cell: String, _ pass: Pass = .timing, round: Int = 1, wall: Double = 1, hash: String = "same",
  metrics: [MetricID: Int64] = [:]
) -> Sample {
  let isTimed = pass == .timing
  let ingest = PhaseMeasurement(
    phase: .ingest, rows: 100, wallSeconds: isTimed ? wall : nil, cpuSeconds: isTimed ? wall / 2 : nil,
    metrics: metrics)
  return Sample(
    cell: cell, pass: pass, round: round, phases: [ingest], growth: [],
    contents: StoredContents(
      rows: 100, contentHash: hash, nulls: [:], versions: [1: 100], databaseBytes: 4096, versionedHash: "v"),
    pragmas: [StorePragma("journal_mode", "wal")], notes: [], sqlite: "3.40.1", fingerprint: "f00d")
}

package func failure(_ cell: String, _ pass: Pass = .timing, round: Int = 1, reason: String = "it failed")
  -> FailedSample
{
  FailedSample(cell: cell, pass: pass, round: round, reason: reason, standardError: "")
}

package func header(_ plan: RunPlan, executable: String = "abc") -> JournalHeader {
  JournalHeader(
    runID: "run", build: build(executable), request: RunRequest(paths: ["quakes.yml"]), command: "batchmark run",
    workingDirectory: "/", started: "2026-01-01T00:00:00Z", isComparable: true, plan: plan)
}

package func build(_ executable: String = "abc") -> BuildIdentity {
  BuildIdentity(version: "1.0.0", configuration: "release", executable: executable)
}

/// Answers every job with a function, and remembers the jobs.
package final class MockLauncher: WorkerLauncher {
  private let jobs = Mutex<[SampleJob]>([])
  private let takesTurns: Bool
  private let answer: @Sendable (SampleJob, Int) throws(CancellationError) -> SampleOutcome

  /// - Parameters:
  ///   - takesTurns: Whether its workers take turns if the job asks for it.
  ///   - answer: Gets the job and the number of earlier jobs.
  package init(
    takesTurns: Bool = true, _ answer: @escaping @Sendable (SampleJob, Int) throws(CancellationError) -> SampleOutcome
  ) {
    self.takesTurns = takesTurns
    self.answer = answer
  }

  /// Always succeeds.
  package convenience init() { self.init { job, _ in .sample(sample(job.cell.id, job.pass, round: job.round)) } }

  package func take(
    _ job: SampleJob, limit: Double, cancellation: Cancellation
  ) throws(CancellationError) -> SampleOutcome {
    let before = jobs.withLock { jobs in
      jobs.append(job)
      return jobs.count - 1
    }
    let outcome = try answer(job, before)
    guard case .success(var sample) = outcome.result else { return outcome }
    // A worker that takes turns has a time for every trial. Here all times are equal unless the answer sets them.
    if let turns = job.turns, sample.phases[0].trialWallSeconds == nil, let wall = sample.phases[0].wallSeconds {
      sample.phases[0].trialWallSeconds = Array(repeating: wall, count: turns.goesFirst.count)
    }
    if let turns = job.turns, takesTurns { sample.handovers = turns.goesFirst.map { _ in 0 } }
    return .sample(sample)
  }

  package var taken: [SampleJob] { jobs.withLock { $0 } }
  package var keys: [SampleKey] { taken.map { SampleKey(cell: $0.cell.id, pass: $0.pass, round: $0.round) } }
}

/// Does waiting work on a separate thread, because there are few threads for tests.
package func onThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try work() }) }
  }
}

/// A folder that is removed when the test ends.
package final class TemporaryFolder {
  package let path: String

  package init() throws {
    path = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path + "/harness-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? [] }
}

package func write(_ text: String, to path: String) throws {
  try Data(text.utf8).write(to: URL(fileURLWithPath: path))
}
