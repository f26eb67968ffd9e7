// Change points: the scan compared with values computed by hand and by enumeration, and the positions where a search
// finds a change.
import MissionTags
import Support
import Testing

@testable import Statistics

@Suite("A11 · change points", .tags(.a11))
struct ChangePointTests {
  /// Values around a level for each part, in a repeatable order.
  private func steps(_ parts: [(count: Int, level: Double)], seed: UInt64 = 3) -> [Double] {
    var generator = SplitMix64(seed: seed)
    return parts.flatMap { part in (0..<part.count).map { _ in part.level + 0.01 * generator.nextNormal() } }
  }

  private func changes(in series: [Double]) throws -> [Int] {
    var search = ChangePointSearch()
    return try search.results([series])[0]?.changes.map(\.index) ?? []
  }

  @Test("Ranks are centered at zero, and equal values have their mean rank")
  func ranks() {
    // 2 ^ 0.9 = 1.866066 and 4 ^ 0.9 = 3.482202, in parts of 65,536.
    #expect(RankScores([30, 10, 20]).scores == [122_295, -122_295, 0])
    #expect(RankScores([1, 2, 2, 3, 2]).scores == [-228_210, 0, 0, 228_210, 0])
    #expect(RankScores([7, 7]).scores == [0, 0] && RankScores([]).scores.isEmpty)
  }

  @Test("The scan of ten points matches one by hand: one split, and the rank sum that differs most")
  func byHand() throws {
    let scores = [-1, -5, -9, -7, -3, 9, 3, 1, 7, 5]
    #expect(RankScores([5, 3, 1, 2, 4, 10, 7, 6, 9, 8]).scores.map({ $0.signum() }) == scores.map({ $0.signum() }))
    // (−25)² / (5 · 5).
    #expect(RankScan.split.peak(of: scores) == RankScan.Peak(statistic: 25, part: 0..<5))
    #expect(RankScan.split.peak(of: Array(scores.prefix(9))) == nil && RankScan.window.peak(of: scores) == nil)
    // Five of seventeen are about 12, and six are before and after them: 60² / (5 · 12).
    let window = Array(repeating: -5, count: 6) + Array(repeating: 12, count: 5) + Array(repeating: -5, count: 6)
    #expect(RankScan.window.peak(of: window) == RankScan.Peak(statistic: 60, part: 6..<11))
  }

  @Test("The p-value of a scan is near the share of all orders of ten values, and of fifteen for windows")
  func enumeration() throws {
    // There are 252 ways to choose the first five. Two of them have the extreme sums, ±25, and two have the next ones,
    // ±23.
    let ten = [-9, -7, -5, -3, -1, 1, 3, 5, 7, 9]
    var splits = ScanDistribution(of: .split, scores: ten, seed: 0)
    for (statistic, ways) in [(25.0, 2.0), (23 * 23 / 25.0, 4.0)] {
      let p = splits.p(of: statistic, draws: 200_000, enough: 100)
      #expect(abs(p / (ways / 252) - 1) < 0.4, "\(p)")
    }
    // One window of five in fifteen: 3,003 ways, and two of them have the extreme sums, ±50.
    var windows = ScanDistribution(of: .window, scores: (0..<15).map { 2 * $0 - 14 }, seed: 0)
    let p = windows.p(of: 50 * 50 / 50.0, draws: 400_000, enough: 100)
    #expect(abs(p / (2 / 3003) - 1) < 0.4, "\(p)")
    let (all, none) = (splits.p(of: 0, draws: 10, enough: 1), splits.p(of: 26, draws: 999, enough: 100))
    #expect(all == 1 && none == 1 / 1000)
  }
}

extension ChangePointTests {
  @Test("The false discovery rate's adjustment keeps the given order")
  func adjusted() throws {
    // R's p.adjust(c(0.01, 0.02, 0.03, 0.005), "BH").
    let adjusted = try #require(benjaminiHochbergAdjusted([0.01, 0.02, 0.03, 0.005]))
    #expect(zip(adjusted, [0.02, 0.08 / 3, 0.03, 0.02]).allSatisfy { isClose($0, $1) })
    #expect(benjaminiHochbergAdjusted([]) == [] && benjaminiHochbergAdjusted([0.3]) == [0.3])
    #expect(benjaminiHochbergAdjusted([0.1, .nan]) == nil && benjaminiHochbergAdjusted([-0.1]) == nil)
  }

