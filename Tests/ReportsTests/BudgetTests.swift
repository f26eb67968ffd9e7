// A7: budgets in reports and on the terminal.
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import BatchmarkEngine
import Testing

@Suite("A7 · budgets in reports", .tags(.a5, .a7))
struct BudgetTests {
  private static func id(_ strategy: String) -> String {
    "earthquakes/\(strategy == "insert" ? "sqlite" : "objectgraph")/\(strategy)"
  }

  private func budget(
    _ text: String, _ figure: MetricID, of strategies: [String],
    _ limit: Double, times other: String? = nil, in phase: Phase = .ingest
  ) -> Budget {
    Budget(
      text: text,
      figure: BudgetFigure(cells: strategies.map(BudgetTests.id), phase: phase.rawValue, column: figure.rawValue),
      comparison: .atMost,
      limit: BudgetLimit(
        limit,
        times: other.map {
          BudgetFigure(cells: [BudgetTests.id($0)], phase: phase.rawValue, column: figure.rawValue)
        }))
  }

  private func results(_ budgets: Budget..., fixture: Fixture = .standard) -> Report {
    var results = fixture.results
    results.scenarios[0].budgets = budgets
    return results
  }

  /// The lines of the only scenario.
  private func lines(_ results: Report) -> [String] {
    BudgetText.lines(results.judgements(of: results.scenarios[0]), of: results.scenarios[0])
  }

  @Test("A line has the verdict, the budget, the figure and, if the budget does not state it, the limit")
  func wording() {
    let results = results(
      budget("save.heap_peak <= 45 MiB", .heapPeak, of: ["save"], 47_185_920),
      budget("save.syncs <= 2 * insert.syncs", .syncs, of: ["save"], 2, times: "insert"),
      budget("save.wall <= 410 ms", .wall, of: ["save"], 0.41),
      budget("batch-dictionary.wall <= 0.5 * save.wall", .wall, of: ["batch-dictionary"], 0.5, times: "save"),
      budget("save.times_reference <= 3", .timesReference, of: ["save"], 3),
      budget("batch.syncs <= 8", .syncs, of: ["batch-objects", "insert"], 8),
      budget("save.load.wall <= 1 s", .wall, of: ["save"], 1, in: .load),
      budget("save.merge.wall <= 1 s", .wall, of: ["save"], 1, in: .merge))
    #expect(
      lines(results) == [
        "BROKEN      save.heap_peak <= 45 MiB: 47,394,816 B (45.2 MiB)",
        "HELD        save.syncs <= 2 * insert.syncs: 8, and the limit is 16",
        "BROKEN      save.wall <= 410 ms: 416 ms [400, 499]; the interval reaches beyond the limit, so this may be chance",
        "BROKEN      batch-dictionary.wall <= 0.5 * save.wall: 250 ms [245, 302], and the limit is 208 ms [200, 249]; "
          + "the interval reaches beyond the limit, so this may be chance",
        "HELD        save.times_reference <= 3: 2.16 [2.11, 2.20]",
        "HELD        batch.syncs <= 8, batch-objects: 8",
        "HELD        batch.syncs <= 8, sqlite/insert: 8",
        "HELD        save.load.wall <= 1 s: 50.0 ms; too few rounds for an interval",
        "UNDECIDED   save.merge.wall <= 1 s: save has no wall_median_s in the phase merge: the merge phase is not part "
          + "of the timing pass",
      ])
  }

  @Test("In JUnit's file a broken or undecided budget fails, and one that need not be judged is skipped")
  func junit() {
    let results = results(
      budget("save.syncs <= 8", .syncs, of: ["save"], 8),
      budget("save.syncs <= 7", .syncs, of: ["save"], 7),
      budget("save.merge.wall <= 1 s", .wall, of: ["save"], 1, in: .merge),
      budget("gone.syncs <= 8", .syncs, of: ["gone"], 8))
    let xml = RunJUnit.render(results)
    func ending(of budget: String) -> Substring {
      let lines = xml.split(separator: "\n").map { $0.drop { $0 == " " } }
      guard let start = lines.firstIndex(where: { $0.contains("name=\"budget \(budget)") }) else { return "" }
      return lines[start].hasSuffix("/>") ? "passed" : lines[start + 1].prefix { $0 != "m" }
    }
    #expect(ending(of: "save.syncs &lt;= 8") == "passed")
    #expect(ending(of: "save.syncs &lt;= 7") == "<failure type=\"BROKEN\" ")
    #expect(ending(of: "save.merge.wall") == "<failure type=\"UNDECIDED\" ")
    #expect(ending(of: "gone.syncs") == "<skipped ")
    let cells = results.scenarios[0].cells.count
    #expect(xml.contains("tests=\"\(cells + 4)\" failures=\"2\" errors=\"0\" skipped=\"1\""))
  }

  @Test("A budget that cannot be judged says why")
  func gaps() {
    let syncs = budget("save.syncs <= 8", .syncs, of: ["save"], 8)
    let heap = budget(
      "batch-objects.heap_peak <= 1 KiB", .heapPeak, of: ["batch-objects"], 1024)
    let none = budget("none.syncs <= 8", .syncs, of: [], 8)
    let left = budget("gone.syncs <= 8", .syncs, of: ["gone"], 8)
    #expect(
      lines(results(syncs, heap, none, left, fixture: .troubled)) == [
        "UNDECIDED   save.syncs <= 8: 1 sample of save failed",
        "UNDECIDED   batch-objects.heap_peak <= 1 KiB: batch-objects has no heap_peak_bytes in the phase ingest: the run "
          + "ended before the memory pass",
        "NOT JUDGED  none.syncs <= 8: no cell has that name under the settings of the run",
        "NOT JUDGED  gone.syncs <= 8: earthquakes/objectgraph/gone was not measured",
      ])
    var quick = results(budget("save.wall <= 1 s", .wall, of: ["save"], 1))
    quick.run.isQuick = true
    #expect(lines(quick) == ["NOT JUDGED  save.wall <= 1 s: a quick run gives no times to judge by"])
    #expect(RunReport.text(quick).contains("In a quick run, only budgets on exact counters are judged."))
  }

  @Test("The report has budgets before its findings, the terminal below its table, each on one line")
  func places() throws {
    let results = results(
      budget("save.syncs <= 7", .syncs, of: ["save"], 7),
      budget("a|`b`\n\u{1B}<= 7", .syncs, of: ["save", "insert"], 7))
    let report = RunReport.text(results)
    let budgets = try #require(report.range(of: "\n## Budgets\n\n- **BROKEN** `save.syncs <= 7`: 8.\n- **BROKEN** "))
    let story = try #require(report.range(of: "\n## Findings\n"))
    #expect(budgets.upperBound < story.lowerBound)
    let terminal = TerminalTable.render(results, color: false)
    #expect(terminal.contains("\n\nBROKEN      save.syncs <= 7: 8\nBROKEN      a|`b` <= 7, save: 8\n"))
    #expect(terminal.split(separator: "\n").allSatisfy { $0.count <= 120 })
    #expect(!RunReport.text(Fixture.standard.results).contains("Budgets"))
    #expect(try ResultsFile.render(results).contains("\"text\" : \"save.syncs <= 7\""))
  }
}
