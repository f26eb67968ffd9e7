// The heap over the phase, and each cell's peak.
internal import Analysis
internal import Charts

enum HeapPicture {
  /// More lines cannot be distinguished.
  private static let mostLines = 12

  /// One line for all cells with the same course, with its peak marked and SQLite's part shaded; `nil` if no heap was
  /// recorded, or if too many courses differ.
  static func course(_ report: ScenarioReport) -> Picture? {
    let lines = report.alikeHeaps
    guard !lines.isEmpty, lines.count <= mostLines else { return nil }
    let series = lines.enumerated().map { index, line in
      func place(_ point: HeapPoint, _ bytes: KeyPath<HeapPoint, Int64>) -> LineChart.Point {
        LineChart.Point(x: line.course.share(of: point), y: Double(point[keyPath: bytes]))
      }
      return LineChart.Series(
        label: line.name(of: lines.count), appearance: Appearance(index: index),
        points: line.course.points.map { place($0, \.liveBytes) },
        part: line.course.points.map { place($0, \.sqliteBytes) },
        notes: [LineChart.Note("peak", at: [place(line.course.peak, \.liveBytes)])])
    }
    let words = lines.map { line in
      let peak = line.course.peak
      let amounts = HumanUnits.bytes([peak.liveBytes, peak.sqliteBytes]).joined(
        separator: " at the peak, with SQLite's part ")
      return "\(line.name(of: lines.count)): \(amounts)"
    }
    return Picture(
      report.name, "heap",
      chart: LineChart(
        title: "Heap over the \(report.operation.phase.rawValue) phase",
        summary: words.joined(separator: "; ") + ". SQLite's part is shaded.",
        x: Axis(title: "share of the phase's time", kind: .linear) { Digits.fixed($0 * 100, decimals: 0) + " %" },
        y: .bytes("live heap; SQLite's part is shaded"), series: series))
  }

  /// The heap at its peak; `nil` without a memory pass.
  static func peaks(_ report: ScenarioReport) -> Picture? {
    let appearances = EngineAppearances(report)
    let panels = report.panels(leastFirst: { $0.main[.heapPeak].figure.map(Double.init) }) { cell, label in
      guard let peak = cell.main[.heapPeak].figure else { return nil }
      let part = StackedBarChart.Part(
        name: cell.cell.engine, value: Double(peak), appearance: appearances[cell.cell])
      return StackedBarChart.Row(label: label, parts: [part], figure: HumanUnits.bytes(peak))
    }
    guard !panels.isEmpty else { return nil }
    let words = panels.flatMap(\.rows).map { "\($0.label) \($0.figure)" }
    return Picture(
      report.name, "memory",
      chart: StackedBarChart(
        title: "Heap peak of \(report.operation.noun)", summary: words.joined(separator: "; ") + ".",
        axis: .bytes("heap peak"), panels: panels))
  }
}
