// A11: the page of a history, from hand-made records.
import BatchmarkEngine
import Analysis
import Charts
import Foundation
import Harness
import Instruments
import MissionTags
@testable import Reports
import Scenarios
import Testing

@Suite("A11 · pages of histories", .tags(.a11))
struct HistoryPageTests {
  private static let cell = "quakes/objectgraph/save"

  private static func commit(_ index: Int) -> String {
    "c\(index)" + String(repeating: "f", count: 39 - "\(index)".count)
  }

  /// A ratio with a step, a counter that grows and shrinks again, and one that only grows.
  private static func record(_ index: Int, file: String) -> HistoryRecord {
    let ratio = (index < 12 ? 1.2 : 1.32) * (1 + 0.001 * Double(index * 7 % 11))
    let main = HistoryPhase(
      phase: .ingest, isMain: true, timesReference: Estimate(median: ratio, low: ratio - 0.01, high: ratio + 0.01),
      counters: ["syncs": index == 5 ? 9 : 8, "wal_frames": index < 20 ? 100 : 120, "vm_steps": 7])
    return HistoryRecord(
      runID: "\(index)", commit: commit(index), finished: "", batchmarkVersion: "1",
      conditions: HistoryConditions(
        machine: "m", processor: nil, compiler: index < 20 ? "Swift 6.3" : "Swift|<b>", sqlite: "3.46"),
      scenarios: [
        HistoryScenario(
          name: "quakes", file: file, settings: ["rows=10"], fingerprint: "f",
          cells: [HistoryCell(id: cell, phases: [main])])
      ])
  }

  /// The history with a run of another branch and a file that is not a record.
  static func page(
    reason: String? = nil, commitAddress: String? = nil, file: String = "my quakes.yml"
  ) -> HistoryPage {
    let line = HistoryLine(
      (Array(0..<24) + [99]).map { record($0, file: file) }, firstParents: (0..<24).reversed().map(commit))
    var accepted = AcceptedChanges()
    if let reason {
      for change in HistoryJudgement(line).open { accepted.add(AcceptedChange(change, reason: reason)) }
    }
    return HistoryPage(
      HistoryJudgement(line, accepted: accepted),
      commands: HistoryCommands(program: "batchmark", options: ["--history", "runs"]) {
        $0.contains(" ") ? "'\($0)'" : $0
      }, foreign: [HistoryFolder.Foreign(file: "runs/a|b.json", problem: "it was cut off")],
      commitAddress: commitAddress)
  }

