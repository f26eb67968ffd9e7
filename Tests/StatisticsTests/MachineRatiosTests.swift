// Combined ratios of several machines, compared with R's t.test; and ratios that cannot be combined.
import MissionTags
import Support
import Testing

@testable import Statistics

@Suite("A12 · one ratio from those of several machines", .tags(.a12))
struct MachineRatiosTests {
  @Test("Five machines have the interval of R's t.test")
  func five() throws {
    let combined = try #require(CombinedRatio(ratios: [1.21, 1.25, 1.18, 1.30, 1.22]))
    let interval = try #require(combined.interval)
    #expect(combined.machines == 5)
    #expect(abs(combined.ratio / 1.2313346895414572 - 1) < 1e-13)
    #expect(abs(interval.lowerBound / 1.1765430454750847 - 1) < 1e-13)
    #expect(abs(interval.upperBound / 1.2886779820758072 - 1) < 1e-13)
    #expect(abs(try #require(combined.spread) / 1.0373392426784538 - 1) < 1e-13)
    #expect(abs(combined.least / 1.18 - 1) < 1e-14 && abs(combined.greatest / 1.30 - 1) < 1e-14)
    let half = try #require(CombinedRatio(ratios: [1.21, 1.25, 1.18, 1.30, 1.22], confidence: 0.5)?.interval)
    #expect(abs(half.lowerBound / 1.2164726532654602 - 1) < 1e-13)
    #expect(abs(half.upperBound / 1.2463783000778179 - 1) < 1e-13)
  }

  @Test("Three log ratios of 0, 1 and 2 times ln 2 agree with results by hand")
  func byHand() throws {
    let combined = try #require(CombinedRatio(ratios: [4, 1, 2]))
    // Their mean is ln 2 and their standard deviation is ln 2; t is 4.302652729749462 for two degrees of freedom.
    let factor = exponential(4.302652729749462 * naturalLogarithm(2) / 3.0.squareRoot())
    let interval = try #require(combined.interval)
    #expect(abs(combined.ratio - 2) < 1e-14 && combined.least == 1 && abs(combined.greatest - 4) < 1e-14)
    #expect(abs(try #require(combined.spread) - 2) < 1e-14)
    #expect(abs(interval.lowerBound * factor / 2 - 1) < 1e-13 && abs(interval.upperBound / factor / 2 - 1) < 1e-13)
  }

  @Test("Fewer than three machines have no interval, and one has no spread")
  func fewMachines() throws {
    let one = try #require(CombinedRatio(ratios: [1.25]))
    #expect(one.machines == 1 && one.interval == nil && one.spread == nil)
    #expect(one.ratio == one.least && one.ratio == one.greatest && abs(one.ratio - 1.25) < 1e-15)
    let two = try #require(CombinedRatio(ratios: [1, 4]))
    #expect(two.machines == 2 && two.interval == nil && abs(two.ratio - 2) < 1e-14)
    // They are ln 4 apart: a standard deviation of ln 4 / √2.
    #expect(abs(try #require(two.spread) - exponential(naturalLogarithm(4) / 2.0.squareRoot())) < 1e-13)
    #expect(CombinedRatio(ratios: [1, 4, 2])?.interval != nil)
  }
}

extension MachineRatiosTests {
  @Test(
    "Machines that all agree have their common ratio, no spread, and an interval of width zero",
    arguments: [0.1, 1, 1.3, 7])
  func agreement(ratio: Double) throws {
    let combined = try #require(CombinedRatio(ratios: [ratio, ratio, ratio, ratio, ratio, ratio]))
    #expect(abs(combined.ratio / ratio - 1) < 1e-15 && combined.spread == 1)
    #expect(combined.least == combined.ratio && combined.greatest == combined.ratio)
    #expect(combined.interval == combined.ratio...combined.ratio)
  }

