// The latencies of concurrent operations, from the median to the 99.9th percentile.
internal import Analysis
internal import Charts

enum LatencyPicture {
  /// More lines cannot be distinguished.
  private static let mostLines = 8

  /// Latency by percentile, both axes logarithmic, with the intervals of the percentiles; `nil` without operations.
  ///
  /// If there are many, the lines with the shortest and the longest p99 are shown.
  static func percentiles(_ scenario: ScenarioReport) -> Picture? {
    let all = lines(of: scenario)
    guard !all.isEmpty else { return nil }
    let classes = HumanUnits.list(classes(in: all.map(\.latency)).map { "\($0.rawValue)s" })
    let isWhole = all.count <= mostLines
    let shown = isWhole ? all : Array(all.prefix(mostLines / 2)) + Array(all.suffix(mostLines / 2))
    let series = shown.enumerated().map { index, line in
      LineChart.Series(label: line.name, appearance: Appearance(index: index), points: points(of: line.latency))
    }
    let words = shown.map { line -> String in
      let p99 = line.latency[.p99].map { HumanUnits.time($0.median) } ?? "unknown"
      return "\(line.name): p99 \(p99)"
    }
    return Picture(
      scenario.name, "latency",
      chart: LineChart(
        title: "Latency of \(classes) beside the cells" + (isWhole ? "" : ", shortest and longest"),
        summary: words.joined(separator: "; ") + ".",
        x: Axis(title: "one in … took longer", kind: .logarithmic) { Digits.grouped(Int($0.rounded())) },
        y: Axis(title: "latency from the intended start", kind: .logarithmic) { HumanUnits.roundTime($0) },
        series: series))
  }

  /// The due operations of each class for each cell, those with the shortest p99 first.
  private static func lines(of scenario: ScenarioReport) -> [(name: String, latency: OperationLatency)] {
    var lines: [(name: String, latency: OperationLatency)] = []
    for cell in scenario.cells {
      for latency in cell.latencies ?? [] where (latency[.p50]?.median ?? 0) > 0 {
        lines.append((cell.label, latency))
      }
    }
    // If there is only one class, the title names it.
    if classes(in: lines.map(\.latency)).count > 1 {
      lines = lines.map { ("\($0.latency.name.rawValue)s beside \($0.name)", $0.latency) }
    }
    func p99(_ latency: OperationLatency) -> Double { latency[.p99]?.median ?? 0 }
    return lines.sorted { p99($0.latency) < p99($1.latency) }
  }

  private static func classes(in latencies: [OperationLatency]) -> [OperationClass] {
    OperationClass.allCases.filter { name in latencies.contains { $0.name == name } }
  }

  private static func points(of latency: OperationLatency) -> [LineChart.Point] {
    [LatencyFigure.p50, .p90, .p99, .p999].compactMap { figure in
      guard let seconds = latency[figure] else { return nil }
      return LineChart.Point(x: oneIn(figure), y: seconds.median, low: seconds.low, high: seconds.high)
    }
  }

  /// The number of operations per operation that takes longer.
  private static func oneIn(_ figure: LatencyFigure) -> Double { 1_000 / Double(max(1_000 - figure.perMille, 1)) }
}
