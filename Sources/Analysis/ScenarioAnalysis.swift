// All conclusions from one scenario's figures, computed once: the comparisons with their verdicts, the contents of the
// tables, and the findings.
internal import Harness
internal import BatchmarkEngine

/// The analysis of a scenario.
package struct ScenarioAnalysis {
  /// The scenario with its conclusions.
  package let scenario: ScenarioReport
  /// One for each group, in their order.
  package let rankings: [Ranking]
  package let claim: AppleClaim?
  package let growth: Scaling?
  package let crossings: Crossings?
  package let knees: [Knees]
  package let prices: [FeaturePrice]
  package let harnessCost: HarnessCost?
  package let shares: PhaseShares?
  package let rowCosts: RowCosts?

  /// O(cells · rounds) in addition to the test of all claims, and O(cells²) for the crossovers of a sweep.
  package init(_ scenario: ScenarioReport) {
    let groups = scenario.equalWork
    let candidates = groups.map { Candidates(scenario.results(of: $0.cells)) }
    let keys = scenario.variedKeys
    let crossings = Crossings(scenario)
    let offers = keys.filter { !ScenarioReport.sizeKeys.contains($0) }.flatMap { FeaturePrice.pairs($0, in: scenario) }
    let attached = HarnessCost.attachedPairs(in: scenario)
    let claims = ClaimFamily(
      candidates.flatMap(\.claims) + offers.map(\.claim) + (crossings?.claims ?? [])
        + attached.map { Claim($0.cell.cell.id, $0.plain.cell.id, .operation) },
      in: scenario)
    let comparisons = Comparisons(scenario: scenario, claims: claims)
    rankings = candidates.map { Ranking($0, by: comparisons) }
    self.crossings = crossings?.judged(by: comparisons)
    claim = AppleClaim(scenario, groups: groups)
    growth = Scaling(scenario)
    let kneeless = ScenarioReport.workKeys + ScenarioReport.besideKeys
    let knees = keys.filter { !kneeless.contains($0) }.compactMap { Knees($0, in: scenario) }
    self.knees = knees
    prices = keys.filter { key in !ScenarioReport.sizeKeys.contains(key) && !knees.contains { $0.key == key } }
      .compactMap { FeaturePrice($0, by: comparisons) }
    harnessCost = HarnessCost(scenario, by: comparisons)
    shares = PhaseShares(scenario, groups: groups)
    rowCosts = RowCosts(scenario, groups: groups)

    var answer = claim?.findings ?? []
    answer += growth?.findings(by: comparisons) ?? []
    answer += self.crossings?.findings ?? []
    answer += knees.flatMap(\.findings) + prices.flatMap(\.findings) + (harnessCost?.findings ?? [])
    answer += WorkDifference.findings(of: groups)
    answer += rankings.enumerated().flatMap { $1.findings(of: $0) + $1.choice(of: $0) }
    var concluded = scenario
    concluded.groups = groups
    concluded.claims = claims.count
    concluded.mainFindings = groups.isEmpty ? [Finding(.timeless, [], [], .undecided)] : answer
    concluded.details =
      rankings.enumerated().flatMap { $1.roleFindings(of: $0) }
      + groups.enumerated().flatMap { scenario.referenceFindings(in: $1, at: $0, by: comparisons) }
      .filter { finding in !answer.contains { $0.kind == .timesReference && $0.cells == finding.cells } }
      + (self.crossings?.orders ?? [])
      + (shares?.findings ?? []) + (rowCosts?.findings ?? [])
    var found = Answer(concluded, rankings: rankings, comparisons: comparisons)
    if [.growth, .reference].contains(found.kind) {
      found.batching = Answer.batching(of: found.against, in: concluded, by: comparisons)
    }
    concluded.answer = found
    self.scenario = concluded
  }
}

extension ScenarioReport {
  /// The measured cells of a group with a reference in it, each with the reference.
  private func againstReference(in group: ComparableGroup) -> [(cell: CellReport, reference: CellReport)] {
    let cells = results(of: group.cells)
    return cells.compactMap { cell in
      guard !cell.cell.isReference, !cell.cell.showsHarnessCost, cell.main.timesReference.figure != nil else {
        return nil
      }
      return cells.first { $0.cell.isReference(of: cell.cell) }.map { (cell, $0) }
    }
  }

  /// Each cell compared with its reference, the nearest ratio first, in either direction.
  ///
  /// These are estimates with intervals. It is not claimed that they differ from 1.
  fileprivate func referenceFindings(in group: ComparableGroup, at index: Int, by comparisons: Comparisons) -> [Finding]
  {
    let found = againstReference(in: group).compactMap { cell, reference -> (Finding, Double)? in
      guard let ratio = comparisons.scenario.ratio(of: cell, to: reference) else { return nil }
      let finding = Finding(
        .timesReference, [cell.cell.id, reference.cell.id], [ratio], ratio.low == nil ? .tooFewRounds : .estimated,
        group: index)
      return (finding, ratio.timesApart)
    }
    return found.sorted { $0.1 < $1.1 }.map(\.0)
  }
}

extension WorkDifference {
  /// How each group differs from the largest group with the same conditions; the first one if there are several.
  fileprivate static func findings(of groups: [ComparableGroup]) -> [Finding] {
    var findings: [Finding] = []
    var known: Set<[ComparableGroup.Condition]> = []
    for group in groups where known.insert(group.conditions).inserted {
      let alike = groups.filter { $0.conditions == group.conditions && $0.ending != nil }
      guard let most = alike.map(\.cells.count).max(), let usual = alike.first(where: { $0.cells.count == most }),
        let ending = usual.ending
      else { continue }
      for other in alike where other != usual {
        guard let own = other.ending else { continue }
        findings.append(
          Finding(
            .unequalWork(WorkDifference(own, from: ending)), other.cells, [], .exact,
            group: groups.firstIndex(of: other))
        )
      }
    }
    return findings
  }
}

extension ScenarioAnalysis {
  /// The group whose ranking is shown before the growth of so many ways that its panels are no overview; nil where it is one.
  ///
  /// Of those with the most rows it is the one with most cells that have a time, the last of several.
  package var groupBeforeGrowth: Int? {
    guard let growth, growth.hasManyPanels, let most = growth.sizes.last else { return nil }
    let timed = scenario.groups.map { group in
      group.conditions.contains { $0.key == Scaling.key && $0.value == most.text }
        ? scenario.results(of: group.cells).count { $0.main.wall.figure != nil } : 0
    }
    return timed.max().flatMap { $0 > 1 ? timed.lastIndex(of: $0) : nil }
  }
}
