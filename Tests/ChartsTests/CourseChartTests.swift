// Courses over time: each value at its moment, amounts below on the same axis, and the largest value in its place.
import MissionTags
import Testing

@testable import Charts

@Suite("A5 A15 · timelines", .tags(.a5, .a15))
struct CourseChartTests {
  /// Ten slices of 100 ms with values of 1 ms, but 300 ms in the slice from 500 ms on; the amount grows by 100 a slice.
  private func chart(_ panels: Int = 1, amounts: Bool = true) -> CourseChart {
    var slices: [CourseChart.Slice] = []
    for index in 0..<10 {
      let start = Double(index) / 10
      let largest: Double = index == 5 ? 0.3 : 0.004
      let amount: Double? = amounts ? Double(index + 1) * 100 : nil
      slices.append(.init(start: start, end: start + 0.1, middle: 0.001, high: 0.002, largest: largest, amount: amount))
    }
    let shown = (0..<panels).map { index in
      CourseChart.Panel(
        label: "cell \(index)", appearance: Appearance(index: index), slices: slices, figure: "longest 0.3")
    }
    return CourseChart(
      title: "title", summary: "summary", time: Samples.axis(.linear), values: Samples.axis(.logarithmic),
      amounts: Samples.axis(.linear),
      names: .init(middle: "p50", high: "p99", largest: "longest", amount: "size"),
      panels: shown)
  }

  @Test("One stall is visible at its moment, marked as the largest", arguments: [860.0, 358])
  func stall(width: Double) throws {
    let svg = try SVGElement.parse(chart().svg(width: width, identifier: "a"))
    let item = try #require(svg.with("c-item").first { $0.title == "cell 0: longest 0.3" })
    let mark = try #require(item.with("c-mark").first?.places.first)
    let dots = try #require(svg.with("c-item").first { $0.title?.hasPrefix("cell 0, longest") == true })
    #expect(dots.title == "cell 0, longest: 0.004 to 0.3")
    let places = try #require(dots.with("c-raw").first).places
    try #require(places.count == 10)
    #expect(abs(places[5].x - mark.x) < 0.2 && abs(places[5].y - mark.y) < 0.2)
    // The points are evenly spaced, and all others are at the same height below it.
    let step = (places[9].x - places[0].x) / 9
    #expect(step > 0)
    for (index, place) in places.enumerated() {
      #expect(abs(place.x - places[0].x - step * Double(index)) < 0.3)
      if index != 5 { #expect(place.y == places[0].y && place.y > mark.y + 20) }
    }
  }

  @Test("Amounts are steps below the values, on the same time axis, and begin at zero", arguments: [860.0, 358])
  func amounts(width: Double) throws {
    let svg = try SVGElement.parse(chart().svg(width: width, identifier: "a"))
    let values = try #require(svg.with("c-raw").last).places
    let item = try #require(svg.with("c-item").first { $0.title == "cell 0, size: 100.0 to 1000.0" })
    let edge = try #require(item.with("c-line").first).places
    // Each slice has a start and an end around its values.
    try #require(edge.count == 20)
    for index in 0..<10 {
      let (start, end) = (edge[index * 2], edge[index * 2 + 1])
      #expect(start.y == end.y && abs((start.x + end.x) / 2 - values[index].x) < 0.2)
    }
    let (first, last) = (edge[0].y, edge[19].y)
    let floor = try #require(item.with("c-fill").first).places.map(\.y).max() ?? 0
    #expect(abs((floor - first) * 10 - (floor - last)) < 1)
    #expect((values.map(\.y).max() ?? 0) < last)
  }

  @Test("Without amounts there are only values, and without values the picture says so")
  func empty() throws {
    let alone = try SVGElement.parse(chart(amounts: false).svg(width: 860, identifier: "a"))
    #expect(alone["height"] < (try SVGElement.parse(chart().svg(width: 860, identifier: "a")))["height"])
    #expect(alone.with("c-item").allSatisfy { $0.title?.contains("size") == false })
    let none = try SVGElement.parse(chart(0).svg(width: 860, identifier: "a"))
    #expect(none.all.contains { $0.words == "No values to show" })
  }

  @Test("Panels share their axes of values and amounts, each in its own color")
  func panels() throws {
    let svg = try SVGElement.parse(chart(2).svg(width: 860, identifier: "a"))
    let dots = svg.with("c-raw").filter { $0.classes.contains("c-k0") || $0.classes.contains("c-k1") }
    try #require(dots.count == 2)
    let distances = zip(dots[0].places, dots[1].places).map { $1.y - $0.y }
    #expect(distances.allSatisfy { abs($0 - distances[0]) < 0.3 && $0 > 100 })
  }
}
