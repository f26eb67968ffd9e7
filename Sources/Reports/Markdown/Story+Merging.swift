// What it takes to tell an observing context, where cells have one.
internal import Analysis
internal import Harness
internal import Scenarios
internal import Workloads

extension Story {
  /// The time of each cell's merge phase, and its share of storing and merging together; nil where no cell merges.
  var merging: MarkdownItem? {
    let lines = scenario.cells.compactMap { cell -> String? in
      guard let merge = cell.summary(of: .merge) else { return nil }
      let name = Markdown.code(cell.label)
      guard let wall = merge.wall else {
        return "\(name) has no time: \(Markdown.escaped(cell.absenceOfTime(in: .merge)))"
      }
      let share = cell.main?.wall.flatMap { main -> String? in
        let whole = main.median + wall.median
        return whole > 0 ? Digits.significant(100 * wall.median / whole) : nil
      }
      return "\(name): \(HumanUnits.time(wall)) for \(HumanUnits.counted(merge.rows, "row"))"
        + (share.map { ", \($0) % of \(scenario.operation.noun) and merging together" } ?? "")
    }
    if lines.isEmpty { return nil }
    return MarkdownItem(
      "**Telling an observing context**, which holds every row and reads what it is told of, takes beside "
        + "\(scenario.operation.noun):", lines)
  }
}
