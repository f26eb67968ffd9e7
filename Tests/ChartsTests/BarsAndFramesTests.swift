// The widths of bars and frames are their shares, and each begins where the one before it ends.
import Foundation
import MissionTags
import Testing

@testable import Charts

@Suite("A5 · bars of parts", .tags(.a5))
struct StackedBarChartTests {
  private func chart(_ rows: [[Double]]) -> StackedBarChart {
    StackedBarChart(
      title: "title", summary: "summary", axis: Samples.axis(),
      rows: rows.enumerated().map { index, values in
        .init(
          label: "row-\(index)",
          parts: values.enumerated().map { part, value in
            .init(name: "part \(part)", value: value, appearance: Appearance(index: part), text: "\(value) ms")
          }, figure: "sum")
      })
  }

  private func bars(_ svg: SVGElement) -> [SVGElement] { svg.with("c-item").flatMap { $0.with("c-part") } }

  @Test("Parts are as long as their values, and follow one another from a common start", arguments: [860.0, 358])
  func positions(width: Double) throws {
    let rows = [[12.0, 40, 11], [12, 300, 60, 11], [0.5], [100, 100]]
    let svg = try SVGElement.parse(chart(rows).svg(width: width, identifier: "a"))
    let bars = bars(svg)
    try #require(bars.count == rows.joined().count)
    let zero = bars[0]["x"], unit = bars[4]["width"] / 300
    var index = 0
    for row in rows {
      var before = 0.0
      for value in row {
        #expect(abs(bars[index]["x"] - zero - before * unit) < 0.3 && abs(bars[index]["width"] - value * unit) < 0.3)
        before += value
        index += 1
      }
    }
    let labels = svg.with("c-tick").filter { $0.attributes["text-anchor"] == "middle" }
    #expect((3...7).contains(labels.count) && labels.count == svg.with("c-grid").count)
    for (line, label) in zip(svg.with("c-grid"), labels) {
      let value = try #require(Double(label.words))
      #expect(abs((line.places.first?.x ?? 0) - zero - value * unit) < 0.3)
    }
    // Text is only inside if it fits.
    for item in svg.with("c-item") {
      guard let text = item.with("c-inside").first, let bar = item.with("c-part").first else { continue }
      #expect(TextStyle.inside.width(text.words) < bar["width"])
    }
    #expect(svg.with("c-inside").count < bars.count && svg.with("c-inside").contains { $0.words == "300.0 ms" })
    #expect(svg.with("c-item").first?.title == "row-0, part 0: 12.0")
    #expect(svg.with("c-key").map(\.words) == ["part 0", "part 1", "part 2", "part 3"])
  }

  @Test(
    "Panels have separate scales: the longest bar of each is as long as that of the others",
    arguments: [860.0, 358])
  func panels(width: Double) throws {
    func row(_ value: Double) -> StackedBarChart.Row {
      .init(label: "row", parts: [.init(name: "part", value: value, appearance: Appearance(tone: 1))], figure: "sum")
    }
    let chart = StackedBarChart(
      title: "title", summary: "summary", axis: Samples.axis(),
      panels: [.init(title: "small", rows: [row(1), row(2)]), .init(title: "large", rows: [row(1_000), row(500)])])
    let svg = try SVGElement.parse(chart.svg(width: width, identifier: "a"))
    let bars = bars(svg)
    try #require(bars.count == 4)
    #expect(abs(bars[1]["width"] - bars[2]["width"]) < 0.3 && abs(bars[0]["width"] * 2 - bars[1]["width"]) < 0.3)
    #expect(svg.with("c-figure").map(\.words).filter { ["small", "large"].contains($0) } == ["small", "large"])
    #expect(svg.with("c-t1").count > 4 && ChartStyle.css.contains(".c-t1{"))
  }

  @Test("Each series has a line, with its last point at the right and a mark at each change", arguments: [860.0, 358])
  func sparklines(width: Double) throws {
    let points = [(0.0, 5.0), (0.5, 5), (1, 7)].map { LineChart.Point(x: $0.0, y: $0.1) }
    let chart = SparklineChart(
      title: "title", summary: "summary",
      rows: [
        .init(label: "cell", gloss: "syncs", points: points, changes: [0.75], figure: "7"),
        .init(label: "flat", gloss: "frames", points: points.dropLast(), changes: [], figure: "5"),
      ])
    let svg = try SVGElement.parse(chart.svg(width: width, identifier: "a"))
    let lines = svg.with("c-line"), marks = svg.with("c-mark"), changes = svg.with("c-ref")
    try #require(lines.count == 2 && marks.count == 2 && changes.count == 1)
    let places = lines[0].places
    try #require(places.count == 3)
    #expect(places[0].x < places[1].x && places[0].y == places[1].y && places[2].y < places[1].y)
    #expect(changes[0]["x1"] > places[1].x && changes[0]["x1"] < places[2].x)
    #expect(lines[1].places.map(\.y).first == lines[1].places.map(\.y).last)
  }

