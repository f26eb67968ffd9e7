// Points, intervals, areas, rules, bands and the guide of line charts are at the positions of their figures.
import Foundation
import MissionTags
import Testing

@testable import Charts

@Suite("A5 · lines over two axes", .tags(.a5))
struct LineChartTests {
  private typealias Point = LineChart.Point

  private func chart(
    _ x: Axis.Kind, _ y: Axis.Kind, _ points: [Point], style: LineChart.Style = .line
  ) -> LineChart {
    LineChart(
      title: "title", summary: "summary", x: Samples.axis(x), y: Samples.axis(y),
      series: [.init(label: "one", appearance: Samples.look, points: points, style: style)])
  }

  private func marks(_ svg: SVGElement) -> [(x: Double, y: Double)] {
    svg.with("c-item").filter { $0.title?.contains(" at ") == true }.flatMap { $0.with("c-mark") }
      .compactMap(\.places.first)
  }

  /// The scale of an axis, from two known marks.
  private struct Ruler {
    let from: (value: Double, place: Double), to: (value: Double, place: Double)
    let isLogarithmic: Bool

    func callAsFunction(_ value: Double) -> Double {
      func f(_ value: Double) -> Double { isLogarithmic ? log2(value) : value }
      return from.place + (to.place - from.place) * (f(value) - f(from.value)) / (f(to.value) - f(from.value))
    }
  }

  @Test(
    "Points, whiskers, ticks, rules, bands and the guide lie on the scales of both axes",
    arguments: [
      (Axis.Kind.linear, Axis.Kind.linear), (.logarithmic, .logarithmic), (.linear, .logarithmic),
      (.logarithmic, .linear),
    ],
    [860.0, 358])
  func positions(_ kinds: (x: Axis.Kind, y: Axis.Kind), width: Double) throws {
    let points = [1e3, 3e3, 1e4, 3e4, 1e5, 1e6].map { Point(x: $0, y: pow($0, 1.05) * 2, low: $0 * 1.5, high: $0 * 5) }
    var chart = chart(kinds.x, kinds.y, points)
    chart.rules = [.init(.vertical, at: 2e4, label: "here"), .init(.horizontal, at: 5e5, label: "limit")]
    chart.bands = [.init(low: 1e5, high: 2e5, label: "band")]
    chart.guide = .init(x: 1e4, y: 3e4, label: "in proportion")
    let svg = try SVGElement.parse(chart.svg(width: width, identifier: "a"))
    let marks = marks(svg)
    try #require(marks.count == points.count)
    let x = Ruler(
      from: (points[0].x, marks[0].x), to: (points[5].x, marks[5].x), isLogarithmic: kinds.x == .logarithmic)
    let y = Ruler(
      from: (points[0].y, marks[0].y), to: (points[5].y, marks[5].y), isLogarithmic: kinds.y == .logarithmic)
    #expect(marks[0].x < marks[5].x && marks[0].y > marks[5].y)
    for (mark, point) in zip(marks, points) {
      #expect(abs(mark.x - x(point.x)) < 0.2 && abs(mark.y - y(point.y)) < 0.2)
    }
    for (whisker, point) in zip(svg.with("c-whisker"), points) {
      let ys = whisker.places.map(\.y)
      #expect(abs((ys.max() ?? 0) - y(point.x * 1.5)) < 0.3 && abs((ys.min() ?? 0) - y(point.x * 5)) < 0.3)
    }
    let line = try #require(svg.with("c-line").first { $0.name == "path" })
    for (place, point) in zip(line.places, points) {
      #expect(abs(place.x - x(point.x)) < 0.2 && abs(place.y - y(point.y)) < 0.2)
    }
    // The labels of the axes are at their values.
    let columns = svg.with("c-grid").filter { $0.name == "path" },
      rows = svg.with("c-grid").filter { $0.name == "line" }
    let below = svg.with("c-tick").filter { $0.attributes["text-anchor"] == "middle" }
    let beside = svg.with("c-tick").filter { $0.attributes["text-anchor"] == "end" && $0.words != "units" }
    #expect((2...7).contains(columns.count) && (3...7).contains(rows.count))
    try #require(columns.count == below.count && rows.count == beside.count)
    for (column, label) in zip(columns, below) {
      #expect(abs((column.places.first?.x ?? 0) - x(try #require(Double(label.words)))) < 0.3)
    }
    for (row, label) in zip(rows, beside) {
      #expect(abs(row["y1"] - y(try #require(Double(label.words)))) < 0.3)
      #expect(abs(label["y"] - 4 - row["y1"]) < 0.2)
    }
    let rules = svg.with("c-rule").filter { $0["x1"] == $0["x2"] }
    #expect(rules.count == 1 && abs(rules[0]["x1"] - x(2e4)) < 0.2)
    #expect(svg.with("c-rule").contains { $0["y1"] == $0["y2"] && abs($0["y1"] - y(5e5)) < 0.2 })
    let band = try #require(svg.with("c-band").first)
    #expect(abs(band["y"] - y(2e5)) < 0.3 && abs(band["y"] + band["height"] - max(y(1e5), band["y"] + 1)) < 0.4)
    let guide = try #require(svg.with("c-guide").first { $0.name == "path" })
    #expect(guide.places.count == (kinds.x == kinds.y ? 2 : 49))
    for (index, place) in guide.places.enumerated() {
      // On the guide, y is 3 times x. Its ends are clipped to the axes.
      let last = max(1, guide.places.count - 1)
      let (start, end) = (1e3, 1e6)
      let value = start + (end - start) * Double(index) / Double(last)
      #expect(abs(place.x - x(value)) < 0.5 && abs(place.y - y(value * 3)) < 0.5)
    }
  }

