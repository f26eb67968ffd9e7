// A16: causes from the figures of both sides: each kind gets its correct name, and equal or unsteady figures give no
// cause.
@testable import Analysis
import BatchmarkEngine
import Harness
import Instruments
import MissionTags
import Testing

@Suite("A16 · causes of a comparison's change", .tags(.a16))
struct PairExplanationTests {
  private static let rounds = 14
  private static let insert = "INSERT INTO ZQUAKE (ZCODE) VALUES (?)"

  /// A side with a phase of 100 ms; each trial takes another 0.1 %.
  private func side(
    phase: Double = 100e6, cpu: Double? = nil, thread: Double? = nil, stages: [String: Double] = [:],
    statements: [String: StatementFigures] = [:], metrics: [MetricID: Int64] = [:], stacks: [String: Int] = [:]
  ) -> SideFigures {
    var side = SideFigures()
    for trial in 0..<PairExplanationTests.rounds {
      let factor = 1 + 0.001 * Double(trial % 5)
      side.stages.append(
        SideFigures.StageTrial(
          nanoseconds: phase * factor, cpuNanoseconds: (cpu ?? phase) * factor,
          threadNanoseconds: (thread ?? cpu ?? phase) * factor, stages: stages.mapValues { $0 * factor }))
      side.statements.append(SideFigures.StatementTrial(nanoseconds: phase * factor, statements: statements))
    }
    side.metrics = metrics.mapValues { FigureRange($0) }
    side.stacks = stacks
    return side
  }

  private func statement(
    runs: Int64 = 1_000, steps: Int64 = 20_000, milliseconds: Int64 = 20, _ work: SQLWork = SQLWork(preparations: 1)
  ) -> StatementFigures {
    StatementFigures(
      runs: runs, vmSteps: steps, nanoseconds: milliseconds * 1_000_000, work: work, purpose: "INSERT ZQUAKE")
  }

  private func explanation(
    _ base: SideFigures, _ head: SideFigures, change: Double? = 0.2
  ) -> PairExplanation {
    PairExplanation(
      of: change.map { PairExplanation.Change(metric: MetricID.wall.rawValue, share: $0) }, base: base, head: head)
  }

  /// The first cause if the only statement changes from one to the other.
  private func firstCause(_ base: StatementFigures, _ head: StatementFigures) -> CauseFinding? {
    let explanation = explanation(
      side(statements: [PairExplanationTests.insert: base]),
      side(phase: 120e6, statements: [PairExplanationTests.insert: head]))
    return explanation.findings.first
  }

  @Test("Equal sides have no cause, whether or not the time is reported to have changed")
  func placebo() {
    let same = side(
      stages: ["insertions": 50e6], statements: [PairExplanationTests.insert: statement()],
      metrics: [.allocations: 1_000, .syncs: 3, .walFrames: 40], stacks: ["main;insert": 900])
    for change in [nil, 0.2, -0.2] {
      let explanation = explanation(same, same, change: change)
      #expect(explanation.findings.isEmpty && explanation.explainedShare == nil)
      #expect(explanation.examined.statements == 1 && explanation.examined.figures == 3)
    }
  }