  @Test("Missing, zero, negative and non-finite values take no room")
  func missing() throws {
    let svg = try SVGElement.parse(chart([[.nan, 10, -5, .infinity, 0, 20], [], [0]]).file())
    let bars = bars(svg)
    #expect(bars.count == 2 && abs(bars[1]["width"] - 2 * bars[0]["width"]) < 0.2)
    #expect(abs(bars[1]["x"] - bars[0]["x"] - bars[0]["width"]) < 0.2)
    #expect(try SVGElement.parse(chart([]).file()).all.contains { $0.words == "Nothing to show" })
    #expect(try SVGElement.parse(chart([[0]]).file()).with("c-label").count == 1)
  }
}

@Suite("A5 · flame graphs", .tags(.a5))
struct FlameGraphTests {
  private typealias Frame = FlameGraph.Frame

  private func frames(_ root: Frame, width: Double = 1000) throws -> [String: SVGElement] {
    let svg = try SVGElement.parse(
      FlameGraph(title: "title", summary: "summary", root: root, label: { "\(Int($0)) samples" })
        .svg(width: width, identifier: "a"))
    return Dictionary(
      svg.with("c-item").compactMap { item in
        guard let title = item.title, let rect = item.with("c-pale").first else { return nil }
        return (title, rect)
      }, uniquingKeysWith: { first, _ in first })
  }

  @Test("A frame is as wide as its share, within its caller and on the level above it")
  func positions() throws {
    let root = Frame(
      name: "root", weight: 200,
      children: [
        Frame(name: "a", weight: 50, children: [Frame(name: "c", weight: 25)]), Frame(name: "b", weight: 100),
        Frame(name: "tiny", weight: 0.1),
      ])
    let frames = try frames(root)
    #expect(
      Set(frames.keys) == [
        "root: 100\u{A0}%, 200 samples", "a: 25\u{A0}%, 50 samples", "c: 12.5\u{A0}%, 25 samples",
        "b: 50\u{A0}%, 100 samples",
      ])
    func rect(_ name: String) throws -> SVGElement { try #require(frames.first { $0.key.hasPrefix(name + ":") }).value }
    #expect(try [rect("root")["x"], rect("a")["x"], rect("c")["x"], rect("b")["x"]] == [0, 0, 0, 250])
    #expect(
      try [rect("root")["width"], rect("a")["width"], rect("c")["width"], rect("b")["width"]] == [1000, 250, 125, 500])
    #expect(try rect("root")["y"] - rect("a")["y"] == 18 && rect("a")["y"] - rect("c")["y"] == 18)
    #expect(try rect("a")["y"] == rect("b")["y"])
  }

  @Test("Children that add up to more than their caller are drawn narrower, so that they fit")
  func tooHeavy() throws {
    let frames = try frames(
      Frame(name: "root", weight: 10, children: [Frame(name: "a", weight: 30), Frame(name: "b", weight: 10)]))
    #expect(frames["a: 75\u{A0}%, 30 samples"]?["width"] == 750 && frames["b: 25\u{A0}%, 10 samples"]?["x"] == 750)
  }

  @Test("A file stays small, however many, long or deep the frames are, and says if some are left out")
  func size() throws {
    let name = String(repeating: "SomeModule.SomeType<Argument>.someFunction(label:)", count: 30)
    let wide = Frame(
      name: "root", weight: 900,
      children: (0..<900).map { _ in Frame(name: name, weight: 1, children: [Frame(name: name, weight: 1)]) })
    var deep = Frame(name: "leaf", weight: 1)
    for level in 0..<1500 { deep = Frame(name: "level \(level)", weight: 1, children: [deep]) }
    for root in [wide, deep] {
      let file = FlameGraph(title: "title", summary: "summary", root: root).file()
      #expect(file.utf8.count < 150_000 && file.contains("are left out"))
      #expect(try SVGElement.parse(file).with("c-pale").count > 50)
    }
    let nothing = FlameGraph(title: "title", summary: "summary", root: Frame(name: "root", weight: .nan)).file()
    #expect(nothing.contains("Nothing to show"))
  }
}
