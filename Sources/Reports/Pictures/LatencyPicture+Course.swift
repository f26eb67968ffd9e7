// When concurrent operations had to wait, and the WAL's size at the same moments.
internal import Analysis
internal import Charts

extension LatencyPicture {
  /// With more panels, the picture would be unreadable.
  private static let mostPanels = 6

  /// Latency over time in each cell's median round, with the WAL's size below; `nil` if no sample recorded it.
  ///
  /// If there are many cells, those with the longest operations are shown.
  static func course(_ scenario: ScenarioReport) -> Picture? {
    let all = lines(of: scenario)
    guard !all.isEmpty else { return nil }
    let longest = all.sorted { $0.longest > $1.longest }.prefix(mostPanels)
    let shown = all.filter { line in longest.contains { $0.name == line.name } }
    let hasWAL = shown.contains { line in line.course.slices.contains { $0.walBytes != nil } }
    let part = shown.count < all.count ? ", the \(shown.count) longest of \(all.count)" : ""
    let words = shown.map { "\($0.name): \($0.figure)" }
    let appearances = EngineAppearances(scenario)
    return Picture(
      scenario.name, "latency-over-time",
      chart: CourseChart(
        title: "Latency over time" + (hasWAL ? " and the size of the WAL" : "") + part,
        summary: words.joined(separator: "; ") + ".",
        time: Axis(title: "time since the phase began", kind: .linear) { HumanUnits.roundTime($0) },
        values: Axis(title: "latency from the intended start", kind: .logarithmic) { HumanUnits.roundTime($0) },
        amounts: .bytes("the WAL's size"),
        names: CourseChart.Names(
          middle: "p50", high: "p50 to p99", largest: "longest of each slice", amount: "size of the WAL"),
        legend: appearances.legend,
        panels: shown.map { line in
          CourseChart.Panel(
            label: line.name, appearance: appearances[line.cell], slices: line.course.slices.map(slice),
            figure: line.figure)
        }))
  }

  /// The latency over time of one class of concurrent operations of a cell.
  private struct Line {
    let cell: Cell
    let name: String
    let course: LatencyCourse
    let longest: Double
    /// `longest 312 ms at 1.2 s, round 3, slices of 20 ms`.
    let figure: String
  }

  private static func lines(of scenario: ScenarioReport) -> [Line] {
    scenario.cells.flatMap { cell in
      scenario.latencyCourses(of: cell).compactMap { course in
        guard let slice = course.longestSlice, let longest = slice.longest, longest > 0 else { return nil }
        return Line(
          cell: cell.cell, name: "\(course.name.rawValue)s beside \(cell.label)", course: course, longest: longest,
          figure: "longest \(HumanUnits.time(longest)) at \(HumanUnits.roundTime(slice.start)), round \(course.round), "
            + "slices of \(HumanUnits.roundTime(course.width))")
      }
    }
  }

  private static func slice(_ slice: LatencyCourse.Slice) -> CourseChart.Slice {
    CourseChart.Slice(
      start: slice.start, end: slice.end, middle: slice.p50, high: slice.p99, largest: slice.longest,
      amount: slice.walBytes.map(Double.init))
  }
}
