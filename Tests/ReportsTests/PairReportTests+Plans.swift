// A16: a gate for plans: a statement with another plan fails, and nothing else does.
import Analysis
import BatchmarkEngine
import Harness
import MissionTags
@testable import Reports
import Testing

extension PairReportTests {
  private static let search = "SEARCH ZQUAKE USING INDEX code (ZCODE=?)"

  /// A comparison that passes except for its plans.
  private func judged(
    _ head: [StatementPlanRecord], gap: String? = nil, limit: GateLimit? = GateLimit(.absolute(0), isTwoSided: true)
  ) -> PairComparison {
    var comparison = comparison(1)
    comparison.gate = Gate([
      GateRule(text: "plans: unchanged", origin: .scenario, phase: "ingest", subject: .plans, limit: limit)
    ])
    let base = [
      StatementPlanRecord(sql: "SELECT a FROM ZQUAKE WHERE ZCODE = 'x1'", plan: Self.search),
      StatementPlanRecord(sql: "SELECT 1", plan: "SCAN CONSTANT ROW"),
    ]
    comparison.plans = PairPlans(base: base, head: head, gap: gap)
    return comparison
  }

  @Test("A statement with another plan fails the gate, whatever its values; both plans are in the report")
  func changedPlan() throws {
    let changed = judged([StatementPlanRecord(sql: "SELECT a FROM ZQUAKE WHERE ZCODE = 'y2'", plan: "SCAN ZQUAKE")])
    let results = results([changed])
    let verdict = try #require(changed.plans(results.rules))
    #expect(verdict.verdict == .regression && verdict.compared == 1 && verdict.changes.count == 1)
    #expect(verdict.changes[0].base == Self.search && verdict.changes[0].head == "SCAN ZQUAKE")
    #expect(results.status == .regression && results.overall == .regression)
    let page = PairMarkdown.document(results, hasPictures: false).markdown
    #expect(
      page.contains("Plans: **REGRESSION**") && page.contains("  SCAN ZQUAKE") && page.contains("  \(Self.search)"))
    #expect(PairJUnit.render(results).contains("name=\"plans\""))
    #expect(PairJUnit.render(results).contains("failures=\"1\""))
    let annotation = PairAnnotations.render(results)
    #expect(annotation.contains("::error") && annotation.contains(" is answered by another plan."), "\(annotation)")
    #expect(page.contains("; 1 statement answered by another plan"), "\(page)")
  }

  @Test("Equal plans pass, with statements that only one side runs")
  func samePlan() throws {
    let same = judged([
      StatementPlanRecord(sql: "SELECT a FROM ZQUAKE WHERE ZCODE = 'y2'", plan: Self.search),
      StatementPlanRecord(sql: "SELECT new FROM ZQUAKE", plan: "SCAN ZQUAKE"),
    ])
    let results = results([same])
    #expect(same.plans(results.rules)?.verdict == .pass && results.status == .success)
    #expect(
      PairMarkdown.document(results, hasPictures: false).markdown.contains("every plan is the same on both sides"))
  }

  @Test("Sides without a common statement compare no plans, and do not pass")
  func noCommonStatement() {
    let other = judged([StatementPlanRecord(sql: "SELECT a FROM ZQUAKE WHERE +ZCODE = 'x1'", plan: "SCAN ZQUAKE")])
    let results = results([other])
    let verdict = other.plans(results.rules)
    #expect(verdict?.verdict == .untrusted && verdict?.compared == 0)
    #expect(results.status == .untrusted && results.overall == .untrusted)
    let page = PairMarkdown.document(results, hasPictures: false).markdown
    #expect(page.contains("Plans: **UNTRUSTED**: no statement is run by both sides, so no plan was compared."))
    let none = judged([])
    #expect(none.plans(results.rules)?.verdict == .pass, "what runs nothing has no plan that became worse")
    #expect(
      PairMarkdown.document(self.results([none]), hasPictures: false).markdown
        .contains("Plans: **PASS**: a side runs no statement that has a plan."))
  }

  @Test("Unknown plans are untrusted, and plans that are not judged change nothing")
  func unknownPlans() {
    let unknown = judged([], gap: "base does not show plans: its build does not ask for the plans of statements")
    #expect(results([unknown]).status == .untrusted)
    var missing = unknown
    missing.plans = nil
    #expect(missing.plans(results([missing]).rules)?.gap == "the plans of statements were not taken")
    let scan = [StatementPlanRecord(sql: "SELECT 1", plan: "SCAN t")]
    let unjudged = judged(scan, limit: nil)
    #expect(unjudged.plans(results([unjudged]).rules) == nil && results([unjudged]).status == .success)
    var timeOnly = results([judged(scan)])
    timeOnly.rules.judged = .time
    #expect(timeOnly.comparisons[0].plans(timeOnly.rules) == nil)
  }
}

extension PairReportTests {
  @Test(
    "A counter that base's build does not know is named and is no obstacle; one that it failed to take is an obstacle",
    .tags(.a7))
  func newCounter() {
    var comparison = comparison(1)
    comparison.headFigures[0].phases[0].metrics[.databaseSyncs] = 3
    var results = results([comparison])
    #expect(results.obstacles(to: comparison) == ["base has no db_syncs, which head has"], "both are one build")
    results.head.build = BuildIdentity(version: "2", configuration: "release", executable: "def")
    #expect(results.obstacles(to: comparison).isEmpty && results.status == .success)
    let page = PairMarkdown.document(results, hasPictures: false).markdown
    #expect(page.contains("Not compared, since only head has it: `db_syncs`."))
    // All counters of its instrument are missing, so it was not taken at all.
    comparison.headFigures[0].phases[0].metrics[.vmSteps] = 7
    #expect(results.obstacles(to: comparison) == ["base has no vm_steps, which head has"])
  }
}
