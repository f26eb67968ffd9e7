// The stages of a profile's phases as bars.
internal import Analysis
internal import Charts

enum ProfilePicture {
  /// Stages with a smaller share of the longest phase are grouped.
  private static let leastShare = 0.01
  private static let small = "under 1 % each"

  /// One bar per phase, divided into stages; `nil` if no stage was timed.
  static func stages(_ results: ProfileResults) -> Picture? {
    let longest = results.phases.compactMap { ProfileStage.lines(of: $0).last?.seconds }.max() ?? 0
    var names: [String] = []
    for line in results.phases.flatMap({ ProfileStage.lines(of: $0).dropLast() })
    where (line.seconds ?? 0) >= leastShare * longest && !names.contains(line.name) {
      names.append(line.name)
    }
    let rows = results.phases.compactMap { phase -> StackedBarChart.Row? in
      let lines = ProfileStage.lines(of: phase)
      guard let all = lines.last?.seconds, lines.contains(where: { $0.kind == .stage && $0.seconds != nil }) else {
        return nil
      }
      let known = lines.dropLast().compactMap { line in line.seconds.map { (name: line.name, seconds: $0) } }
      // A part that is too small to see needs no name.
      let named = known.filter { $0.seconds >= leastShare * longest }
      let rest = known.filter { $0.seconds < leastShare * longest }.reduce(0) { $0 + $1.seconds }
      let parts = (named + (rest > 0 ? [(name: small, seconds: rest)] : [])).map { part in
        StackedBarChart.Part(
          name: part.name, value: part.seconds,
          appearance: Appearance(index: names.firstIndex(of: part.name) ?? names.count),
          text: HumanUnits.time(part.seconds))
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