  @Test(
    "SQLite's counts of a statement name the cause",
    arguments: [
      (CauseFinding.Kind.preparation, SQLWork(preparations: 1_000), Int64(1_000), Int64(20_000)),
      (.statements, SQLWork(preparations: 1), 2_000, 40_000),
      (.statements, SQLWork(preparations: 1_001), 2_000, 40_000),
      (.automaticIndex, SQLWork(preparations: 1, automaticIndexRows: 500), 1_000, 30_000),
      (.sorts, SQLWork(preparations: 1, sorts: 10), 1_000, 30_000),
      (.rows, SQLWork(preparations: 1, rows: 300, fullScanSteps: 300), 1_000, 30_000),
      (.fullScan, SQLWork(preparations: 1, fullScanSteps: 300), 1_000, 30_000),
      (.vmSteps, SQLWork(preparations: 1), 1_000, 30_000),
    ])
  func counters(kind: CauseFinding.Kind, work: SQLWork, runs: Int64, steps: Int64) throws {
    let cause = try #require(firstCause(statement(), statement(runs: runs, steps: steps, milliseconds: 38, work)))
    #expect(cause.kind == kind && cause.subject == PairExplanationTests.insert)
    let part = try #require(cause.part)
    #expect((0.8...1).contains(part.share), "18 of 20 ms")
    let (low, high) = (try #require(part.low), try #require(part.high))
    #expect(low <= part.share && part.share <= high)
  }

  @Test("Preparation time belongs to a statement, although SQLite does not count it as part of its runs")
  func preparationTime() throws {
    let work = SQLWork(preparations: 1_000, preparationNanoseconds: 18_000)
    let cause = try #require(firstCause(statement(), statement(milliseconds: 20, work)))
    #expect(cause.kind == .preparation)
    #expect((0.85...0.95).contains(cause.part?.share ?? 0))
    #expect(cause.evidence.first == CauseFinding.Evidence("preparations", base: 1, head: 1_000))
  }

  @Test("A cause's part refers to the change in its own rounds, if these show the change")
  func whole() throws {
    let base = side(statements: [PairExplanationTests.insert: statement()])
    let after = [PairExplanationTests.insert: statement(runs: 2_000, milliseconds: 40)]
    func part(_ phase: Double) -> Double? {
      explanation(base, side(phase: phase, statements: after)).findings.first?.part?.share
    }
    let (seen, unseen) = (try #require(part(140e6)), try #require(part(101e6)))
    #expect((0.49...0.51).contains(seen), "20 of 40 ms, though the pairs showed 20 %")
    #expect((0.98...1).contains(unseen), "20 ms of 20 %: these rounds show nothing")
  }

  @Test("Another plan comes before the scans and sorts that follow from it")
  func plan() throws {
    let before = SQLWork(preparations: 1, plan: "SEARCH ZQUAKE USING INDEX code")
    let after = SQLWork(preparations: 1, fullScanSteps: 9_000, sorts: 2, plan: "SCAN ZQUAKE")
    let cause = try #require(firstCause(statement(before), statement(steps: 90_000, milliseconds: 38, after)))
    #expect(cause.kind == .queryPlan)
    #expect(cause.basePlan == "SEARCH ZQUAKE USING INDEX code" && cause.headPlan == "SCAN ZQUAKE")
    // The same work with another plan in the same time is no cause.
    let same = SQLWork(preparations: 1, plan: "SCAN ZQUAKE")
    #expect(firstCause(statement(before), statement(same)) == nil)
  }

  @Test("A changed text is compared with the text that it replaces")
  func changedText() throws {
    let (old, new) = ("SELECT id FROM item", "SELECT id FROM item ORDER BY size")
    var (before, after) = (statement(), statement(steps: 30_000, milliseconds: 38, SQLWork(preparations: 1, sorts: 60)))
    (before.purpose, after.purpose) = ("SELECT item", "SELECT item")
    let explanation = explanation(side(statements: [old: before]), side(phase: 120e6, statements: [new: after]))
    let cause = try #require(explanation.findings.first)
    #expect(cause.kind == .sorts && cause.subject == new && cause.baseSubject == old)
    after.purpose = "SELECT other"
    let other = self.explanation(side(statements: [old: before]), side(phase: 120e6, statements: [new: after]))
    #expect(other.findings.first?.kind == .statements && other.findings.first?.evidence.first?.base == 0)
  }

  @Test("A slower statement is named with the files that do more work, or alone if none do")
  func files() throws {
    func explained(_ metrics: [MetricID: Int64]) throws -> CauseFinding {
      let base = side(
        statements: ["COMMIT": statement(milliseconds: 1)],
        metrics: [.syncs: 1, .walSyncs: 1, .checkpoints: 0, .walFrames: 10, .bytesWritten: 1_000, .bytesRead: 5])
      var head = side(phase: 120e6, statements: ["COMMIT": statement(milliseconds: 20)], metrics: [:])
      head.metrics = base.metrics.merging(metrics.mapValues { FigureRange($0) }) { $1 }
      return try #require(explanation(base, head).findings.first)
    }
    #expect(try explained([.syncs: 60, .walSyncs: 60]).kind == .syncs)
    #expect(try explained([.syncs: 60, .checkpoints: 20]).kind == .checkpoints)
    #expect(try explained([.walFrames: 90, .bytesWritten: 9_000]).kind == .writes)
    #expect(try explained([.bytesRead: 9_000]).kind == .reads)
    #expect(try explained([.syncs: 60]).part?.share ?? 0 > 0.9)
    #expect(try explained([:]).kind == .statementTime)
  }

  @Test("Syncs and checkpoints account for their time and for their waiting")
  func waitingForFiles() throws {
    let base = side(
      statements: ["COMMIT": statement(milliseconds: 1)],
      metrics: [.syncs: 3, .checkpoints: 0, .syncTime: 1_000_000, .checkpointTime: 0])
    // 20 ms more. SQLite's own clocks only see 3 ms of them in statements, because an automatic checkpoint follows the
    // statements.
    func found(syncs: Int64 = 180, syncTime: Int64, cpu: Double = 106e6) -> [CauseFinding] {
      let head = side(
        phase: 120e6, cpu: cpu, statements: ["COMMIT": statement(milliseconds: 4)],
        metrics: [.syncs: syncs, .checkpoints: syncs - 3, .syncTime: syncTime, .checkpointTime: 9_000_000])
      return explanation(base, head).findings
    }
    let checkpoints = found(syncTime: 17_000_000)
    #expect(checkpoints.map(\.kind) == [.checkpoints])
    #expect((0.79...0.81).contains(checkpoints.first?.part?.share ?? 0), "16 of 20 ms")
    // If the phase waits longer than its syncs took in their own passes, up to twice that time counts as theirs.
    let longer = found(syncTime: 11_000_000, cpu: 102e6)
    #expect(longer.map(\.kind) == [.checkpoints])
    #expect((0.89...0.91).contains(longer.first?.part?.share ?? 0), "18 of 20 ms, where 10 were timed")
    // The time of the checkpoints counts if it is longer, and waiting beyond syncs is a separate finding.
    #expect((0.44...0.46).contains(found(syncTime: 4_000_000, cpu: 117e6).first?.part?.share ?? 0), "9 of 20 ms")
    let waiting = found(syncTime: 4_000_000, cpu: 101e6)
    #expect(waiting.map(\.kind) == [.wait, .checkpoints])
    // The syncs are longer but not more, so waiting is the only cause.
    #expect(found(syncs: 3, syncTime: 17_000_000).map(\.kind) == [.wait, .statementTime])
  }

  @Test("More commits are the cause of their syncs, not the other way round")
  func commits() {
    let base = side(statements: ["COMMIT": statement(runs: 1, milliseconds: 1)], metrics: [.syncs: 1])
    let head = side(
      phase: 120e6, statements: ["COMMIT": statement(runs: 500, milliseconds: 20, SQLWork(preparations: 1))],
      metrics: [.syncs: 500])
    let found = explanation(base, head).findings
    #expect(found.map(\.kind) == [.statements, .syncs] && found.last?.part == nil)
  }

  @Test("Allocations are named with their stage, and held memory if they are equal")
  func memory() throws {
    var base = side(metrics: [.allocations: 1_000, .allocatedBytes: 64_000, .heapPeak: 4_096])
    var head = side(
      phase: 120e6, metrics: [.allocations: 401_000, .allocatedBytes: 25_000_000, .heapPeak: 4_096])
    base.stageAllocations = ["insertions": FigureRange(900), "commit": FigureRange(100)]
    head.stageAllocations = ["insertions": FigureRange(400_900), "commit": FigureRange(100)]
    let cause = try #require(explanation(base, head).findings.first)
    #expect(cause.kind == .allocations && cause.subject == "insertions" && cause.part?.low == nil)
    head.metrics[.allocations] = base.metrics[.allocations]
    head.metrics[.allocatedBytes] = base.metrics[.allocatedBytes]
    head.metrics[.heapPeak] = FigureRange(1_048_576)
    #expect(explanation(base, head).findings.map(\.kind) == [.heap])
    // A single additional allocation holds the memory; it is no separate cause. The function is in the team's own code.
    var held = side(metrics: [.allocations: 400_001, .allocatedBytes: 41 << 20, .heapPeak: 3 << 20])
    var free = side(metrics: [.allocations: 400_000, .allocatedBytes: 40 << 20, .heapPeak: 1 << 20])
    let stack =
      "main;Team.Session.insert(Rows) throws -> ();generic specialization <Swift.UInt8> of Swift.Array.init;swift_slowAlloc;[libjemalloc.so.2]"
    held.allocatedBytes = ["main;other": 1 << 20, stack: 2 << 20]
    free.allocatedBytes = ["main;other": 1 << 20]
    let change = PairExplanation.Change(metric: MetricID.heapPeak.rawValue, share: 2)
    let memory = PairExplanation(of: change, base: free, head: held).findings.first
    #expect(memory?.kind == .heap && memory?.subject == "Team.Session.insert(Rows) throws -> ()")
    held.allocatedBytes[stack] = 1 << 19
    #expect(
      PairExplanation(of: change, base: free, head: held).findings.first?.subject == nil, "no stack has half of it")
  }

  @Test("Waiting, other threads and a slow stage are distinguished by the growth of processor time")
  func times() {
    let base = side(stages: ["insertions": 50e6])
    func kinds(_ head: SideFigures) -> [CauseFinding.Kind] { explanation(base, head).findings.map(\.kind) }
    #expect(kinds(side(phase: 120e6, cpu: 100e6, stages: ["insertions": 70e6])) == [.wait])
    #expect(kinds(side(phase: 120e6, thread: 100e6, stages: ["insertions": 50e6])) == [.otherThreads])
    #expect(kinds(side(phase: 120e6, stages: ["insertions": 70e6])) == [.stage])
  }

  @Test("Code that only head runs is named by its outermost function, if both sides have enough stacks")
  func newCode() {
    let head = side(phase: 120e6, stacks: ["main;insert": 830, "main;check;regex": 100, "main;check;scan": 70])
    let found = explanation(side(stacks: ["main;insert": 1_000]), head).findings
    #expect(found.map(\.kind) == [.newCode] && found.first?.subject == "check")
    #expect((0.9...1).contains(found.first?.part?.share ?? 0))
    // By chance, 40 stacks of base miss a frame in 17 % of head's stacks once in a thousand times; ten stacks miss it
    // once in six.
    #expect(explanation(side(stacks: ["main;insert": 40]), head).findings.map(\.kind) == [.newCode])
    #expect(explanation(side(stacks: ["main;insert": 10]), head).findings.isEmpty)
    // A function takes 4 % of the stacks. With 104 ms instead of 100 it explains the change; with 120 ms it is too
    // little.
    let base = side(stacks: ["main;insert": 1_000])
    let stacks = ["main;insert": 960, "main;check": 40]
    let small = explanation(base, side(phase: 104e6, stacks: stacks), change: 0.04).findings
    #expect(small.map(\.kind) == [.newCode] && (small.first?.part?.share ?? 0) > 0.9)
    #expect(explanation(base, side(phase: 120e6, stacks: stacks)).findings.isEmpty)
  }

  @Test("Stacks show what preparing does instead, and code that runs a counted cause is not a cause itself")
  func countedCode() throws {
    let base = side(
      statements: [PairExplanationTests.insert: statement()], metrics: [.allocations: 10],
      stacks: ["main;insert;sqlite3_step": 1_000])
    let prepared = SQLWork(preparations: 1_000, preparationNanoseconds: 4_000)
    let head = side(
      phase: 120e6, statements: [PairExplanationTests.insert: statement(prepared)], metrics: [.allocations: 10],
      stacks: ["main;insert;sqlite3_step": 840, "main;fresh;sqlite3_prepare_v2": 150, "main;fresh": 10])
    let found = explanation(base, head).findings
    #expect(found.map(\.kind) == [.preparation])
    #expect((0.85...0.95).contains(found.first?.part?.share ?? 0), "0.15 of 120 ms, of 20 ms")
    // The same function without SQLite below it is a cause.
    var other = head
    other.stacks = ["main;insert;sqlite3_step": 840, "main;fresh;spin": 160]
    #expect(explanation(base, other).findings.map(\.kind) == [.newCode, .preparation])
  }

  @Test("Times name no cause if no change was shown, if chance explains them, or if they are few")
  func chance() {
    let base = side(stages: ["insertions": 50e6])
    let head = side(phase: 120e6, stages: ["insertions": 70e6])
    #expect(explanation(base, head, change: nil).findings.isEmpty)
    var noisy = head
    for trial in noisy.stages.indices where trial % 3 == 0 { noisy.stages[trial].stages["insertions"] = 40e6 }
    #expect(explanation(base, noisy).findings.isEmpty)
    var (few, fewBase) = (head, base)
    few.stages.removeLast(9)
    fewBase.stages.removeLast(9)
    #expect(explanation(fewBase, few).findings.isEmpty)
  }

  @Test("A counter that varies between trials names a cause only if the difference exceeds its variation")
  func unsteady() throws {
    func range(_ values: Int64...) throws -> FigureRange { try #require(FigureRange(values)) }
    #expect(try !range(105, 110).isAbove(range(100, 104)), "the gap is smaller than the ranges")
    #expect(try range(150, 160).isAbove(range(100, 110)))
    #expect(try !range(100, 100).isAbove(range(100, 100)) && range(101, 101).isAbove(range(100, 100)))
    #expect(FigureRange([]) == nil)
    var base = side(metrics: [.allocations: 1_000])
    var head = side(phase: 120e6, metrics: [:])
    base.metrics[.allocations] = try range(1_000, 1_400)
    head.metrics[.allocations] = try range(1_500, 1_900)
    #expect(explanation(base, head).findings.isEmpty)
  }

  @Test("Causes that make head faster are found in the same way, with the sides in their places")
  func improvement() throws {
    let base = side(
      phase: 120e6, statements: [PairExplanationTests.insert: statement(milliseconds: 38, SQLWork(preparations: 1_000))]
    )
    let head = side(statements: [PairExplanationTests.insert: statement()])
    let cause = try #require(explanation(base, head, change: 100.0 / 120 - 1).findings.first)
    #expect(cause.kind == .preparation)
    #expect(cause.evidence.first == CauseFinding.Evidence("preparations", base: 1_000, head: 1))
  }

  @Test("If a figure failed but the time did not, causes are ranked by their part of the figure's growth")
  func figure() throws {
    let (one, other) = ("SELECT a FROM t", "SELECT b FROM t")
    let base = side(
      statements: [one: statement(steps: 100), other: statement(steps: 100)], metrics: [.vmSteps: 200])
    let head = side(
      statements: [one: statement(steps: 200), other: statement(steps: 400)], metrics: [.vmSteps: 600])
    let explanation = PairExplanation(
      of: PairExplanation.Change(metric: MetricID.vmSteps.rawValue, share: 2), base: base, head: head)
    #expect(explanation.findings.map(\.subject) == [other, one])
    #expect(explanation.findings.map { $0.part?.share } == [0.75, 0.25])
  }

  @Test("Statements that may cause more allocations come before the allocations themselves")
  func consequence() {
    func kinds(_ preparations: Int64) -> [CauseFinding.Kind] {
      let base = side(
        statements: [PairExplanationTests.insert: statement()], metrics: [.allocations: 1_000, .heapPeak: 10])
      let head = side(
        statements: [PairExplanationTests.insert: statement(SQLWork(preparations: preparations))],
        metrics: [.allocations: 21_000, .heapPeak: 10])
      return PairExplanation(
        of: PairExplanation.Change(metric: MetricID.allocations.rawValue, share: 20), base: base, head: head
      ).findings.map(\.kind)
    }
    #expect(kinds(1_000) == [.preparation, .allocations])
    #expect(kinds(2) == [.allocations, .preparation], "one more preparation makes no 20,000 allocations")
  }

  @Test(
    "Texts that differ only in their values are one statement",
    arguments: [
      ("SELECT  a FROM t\nWHERE b = 'it''s' AND c <= -12.5e3", "SELECT a FROM t WHERE b = ? AND c <= - ?"),
      ("INSERT INTO t (a, b) VALUES (?1, ?2), (?3, ?4);", "INSERT INTO t (a, b) VALUES (?, …)"),
      ("INSERT INTO t (a, b) VALUES (?, ?)", "INSERT INTO t (a, b) VALUES (?, …)"),
      ("DELETE FROM t1 WHERE k IN (1, 2, 3) -- ours", "DELETE FROM t1 WHERE k IN (?, …)"),
      ("UPDATE \"t 1\" SET a = x'00ff', b = :name", "UPDATE \"t 1\" SET a = ?, b = ?"),
      ("SELECT /* 'x' */ a FROM t /**/ WHERE b = 4 /* to the end", "SELECT a FROM t WHERE b = ?"),
      ("", ""), ("'", "?"), ("((", "(("),
    ])
  func normalized(sql: String, text: String) {
    #expect(NormalizedSQL(sql).text.replacing(" (", with: "(") == text.replacing(" (", with: "("))
  }

  @Test("A statement's purpose is its first word and its first table")
  func purpose() {
    #expect(NormalizedSQL("SELECT a FROM t JOIN u").purpose == "SELECT t")
    #expect(NormalizedSQL("insert into t values (1)").purpose == "INSERT t")
    #expect(NormalizedSQL("COMMIT").purpose == "COMMIT ")
  }
}
