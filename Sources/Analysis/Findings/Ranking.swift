// Who is fastest, and whether that can be told: of cells that did the same work, whatever their engine.
internal import Harness
internal import Instruments
internal import BatchmarkEngine

/// The cells of one kind of work that are ranked: all but those that show what the harness costs.
struct Candidates {
  /// In the scenario's order, with or without a time.
  let cells: [CellReport]
  /// Those that have a time, fastest first.
  let timed: [CellReport]

  init(_ cells: [CellReport]) {
    let candidates = cells.filter { !$0.cell.showsHarnessCost }
    self.cells = candidates.isEmpty ? cells : candidates
    timed = self.cells.compactMap { cell in cell.main.wall.figure.map { (cell: cell, median: $0.median) } }
      .sorted { ($0.median, $0.cell.cell.id) < ($1.median, $1.cell.cell.id) }.map(\.cell)
  }

  /// The fastest way to save object by object, and the fastest of each style of batch.
  var objectByObjectAndBatches: (save: CellReport, batches: [CellReport])? {
    guard let save = timed.first(where: \.cell.isSave) else { return nil }
    var roles: Set<StrategyRole> = []
    let batches = timed.filter { $0.cell.isBatch && roles.insert($0.cell.role).inserted }
    return batches.isEmpty ? nil : (save, batches)
  }

  /// What a ranking may claim: that the two of any pair differ.
  ///
  /// Which pairs it tells of is chosen by the same times, and what is tested must not be.
  var claims: [Claim] {
    timed.indices.flatMap { index in timed[..<index].map { Claim(timed[index].cell.id, $0.cell.id, .operation) } }
  }
}

/// The cells that did the same work, by the time of their main phase.
package struct Ranking {
  /// A cell behind the first, and its time against that of the first.
  package struct Follower {
    package let cell: CellReport
    package let comparison: Comparison
  }

  private let candidates: Candidates
  /// The others that have a time, fastest first.
  package let followers: [Follower]
  /// How many followers, from the front, cannot be told from the first.
  ///
  /// The first was chosen by the same times, and looks a little better than it is. So a follower between two that cannot be
  /// told from it cannot either, and the last is slower only when it is slower than each of them.
  private let tiedCount: Int
  /// Whether the last is slower for certain than each of the others, not only than the first.
  private let isLastSlowest: Bool

  init(_ candidates: Candidates, by comparisons: Comparisons) {
    self.candidates = candidates
    let first = candidates.timed.first
    let followers = candidates.timed.dropFirst().compactMap { cell in
      first.flatMap { comparisons.comparison(of: cell, to: $0) }.map { Follower(cell: cell, comparison: $0) }
    }
    self.followers = followers
    let near =
      followers.lastIndex { [.indistinguishable, .faster].contains($0.comparison.verdict) }.map { $0 + 1 } ?? 0
    let isLastSlower =
      followers.last.map { last in
        followers.prefix(near).allSatisfy { other in
          other.cell.cell == last.cell.cell
            || [.slower, .undecided].contains(comparisons.comparison(of: last.cell, to: other.cell)?.verdict)
        }
      } ?? true
    tiedCount = near > 0 && !isLastSlower ? followers.count : near
    isLastSlowest =
      followers.last.map { last in
        followers.dropLast().allSatisfy { other in
          other.comparison.verdict == .undecided
            || comparisons.comparison(of: last.cell, to: other.cell)?.verdict == .slower
        }
      } ?? false
  }

  /// The followers that cannot be told from the first, for all that their times are known well enough.
  private var tied: [Follower] { followers.prefix(tiedCount).filter { $0.comparison.verdict != .undecided } }

  /// The compared cells, in the scenario's order, with or without a time.
  package var cells: [CellReport] { candidates.cells }

  /// The cell with the shortest median; nil when none has a time.
  package var first: CellReport? { candidates.timed.first }

  /// The fastest cell, when every other one that has rounds enough is slower for certain.
  package var winner: CellReport? {
    let judged = followers.filter { $0.comparison.verdict != .undecided }
    return !judged.isEmpty && judged.allSatisfy { $0.comparison.verdict == .slower } ? first : nil
  }
}

