// A choice by time: the cells that the question is about, the fastest one, and what the choice is compared with.
internal import BatchmarkEngine
internal import Harness
internal import Instruments
internal import Scenarios
internal import Statistics

extension Answer {
  /// What to choose among cells that did equal work.
  init(_ scenario: ScenarioReport, _ rankings: [Ranking], _ comparisons: Comparisons) {
    let choices = rankings.indices.compactMap { index in
      Choice(rankings[index].cells, of: index, by: comparisons)
    }
    // The work that most of the eligible cells did. If there are several, the last one, which has the most rows.
    let most = choices.map(\.candidates.count).max()
    guard let main = choices.last(where: { $0.candidates.count == most }) else {
      self.init(.choice, about: scenario.about, .cannotTell)
      return
    }
    let comparable = choices.filter { $0.candidates.count == most && $0.candidates.count > 1 }
    let winners = Set(comparable.map { choice in Set(choice.best.map { scenario.nameApartFromWork($0.cell) }) })
    let isDecided = comparable.allSatisfy(\.isDecided)
    if comparable.count > 1, winners.count > 1, isDecided {
      self.init(
        .choice, about: scenario.about, .dependsOn, group: main.group, choice: main.best.map(\.cell.id),
        best: main.first.main.wall.figure, against: main.alternatives, peers: main.peers,
        cases: comparable.map { Case(group: $0.group, choice: $0.best.map(\.cell.id)) }, reasons: main.reasons(scenario)
      )
      return
    }
    self.init(
      .choice, about: scenario.about, main.verdict, group: main.group, choice: main.best.map(\.cell.id),
      best: main.first.main.wall.figure, against: main.alternatives, peers: main.peers, spreads: main.spreads,
      reasons: main.reasons(scenario))
  }

  /// What to choose among the cells of one kind of work.
  private struct Choice {
    let group: Int
    /// The cells that the question is about, the shortest median first: those of the object graph if there are at least
    /// two, otherwise all.
    let candidates: [CellReport]
    /// The cells that no other cell is certainly faster than.
    ///
    /// If the choice is not judged, it is the one with the shortest median among those that may be the fastest.
    let best: [CellReport]
    /// The number of cells with enough rounds to be distinguished from another.
    let judged: Int
    /// Whether the best cells are known: none with too few rounds has a shorter median.
    let isJudged: Bool
    let alternatives: [Alternative]
    let peers: [Alternative]

    init?(_ cells: [CellReport], of group: Int, by comparisons: Comparisons) {
      let timed = cells.compactMap { cell in cell.main.wall.figure.map { (cell: cell, median: $0.median) } }
        .sorted { ($0.median, $0.cell.cell.id) < ($1.median, $1.cell.cell.id) }.map(\.cell)
      let own = timed.filter(\.cell.isRankedFirst)
      let candidates =
        own.count > 1
        ? own : timed.count(where: { !$0.cell.isReference }) > 1 ? timed.filter { !$0.cell.isReference } : timed
      guard !candidates.isEmpty else { return nil }
      self.group = group
      self.candidates = candidates
      let judged = comparisons.judged(candidates)
      self.judged = judged.count
      let leading = Set(comparisons.order(of: judged).undominated)
      let leaders = judged.filter { leading.contains($0.cell.id) }
      let rival = candidates.prefix { $0.cell != leaders.first?.cell }
        .first { cell in !judged.contains { $0.cell == cell.cell } }
      isJudged = rival == nil && !leaders.isEmpty || candidates.count == 1
      best = rival == nil && !leaders.isEmpty ? leaders : [rival ?? candidates[0]]
      let (base, tied) = (best[0], best)
      /// Compares a cell with the first of the best cells that it is certainly slower than.
      ///
      /// Others may be too noisy to compare.
      func alternative(_ cell: CellReport) -> Alternative {
        let known = tied.first { comparisons.comparison(of: cell, to: $0)?.verdict == .slower }
        return Alternative(cell, against: known ?? base, by: comparisons)
      }
      // A cell with too few rounds is compared last.
      let weighed = judged.count > 1 ? judged : candidates
      let asked = Choice.asked(weighed, besides: best)
      let others = candidates.filter { cell in cell.cell != base.cell && cell.cell != asked?.cell }
      alternatives = (asked.map { [$0] } ?? []).map(alternative) + others.map(alternative)
      peers = timed.filter { cell in !candidates.contains { $0.cell == cell.cell } }
        .map { Alternative($0, against: base, by: comparisons) }
    }

