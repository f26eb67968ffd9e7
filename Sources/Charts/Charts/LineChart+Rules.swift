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
    var ends: [Double] = []
    var seen: Set<String> = []
    return rules.filter { $0.direction == .vertical && plot.x.position($0.value) != nil }
      .sorted { $0.value < $1.value }
      .map { rule in
        let place = plot.x.position(rule.value) ?? left
        let label = min(TextStyle.rule.width(rule.label), width)
        let start = max(0, min(place, width - label))
        guard !rule.label.isEmpty, seen.insert(rule.label).inserted else {
          return RuleLane(rule: rule, lane: -1, start: start, width: label)
        }
        let lane = ends.firstIndex { $0 + 10 <= start } ?? ends.count
        guard lane < 4 else { return RuleLane(rule: rule, lane: -1, start: start, width: label) }
        if lane == ends.count { ends.append(0) }
        ends[lane] = start + label
        return RuleLane(rule: rule, lane: lane, start: start, width: label)
      }
  }
}
