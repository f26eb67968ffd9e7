// The signed-rank test compared with enumerations of all signs, exact integers from Python, and SciPy 1.17.
import MissionTags
import Support
import Testing

@testable import Statistics

@Suite("A2 · the signed-rank test", .tags(.a2))
struct SignedRankTests {
  /// All 2^m signs enumerated in Python with the ranks of scipy.stats.rankdata; zeros are ranked and then left out.
  static let enumerated: [(differences: [Double], above: Double, pAbove: Double, pBelow: Double)] = [
    ([1.5, -0.7, 2.25, 3.1, -0.2, 0.9, 4.4], 25, 5 / 128, 125 / 128),
    ([1, 1, -1, 2, 2, -2, 3, 3, 3, -3, 5, 8], 62.5, 145 / 4096, 3987 / 4096),
    ([0, 0, 1, -2, 3, 4, 5, -6, 7], 30, 21 / 128, 111 / 128),
    ([0, 0, 0, 1, 1, -1, 2, 2, 4, -4, 4, 6, 6, -1, 2], 91, 13 / 512, 2005 / 2048),
    ([2, 2, 2, 2, 2, 2, 2, 2, 2], 45, 1 / 512, 1),
    ([0.5, -0.5, 1.5, 1.5, -2.5, 0.5, 3.5, 0, 0, -1.5, 4.5, 2.5, 0.5, -0.5, 6], 86.5, 495 / 8192, 7767 / 8192),
  ]

  @Test("Ties and zeros give exact p-values", arguments: 0..<6)
  func known(index: Int) throws {
    let (differences, above, pAbove, pBelow) = Self.enumerated[index]
    let test = try #require(SignedRankTest(differences))
    #expect(try rankSums(differences).above == above)
    #expect(test.pAbove == pAbove && test.pBelow == pBelow)
  }

  @Test("Zeros take the lowest ranks, and no rank is dropped")
  func ranks() throws {
    let sums = try rankSums([0, 0, 0, 1, 1, -1, 2, 2, 4, -4, 4, 6, 6, -1, 2, 9])
    #expect(sums.above + sums.below == 136 - 6)
    let shifted = try rankSums([1, 2, 3], shift: 0.25)
    #expect(shifted.above == 6 && shifted.below == 0)
  }

  /// T⁺ and T⁻.
  private func rankSums(_ differences: [Double], shift: Double = 0) throws -> (above: Double, below: Double) {
    let ranks = try #require(SignedRankTest.doubledRanks(differences, shift: shift))
    return (Double(ranks.above.reduce(0, +)) / 2, Double(ranks.below.reduce(0, +)) / 2)
  }

  @Test("Depression scores agree with R's example of wilcox.test: V = 40, p = 0.01953")
  func depression() throws {
    #expect(try rankSums(HodgesLehmannTests.depression).above == 40)
    #expect(SignedRankTest(HodgesLehmannTests.depression)?.pAbove == 0.01953125)
  }

  /// (n, t, P(T ≤ t)) without ties, from integer counts of subsets in Python, divided by 2^n once.
  static let tails: [(Int, Int, Double)] = [
    (1, 0, 0.5), (2, 0, 0.25), (5, 4, 0.21875), (8, 0, 0.00390625), (8, 13, 0.2734375), (12, 0, 1 / 4096),
    (12, 1, 0.00048828125), (12, 7, 0.004638671875), (12, 31, 0.28466796875), (18, 14, 0.00041961669921875),
    (18, 72, 0.2899208068847656), (27, 57, 0.00045996904373168945), (27, 166, 0.2971983551979065),
    (40, 172, 0.0004968172133885673), (40, 370, 0.299604471542807), (60, 476, 0.0004936553948860969),
    (60, 842, 0.29802091272332104), (90, 1240, 0.0004997680436181286), (90, 1410, 0.004955506859445059),
    (90, 1638, 0.04999796130001564), (90, 1916, 0.2998906331344837),
  ]

  @Test("Tails for 1 to 90 differences are right", arguments: tails)
  func tail(count: Int, sum: Int, expected: Double) throws {
    let test = try #require(SignedRankTest(differences(count: count, rankSumBelow: sum)))
    #expect(isClose(test.pAbove, expected))
    // The other tail also contains the sum itself: together they make 1 plus the probability of that sum.
    let less = SignedRankTest(differences(count: count, rankSumBelow: sum - 1))?.pAbove ?? 0
    #expect(isClose(test.pBelow, 1 - (sum > 0 ? less : 0)))
  }
}

extension SignedRankTests {
  /// The same for 201 and 300 differences, for which the normal approximation is used.
  @Test(
    "Above 200 differences the approximation is right to 6 % of p down to 0.001",
    arguments: [
      (201, 7610, 0.0009960779351658817), (201, 8232, 0.009980129461161448), (201, 9090, 0.09983989101824582),
      (300, 17942, 0.0009981004756717887), (300, 19080, 0.009991385533837925), (300, 20646, 0.09999328004092589),
    ])
  func approximation(count: Int, sum: Int, expected: Double) throws {
    let test = try #require(SignedRankTest(differences(count: count, rankSumBelow: sum)))
    #expect(count > SignedRankTest.exactCount)
    #expect(abs(test.pAbove / expected - 1) < 0.06)
  }

