// Marks, whiskers and dots of rankings are at the positions of their figures, on every kind of axis.
import Foundation
import MissionTags
import Support
import Testing

@testable import Charts

@Suite("A5 · rankings", .tags(.a5))
struct IntervalChartTests {
  private func chart(_ kind: Axis.Kind, _ values: [Double?], reference: Double? = nil, spread: Double? = 0.1)
    -> IntervalChart
  {
    IntervalChart(
      title: "title", summary: "summary", axis: Samples.axis(kind), reference: reference.map { ($0, "reference") },
      rows: values.enumerated().map { index, value in
        .init(
          label: "row-\(index)", gloss: "a gloss", value: value,
          low: spread.flatMap { spread in value.map { $0 * (1 - spread) } },
          high: spread.flatMap { spread in value.map { $0 * (1 + spread) } },
          raw: spread.flatMap { spread in value.map { [$0 * (1 + spread / 2), $0 * (1 - spread / 2), $0] } } ?? [],
          appearance: Samples.look,
          figure: "1×", detail: "1 ms")
      })
  }

  private func marks(_ svg: SVGElement) -> [(x: Double, y: Double)] { svg.with("c-mark").compactMap(\.places.first) }

  private static let samples: [(kind: Axis.Kind, values: [Double])] = [
    (.logarithmic, [0.679, 1, 1.07, 1.28, 1.64, 2.18, 3, 7.43, 8.45]),
    (.automatic, [0.679, 1, 1.07, 8.45]), (.linear, [0.679, 1, 1.07, 8.45]), (.automatic, [0.98, 1, 1.05]),
    (.linear, [-3, 4, 1e-3, 17]), (.linear, [1e12, 1e12 + 5, 1e12 + 9]),
    (.automatic, [3e-9, 3e-8, 3e-7, 3e-6, 3e-5, 3e-4, 3e-3, 0.03, 0.3, 3]),
    (.automatic, (0..<60).map { 0.5 + Double($0 / 2) }),
  ]

