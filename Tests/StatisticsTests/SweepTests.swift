// Growth, crossovers and knees compared with Python's enumeration of all orders, SciPy 1.17, and cases with a known
// answer.
import MissionTags
import Support
import Testing

@testable import Statistics

@Suite("A2 · growth with the number of rows", .tags(.a2))
struct ScalingExponentTests {
  @Test("Discordant pairs have the distribution of all enumerated orders")
  func distribution() {
    let known: [([Int], over: Double, [Double])] = [
      ([1, 1, 1, 1, 1, 1], 720, [1, 5, 14, 29, 49, 71, 90, 101]), ([2, 2, 3], 210, [1, 2, 5, 8, 13, 17, 22, 24, 26]),
      ([3, 1, 2, 1], 420, [1, 3, 7, 13, 21, 30, 39, 46, 50]), ([4, 4], 70, [1, 1, 2, 3, 5, 5, 7, 7, 8]),
    ]
    for (groups, over, counts) in known {
      let probabilities = discordantPairProbabilities(groups: groups)
      #expect(probabilities.count == counts.count)
      #expect(zip(probabilities, counts).allSatisfy { isClose($0, $1 / over) })
    }
    // scipy.stats.mannwhitneyu's distribution.
    let many = mannWhitneyProbabilities(10, 50)
    #expect(abs(many[...150].reduce(0, +) - 0.02365529) < 1e-8 && abs(many.reduce(0, +) - 1) < 1e-12)
  }

  /// Groups, then the ranks at 90, 95 and 99 %, from integer counts of orders in Python; 0 for none.
  static let knownRanks: [([Int], [Int])] = [
    ([1, 1, 1, 1], [1, 0, 0]), ([1, 1, 1, 1, 1], [2, 1, 0]), ([4, 4, 4], [13, 11, 7]),
    (Array(repeating: 1, count: 10), [13, 12, 9]), (Array(repeating: 3, count: 10), [157, 148, 132]),
    (Array(repeating: 2, count: 30), [741, 717, 669]), ([15, 15], [73, 65, 52]), ([12, 1, 7, 20], [187, 175, 152]),
  ]

  @Test("Ranks of the interval's slopes are right", arguments: 0..<8)
  func ranks(index: Int) {
    let (groups, ranks) = Self.knownRanks[index]
    for (confidence, rank) in zip([0.9, 0.95, 0.99], ranks) {
      #expect(slopeIntervalRank(groups: groups, confidence: confidence) == (rank == 0 ? nil : rank))
    }
  }

  @Test(
    "Above 60 points the normal approximation is near the exact ranks",
    arguments: [
      (1, 61, [783, 758, 709]), (10, 7, [890, 859, 800]), (1, 80, [1382, 1344, 1271]), (20, 5, [1730, 1678, 1578]),
    ])
  func approximation(group: Int, groups: Int, ranks: [Int]) throws {
    for (confidence, rank) in zip([0.9, 0.95, 0.99], ranks) {
      let found = try #require(
        slopeIntervalRank(groups: Array(repeating: group, count: groups), confidence: confidence))
      #expect(abs(found - rank) <= max(2, rank / 200))
    }
  }
}

extension ScalingExponentTests {
  @Test("One time at each of seven sizes gives the slope of scipy.stats.theilslopes")
  func single() throws {
    let sizes = [100.0, 200, 400, 800, 1600, 3200, 6400]
    let times = [0.0021, 0.0040, 0.0085, 0.0170, 0.0410, 0.0760, 0.1700]
    let points = zip(sizes, times).map { (size: $0, time: $1) }
    for (confidence, low, high) in [
      (0.9, 1.0085367566794716, 1.1073093649624544), (0.95, 1.005691171119648, 1.1191840015393608),
      (0.99, 0.9296106721086043, 1.1614634226941196),
    ] {
      let growth = try #require(scalingExponent(of: points.reversed(), confidence: confidence))
      #expect(isClose(growth.exponent, 1.0619818783608956))
      let interval = try #require(growth.interval)
      #expect(isClose(interval.lowerBound, low) && isClose(interval.upperBound, high))
    }
  }

