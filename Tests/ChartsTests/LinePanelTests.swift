// Small multiples: panels with the same axes, side by side if they fit, with names that are never cut off.
import MissionTags
import Testing

@testable import Charts

@Suite("A5 · lines in small panels", .tags(.a5))
struct LinePanelTests {
  private func chart(_ titles: [String], label: (Int) -> String = { _ in "one" }) -> LinePanels {
    LinePanels(
      title: "title", summary: "summary", x: Samples.axis(.logarithmic), y: Samples.axis(.logarithmic),
      panels: titles.enumerated().map { index, title in
        // Each panel has its own values.
        let scale = Double(index + 1)
        var series = LineChart.Series(
          label: label(index), appearance: Samples.look,
          points: [.init(x: 100, y: scale, low: scale / 2, high: scale * 2), .init(x: 1_000, y: 10 * scale)])
        series.end = "1.0\(index)"
        return LinePanels.Panel(title: title, series: [series])
      }, guide: .init(x: 100, y: 1, label: "in proportion"))
  }

  @Test("Panels have the same ticks at the same heights, and equal values the same position", arguments: [350.0, 920])
  func sameAxes(width: Double) throws {
    let svg = try SVGElement.parse(chart(["a", "b", "c", "d"]).svg(width: width, identifier: "p"))
    let panels = svg.all.filter { $0.attributes["transform"] != nil }
    try #require(panels.count == 4)
    let ticks = panels.map { panel in panel.with("c-tick").map { "\($0.words) \($0["x"]) \($0["y"])" } }
    #expect(!ticks[0].isEmpty && ticks.allSatisfy { $0 == ticks[0] })
    let marks = panels.map { $0.with("c-mark").compactMap(\.places.first) }
    #expect(marks.allSatisfy { $0.count == 2 } && marks.allSatisfy { $0[0].x == marks[0][0].x })
    #expect(marks[0][0].y > marks[1][0].y, "what is less lies lower in its panel, too")
  }

  @Test("Panels are below one another on a phone and side by side on a large screen, none beyond the edge")
  func columns() throws {
    func places(_ width: Double) throws -> [String] {
      try SVGElement.parse(chart(["a", "b", "c", "d", "e", "f", "g"]).svg(width: width, identifier: "p")).all
        .compactMap { $0.attributes["transform"] }
    }
    let (phone, large) = (try places(350), try places(920))
    #expect(phone.count == 7 && phone.allSatisfy { $0.hasPrefix("translate(0 ") } && Set(phone).count == 7)
    let columns = Set(large.compactMap { $0.split(separator: " ").first })
    #expect(large.count == 7 && columns.count == 3)
  }

  @Test(
    "A legend is shown once above all panels, or in each panel if a look has several meanings", arguments: [350.0, 920])
  func legend(width: Double) throws {
    func keys(_ chart: LinePanels) throws -> [String] {
      try SVGElement.parse(chart.svg(width: width, identifier: "p")).with("c-key").map(\.words)
    }
    let shared = try keys(chart(["a", "b"]))
    #expect(shared.count { $0 == "one" } == 1 && shared.contains("1.00") && shared.contains("1.01"))
    let own = try keys(chart(["a", "b"]) { "line \($0)" })
    #expect(own.count { $0 == "in proportion" } == 2 && own.contains("line 0") && own.contains("line 1"))
  }

  @Test("Long names wrap between their words and are never cut", arguments: [350.0, 920])
  func longNames(width: Double) throws {
    let name = "batch-managed-object[merge=automatic,results=controller,save_every=500,transaction=immediate]"
    let title = "version=an-attribute-that-becomes-required, duplicates=10%"
    let svg = try SVGElement.parse(chart([title, "b"]) { _ in name }.svg(width: width, identifier: "p"))
    let texts = svg.with("c-key") + svg.with("c-label")
    #expect(texts.allSatisfy { !$0.words.contains("…") })
    #expect(texts.map(\.words).joined().contains(name))
  }
}