  @Test(
    "Changes come first, each with its location, other differences, and the commands that confirm, find and expect it")
  func changes() {
    let lines = Self.page().brief().split(separator: "\n").map(String.init)
    #expect(lines[0] == "# REGRESSION: 2 unexpected changes")
    #expect(
      lines.contains(
        "- `\(Self.cell)` times_reference: +10.1 % (from 1.21 to 1.33) since `c12fffffffff`, p below 0.01 %."))
    #expect(lines.contains("- `\(Self.cell)` wal_frames of ingest: +20.0 % (from 100 to 120) since `c20fffffffff`."))
    #expect(lines.contains("  - It came after `c19fffffffff`, with `c20fffffffff` at the latest."))
    #expect(lines.contains("  - At `c20fffffffff` the compiler changed too: from Swift 6.3 to Swift\\|&lt;b>."))
    let pair = "batchmark pair --base-ref c19fffffffff --head-ref c20fffffffff --scenario 'my quakes.yml'"
    let limits = "--exact-only --margin exact=none,plans=none,wal_frames=1%"
    #expect(lines.contains("  - Confirm it: `\(pair) --only \(Self.cell) --set rows=10 \(limits) --explain`"))
    let time = lines.first { $0.contains("Confirm it") && $0.contains("--head-ref c1") }
    #expect(time?.hasSuffix(" --set rows=10 --time-only --explain`") == true, "the figure that changed, and no other")
    let words = "c20fffffffff --only \(Self.cell) --metric ingest.wal_frames"
    #expect(lines.contains("  - Find the commit: `batchmark history bisect \(words) --history runs`"))
    #expect(lines.contains("  - Expect it: `batchmark history accept \(words) --reason '…' --history runs`"))
    // It grew and shrank again at once.
    #expect(
      lines.contains {
        $0.hasPrefix("| \(Self.cell) syncs of ingest | c5") && $0.hasSuffix("| undone by c6ffffffffff |")
      })
    #expect(lines.contains { $0.contains("| c6ffffffffff |") && $0.hasSuffix("| better |") })
    #expect(lines.contains("- 1 run of commits that are not on this branch by first parents: left out."))
    #expect(lines.contains("- **Left out**: runs/a\\|b.json: it was cut off."))
  }

  @Test("A change of a run with --store and without a scenario file is confirmed by a pair without one")
  func storeSuite() {
    let lines = Self.page(file: ScenarioSchema.storeSuiteName).brief().split(separator: "\n")
    let sides = "batchmark pair --base-ref c19fffffffff --head-ref c20fffffffff"
    #expect(lines.contains { $0.hasPrefix("  - Confirm it: `\(sides) --only \(Self.cell) --set rows=10 ") })
  }

  @Test("If the address of commits is known, each is a link, in Markdown and on the page")
  func links() {
    let page = Self.page(commitAddress: "https://github.com/a/b/commit/")
    let whole = String(repeating: "f", count: 37)
    #expect(page.brief().contains("since [`c12fffffffff`](https://github.com/a/b/commit/c12\(whole)), p below"))
    #expect(page.html.contains("<a href=\"https://github.com/a/b/commit/c12\(whole)\"><code>c12fffffffff</code></a>"))
    #expect(page.brief(as: .terminal(width: 120, isASCII: false)).contains("since c12fffffffff, p below"))
  }

  @Test("Expected changes are reported with their reasons, whatever the text, and the page passes")
  func accepted() {
    let page = Self.page(reason: "a|b <script>")
    #expect(page.brief().hasPrefix("# PASS: no unexpected change for the worse\n"))
    #expect(page.brief().contains("expected: a\\|b &lt;script>"))
    #expect(page.html.contains("expected: a|b &lt;script&gt;") && !page.html.contains("<script"))
  }

  @Test(
    "Each series of times has a picture, and each counter that changed: a rule at each change, commits along the axis")
  func pictures() throws {
    let all = Self.page().document(hasSeries: true).pictures
    let lines = try #require(all.first?.chart as? SparklineChart)
    #expect(lines.rows.map(\.gloss) == ["times_reference", "syncs of ingest", "wal_frames of ingest"])
    #expect(lines.rows.map(\.changes.count) == [1, 2, 1])
    let pictures = all.dropFirst()
    #expect(
      pictures.map(\.chart.title).map { $0.split(separator: " ")[1] } == ["times_reference,", "syncs", "wal_frames"])
    let svg = try #require(pictures.first).chart.file()
    #expect(svg.contains("unexpected") && svg.contains("c12ffffffff".prefix(7)))
    #expect(svg.contains("c12fffffffff: +10.1 % (from 1.21 to 1.33)"))
  }
}

extension HistoryPageTests {
  @Test("Counters that differ between runs of one commit are counted, and the verb follows the number")
  func disputed() {
    func page(_ counters: [[String: Int64]]) -> String {
      let runs = counters.enumerated().map { index, counters in
        HistoryRecord(
          runID: "\(index)", commit: "c", finished: "2026-01-01T00:00:0\(index)Z", batchmarkVersion: "1",
          conditions: HistoryConditions(machine: "m", processor: nil, compiler: "Swift 6.3", sqlite: "3.46"),
          scenarios: [
            HistoryScenario(
              name: "quakes", file: "quakes.yml", settings: [], fingerprint: "f",
              cells: [
                HistoryCell(
                  id: "quakes/objectgraph/save",
                  phases: [HistoryPhase(phase: .ingest, isMain: true, timesReference: nil, counters: counters)])
              ])
          ])
      }
      return HistoryPage(
        HistoryJudgement(HistoryLine(runs, firstParents: ["c"])),
        commands: HistoryCommands(program: "batchmark", options: []) { $0 }, foreign: [], commitAddress: nil
      ).brief()
    }
    let one = page([["syncs": 8, "vm_steps": 7], ["syncs": 9, "vm_steps": 7]])
    #expect(one.contains("1 exact counter differs between runs of one commit"), "\(one)")
    let both = page([["syncs": 8, "vm_steps": 7], ["syncs": 9, "vm_steps": 8]])
    #expect(both.contains("2 exact counters differ between runs of one commit"), "\(both)")
  }
}
