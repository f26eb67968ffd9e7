// Charts for tests: small ones, hostile ones, and random ones from a seed.
import Foundation
import Support

@testable import Charts

enum Samples {
  /// Exact labels, so that a test can read a tick's value from its label.
  @Sendable static func exact(_ value: Double) -> String { "\(value)" }

  static func axis(_ kind: Axis.Kind = .automatic, steps: Axis.Steps = .decimal) -> Axis {
    Axis(title: "units", kind: kind, steps: steps, label: exact)
  }

  static let look = Appearance(color: 0)

  static let hostile = [
    "</text><script>alert(1)</script>", "a & b < c > \"d\" 'e'", "]]>", "\u{0}\u{1}\u{8}\u{B}\u{1F}\u{7F}\u{9F}",
    "\u{FFFE}\u{FFFF}\u{202E}txt", "line\nbreak\ttab\r\n", "e\u{301}\u{302}\u{303}", "👩‍👩‍👧‍👦🏳️‍🌈", "漢字かな交じり文", "", " ",
    String(repeating: "W", count: 3000), "<!-- -->", "<![CDATA[x]]>", "&#0;", "${x}", "%s%n",
  ]

  static let extremes: [Double] = [
    .nan, .signalingNaN, .infinity, -.infinity, 0, -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
    .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e300, -1e300, 1e-300, 1e18, 9.3e18, 1, -1, 1.0000000000000002,
  ]

  /// A chart of each kind with figures and text from the random source.
  static func charts(
    _ source: inout some RandomNumberGenerator, value makeValue: (inout SplitMix64) -> Double,
    words makeWords: (inout SplitMix64) -> String
  ) -> [any Chart] {
    var seeded = SplitMix64(seed: source.next())
    func value() -> Double { makeValue(&seeded) }
    func words() -> String { makeWords(&seeded) }
    func count(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &seeded) }
    func maybe() -> Double? { count(0...2) == 0 ? nil : value() }
    func axis() -> Axis {
      Axis(
        title: words(), kind: [.linear, .logarithmic, .automatic][count(0...2)],
        steps: [.decimal, .doubling][count(0...1)],
        label: { String(format: "%.3g", $0) })
    }
    func look() -> Appearance { Appearance(index: count(-20...20)) }
    let entries = (0..<count(0...7)).map { _ in LegendEntry(label: words(), appearance: look()) }
    let interval = IntervalChart(
      title: words(), summary: words(), axis: axis(), reference: count(0...1) == 0 ? nil : (value(), words()),
      legend: entries,
      rows: (0..<count(0...14)).map { _ in
        .init(
          label: words(), gloss: words(), value: maybe(), low: maybe(), high: maybe(),
          raw: (0..<count(0...9)).map { _ in value() }, appearance: look(), figure: words(), detail: words(),
          absence: count(0...1) == 0 ? nil : words())
      })
    let line = LineChart(
      title: words(), summary: words(), x: axis(), y: axis(),
      series: (0..<count(0...9)).map { _ in
        .init(
          label: words(), appearance: look(),
          points: (0..<count(0...90)).map { _ in .init(x: value(), y: value(), low: maybe(), high: maybe()) },
          style: [.line, .step, .marks][count(0...2)])
      },
      rules: (0..<count(0...6)).map { _ in
        .init([.vertical, .horizontal][count(0...1)], at: value(), label: words())
      },
      bands: (0..<count(0...2)).map { _ in .init(low: value(), high: value(), label: words()) },
      guide: count(0...1) == 0 ? nil : .init(x: value(), y: value(), label: words()))
    let bars = StackedBarChart(
      title: words(), summary: words(), axis: axis(),
      rows: (0..<count(0...14)).map { _ in
        .init(
          label: words(), gloss: words(),
          parts: (0..<count(0...5)).map { _ in
            .init(name: words(), value: value(), appearance: look(), text: words())
          }, figure: words())
      })
    func frame(_ level: Int) -> FlameGraph.Frame {
      .init(
        name: words(), weight: value(), color: count(-9...9),
        children: level > 4 ? [] : (0..<count(0...3)).map { _ in frame(level + 1) })
    }
    let course = CourseChart(
      title: words(), summary: words(), time: axis(), values: axis(), amounts: axis(),
      names: .init(middle: words(), high: words(), largest: words(), amount: words()), legend: entries,
      panels: (0..<count(0...4)).map { _ in
        .init(
          label: words(), appearance: look(),
          slices: (0..<count(0...30)).map { _ in
            .init(start: value(), end: value(), middle: maybe(), high: maybe(), largest: maybe(), amount: maybe())
          }, figure: words())
      })
    let flames = FlameGraph(title: words(), summary: words(), root: frame(0), legend: entries)
    return [interval, line, bars, flames, course]
  }
}
