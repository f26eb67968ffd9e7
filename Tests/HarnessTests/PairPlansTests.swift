// A16: one worker of each side reports the plans, and a side without plans is a gap, not a failure.
import BatchmarkEngine
import Harness
import HarnessFixtures
import MissionTags
import Testing

@Suite("A16 · plans of both sides", .tags(.a16))
struct PairPlansTests {
  private let folder: TemporaryFolder
  private let quakes: PlannedScenario

  init() throws {
    folder = try TemporaryFolder()
    quakes = planned(try scenario(strategies: ["save"]))
  }

  /// A launcher whose workers see a statement with a plan; without a plan, it is an older build.
  private func launcher(plan: String?) -> MockLauncher {
    MockLauncher { job, _ in
      guard job.profile == .statements, job.countsStatementWork == true else {
        return .failure(FailedSample(job, reason: "another job"))
      }
      var answer = sample(job.cell.id, job.pass, round: job.round, wall: 0.1)
      var profile = PhaseProfile()
      var cost = SQLCost(sql: "SELECT 1", runs: 1, vmSteps: 9, nanoseconds: 9)
      cost.work = plan.map { SQLWork(preparations: 1, plan: $0) }
      profile.statements = [cost]
      answer.phases[0].profile = profile
      return .sample(answer)
    }
  }

  private func plans(_ base: MockLauncher, _ head: MockLauncher) throws -> PairPlans {
    try PairPlans(
      of: PairSide(scenario: quakes, launcher: base), PairSide(scenario: quakes, launcher: head),
      in: SampleDirectories(output: folder.path))
  }

  @Test("Plans are read by one worker of each side")
  func sides() throws {
    let (base, head) = (launcher(plan: "SEARCH a"), launcher(plan: "SCAN a"))
    let plans = try plans(base, head)
    #expect(plans.base == [StatementPlanRecord(sql: "SELECT 1", plan: "SEARCH a")])
    #expect(plans.head == [StatementPlanRecord(sql: "SELECT 1", plan: "SCAN a")] && plans.gap == nil)
    #expect(base.taken.count == 1 && head.taken.count == 1)
  }

  @Test("An older build and a failing worker leave gaps")
  func gaps() throws {
    let old = try plans(launcher(plan: nil), launcher(plan: "SCAN a"))
    #expect(old.gap == "base does not show plans: its build does not ask for the plans of statements")
    let failing = MockLauncher { job, _ in .failure(FailedSample(job, reason: "it crashed")) }
    #expect(try plans(launcher(plan: "SCAN a"), failing).gap == "head does not show plans: it crashed")
  }
}
