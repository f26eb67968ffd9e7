// The verdict in one sentence: what a page begins with.
internal import Analysis
internal import Harness
internal import Scenarios

extension Prose {
  /// What the figures say, in a few words without a full stop.
  ///
  /// The last kind of work speaks for all: of a sweep it has most rows.
  func verdict(on report: ScenarioReport) -> String {
    let ranked = report.answer.last { finding in
      switch finding.kind {
      case .fastest, .tied, .unranked, .onlyCell: true
      default: false
      }
    }
    guard let group = ranked?.group, groups.indices.contains(group) else { return "No cell has a time" }
    let own = report.answer.filter { $0.group == group }
    let choice = own.first { $0.kind == .fastestOfObjectGraph } ?? own.first { $0.kind == .fastest || $0.kind == .tied }
    let place = groups[group].name.isEmpty ? "" : " at \(Markdown.code(groups[group].name))"
    guard let finding = choice ?? ranked else { return "No cell has a time" }
    // With one kind of work alone the tables' own names do.
    let names = finding.cells.map { groups.count > 1 ? shortName($0, in: group) : name($0) }
    let first = names.first ?? ""
    switch (finding.kind, finding.certainty) {
    case (.fastestOfObjectGraph, .certain): return "\(first) is the fastest way through the object graph\(place)"
    case (.fastestOfObjectGraph, .undecided):
      return "\(HumanUnits.list(names)) are the fastest ways through the object graph, too close to rank\(place)"
    case (.fastest, _): return "\(first) is fastest\(place)"
    case (.tied, _) where finding.cells.count <= 4: return "\(HumanUnits.list(names)) are too close to rank\(place)"
    case (.tied, _): return "\(HumanUnits.counted(finding.cells.count, "cell")) are too close to rank\(place)"
    case (.onlyCell, _): return "\(first) takes \(HumanUnits.time(finding.estimates[0].median))\(place)"
    default: return "Too few rounds to rank the cells: \(first) has the shortest median, perhaps by chance\(place)"
    }
  }
}
