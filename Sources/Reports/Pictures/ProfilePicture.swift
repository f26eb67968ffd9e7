// The stages of a profile's phases as bars.
internal import Analysis
internal import Charts
internal import Harness
internal import Instruments
internal import Workloads

enum ProfilePicture {
  /// A bar a phase, in parts by stages; nil where no stage was timed.
  static func stages(_ results: ProfileResults) -> Picture? {
    let rows = results.phases.compactMap { phase -> StackedBarChart.Row? in
      let lines = ProfileStage.lines(of: phase)
      guard let all = lines.last?.seconds, lines.contains(where: { $0.kind == .stage && $0.seconds != nil }) else {
        return nil
      }
      let parts = lines.dropLast().enumerated().compactMap { index, line -> StackedBarChart.Part? in
        guard let seconds = line.seconds, seconds > 0 else { return nil }
        return StackedBarChart.Part(
          name: line.name, value: seconds, appearance: Appearance(index: index), text: HumanUnits.time(seconds))
      }
      return StackedBarChart.Row(label: phase.phase.rawValue, parts: parts, figure: HumanUnits.time(all))
    }
    guard !rows.isEmpty else { return nil }
    let words = rows.map { row in
      "\(row.label) \(row.figure): \(row.parts.map { "\($0.name) \($0.text ?? "")" }.joined(separator: ", "))"
    }
    var picture = Picture(
      "stages",
      chart: StackedBarChart(
        title: "Time by stage", summary: words.joined(separator: "; ") + ".", axis: .seconds, rows: rows))
    picture.folder = ""
    return picture
  }
}