  @Test("The approximation takes over without a jump, with ties and zeros too")
  func handover() throws {
    var generator = SplitMix64(seed: 9)
    let coarse = (0..<200).map { _ in Double(generator.next(below: 15)) - 6 }
    let exact = try #require(SignedRankTest(coarse, shift: 0.5))
    let approximate = try #require(SignedRankTest(coarse + [0.5], shift: 0.5))
    #expect(coarse.count == SignedRankTest.exactCount)
    #expect(abs(approximate.pAbove / exact.pAbove - 1) < 0.03)
  }

  @Test("Small samples with ties, zeros and a shift agree with an enumeration of all signs")
  func enumeration() throws {
    var generator = SplitMix64(seed: 4)
    for round in 0..<60 {
      let count = 1 + round % 9
      let shift = Double(generator.next(below: 3)) - 1
      let differences = (0..<count).map { _ in Double(generator.next(below: 7)) - 3 }
      let test = try #require(SignedRankTest(differences, shift: shift))
      let shifted = differences.map { $0 - shift }
      let ranks = shifted.map { value in
        // A mean rank by its definition: the number of smaller values, and the middle of equal ones.
        Double(shifted.count { abs($0) < abs(value) })
          + (Double(shifted.count { abs($0) == abs(value) }) + 1) / 2
      }
      let kept = ranks.indices.filter { shifted[$0] != 0 }
      let observed = kept.reduce(0) { $0 + (shifted[$1] > 0 ? ranks[$1] : 0) }
      let sums = (0..<(1 << kept.count)).map { signs in
        kept.enumerated().reduce(0) { $0 + (signs >> $1.offset & 1 == 1 ? ranks[$1.element] : 0) }
      }
      #expect(try rankSums(differences, shift: shift).above == observed)
      #expect(test.pAbove == Double(sums.count { $0 >= observed }) / Double(sums.count))
      #expect(test.pBelow == Double(sums.count { $0 <= observed }) / Double(sums.count))
    }
  }

  @Test("Zeros alone are not significant, and without numbers there is no test")
  func edges() {
    #expect(SignedRankTest([0, 0, 0])?.pAbove == 1 && SignedRankTest([0, 0, 0])?.pBelow == 1)
    let many = SignedRankTest(Array(repeating: 0, count: 300))
    #expect(many?.pAbove == 1 && many?.pBelow == 1)
    #expect(
      SignedRankTest([]) == nil && SignedRankTest([1, .nan]) == nil && SignedRankTest([1], shift: .infinity) == nil)
    #expect(SignTest([]) == nil && SignTest([1, .nan]) == nil && SignTest([1], shift: .infinity) == nil)
  }

  /// 1 to n, with the signs for this sum of ranks below zero.
  private func differences(count: Int, rankSumBelow: Int) -> [Double] {
    var rest = max(0, rankSumBelow)
    return (1...count).reversed().map { rank in
      guard rest >= rank else { return Double(rank) }
      rest -= rank
      return -Double(rank)
    }
  }
}

@Suite("A2 · the sign test", .tags(.a2))
struct SignTestTests {
  @Test(
    "Tails agree with scipy.stats.binom; a zero is on neither side, and counts",
    arguments: [
      (12, 0, 0, 0.000244140625, 1), (7, 3, 0, 0.171875, 0.9453125), (5, 12, 3, 0.9940910339355469, 0.2517223358154297),
      (21, 6, 0, 0.0029623061418533325, 0.9992431402206421), (60, 25, 5, 0.0010301328404815372, 0.9999945489754044),
      (1, 0, 0, 0.5, 1), (0, 0, 5, 1, 1), (2, 2, 0, 0.6875, 0.6875),
    ])
  func known(above: Int, below: Int, zeros: Int, pAbove: Double, pBelow: Double) throws {
    var differences = (0..<above).map { 0.5 + Double($0) }
    differences += (0..<below).map { -0.5 - Double($0) }
    differences += [Double](repeating: 0, count: zeros)
    let test = try #require(SignTest(differences.map { $0 + 2 }, shift: 2))
    #expect(isClose(test.pAbove, pAbove) && isClose(test.pBelow, pBelow))
  }

  @Test("The median's interval inverts the test, with ties and without")
  func inversion() throws {
    var generator = SplitMix64(seed: 21)
    for count in 8..<40 {
      let values = (0..<count).map { _ in Double(generator.next(below: count.isMultiple(of: 2) ? 9 : 10_000)) }
      let interval = try #require(medianInterval(values, confidence: 0.95))
      for shift in Set(values).flatMap({ [$0 - 0.5, $0, $0 + 0.5] }) {
        let test = try #require(SignTest(values, shift: shift))
        #expect(interval.contains(shift) == (min(test.pAbove, test.pBelow) > 0.025))
      }
    }
  }
}
