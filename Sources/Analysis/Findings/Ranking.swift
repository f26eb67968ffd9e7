// The fastest cell, and how certain that is, among cells that did the same work, whatever their engines.
internal import Harness
internal import Instruments
internal import BatchmarkEngine

/// The ranked cells of one kind of work: all except those that show the harness's cost.
struct Candidates {
  /// In the scenario's order, with or without a time.
  let cells: [CellReport]
  /// The cells with a time, fastest first.
  let timed: [CellReport]

  init(_ cells: [CellReport]) {
    let candidates = cells.filter { !$0.cell.showsHarnessCost }
    self.cells = candidates.isEmpty ? cells : candidates
    timed = self.cells.compactMap { cell in cell.main.wall.figure.map { (cell: cell, median: $0.median) } }
      .sorted { ($0.median, $0.cell.cell.id) < ($1.median, $1.cell.cell.id) }.map(\.cell)
  }

  /// The fastest save, and the fastest cell of each batch style.
  var objectByObjectAndBatches: (save: CellReport, batches: [CellReport])? {
    guard let save = timed.first(where: \.cell.isSave) else { return nil }
    var roles: Set<StrategyRole> = []
    let batches = timed.filter { $0.cell.isBatch && roles.insert($0.cell.role).inserted }
    return batches.isEmpty ? nil : (save, batches)
  }

  /// The claims of a ranking: that the two cells of any pair differ.
  ///
  /// Every pair is tested: choosing pairs by the measured times would bias the test.
  var claims: [Claim] {
    timed.indices.flatMap { index in timed[..<index].map { Claim(timed[index].cell.id, $0.cell.id, .operation) } }
  }
}

/// The cells that did the same work, ranked by the time of their main phase.
package struct Ranking {
  private let candidates: Candidates
  private let comparisons: Comparisons
  /// The cells with enough rounds to be distinguished from another, the shortest median first.
  private let judged: [CellReport]
  /// The order of those cells.
  package let order: PartialOrder

  init(_ candidates: Candidates, by comparisons: Comparisons) {
    self.candidates = candidates
    self.comparisons = comparisons
    judged = comparisons.judged(candidates.timed)
    order = comparisons.order(of: judged)
  }

  /// The compared cells in the scenario's order, with or without a time.
  package var cells: [CellReport] { candidates.cells }

  /// The cell with the shortest median among those that no cell is certainly faster than, or else among all; `nil` if
  /// none has a time.
  package var first: CellReport? {
    judged.first { order.undominated.contains($0.cell.id) } ?? candidates.timed.first
  }

  /// The fastest cell, if every other one with enough rounds is certainly slower.
  package var winner: CellReport? {
    let leading = order.undominated
    return leading.count == 1 && judged.count > 1 ? judged.first { $0.cell.id == leading[0] } : nil
  }
}

extension Ranking {
  /// The fastest and the leanest cells.
  func findings(of group: Int) -> [Finding] {
    let timeless = cells.filter { $0.main.wall.figure == nil }
    let rest = timeless.isEmpty ? [] : [Finding(.timeless, timeless.map(\.cell.id), [], .undecided, group: group)]
    guard let first, let wall = first.main.wall.figure else { return rest }
    return speed(first, wall, group) + rest + leanest(group)
  }

  private func speed(_ first: CellReport, _ wall: Estimate, _ group: Int) -> [Finding] {
    if candidates.timed.count == 1 { return [Finding(.onlyCell, [first.cell.id], [wall], .estimated, group: group)] }
    func finding(_ kind: FindingKind, _ others: [CellReport], _ certainty: Certainty) -> Finding {
      let compared = others.compactMap { other in comparisons.comparison(of: other, to: first).map { (other, $0.ratio) }
      }
      return Finding(
        kind, [first.cell.id] + compared.map(\.0.cell.id), [wall] + compared.map(\.1), certainty, group: group)
    }
    // If each one is faster than the next in a cycle, none is first.
    let leading = Set(order.undominated.isEmpty ? judged.map(\.cell.id) : order.undominated)
    let behind = judged.filter { !leading.contains($0.cell.id) }
    var findings: [Finding] = []
    if leading.count > 1 {
      findings.append(
        finding(.tied, judged.filter { leading.contains($0.cell.id) && $0.cell != first.cell }, .undecided))
    } else if let next = behind.first {
      findings.append(finding(.fastest, [next], .certain))
    }
    // The slowest cell, unless it is named already.
    if let slowest = slowest(behind), leading.count > 1 || behind.count > 1,
      let ratio = comparisons.comparison(of: slowest, to: first)?.ratio
    {
      findings.append(Finding(.slowest, [first.cell.id, slowest.cell.id], [ratio], .certain, group: group))
    }
    if judged.count > 2, order.tiers.count > 1 {
      let cells = order.tiers.flatMap(\.self) + order.unplaced.map(\.cell)
      findings.append(Finding(.order(order), cells, [], .certain, group: group))
    }
    let few = candidates.timed.filter { cell in
      cell.cell != first.cell && (judged.isEmpty || !judged.contains { $0.cell == cell.cell })
    }
    if !few.isEmpty {
      // The smaller number of rounds; the first cell's own if all have few.
      let rounds = few.map { min($0.main.samples, first.main.samples) }.max() ?? 0
      findings.append(finding(.unranked(rounds: rounds), few, .tooFewRounds))
    }
    return findings
  }