  @Test("Marks keep a distance from the axis and the upper edge, unless the axis is at zero")
  func inset() throws {
    for (values, isAtZero) in [([100.0, 101, 120], false), ([0, 5, 9], true)] {
      let svg = try SVGElement.parse(
        chart(.linear, .linear, values.enumerated().map { Point(x: Double($0), y: $1) }).file())
      let axis = try #require(svg.with("c-axis").first)["y1"]
      let lowest = try #require(marks(svg).map(\.y).max()), highest = try #require(marks(svg).map(\.y).min())
      let top = try #require(svg.with("c-grid").filter { $0.name == "path" }.first?.places.map(\.y).min())
      #expect(abs(axis - lowest - (isAtZero ? 0 : 8)) < 0.2 && abs(highest - top - 8) < 0.2)
    }
  }

  @Test("If there are so many marks that they become dots, the legend has dots, too")
  func dots() throws {
    for count in [20, 90] {
      var chart = chart(.linear, .linear, (0..<count).map { Point(x: Double($0), y: Double($0 % 7)) })
      chart.series[0].style = .marks
      let svg = try SVGElement.parse(chart.file())
      #expect(svg.with("c-mark").count == (count == 20 ? count + 1 : 0))
      #expect(svg.with("c-raw").count == (count == 20 ? 0 : 2))
    }
  }
}

extension LineChartTests {
  @Test("A step holds its value until the next point")
  func steps() throws {
    let points = [Point(x: 0, y: 2), Point(x: 1, y: 6), Point(x: 3, y: 4)]
    let step = try SVGElement.parse(chart(.linear, .linear, points, style: .step).file())
    let places = try #require(step.with("c-line").first { $0.name == "path" }).places
    let marks = marks(step)
    #expect(places.map(\.x) == [marks[0].x, marks[1].x, marks[1].x, marks[2].x, marks[2].x])
    #expect(places.map(\.y) == [marks[0].y, marks[0].y, marks[1].y, marks[1].y, marks[2].y])
  }

  @Test("A part of a line is shaded from zero to its own values, whatever the line's are")
  func part() throws {
    var chart = chart(.linear, .linear, [Point(x: 0, y: 80), Point(x: 1, y: 100)])
    chart.series[0].part = [Point(x: 0, y: 25), Point(x: 1, y: 50)]
    let svg = try SVGElement.parse(chart.file())
    let outline = try #require(svg.with("c-fill").first).places
    let zero = try #require(svg.with("c-axis").first)["y1"]
    let line = try #require(svg.with("c-line").first { $0.name == "path" })
    let heights = line.places.map { zero - $0.y }
    try #require(outline.count == 4 && heights.count == 2)
    // If a part is shown, points have no marks that would cover it, except for the last one.
    #expect(marks(svg).count == 1)
    #expect(abs((zero - outline[0].y) * 80 / 25 - heights[0]) < 0.5)
    #expect(abs((zero - outline[1].y) * 2 - heights[1]) < 0.5)
    #expect(outline[2].y == zero && outline[3].y == zero)
    #expect(try SVGElement.parse(self.chart(.linear, .linear, chart.series[0].points).file()).with("c-fill").isEmpty)
  }

  @Test("Notes have a tick at each of their points, and their text once", arguments: [860.0, 358])
  func notes(width: Double) throws {
    let points = (0...10).map { Point(x: Double($0), y: Double($0 * $0)) }
    var chart = chart(.linear, .linear, points)
    chart.series[0].notes = [
      .init("checkpoint", at: [points[3], points[6]]), .init("commit", at: [points[6]]),
      .init("nowhere", at: [Point(x: .nan, y: 1)]),
    ]
    chart.series.append(chart.series[0])
    let svg = try SVGElement.parse(chart.svg(width: width, identifier: "a"))
    let marks = marks(svg)
    let ticks = svg.with("c-note")
    #expect(ticks.count == 4)
    for (tick, places) in zip(ticks, [[3, 6], [6]]) {
      #expect(tick.places.count == 2 * places.count)
      for (index, place) in places.enumerated() {
        let (from, to) = (tick.places[2 * index], tick.places[2 * index + 1])
        #expect(from.x == marks[place].x && to.x == from.x)
        #expect(abs(from.y + 7 - marks[place].y) < 0.11 && abs(to.y - 7 - marks[place].y) < 0.11)
      }
    }
    let words = svg.with("c-caption").map(\.words)
    #expect(words.sorted() == ["checkpoint", "commit"])
    let titles = svg.with("c-item").compactMap(\.title)
    #expect(titles.contains("one: 2 times checkpoint"))
    #expect(titles.contains { $0.hasPrefix("one: commit, 36") && $0.contains(" at 6") }, "\(titles)")
  }

