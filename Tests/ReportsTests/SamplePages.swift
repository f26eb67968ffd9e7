// A page of each kind, for tests of pages and for browsers.
import Analysis
import CoreDataFiles
import Foundation
@testable import Reports
import StoreFixtures
import Testing

enum SamplePages {
  /// Name and text.
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
      // Names that are wider than a phone.
      (
        "wide",
        RunReport.html(results).replacing(
          "<code>batch-dictionary</code>", with: "<code>batch-dictionary[delete_rule=cascade,fan_out=4,levels=5]</code>"
        )
      ),
      (
        "pair",
        Page(title: PairMarkdown.title(of: compared), document: PairMarkdown.document(compared, hasPictures: true)).html
      ),
      (
        "compare",
        StoredComparisonMarkdown.html(
          [NamedComparison(base: "a", comparison: StoredComparison(base: results, head: results))], head: "b")
      ),
      ("profile", Page(title: "profile", document: ProfileMarkdown.document(profile, files: ["stages.csv"])).html),
      ("inspection", InspectionReport.html(inspection)), ("history", HistoryPageTests.page().html),
    ]
  }
}

@Suite("A5 · pages for browsers", .tags(.a5))
struct BrowserPages {
  private static let folder = ProcessInfo.processInfo.environment["BATCHMARK_PAGES"]

  @Test(
    "Every kind of page is written where scripts/browser opens it", .enabled(if: folder != nil, "no folder is named"))
  func write() throws {
    let folder = try #require(BrowserPages.folder)
    for (name, html) in try SamplePages.all.get() {
      try Data(html.utf8).write(to: URL(filePath: "\(folder)/\(name).html"))
    }
  }
}