  /// The cell with the longest median, if it is certainly slower than each of the others; `nil` if a cell with too few
  /// rounds may be slower still.
  private func slowest(_ behind: [CellReport]) -> CellReport? {
    guard let last = behind.last, last.cell == candidates.timed.last?.cell else { return nil }
    let isSlowest = judged.dropLast().allSatisfy { other in
      comparisons.comparison(of: last, to: other)?.verdict == .slower
    }
    return isSlowest ? last : nil
  }

  private func leanest(_ group: Int) -> [Finding] {
    let peaks = cells.compactMap { cell in cell.main.metrics[.heapPeak].map { (id: cell.cell.id, bytes: $0) } }
    guard let least = peaks.map(\.bytes).min(), let most = peaks.map(\.bytes).max() else { return [] }
    // Equal for a reader, who sees three digits.
    let leanest = peaks.filter { Double($0.bytes) <= Double(least) * 1.005 }
    guard leanest.count < peaks.count else { return [] }
    let estimates = [Estimate(median: Double(least)), Estimate(median: Double(most))]
    return [Finding(.leanest, leanest.map(\.id), estimates, .exact, group: group)]
  }

  /// The fastest cell of the object graph, if another cell is the fastest of all: the choice of a user who wants
  /// objects.
  func choice(of group: Int) -> [Finding] {
    let own = candidates.timed.filter(\.cell.isRankedFirst)
    let leading = Set(comparisons.order(of: own).undominated)
    guard own.count > 1, let best = own.first(where: { leading.contains($0.cell.id) }), best.cell != first?.cell,
      let wall = best.main.wall.figure, comparisons.judged(own).count == own.count
    else { return [] }
    let others = own.filter { $0.cell != best.cell }
    let tied = others.filter { leading.contains($0.cell.id) }
    let shown = tied.isEmpty ? [others[0]] : tied
    let ratios = shown.compactMap { comparisons.comparison(of: $0, to: best)?.ratio }
    guard ratios.count == shown.count else { return [] }
    return [
      Finding(
        .fastestOfObjectGraph, [best.cell.id] + shown.map(\.cell.id), [wall] + ratios,
        tied.isEmpty ? .certain : .undecided, group: group)
    ]
  }

  /// The save compared with each batch style, by their roles.
  func roleFindings(of group: Int) -> [Finding] {
    guard let (save, batches) = candidates.objectByObjectAndBatches else { return [] }
    return batches.compactMap { batch in
      comparisons.comparison(of: save, to: batch).map {
        Finding(
          .objectByObjectAgainstBatch, [save.cell.id, batch.cell.id], [$0.ratio], Certainty($0.verdict), group: group)
      }
    }
  }
}

extension Comparisons {
  /// The order of the cells, the shortest median first.
  func order(of cells: [CellReport]) -> PartialOrder {
    let walls = Dictionary(cells.map { ($0.cell.id, scenario.mainWalls(of: $0)) }) { first, _ in first }
    return PartialOrder(cells.map(\.cell.id)) { one, other in
      guard claims.verdict(of: Claim(one, other, .operation)) == .faster, let own = walls[one],
        let others = walls[other], let ratio = Estimate(ratioOf: own, to: others)
      else { return false }
      return Comparison.Verdict.faster.within(ratio) == .faster
    }
  }

  /// The cells with enough rounds to be distinguished from one of the others.
  func judged(_ cells: [CellReport]) -> [CellReport] {
    cells.filter { cell in
      cells.contains { other in
        other.cell != cell.cell
          && claims.verdict(of: Claim(cell.cell.id, other.cell.id, .operation)) != .undecided
      }
    }
  }
}
