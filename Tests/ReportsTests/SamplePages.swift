// A page of each kind, for tests of pages and for browsers.
import MissionTags
@testable import Analysis
import CoreDataFiles
import Foundation
import Harness
@testable import Reports
import StoreFixtures
import Testing

enum SamplePages {
  /// The name and text of each page.
  static let all: Result<[(name: String, html: String)], any Error> = Result { try make() }

  private static func make() throws -> [(name: String, html: String)] {
    let results = Fixture.standard.results
    var hidden = Fixture.standard.results
    hidden.scenarios.append(Fixture.scaling().results.scenarios[0])
    hidden.scenarios[1].name = "scaling"
    let pair = PairReportTests()
    let compared = pair.results([pair.comparison(1.2), pair.comparison(1)], placebos: [pair.comparison(1)])
    let profile = ProfileReportTests().results
    let inspection = try StoreInspection(of: SampleStore.own(.library).path, withValues: true)
    return [
      ("standard", RunReport.html(results)), ("update", RunReport.html(Fixture.update.results)),
      ("troubled", RunReport.html(Fixture.troubled.results)), ("scaling", RunReport.html(Fixture.scaling().results)),
      ("several", RunReport.html(hidden)),
      // Names that are wider than a phone's screen.
      (
        "wide",
        RunReport.html(results).replacing(
          "<code>\(HTML.name("batch-dictionary"))</code>",
          with: "<code>\(HTML.name("batch-dictionary[delete_rule=cascade,fan_out=4,levels=5]"))</code>"
        )
      ),
      (
        "pair",
        Page(title: PairMarkdown.title(of: compared), document: PairMarkdown.document(compared, hasPictures: true)).html
      ),
      (
        "compare",
        StoredComparisonMarkdown.html(
          [(base: "a", comparison: StoredComparison(base: results, head: results))], head: "b")
      ),
      ("profile", Page(title: "profile", document: ProfileMarkdown.document(profile, files: ["stages.csv"])).html),
      ("inspection", InspectionReport.html(inspection)), ("history", HistoryPageTests.page().html),
      ("machines", Page(title: MachineReport.title(of: machines), document: MachineReport.document(machines)).html),
      ("pair-machines", try pairOfMachines()), ("selftest", selfTest),
    ]
  }

  /// The default suite on three machines whose cells differ by a few percent.
  static var machines: MachineComparison {
    let results = (0..<3).map { machine in
      var fixture = Fixture.standard
      fixture.cells = fixture.cells.enumerated().map { index, cell in
        cell.with(walls: cell.walls.map { $0 * (1 + 0.03 * Double((index + 1) * machine % 4)) })
      }
      return fixture.results
    }
    let shards = (1...3).compactMap { Shard(index: $0, of: 3) }
    return MachineComparison(
      results,
      on: zip(shards, results).map { shard, results in
        MergedMachine(
          shard: shard, runID: "run-\(shard.index)", machine: "Some CPU, 2 online, 7.8 GiB",
          started: results.run.started,
          scenarios: [], environment: [EnvironmentFact("Host", "runner-\(shard.index)")])
      }, alike: results[0].environment, absent: nil)
  }

  /// Two sides on three machines.
  private static func pairOfMachines() throws -> String {
    let pair = PairReportTests()
    let merge = try PairMerge(
      (1...3).map { index -> (name: String, results: PairResults) in
        var results = pair.results([pair.comparison(1.2 + 0.01 * Double(index)), pair.comparison(1)])
        results.shard = Shard(index: index, of: 3)
        return ("machine-\(index)", results)
      }, isPartial: false)
    return Page(title: PairMachineReport.title(of: merge), document: PairMachineReport.document(merge)).html
  }

  /// Comparisons with a known truth, several of each kind.
  private static var selfTest: String {
    let pair = PairReportTests()
    let rules = pair.results([]).rules
    let trials = LiveKind.allCases.flatMap { kind in
      (0..<4).map { number in
        LiveTrial(
          kind, pair.comparison(kind == .placebo ? 1 : 1.05 + 0.01 * Double(number), syncs: kind.isTimed ? 8 : 9),
          rules,
          seconds: 12, executable: "abc")
      }
    }
    let header = SelfTestJournal.Header(
      cell: "scaling/objectgraph/save", rows: 10_000, scenarioFingerprint: "f", rules: rules)
    return SelfTestMarkdown.render(
      trials, header: header, environment: Fixture.standard.results.environment, command: "batchmark selftest --live"
    ).html
  }
}

@Suite("A5 · pages for browsers", .tags(.a5))
struct BrowserPages {
  private static let folder = ProcessInfo.processInfo.environment["BATCHMARK_PAGES"]

  @Test(
    "Every kind of page is written for scripts/browser", .enabled(if: folder != nil, "no folder is named"))
  func write() throws {
    let folder = try #require(BrowserPages.folder)
    for (name, html) in try SamplePages.all.get() {
      try Data(html.utf8).write(to: URL(filePath: "\(folder)/\(name).html"))
    }
  }
}
