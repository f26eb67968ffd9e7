// A16: causes as sentences: what happens, how often compared with before, and its part of the change.
@testable import Analysis
import MissionTags
@testable import Reports
import Testing

@Suite("A16 · causes in words", .tags(.a16))
struct CauseSentenceTests {
  private func finding(
    _ kind: CauseFinding.Kind, _ subject: String? = nil, _ evidence: (String, Int64, Int64)...
  ) -> CauseFinding {
    CauseFinding(
      kind, subject: subject, evidence.map { CauseFinding.Evidence($0.0, base: $0.1, head: $0.2) })
  }

  @Test("Each kind of cause says what head does instead of base")
  func words() {
    let sentences = [
      finding(.preparation, "INSERT INTO ZQUAKE", ("preparations", 1, 100_000)):
        "`INSERT INTO ZQUAKE` is prepared 100,000 times instead of once",
      finding(.statements, "COMMIT", ("runs", 2, 500)): "`COMMIT` is run 500 times instead of twice",
      finding(.statements, "SELECT 1", ("runs", 0, 9)): "`SELECT 1` is run 9 times, which base never does",
      finding(.statements, "SELECT 1", ("runs", 9, 0)): "`SELECT 1` is no longer run, which base does 9 times",
      finding(.sorts, "SELECT a", ("sorts", 0, 60)): "`SELECT a` sorts 60 times instead of never",
      finding(.rows, "SELECT a", ("rows", 1, 60)): "`SELECT a` returns or changes 60 rows instead of 1 row",
      finding(.syncs, nil, ("syncs", 3, 66), ("wal_syncs", 1, 61), ("db_syncs", 2, 5)):
        "the WAL is synced 61 times instead of once",
      finding(.writes, nil, ("bytes_written", 1024, 4096)): "4.00 KiB instead of 1.00 KiB are written to files",
      finding(.checkpoints, nil, ("checkpoints", 0, 8)): "8 checkpoints instead of 0 checkpoints take place",
      finding(.allocations, "insertions", ("allocations", 10, 30), ("allocated_bytes", 1, 2)):
        "30 allocations instead of 10, most of the difference in the stage `insertions`",
      finding(.heap, nil, ("heap_peak_bytes", 1024, 4096)): "the heap's peak is 4.00 KiB instead of 1.00 KiB",
      finding(.heap, "Team.Session.insert(Rows) throws -> ()", ("heap_peak_bytes", 1024, 4096)):
        "the heap's peak is 4.00 KiB instead of 1.00 KiB, most of the difference allocated in `Team.Session.insert`",
      finding(.wait, nil, ("wait_ns", 1_520_000, 2_340_000)):
        "2.34 ms instead of 1.52 ms pass without a processor at work",
      finding(.stage, "commit", ("time_ns", 2_120_000, 10_400_000)):
        "the stage `commit` takes 10.4 ms instead of 2.12 ms, which counters do not explain in full",
      finding(.newCode, "check", ("stacks", 0, 17), ("all_stacks", 1_000, 100)):
        "`check` is in 17 % of head's stacks and in none of base's",
      finding(.newCode, "M.(spin in _82AF0)(count: Swift.Int) -> ()", ("stacks", 9, 0), ("all_stacks", 10, 50)):
        "`M.spin` is in 90 % of base's stacks and in none of head's",
      finding(
        .newCode, "closure #1 (Swift.Int) -> () in M.Work.run() throws -> ()", ("stacks", 0, 1), ("all_stacks", 1, 1)):
        "`M.Work.run` is in 100 % of head's stacks and in none of base's",
    ]
    for (finding, sentence) in sentences {
      let words = CauseSentence.words(finding).replacing("\u{a0}", with: " ")
      #expect(words == sentence)
    }
  }

  @Test("Plans that differ are shown by their first different steps")
  func plans() {
    var finding = finding(.queryPlan, "SELECT a", ("full_scan_steps", 0, 900))
    finding.basePlan = "SCAN b\nSEARCH a USING INDEX c"
    finding.headPlan = "SCAN b\nSCAN a"
    #expect(
      CauseSentence.words(finding)
        == "`SELECT a` is answered by another plan: `SCAN a` instead of `SEARCH a USING INDEX c`")
  }

  @Test("A measured part has its interval, and a computed one is called approximate")
  func parts() {
    var finding = finding(.sorts, "SELECT a", ("sorts", 0, 60))
    let change = PairExplanation.Change(metric: "wall_median_s", share: 0.2)
    #expect(CauseSentence.part(finding, of: change).isEmpty)
    finding.part = CauseFinding.Part(share: 0.912)
    #expect(CauseSentence.part(finding, of: change) == "about 91 % of the change")
    finding.part = CauseFinding.Part(share: 0.912, low: 0.85, high: 0.97)
    #expect(CauseSentence.part(finding, of: change) == "91 % of the change")
    #expect(CauseSentence.part(finding, of: change, hasInterval: true) == "91 % [85, 97] of the change")
    #expect(CauseSentence.part(finding, of: nil).isEmpty)
    finding.part = CauseFinding.Part(share: 0.5, low: 0.5, high: 0.5)
    let growth = PairExplanation.Change(metric: "sorts", share: 60)
    #expect(CauseSentence.part(finding, of: growth, hasInterval: true) == "50 % of the growth of `sorts`")
  }
}