  @Test(
    "Marks, whiskers, dots, gridlines and the reference lie on one scale",
    arguments: samples, [860.0, 358])
  func positions(_ sample: (kind: Axis.Kind, values: [Double]), width: Double) throws {
    let (kind, values) = sample
    // Far from zero, an error of a tenth of the value would hide the others.
    let spread = values.contains { $0 > 1e11 } ? 1e-12 : 0.1
    let reference = values[1]
    let svg = try SVGElement.parse(
      chart(kind, values, reference: reference, spread: spread).svg(width: width, identifier: "a"))
    let marks = marks(svg)
    try #require(marks.count == values.count)

    // The first mark and the one furthest from it give the scale; everything else follows from it.
    let least = values.min() ?? 0, greatest = values.max() ?? 0
    let isLogarithmic = kind == .logarithmic || (kind == .automatic && least > 0 && greatest * 1.1 > 4 * least * 0.9)
    func f(_ value: Double) -> Double { isLogarithmic ? log10(value) : value }
    let i = values.firstIndex(of: least) ?? 0, j = values.firstIndex(of: greatest) ?? 0
    let slope = (marks[j].x - marks[i].x) / (f(greatest) - f(least))
    func expected(_ value: Double) -> Double { marks[i].x + slope * (f(value) - f(least)) }
    #expect(slope > 0)
    for (mark, value) in zip(marks, values) { #expect(abs(mark.x - expected(value)) < 0.2) }
    for (whisker, value) in zip(svg.with("c-whisker"), values) {
      let ends = [value * (1 - spread), value * (1 + spread)].map(expected).sorted()
      let xs = whisker.places.map(\.x)
      #expect(abs((xs.min() ?? 0) - ends[0]) < 0.3 && abs((xs.max() ?? 0) - ends[1]) < 0.3)
    }
    #expect(svg.with("c-whisker").count == values.count)
    for ((dots, value), mark) in zip(zip(svg.with("c-raw"), values), marks) {
      let wanted = [value * (1 - spread / 2), value, value * (1 + spread / 2)].sorted().map(expected)
      for (dot, x) in zip(dots.places, wanted) { #expect(abs(dot.x - x) < 0.3) }
      // The dots are in a strip below the mark, never around it.
      #expect(dots.places.count == 3 && dots.places.allSatisfy { $0.y > mark.y + 8 && $0.y < mark.y + 21 })
    }
    let grid = svg.with("c-grid"), labels = svg.with("c-tick").filter { $0.attributes["text-anchor"] == "middle" }
    // With labels of 15 digits, a phone has room for only two.
    #expect((width < 640 && least > 1e11 ? 2...7 : 3...7).contains(grid.count), "\(labels.map(\.words))")
    #expect(labels.count == grid.count * (values.count > 10 ? 2 : 1))
    for (line, label) in zip(grid, labels) {
      let value = try #require(Double(label.words))
      #expect(abs((line.places.first?.x ?? 0) - expected(value)) < 0.3)
    }
    #expect(abs((svg.with("c-ref").first?.places.first?.x ?? 0) - expected(reference)) < 0.2)
    // The rows are in order.
    #expect(zip(marks, marks.dropFirst()).allSatisfy { $0.y < $1.y })
  }

  @Test("Equal figures have the same position for any kind of axis", arguments: [Axis.Kind.linear, .logarithmic])
  func ties(kind: Axis.Kind) throws {
    let marks = marks(try SVGElement.parse(chart(kind, [2, 5, 2, 5, 2]).file()))
    #expect(Set(marks.map(\.x)).count == 2)
    #expect(marks[0].x == marks[2].x && marks[1].x == marks[3].x && marks[0].x < marks[1].x)
  }

  @Test("A single point lies in the middle, without an interval", arguments: [3.0, 0, -2, 1e-300, 1e299])
  func onePoint(value: Double) throws {
    let svg = try SVGElement.parse(chart(.automatic, [value], spread: nil).svg(width: 860, identifier: "a"))
    let mark = try #require(marks(svg).first)
    let row = try #require(svg.with("c-row").first)
    #expect(mark.x > 100 && mark.x < 800 && row["x2"] == 860)
    #expect(svg.with("c-whisker").isEmpty && svg.with("c-raw").isEmpty)
    #expect(svg.with("c-item").first?.title == "row-0: \(value), 1 ms")
  }

  @Test("Without rows the picture says so; without a value the row says why")
  func absence() throws {
    let empty = try SVGElement.parse(chart(.automatic, []).file())
    #expect(empty.all.contains { $0.words == "Nothing to show" })
    var none = chart(.automatic, [nil, 2, .nan, .infinity, 1e305], spread: nil)
    none.rows[0].absence = "stopped"
    let svg = try SVGElement.parse(none.file())
    #expect(marks(svg).count == 1)
    #expect(svg.all.filter { $0.words == "stopped" }.count == 1 && svg.all.filter { $0.words == "No value" }.count == 3)
  }
}

extension IntervalChartTests {
  @Test("A value that is not above zero has no place on a logarithmic axis, and the row says so")
  func notAboveZero() throws {
    let svg = try SVGElement.parse(chart(.logarithmic, [0, -4, 1, 10], spread: nil).file())
    #expect(marks(svg).count == 2)
    #expect(svg.all.filter { $0.words == "Not above zero: no place on this axis" }.count == 2)
    // In this case an automatic axis is linear.
    #expect(marks(try SVGElement.parse(chart(.automatic, [0, -4, 1, 10], spread: nil).file())).count == 4)
    // A whisker reaches the edge and has no cap there if the position of its lower end does not exist.
    var open = chart(.logarithmic, [1, 10], spread: nil)
    open.rows[1].low = 0
    open.rows[1].high = 20
    let whisker = try #require(SVGElement.parse(open.file()).with("c-whisker").first)
    let start = try #require(marks(SVGElement.parse(open.file())).first)
    #expect(whisker.places.first?.x == start.x && whisker.places.count == 4)
  }

  @Test("The legend explains whiskers and dots, if there are any")
  func legend() throws {
    func words(spread: Double?) throws -> [String] {
      var chart = chart(.linear, [1, 2], spread: spread)
      chart.legend = [LegendEntry(label: "engine", appearance: Samples.look)]
      (chart.intervalLabel, chart.rawLabel) = ("interval", "single values")
      return try SVGElement.parse(chart.file()).with("c-key").map(\.words)
    }
    let (whole, bare) = (try words(spread: 0.1), try words(spread: nil))
    #expect(whole == ["engine", "interval", "single values"] && bare == ["engine"])
  }

  @Test("60 rows with 30 single values each stay under 150 KB", arguments: [860.0, 358])
  func size(width: Double) throws {
    var source = SplitMix64(seed: 5)
    var large = chart(.automatic, (0..<60).map { 1 + Double($0) })
    for index in large.rows.indices {
      large.rows[index].raw = (0..<30).map { _ in .random(in: 1...70, using: &source) }
      large.rows[index].label = "save[merge=automatic, save_every=1000, journal=wal, page=4096] \(index)"
      large.rows[index].gloss = "a gloss of about forty characters, or so"
    }
    let file = large.file(width: width)
    #expect(file.utf8.count < 150_000)
    #expect(marks(try SVGElement.parse(file)).count == 60)
  }

  @Test("In narrow pictures, name and figure are above the row's mark, in wide ones beside it")
  func narrow() throws {
    func words(_ width: Double) throws -> (mark: Double, label: Double, figure: Double, lines: [Double]) {
      let svg = try SVGElement.parse(chart(.automatic, [1, 9]).svg(width: width, identifier: "a"))
      return (
        marks(svg)[0].y, svg.with("c-label")[0]["y"], svg.with("c-figure")[0]["y"],
        svg.with("c-grid")[0].places.map(\.y)
      )
    }
    let narrow = try words(358), wide = try words(860)
    #expect(narrow.label < narrow.mark - 16 && narrow.figure < narrow.mark - 16)
    #expect(abs(wide.label - wide.mark) < 12 && abs(wide.figure - wide.mark) < 12)
    // No line crosses the text of a narrow row.
    #expect(narrow.lines.count == 4 && narrow.lines[0] > narrow.label && wide.lines.count == 2)
  }
}