extension Ranking {
  /// Who is fastest and who is leanest.
  func findings(of group: Int) -> [Finding] {
    let timeless = cells.filter { $0.main.wall.figure == nil }
    let rest = timeless.isEmpty ? [] : [Finding(.timeless, timeless.map(\.cell.id), [], .undecided, group: group)]
    guard let first, let wall = first.main.wall.figure else { return rest }
    return speed(first, wall, group) + rest + leanest(group)
  }

  private func speed(_ first: CellReport, _ wall: Estimate, _ group: Int) -> [Finding] {
    if followers.isEmpty { return [Finding(.onlyCell, [first.cell.id], [wall], .estimated, group: group)] }
    func finding(_ kind: FindingKind, _ followers: [Follower], _ certainty: Certainty) -> Finding {
      Finding(
        kind, [first.cell.id] + followers.map(\.cell.cell.id), [wall] + followers.map(\.comparison.ratio), certainty,
        group: group)
    }
    var findings: [Finding] = []
    let slower = followers.dropFirst(tiedCount).filter { $0.comparison.verdict == .slower }
    if !tied.isEmpty {
      findings.append(finding(.tied, tied, .undecided))
    } else if let next = slower.first {
      findings.append(finding(.fastest, [next], .certain))
    }
    // The slowest of all, where it is not named already and is known to be slow.
    let isNamed = tied.isEmpty && slower.count < 2
    if let last = followers.last, isLastSlowest, !isNamed, last.cell.cell == slower.last?.cell.cell {
      findings.append(
        Finding(.slowest, [first.cell.id, last.cell.cell.id], [last.comparison.ratio], .certain, group: group))
    }
    let few = followers.filter { $0.comparison.verdict == .undecided }
    if !few.isEmpty {
      // Whichever of the two has fewer; where all have few, the first's own.
      let rounds = few.map { min($0.cell.main.samples, first.main.samples) }.max() ?? 0
      findings.append(finding(.unranked(rounds: rounds), few, .tooFewRounds))
    }
    return findings
  }

  private func leanest(_ group: Int) -> [Finding] {
    let peaks = cells.compactMap { cell in cell.main.metrics[.heapPeak].map { (id: cell.cell.id, bytes: $0) } }
    guard let least = peaks.map(\.bytes).min(), let most = peaks.map(\.bytes).max() else { return [] }
    // As many bytes to a reader: three digits, which is what is shown.
    let leanest = peaks.filter { Double($0.bytes) < Double(least) * 1.005 }
    guard leanest.count < peaks.count else { return [] }
    let estimates = [Estimate(median: Double(least)), Estimate(median: Double(most))]
    return [Finding(.leanest, leanest.map(\.id), estimates, .exact, group: group)]
  }

  /// Which way through the object graph is fastest, where another cell is the first of all: the choice of a user who wants
  /// objects.
  func choice(of group: Int, by comparisons: Comparisons) -> [Finding] {
    let own = candidates.timed.filter(\.cell.isRankedFirst)
    guard own.count > 1, own[0].cell != first?.cell, let wall = own[0].main.wall.figure else { return [] }
    let followers = own.dropFirst().compactMap { cell in
      comparisons.comparison(of: cell, to: own[0]).map { Follower(cell: cell, comparison: $0) }
    }
    guard let next = followers.first, followers.allSatisfy({ $0.comparison.verdict != .undecided }) else { return [] }
    let tied = followers.lastIndex { $0.comparison.verdict != .slower }.map { followers.prefix($0 + 1) } ?? []
    let shown = tied.isEmpty ? [next] : Array(tied)
    return [
      Finding(
        .fastestOfObjectGraph, [own[0].cell.id] + shown.map(\.cell.cell.id), [wall] + shown.map(\.comparison.ratio),
        tied.isEmpty ? .certain : .undecided, group: group)
    ]
  }

  /// Object by object against each style of batch, by their roles.
  func roleFindings(of group: Int, by comparisons: Comparisons) -> [Finding] {
    guard let (save, batches) = candidates.objectByObjectAndBatches else { return [] }
    return batches.compactMap { batch in
      comparisons.comparison(of: save, to: batch).map {
        Finding(
          .objectByObjectAgainstBatch, [save.cell.id, batch.cell.id], [$0.ratio], Certainty($0.verdict), group: group)
      }
    }
  }
}