    /// The cell that people compare the choice with: the best save if a batch is chosen, the best batch if a save is,
    /// otherwise the slowest.
    private static func asked(_ candidates: [CellReport], besides best: [CellReport]) -> CellReport? {
      let others = candidates.filter { cell in !best.contains { $0.cell == cell.cell } }
      let isBatch = best[0].cell.isBatch
      if best[0].cell.isSave || isBatch {
        let counterpart = { (cell: CellReport) in isBatch ? cell.cell.isSave : cell.cell.isBatch }
        if let found = others.first(where: counterpart) ?? candidates.first(where: counterpart) { return found }
      }
      return others.last ?? candidates.dropFirst().last
    }

    var first: CellReport { best[0] }
    var isDecided: Bool { isJudged && best.count < judged }
    var verdict: Verdict {
      !isJudged || (best.count == judged && judged > 1 && !areClose)
        ? .cannotTell : best.count == 1 ? .one : .alike
    }

    /// Whether the interval of each cell that ties with the first lies within 5 %.
    ///
    /// If so, they take the same time.
    private var areClose: Bool {
      best.dropFirst().allSatisfy { cell in
        alternatives.first { $0.cell == cell.cell.id }?.time.map(\.isWithinFivePercent) == true
      }
    }

    /// Exact figures, the only certain differences between cells that noise makes indistinguishable.
    var spreads: [Spread]? {
      verdict == .cannotTell || (verdict == .alike && !areClose)
        ? [.heapPeak, .walPeak].compactMap { Spread(of: $0, among: candidates) } : nil
    }

    func reasons(_ scenario: ScenarioReport) -> [Finding] {
      scenario.mainFindings.filter { finding in
        guard finding.group == group else { return false }
        switch finding.kind {
        case .fastest, .tied, .fastestOfObjectGraph, .unranked, .onlyCell, .order, .slowest, .leanest: return true
        default: return false
        }
      }
    }
  }
}

extension Estimate {
  /// Whether a ratio's whole interval is too close to 1 to choose by it.
  package var isWithinFivePercent: Bool {
    guard let low, let high else { return false }
    return low >= 0.95 && high <= 1.05
  }
}

extension Answer.Alternative {
  init(_ cell: CellReport, against base: CellReport, by comparisons: Comparisons) {
    let comparison = comparisons.comparison(of: cell, to: base)
    self.init(
      cell: cell.cell.id, base: base.cell.id, time: comparison?.ratio,
      certainty: comparison.map { Certainty($0.verdict) } ?? .tooFewRounds,
      heap: Answer.Exact(.heapPeak, of: cell, base), wal: Answer.Exact(.walPeak, of: cell, base),
      processorTime: comparisons.scenario.processorTime(of: cell, to: base, beside: comparison?.ratio))
  }
}

extension Answer.Exact {
  init?(_ metric: MetricID, of cell: CellReport, _ base: CellReport) {
    guard let figure = cell.main.metrics[metric], let other = base.main.metrics[metric] else { return nil }
    self.init(figure: figure, base: other)
  }
}

extension ScenarioReport {
  /// The ratio of processor times if it is certain on its own and differs from that of wall times: higher by a tenth if
  /// these are equal, or lower if they are higher.
  fileprivate func processorTime(of cell: CellReport, to other: CellReport, beside wall: Estimate?) -> Estimate? {
    let own = rounds(of: cell, \.cpuSeconds)
    let others = rounds(of: other, \.cpuSeconds)
    guard let ratio = Estimate(ratioOf: own, to: others), let low = ratio.low, let high = ratio.high, let wall else {
      return nil
    }
    let isMore = low > 1.1 && (wall.low ?? 0) <= 1
    let isLess = high < 0.9 && (wall.high ?? .infinity) >= 1
    return isMore || isLess ? ratio : nil
  }

  /// A cell's name without the part that names its work.
  fileprivate func nameApartFromWork(_ cell: Cell) -> String {
    var cell = cell
    for key in ScenarioReport.workKeys { cell.parameters[key] = nil }
    return cell.label
  }
}