  @Test("Several times at each of three sizes give the slope, despite an outlier")
  func several() throws {
    let times = [0.010, 0.011, 0.0105, 0.030, 0.12, 0.118, 0.119, 0.11, 1.3, 1.25, 1.22, 1.40]
    let points = times.enumerated().map { (size: [100.0, 1000, 10_000][$0 / 4], time: $1) }
    let growth = try #require(scalingExponent(of: points, confidence: 0.95))
    #expect(isClose(growth.exponent, 1.0378244589292296))
    let interval = try #require(growth.interval)
    #expect(isClose(interval.lowerBound, 1.0108128692822171) && isClose(interval.upperBound, 1.0579919469776873))
  }

  @Test("Four times the time for twice the rows is the exponent 2; one size has none, four have no interval at 95 %")
  func edges() throws {
    let square = try #require(
      scalingExponent(of: [1.0, 2, 4, 8, 16, 32].map { ($0, $0 * $0) }, confidence: 0.95))
    #expect(isClose(square.exponent, 2))
    #expect(abs(try #require(square.interval).upperBound - 2) < 1e-12)
    #expect(scalingExponent(of: [(1, 1), (2, 2), (3, 3), (4, 4)], confidence: 0.95)?.interval == nil)
    #expect(scalingExponent(of: [(7, 1), (7, 2)], confidence: 0.95) == nil)
    #expect(scalingExponent(of: [], confidence: 0.95) == nil)
    #expect(scalingExponent(of: [(0, 1), (2, 2)], confidence: 0.95) == nil)
    #expect(scalingExponent(of: [(1, 1), (2, .nan)], confidence: 0.95) == nil)
  }

  @Test("In simulations the interval covers the exponent at its stated rate", arguments: [1, 2])
  func coverage(perSize: Int) {
    var generator = SplitMix64(seed: 31)
    let trials = 200
    let covered = (0..<trials).count { _ in
      let points = [100.0, 300, 1000, 3000, 10_000, 30_000].flatMap { size in
        (0..<perSize).map { _ in
          (size: size, time: exponential(1.3 * naturalLogarithm(size) + 0.2 / (0.05 + generator.nextUnit())))
        }
      }
      return scalingExponent(of: points, confidence: 0.95)?.interval?.contains(1.3) ?? false
    }
    #expect(covered >= lowerLimit(trials: trials, rate: 0.95))
  }
}

@Suite("A2 · crossovers and knees", .tags(.a2))
struct CrossoverTests {
  /// Twelve log ratios around a middle.
  private func ratios(_ middle: Double, spread: Double = 0.01) -> [Double] {
    (0..<12).map { number -> Double in
      let place = Double(number) - 5.5
      return middle + spread * place / 5.5
    }
  }

  /// Rounds of a size in which the second strategy's times have these log ratios to the first one's.
  private func rounds(_ size: Double, _ logRatios: [Double]) -> (size: Double, first: [Double], second: [Double]) {
    (size, logRatios.map { _ in 1 }, logRatios.map(exponential))
  }

  @Test("A batch wins from a size between those at which the winner changes")
  func crossing() throws {
    let sweep = [(10.0, 0.3), (20, 0.1), (40, -0.1), (80, -0.3)].map { rounds($0, ratios($1)) }
    let found = try #require(crossover(of: sweep, confidence: 0.95))
    #expect(found.interval == 20...40 && found.secondWinsAbove && found.interval.contains(found.size))
    // With the sides swapped, and in any order.
    let turned = sweep.reversed().map { (size: $0.size, first: $0.second, second: $0.first) }
    let swapped = try #require(crossover(of: turned, confidence: 0.95))
    #expect(swapped.interval == 20...40 && !swapped.secondWinsAbove && abs(swapped.size - found.size) < 0.001)
  }

  @Test("Sizes without a clear winner widen the interval")
  func undecided() throws {
    let sweep = [
      rounds(10, ratios(0.3)), rounds(20, ratios(0.004, spread: 0.2)), rounds(40, ratios(-0.002)),
      rounds(80, [-0.5, -0.4]), rounds(160, ratios(-0.1)),
    ]
    #expect(crossover(of: sweep, confidence: 0.95)?.interval == 10...160)
  }

