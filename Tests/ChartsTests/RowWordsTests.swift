// The names of rows are complete: they break between parameters, next to marks and above them.
import MissionTags
import Testing

@testable import Charts

@Suite("A5 · names of rows", .tags(.a5))
struct RowWordsTests {
  private static let names = [
    "sqlite/select[cache_size=20000,page_cache=warm]", "batched[batch_size=1000,cache_size=250,page_cache=cold]",
    "batch-managed-object[cache_size=-2000,journal_mode=wal,page_size=4096,request_size=5000,synchronous=normal]",
    "batch-managed-object[request_size=10000]", "save",
  ]

  /// The lines of each row's name and their heights, from the top.
  private func lines(_ svg: SVGElement) -> [(text: String, y: Double)] {
    svg.with("c-label").map { ($0.words, $0["y"]) }
  }

  /// Checks that every name is complete, and that lines only end after a parameter or the name of the strategy.
  private func check(_ chart: any Chart, width: Double) throws {
    let svg = try SVGElement.parse(chart.svg(width: width, identifier: "a"))
    let lines = lines(svg)
    #expect(lines.map(\.text).joined() == RowWordsTests.names.joined())
    #expect(lines.allSatisfy { !$0.text.contains("…") }, "\(lines.map(\.text))")
    for (line, next) in zip(lines, lines.dropFirst()) {
      let isEnd = line.text.hasSuffix(",") || line.text.hasSuffix("]") || next.text.hasPrefix("[")
      #expect(isEnd || next.text == "save", "\(line.text) | \(next.text)")
      #expect(next.y - line.y >= 15)
    }
    #expect(lines.count > RowWordsTests.names.count, "none is broken at this width")
  }

  @Test("Names of rows fit in a ranking", arguments: [860.0, 358])
  func ranking(width: Double) throws {
    let rows = RowWordsTests.names.map { name in
      IntervalChart.Row(
        label: name, gloss: "key=value,other=value", value: 1, raw: [1, 2], appearance: Samples.look, figure: "1×",
        detail: "1 ms")
    }
    let chart = IntervalChart(title: "title", summary: "summary", axis: Samples.axis(), rows: rows)
    try check(chart, width: width)
    // Marks stay in their rows.
    let svg = try SVGElement.parse(chart.svg(width: width, identifier: "a"))
    let bounds = svg.with("c-row").map { $0["y1"] }
    let marks = svg.with("c-mark").compactMap(\.places.first?.y)
    try #require(marks.count == rows.count && bounds.count == rows.count + 1)
    for (index, mark) in marks.enumerated() { #expect(mark > bounds[index] && mark < bounds[index + 1]) }
    #expect(bounds[3] - bounds[2] > bounds[5] - bounds[4])
  }

  @Test("Names of rows fit beside bars", arguments: [860.0, 358])
  func bars(width: Double) throws {
    let rows = RowWordsTests.names.map { name in
      StackedBarChart.Row(
        label: name, parts: [.init(name: "part", value: 1, appearance: Samples.look)], figure: "1 MiB")
    }
    try check(StackedBarChart(title: "title", summary: "summary", axis: Samples.axis(), rows: rows), width: width)
  }

  @Test("Names of rows fit beside small lines", arguments: [860.0, 358])
  func lines(width: Double) throws {
    let rows = RowWordsTests.names.map { name in
      SparklineChart.Row(
        label: name, gloss: "syncs", points: [.init(x: 0, y: 1), .init(x: 1, y: 2)], changes: [], figure: "2")
    }
    try check(SparklineChart(title: "title", summary: "summary", rows: rows), width: width)
  }
}