  @Test("If points have no marks, a ribbon runs along the upper ends and back along the lower ones")
  func ribbon() throws {
    let points = (1...5).map { Point(x: Double($0), y: 10, low: 10 - Double($0), high: 10 + Double($0)) }
    var chart = chart(.linear, .linear, points)
    chart.series[0].part = [Point(x: 1, y: 1), Point(x: 5, y: 1)]
    let svg = try SVGElement.parse(chart.file())
    let places = try #require(svg.with("c-fill").last).places
    let y = try #require(marks(svg).first).y
    try #require(places.count == 10)
    let unit = y - places[0].y
    for index in 0..<5 {
      #expect(abs(y - places[index].y - unit * Double(index + 1)) < 0.5)
      #expect(abs(places[9 - index].y - y - unit * Double(index + 1)) < 0.5)
    }
    #expect(svg.with("c-whisker").isEmpty)
  }
}

extension LineChartTests {
  @Test("A value that is not finite breaks the line, and points may come in any order")
  func gaps() throws {
    let points = [4, 1, 3, 2, 5, 6].map { Point(x: $0, y: $0 == 3 ? .nan : $0) }
    let svg = try SVGElement.parse(chart(.linear, .linear, points).file())
    let line = try #require(svg.with("c-line").first { $0.name == "path" })
    #expect(line.attributes["d", default: ""].filter { $0 == "M" }.count == 2)
    #expect(marks(svg).count == 5 && marks(svg).map(\.x) == marks(svg).map(\.x).sorted())
  }

  @Test("A chart can have one point, none, and points without a position")
  func few() throws {
    let one = try SVGElement.parse(chart(.automatic, .automatic, [Point(x: 5, y: 7)]).file())
    #expect(marks(one).count == 1 && one.with("c-whisker").isEmpty)
    let none = try SVGElement.parse(chart(.automatic, .automatic, [Point(x: .nan, y: 1)]).file())
    #expect(none.all.contains { $0.words == "No values to show" })
    let lost = try SVGElement.parse(
      chart(.logarithmic, .logarithmic, [Point(x: 1, y: 1), Point(x: 0, y: 1), Point(x: 9, y: -1)]).file())
    #expect(marks(lost).count == 1)
    #expect(lost.all.contains { $0.words == "2 points are not above zero and have no place here" })
  }

  @Test("If there are very many points, the peaks and the ends stay, and the file is small")
  func thinning() throws {
    let points = (0..<20_000).map { Point(x: Double($0), y: $0 == 7_777 ? 99 : sin(Double($0) / 500)) }
    let thinned = LineChart.thinned(points, to: 1600)
    #expect(thinned.count <= 1600 && thinned.contains { $0.y == 99 })
    #expect(thinned.first == points.first && thinned.last == points.last)
    #expect(thinned.map(\.x) == thinned.map(\.x).sorted())
    var many = chart(.linear, .linear, points)
    many.series = Array(repeating: many.series[0], count: 8)
    #expect(many.file().utf8.count < 150_000)
  }

  @Test("Labels do not overlap and are near their lines, or in a legend if there is no room")
  func labels() throws {
    #expect(SideLabels.spread([50, 50], within: 0...100) == [41.5, 58.5])
    #expect(SideLabels.spread([10, 90], within: 0...100) == [10, 90])
    #expect(SideLabels.spread([0, 0, 100, 0], within: 0...100) == [0, 17, 100, 34])
    #expect(SideLabels.spread([100, 100], within: 0...100) == [83, 100])
    #expect(SideLabels.spread([], within: 0...100) == [])
    var chart = chart(.linear, .linear, [Point(x: 0, y: 1), Point(x: 1, y: 1)])
    chart.series = (0..<8).map { index in
      var series = chart.series[0]
      series.label = "line \(index)"
      return series
    }
    let wide = try SVGElement.parse(chart.file()).with("c-key").map { $0["y"] }.sorted()
    #expect(wide.count == 8 && zip(wide, wide.dropFirst()).allSatisfy { $1 - $0 >= 16.9 })
    let narrow = try SVGElement.parse(chart.svg(width: 358, identifier: "a"))
    let axis = try #require(narrow.with("c-axis").first)["y1"]
    #expect(narrow.with("c-key").count == 8 && narrow.with("c-key").allSatisfy { $0["y"] > axis })
  }
}