  @Test("There is no crossover if one always wins, if the winner changes twice, or without a clear winner")
  func none() {
    func found(_ middles: [Double]) -> Crossover? {
      crossover(of: middles.enumerated().map { rounds(Double($0 + 1), ratios($1)) }, confidence: 0.95)
    }
    #expect(found([0.3, 0.2, 0.1]) == nil && found([-0.3, -0.1]) == nil)
    #expect(found([0.3, -0.2, 0.1]) == nil)
    #expect(found([0, 0.001]) == nil && found([0.3]) == nil && found([]) == nil)
    #expect(found([0.3, 0, -0.3]) != nil)
    #expect(crossover(of: [rounds(1, ratios(0.1)), rounds(1, ratios(-0.1))], confidence: 0.95) == nil)
    #expect(crossover(of: [rounds(0, ratios(0.1)), rounds(1, ratios(-0.1))], confidence: 0.95) == nil)
    let broken = [rounds(1, ratios(0.1)), rounds(2, ratios(-0.1) + [.nan])]
    #expect(crossover(of: broken, confidence: 0.95) == nil)
  }

  /// Twelve rounds with shared noise of the machine, with times of `seconds` and their own spread.
  private func sweep(_ seconds: [(Double, Double)], spread: Double) -> [(size: Double, times: [Double])] {
    seconds.enumerated().map { index, point in
      let times = (0..<12).map { round in
        let mood = 1 + Double(round % 3)
        return point.1 * mood * (1 + spread * Double((round * 5 + index * 3) % 12 - 6) / 6)
      }
      return (point.0, times)
    }
  }

  static let seconds = [(10.0, 8.0), (100, 2.0), (1000, 1.03), (10_000, 1.0), (100_000, 1.2)]
}

extension CrossoverTests {
  @Test("The knee is the smallest size within 5 % of the best")
  func sharpKnee() throws {
    let found = try #require(knee(of: sweep(Self.seconds, spread: 0.002).reversed(), margin: 0.05, confidence: 0.95))
    #expect(
      found == Knee(size: 1000, earliest: 1000, best: 10_000, latest: 10_000, largest: 100_000, isStillGaining: false))
    let tight = try #require(knee(of: sweep(Self.seconds, spread: 0.002), margin: 0.01, confidence: 0.95))
    #expect(
      tight
        == Knee(size: 10_000, earliest: 10_000, best: 10_000, latest: 10_000, largest: 100_000, isStillGaining: false))
  }

  @Test("Noise leaves open whether a smaller size would do")
  func noisyKnee() throws {
    let found = try #require(knee(of: sweep(Self.seconds, spread: 0.08), margin: 0.05, confidence: 0.95))
    #expect(found.size == 10_000 && found.earliest == 1000)
    // Too few rounds for an interval: the best size is known, but nothing about the others.
    let few = Self.seconds.map { (size: $0.0, times: [$0.1]) }
    #expect(
      knee(of: few, margin: 0.05, confidence: 0.95)
        == Knee(size: 10_000, earliest: 10, best: 10_000, latest: 100_000, largest: 100_000, isStillGaining: false))
  }

  @Test("Noise leaves open whether a size above the best would do better; a quiet run does not")
  func rival() throws {
    // The smallest size has the smallest median, but the largest is really just as good.
    let seconds = [(10.0, 1.0), (100, 1.3), (1000, 1.001)]
    let noisy = try #require(knee(of: sweep(seconds, spread: 0.3), margin: 0.05, confidence: 0.95))
    #expect(noisy.latest > noisy.best)
    let quiet = try #require(knee(of: sweep(seconds, spread: 0.002), margin: 0.05, confidence: 0.95))
    #expect(quiet.best == 10 && quiet.latest == 10 && quiet.size == 10)
  }

  @Test("There is no knee without sizes, rounds, or times above zero")
  func noKnee() {
    #expect(knee(of: [], margin: 0.05, confidence: 0.95) == nil)
    #expect(knee(of: [(1, [])], margin: 0.05, confidence: 0.95) == nil)
    #expect(knee(of: [(1, [1, 2]), (2, [1])], margin: 0.05, confidence: 0.95) == nil)
    #expect(knee(of: [(1, [0]), (2, [1])], margin: 0.05, confidence: 0.95) == nil)
    #expect(knee(of: [(1, [1]), (1, [1])], margin: 0.05, confidence: 0.95) == nil)
    #expect(knee(of: [(1, [1])], margin: -1, confidence: 0.95) == nil)
  }
}
