// The verdict that a page begins with, and the answer in one sentence, which closes a run on the terminal.
internal import Analysis
internal import Harness
internal import BatchmarkEngine

extension Prose {
  /// What the figures say, in a few words without a full stop.
  ///
  /// Where a scenario asks for more than an order, as for the size of a save, that is the verdict. The last kind of work speaks for all: of a sweep it has most rows.
  var verdict: String {
    let claims = scenario.answer.filter { if case .appleClaim = $0.kind { true } else { false } }
    if let verdict = appleVerdict(claims) ?? kneeVerdict(scenario.answer) { return verdict }
    guard let leading = leading(scenario.answer), let group = leading.finding.group else { return "No cell has a time" }
    let finding = leading.finding
    let place = groups[group].name.isEmpty ? "" : " at \(Markdown.code(groups[group].name))"
    // With one kind of work alone the tables' own names do.
    let names = finding.cells.map { groups.count > 1 ? shortName($0, in: group) : name($0) }
    let first = names.first ?? ""
    switch (finding.kind, finding.certainty) {
    case (.fastestOfObjectGraph, .certain): return "\(first) is the fastest way through the object graph\(place)"
    case (.fastestOfObjectGraph, .undecided) where isEveryWay(finding.cells, of: groups[group]):
      let ways = HumanUnits.counted(finding.cells.count, "way")
      return "The \(ways) through the object graph are too close to rank\(place)"
    case (.fastestOfObjectGraph, .undecided) where finding.cells.count > Prose.mostNamed:
      return "\(HumanUnits.counted(finding.cells.count, "way")) through the object graph are too close to rank\(place)"
    case (.fastestOfObjectGraph, .undecided):
      return "\(HumanUnits.list(names)) are the fastest ways through the object graph, too close to rank\(place)"
    case (.fastest, _): return "\(first) is fastest\(place)"
    case (.tied, _) where finding.cells.count <= Prose.mostNamed:
      return "\(HumanUnits.list(names)) are too close to rank\(place)"
    case (.tied, _): return "\(HumanUnits.counted(finding.cells.count, "cell")) are too close to rank\(place)"
    case (.onlyCell, _): return "\(first) takes \(HumanUnits.time(finding.estimates[0].median))\(place)"
    default:
      return "Too few rounds to rank the cells by time\(place): \(first) has the shortest median, perhaps by chance"
    }
  }

  /// Whether the cells are all that their engine has in the group: then none of them is the fastest.
  private func isEveryWay(_ cells: [CellID], of group: EqualWork) -> Bool {
    guard cells.count > 1, let engine = cells.first.flatMap(cell)?.cell.engine else { return false }
    return group.cells.count { cell($0)?.cell.engine == engine } == cells.count
  }

  /// A title names no more cells than these.
  private static let mostNamed = 4

  /// The findings that answer the question, where they are too many for a paragraph: how Apple's claim comes out, at what
  /// size a save is at its best, who is fastest, and who has the least heap.
  var summary: [String] {
    let findings = scenario.answer
    let claims = findings.filter { if case .appleClaim = $0.kind { true } else { false } }
    let sizes = findings.filter { if case .knee = $0.kind { true } else { false } }
    let compared =
      claims.count > 1 ? [apple(claims), appleShares(claims)].compactMap(\.self) : claims.first.map(apple) ?? []
    return compared + (sizes.isEmpty || !compared.isEmpty ? [] : knees(sizes))
      + [ranking(leading: findings), leanest(findings)].compactMap(\.self)
  }

  /// What to choose, by how much and how sure that is, in one sentence; then who has the least heap, where the answer says
  /// it.
  ///
  /// Where a scenario asks for more than an order, as for the size of a save, that is the answer.
  var answer: [String] {
    let findings = scenario.answer
    let isOneWork = Set(findings.compactMap(\.group)).count <= 1
    return [choice(findings) ?? sentences(on: findings).first, isOneWork ? leanest(findings) : nil].compactMap(\.self)
  }

  private func choice(_ findings: [Finding]) -> String? {
    if let claim = findings.first(where: { if case .appleClaim = $0.kind { true } else { false } }) {
      let claims = findings.filter { if case .appleClaim = $0.kind { true } else { false } }
      return claims.count > 1 ? apple(claims) : apple(claim).first
    }
    let sizes = findings.filter { if case .knee = $0.kind { true } else { false } }
    if sizes.count == 1 { return knees(sizes).first }
    return ranking(leading: findings)
  }

  private func ranking(leading findings: [Finding]) -> String? {
    guard let (finding, own) = leading(findings) else { return nil }
    let ofAll: [FindingKind] = [.fastest, .tied]
    return speed([finding] + own.filter { $0.kind == .slowest && ofAll.contains(finding.kind) })
  }

  /// The finding on who is fastest that speaks for all, and everything found of the same work; what a user of objects
  /// may choose goes first.
  private func leading(_ findings: [Finding]) -> (finding: Finding, own: [Finding])? {
    let ranked = findings.last { finding in
      switch finding.kind {
      case .fastest, .tied, .unranked, .onlyCell: true
      default: false
      }
    }
    guard let ranked, let group = ranked.group, groups.indices.contains(group) else { return nil }
    let own = findings.filter { $0.group == group }
    let choice = own.first { $0.kind == .fastestOfObjectGraph } ?? own.first { $0.kind == .fastest || $0.kind == .tied }
    return (choice ?? ranked, own)
  }
}