  @Test("The rank sum of a block among others agrees with R's wilcox.test")
  func rankSums() {
    // The lowest one of five; the two lowest of six; the block that is first, third and fifth.
    #expect(rankSumP([1], below: [2, 3, 4, 5]) == 0.2)
    #expect(isClose(rankSumP([1, 2], below: [3, 4, 5, 6]), 1 / 15))
    #expect(isClose(rankSumP([1, 3, 5], below: [2, 4, 6]), 0.35))
    #expect(rankSumP([9, 10], below: [3, 4, 5, 6]) == 1 && rankSumP([], below: [1]) == 1)
  }

  @Test("One step, several in a row, and one that is undone are found at their positions")
  func steps() throws {
    #expect(try changes(in: steps([(10, 1), (10, 1.1)])) == [10])
    #expect(try changes(in: steps([(12, 1), (12, 1.1), (12, 1.2), (14, 1.3)])) == [12, 24, 36])
    #expect(try changes(in: steps([(16, 1), (10, 1.1), (24, 1)])) == [16, 26])
    #expect(try changes(in: steps([(10, 1), (10, 0.9), (10, 1)])) == [10, 20])
    // Without any noise, nearly all values are equal.
    let plain = [(16, 1.0), (10, 1.1), (24, 1)].flatMap { Array(repeating: $1, count: $0) }
    #expect(try changes(in: plain) == [16, 26])
  }
}

extension ChangePointTests {
  @Test("Constant series, outliers and series that are too short raise no alarm")
  func nothing() throws {
    #expect(try changes(in: Array(repeating: 1, count: 40)) == [])
    var outliers = steps([(50, 1)])
    for index in [7, 25, 26, 44] { outliers[index] = 9 }
    #expect(try changes(in: outliers) == [])
    var search = ChangePointSearch()
    let short = try search.results([[1, 1, 1, 1, 9, 9, 9, 9, 9], steps([(10, 1), (10, 2)])])
    #expect(short[0] == nil && short[1]?.changes.count == 1)
    let (broken, none) = (search.search([[1, .nan]]), search.search([]))
    #expect(broken == nil && none == [])
  }

  @Test("Scale, direction and order of time change only the position; equal series give equal results")
  func properties() throws {
    let series = steps([(14, 1), (16, 1.06)])
    var (one, two) = (ChangePointSearch(), ChangePointSearch())
    let found = try one.results([series, steps([(30, 1)])])
    let again = try two.results([series, steps([(30, 1)])])
    let other = try two.results([series.map { -5 * $0 }, steps([(30, 1)])])
    #expect(again == found && other == found)
    // A curve changes the distances that determine a change's position, but no p-value.
    let bent = try two.results([series.map { $0 * $0 * $0 }, steps([(30, 1)])])
    #expect(bent.map { $0?.p } == found.map { $0?.p })
    let turned = try changes(in: series.reversed())
    #expect(turned == [16] && found[0]?.changes.map(\.index) == [14])
    #expect(found[0]?.changes.first?.range.contains(14) == true)
  }

  @Test("The more series there are, the less each alone counts")
  func family() throws {
    // One in 252: a p-value of 0.8 %, the smallest for ten points.
    let step = steps([(5, 1), (5, 1.2)])
    var search = ChangePointSearch(level: 0.05)
    let alone = try #require(try search.results([step])[0])
    #expect(alone.changes.count == 1 && abs(alone.p - 2.0 / 252 / 0.98) < 0.002)
    let many = try search.results([step] + (0..<9).map { steps([(10, 1)], seed: 40 + $0) })
    #expect(many[0]?.changes == [] && many[0]?.suspect == 5)
    #expect(many[0].map { abs($0.p - alone.p) < 0.002 && $0.adjustedP > 5 * $0.p } == true)
  }
}

extension ChangePointSearch {
  /// The results for series of finite values.
  mutating func results(_ series: [[Double]]) throws -> [Series?] {
    let found = search(series)
    return try #require(found)
  }
}
