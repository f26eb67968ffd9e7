// The labels of vertical rules: on lanes above the plot, so that none touches another.

extension LineChart {
  /// A vertical rule and where its label stands.
  struct RuleLane {
    let rule: Rule
    /// From 0, the lowest, up; below zero for one without a label of its own.
    let lane: Int
    let start: Double
    let width: Double
  }

  /// The lanes of all vertical rules; of several with the same label only the first one has it.
  func ruleLanes(left: Double, right: Double, width: Double) -> [RuleLane] {
    guard let plot = plot(left: left, right: right, top: 0, bottom: 100) else { return [] }
    // From right to left: a line that rises to a higher lane then has the lower labels at its right.
    var starts: [Double] = []
    let vertical = rules.filter { $0.direction == .vertical && plot.x.position($0.value) != nil }
      .sorted { $0.value < $1.value }
    var seen: Set<String> = []
    let labeled = vertical.map { !$0.label.isEmpty && seen.insert($0.label).inserted }
    return zip(vertical, labeled).reversed()
      .map { rule, isLabeled in
        let place = plot.x.position(rule.value) ?? left
        let label = min(TextStyle.caption.width(rule.label), width)
        let start = max(0, min(place, width - label))
        guard isLabeled else {
          return RuleLane(rule: rule, lane: -1, start: start, width: label)
        }
        let lane = starts.firstIndex { start + label + 10 <= $0 } ?? starts.count
        guard lane < 4 else { return RuleLane(rule: rule, lane: -1, start: start, width: label) }
        if lane == starts.count { starts.append(start) }
        starts[lane] = start
        return RuleLane(rule: rule, lane: lane, start: start, width: label)
      }
  }
}