  @Test("The order of machines does not matter; swapped sides give the inverse")
  func symmetry() throws {
    var generator = SplitMix64(seed: 12)
    for _ in 0..<200 {
      let logRatios = (0..<7).map { _ in 0.2 * generator.nextNormal() + 0.1 }
      let combined = try #require(CombinedRatio(logRatios: logRatios))
      #expect(CombinedRatio(logRatios: logRatios.shuffled(using: &generator)) == combined)
      #expect(combined.least <= combined.ratio && combined.ratio <= combined.greatest)
      let swapped = try #require(CombinedRatio(logRatios: logRatios.map { -$0 }))
      let (interval, inverse) = (try #require(combined.interval), try #require(swapped.interval))
      #expect(abs(combined.ratio * swapped.ratio - 1) < 1e-14)
      #expect(abs(interval.lowerBound * inverse.upperBound - 1) < 1e-13)
      #expect(abs(interval.upperBound * inverse.lowerBound - 1) < 1e-13)
    }
  }

  @Test("Without machines, or with invalid ratios, there is no combined ratio")
  func refused() {
    for bad in [Double.nan, .infinity, -.infinity, 1000, -1000] {
      #expect(CombinedRatio(logRatios: [0, bad, 0]) == nil)
    }
    for bad in [Double.nan, .infinity, -.infinity] { #expect(meanLogRatio([0, bad]) == nil) }
    #expect(CombinedRatio(logRatios: []) == nil && meanLogRatio([]) == nil)
    for confidence in [0, 1, -0.5, 1.5, .nan] {
      #expect(CombinedRatio(ratios: [1, 2, 3], confidence: confidence) == nil)
    }
  }
}

extension MachineRatiosTests {
  @Test("An interval with an end that is not a positive number is refused")
  func overflow() throws {
    let combined = try #require(CombinedRatio(ratios: [1e-300, 1, 1e300]))
    #expect(combined.interval == nil && abs(combined.ratio - 1) < 1e-12)
    #expect(try #require(combined.spread).isFinite)
  }

  @Test("Each machine's rounds become one number, and every machine has the same weight")
  func rounds() throws {
    let two = naturalLogarithm(2)
    let rounds: [[Double]] = [[0, 2 * two], [3 * two, 3 * two, 3 * two, 3 * two, 3 * two, 0], [two, two]]
    let centers = rounds.compactMap(meanLogRatio)
    #expect(centers.count == 3)
    for (found, expected) in zip(centers, [two, 2.5 * two, two]) { #expect(abs(found - expected) < 1e-14) }
    let combined = try #require(CombinedRatio(logRatios: centers))
    #expect(abs(combined.ratio - exponential(1.5 * two)) < 1e-13)
    let narrow = try #require(CombinedRatio(logRatios: centers, confidence: 0.5)?.interval)
    let wide = try #require(combined.interval)
    #expect(wide.lowerBound < narrow.lowerBound && narrow.upperBound < wide.upperBound)
  }

  @Test("Rounds of any finite size have a mean")
  func largeRounds() {
    #expect(meanLogRatio([1e308, 1e308, -1e308, -1e308]) == 0)
    #expect(meanLogRatio([1e308, 1e308]) == 1e308 && CombinedRatio(logRatios: [1e308, 1e308]) == nil)
  }
}

extension CombinedRatio {
  /// Combines ratios that are all above zero.
  fileprivate init?(ratios: [Double], confidence: Double = 0.95) {
    self.init(logRatios: ratios.compactMap { logRatio($0, to: 1) }, confidence: confidence)
  }
}

@Suite("A12 · one ranking on several machines", .tags(.a12))
struct RankReversalTests {
  @Test("Machines with the same order have no reversal, even if one takes twice as long")
  func alike() {
    for values in [[[3, 1, 2], [6, 2, 4], [3.1, 1.1, 3]], [[3, 1, 2]], [[3], [2]]] as [[[Double?]]] {
      #expect(RankReversal.all(values) == [])
    }
  }

  @Test("Two cells with reversed order are named with the machines that reverse it")
  func reversed() {
    #expect(
      RankReversal.all([[3, 1, 2], [3, 2, 1], [6, 2, 4], [1, 2, 3]]) == [
        .init(first: 0, second: 1, firstLower: [3], secondLower: [0, 1, 2]),
        .init(first: 0, second: 2, firstLower: [3], secondLower: [0, 1, 2]),
        .init(first: 1, second: 2, firstLower: [0, 2, 3], secondLower: [1]),
      ])
  }

  @Test("Equal values contradict no order, and neither do missing ones")
  func tiesAndGaps() {
    #expect(RankReversal.all([[1, 1], [1, 2], [1, 1.5]]) == [])
    #expect(RankReversal.all([[1, 1], [1, 2], [2, 1]])?.count == 1)
    #expect(RankReversal.all([[1, nil, 2], [nil, 1, 2], [2, nil, nil]]) == [])
    #expect(
      RankReversal.all([[1, 5, 2], [3, nil, 2]]) == [.init(first: 0, second: 2, firstLower: [0], secondLower: [1])])
  }

  @Test("Without machines or alternatives, and with different or invalid ones, there is no order")
  func refused() {
    #expect(
      RankReversal.all([]) == nil && RankReversal.all([[], []]) == nil && RankReversal.all([[1, 2], [1]]) == nil)
    for bad in [0, -1, .nan, .infinity] { #expect(RankReversal.all([[1, 2], [1, bad]]) == nil) }
  }
}
