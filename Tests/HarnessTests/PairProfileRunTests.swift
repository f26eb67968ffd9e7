// A16: the workers that explain a difference: both sides in turns, failures that do not affect the comparison, and a
// limit.
import BatchmarkEngine
import Foundation
import Harness
import HarnessFixtures
import Instruments
import MissionTags
import Testing

@Suite("A16 · profiles of both sides", .tags(.a16))
struct PairProfileRunTests {
  private let folder: TemporaryFolder
  private let quakes: Scenario

  init() throws {
    folder = try TemporaryFolder()
    quakes = try scenario(strategies: ["save"])
  }

  /// A launcher with working instruments; `fails` selects those that fail.
  private func launcher(_ fails: @escaping @Sendable (ProfileInstrument) -> Bool = { _ in false }) -> MockLauncher {
    MockLauncher { job, _ in
      guard let instrument = job.profile, !fails(instrument) else {
        return .failure(FailedSample(job, reason: "the worker's build does not know the instrument"))
      }
      var answer = sample(job.cell.id, job.pass, round: job.round, wall: 0.1)
      answer.phases[0].profile = PhaseProfile()
      return .sample(answer)
    }
  }

  private func take(
    _ base: MockLauncher, _ head: MockLauncher, measuredIn seconds: Double = 60, timesMatter: Bool = true,
    unavailable: [ProfileInstrument: String] = [:]
  ) throws -> PairProfiles {
    let run = try PairProfileRun(
      of: comparison(), measuredIn: seconds, timesMatter: timesMatter,
      directories: SampleDirectories(output: folder.path))
    let side = planned(quakes)
    return try run.take(
      PairSide(scenario: side, launcher: base), PairSide(scenario: side, launcher: head), unavailable: unavailable,
      seed: 1)
  }

  /// A comparison of twelve pairs and eight exact samples.
  private func comparison() -> PairComparison {
    let cell = quakes.cells[0]
    var comparison = PairComparison(baseCell: cell, headCell: cell, baseFingerprint: "f", headFingerprint: "f")
    let one = sample(cell.id, .timing, round: 1)
    comparison.pairs = Array(repeating: SamplePair(base: one, head: one, baseFirst: [true]), count: 12)
    (comparison.baseFigures, comparison.headFigures) = ([one, one, one, one], [one, one, one, one])
    return comparison
  }

  @Test("Both sides are profiled equally often, statements with their plans, and exact figures twice")
  func rounds() throws {
    let (base, head) = (launcher(), launcher())
    let profiles = try take(base, head)
    #expect(profiles.gaps.isEmpty)
    #expect(profiles.base.map(\.instrument) == profiles.head.map(\.instrument))
    func count(_ instrument: ProfileInstrument) -> Int { profiles.base.count { $0.instrument == instrument } }
    #expect(count(.stages) == PairProfileRun.mostRounds && count(.statements) == PairProfileRun.mostRounds)
    #expect(count(.allocations) == PairProfileRun.leastRounds && count(.heap) == PairProfileRun.leastRounds)
    for job in base.taken + head.taken {
      #expect(job.countsStatementWork == (job.profile == .statements ? true : nil))
      #expect(job.pass == job.profile?.pass)
    }
  }

  @Test("An instrument that one side lacks is left out for both, with a sentence, and nothing fails")
  func failure() throws {
    let profiles = try take(launcher { $0 == .statements }, launcher { $0 == .stacks })
    #expect(profiles.gaps.count == 2)
    #expect(
      profiles.gaps.first
        == "base does not show statements and their plans: the worker's build does not know the instrument")
    #expect(profiles.gaps.last?.hasPrefix("head does not show stacks: ") == true)
    #expect(Set(profiles.base.map(\.instrument)) == [.stages, .allocations, .heap])
    #expect(profiles.base.map(\.instrument) == profiles.head.map(\.instrument))
    let none = try take(launcher(), launcher(), unavailable: [.allocations: "there is no meter"])
    #expect(none.gaps == ["what stages allocate is not known: there is no meter"])
    #expect(!none.base.contains { $0.instrument == .allocations })
  }

  @Test("A profile takes at most three times the comparison's time, and says so beforehand")
  func cost() throws {
    let directories = try SampleDirectories(output: folder.path)
    func run(_ seconds: Double, timesMatter: Bool = true, pairs: Int = 12) -> PairProfileRun {
      var comparison = comparison()
      comparison.pairs = Array(comparison.pairs.prefix(pairs))
      return PairProfileRun(of: comparison, measuredIn: seconds, timesMatter: timesMatter, directories: directories)
    }
    for seconds in [0.5, 10, 1_000] {
      #expect(run(seconds).expectedSeconds <= seconds * PairProfileRun.costLimit)
      #expect(run(seconds).rounds == PairProfileRun.mostRounds)
    }
    #expect(run(10, pairs: 0).rounds == 3, "eight samples' time, three times, is that of three rounds of five workers")
    #expect(run(10, timesMatter: false).rounds == PairProfileRun.leastRounds)
    #expect(run(0).rounds >= PairProfileRun.leastRounds)
  }
}
