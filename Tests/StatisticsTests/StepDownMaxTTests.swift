// The step-down test compared with sums computed by hand, NumPy's enumeration of all signs, Fisher's test of pairs, and
// simulations.
import Foundation
import MissionTags
import Support
import Testing

@testable import Statistics

@Suite("A7 · step-down max-T over whole rounds", .tags(.a2, .a7))
struct StepDownMaxTTests {
  /// All 2¹⁰ sign vectors in NumPy 2.4.
  static let family: [[Double?]] = [
    [0.05, 0.02, 0.07, -0.01, 0.04, 0.06, 0.03, 0.08, 0.09, 0.10],
    [-0.03, -0.06, 0.01, -0.02, -0.08, -0.05, nil, -0.04, -0.07, nil],
    [0.01, -0.02, 0.02, 0.01, 0, -0.01, 0.03, -0.03, 0.02, 0.01],
    [0.02, 0.02, 0.05, 0.02, -0.02, 0.05, 0.01, 0.04, 0.02, 0.05],
    [0.2, nil, 0.1, nil, nil, 0.3, 0.4, nil, 0.5, nil],
  ]

  private func adjusted(_ claims: [[Double?]]) throws -> [Double?] {
    try #require(StepDownMaxT(claims)).claims.map { $0?.adjustedP }
  }

  /// The adjusted p-values as numbers of sign vectors.
  private func vectors(_ claims: [[Double?]]) throws -> [Int?] {
    let all = Double(1 << (claims.first?.count ?? 0))
    return try adjusted(claims).map { p in p.map { Int($0 * all) } }
  }

  /// Claims with ties, zeros and gaps; one reference stalls.
  private func randomClaims(_ count: Int, rounds: Int, using generator: inout SplitMix64) -> [[Double?]] {
    let moods = (0..<rounds).map { _ in Double(generator.next(below: 9)) - 4 }
    return (0..<count).map { _ in
      moods.map { mood in
        generator.next(below: 10) == 0 ? nil : mood + Double(generator.next(below: 11)) - 5
      }
    }
  }

  @Test("Two claims of six rounds agree with p-values by hand")
  func byHand() throws {
    let claims: [[Double?]] = [[1, 2, 3, 4, 5, 6], [-1, -2, 3, 4, 5, 6]]
    let test = try #require(StepDownMaxT(claims))
    // |Σ| = 21 takes all signs of the one claim or of the other: 4 of 64. |Σ| = 15 has a smaller side of 0, 1, 2 or 3, which
    // 1 + 1 + 1 + 2 sign vectors give: 10 of 64.
    #expect(try vectors(claims) == [4, 10] && test.isExact)
    #expect(test.claims.map { $0?.side } == [.above, .above] && test.claims.map { $0?.rounds } == [6, 6])
    #expect(test.claims[0]?.isCertain() == false && test.claims[0]?.isCertain(level: 0.0625) == true)
    // A family of one: 2 of 64.
    let alone = try #require(StepDownMaxT([claims[0]]))
    #expect(alone.claims[0]?.adjustedP == 2 / 64 && alone.claims[0]?.isCertain() == true)
  }

  @Test("Ties, zeros and gaps agree with an enumeration in NumPy")
  func known() throws {
    #expect(try vectors(Self.family) == [10, 36, 636, 26, nil])
    #expect(try vectors([Self.family[0], Self.family[3]]) == [6, 14])
    #expect(try vectors([Self.family[1], Self.family[2]]) == [36, 636])
    let sides = try #require(StepDownMaxT(Self.family)).claims.map { $0?.side }
    #expect(sides == [.above, .below, .above, .above, nil])
  }

  @Test("Small families agree with an enumeration of all signs")
  func enumeration() throws {
    var generator = SplitMix64(seed: 12)
    for _ in 0..<20 {
      let claims = randomClaims(4, rounds: 8, using: &generator)
      let sizes = claims.map { $0.map { $0 ?? 0 } }
      let family = claims.indices.filter { index in claims[index].count { $0 != nil } >= 6 }
      func statistic(_ claim: Int, _ signs: Int) -> Double {
        let sum = sizes[claim].enumerated().reduce(0) { $0 + (signs >> $1.offset & 1 == 1 ? -$1.element : $1.element) }
        return abs(sum) / sizes[claim].reduce(0) { $0 + $1 * $1 }.squareRoot()
      }
      let found = try adjusted(claims)
      for claim in claims.indices where !family.contains(claim) { #expect(found[claim] == nil) }
      for claim in family {
        // The largest of the shares of all claims that are at least as extreme as this one.
        let shares = family.filter { statistic($0, 0) >= statistic(claim, 0) - 1e-9 }.map { limit in
          let rest = family.filter { statistic($0, 0) <= statistic(limit, 0) + 1e-9 }
          let reached = (0..<256).count { signs in
            rest.contains { statistic($0, signs) >= statistic(limit, 0) - 1e-9 }
          }
          return Double(reached) / 256
        }
        #expect(found[claim] == shares.max())
      }
    }
  }
}

extension StepDownMaxTTests {
  @Test("A single claim has the p-value of Fisher's test of pairs")
  func single() throws {
    var generator = SplitMix64(seed: 5)
    for round in 0..<60 {
      let claim = randomClaims(1, rounds: 6 + round % 6, using: &generator)
      let values = claim[0].compactMap(\.self)
      #expect(try adjusted(claim) == [values.count >= 6 ? pairTest(values) : nil])
    }
    // If the values are the ranks of their sizes, it is the signed-rank test.
    let ranks = (1...9).map { (rank: Int) -> Double in rank % 4 == 0 ? -Double(rank) : Double(rank) }
    #expect(try adjusted([ranks]) == [rankTest(ranks)])
  }

  /// The share of all signs for which the sum is at least as far from zero.
  private func pairTest(_ values: [Double]) -> Double {
    let observed = abs(values.reduce(0, +))
    let all = 1 << values.count
    let reached = (0..<all).count { signs in
      abs(values.enumerated().reduce(0) { $0 + (signs >> $1.offset & 1 == 1 ? -$1.element : $1.element) }) >= observed
    }
    return Double(reached) / Double(all)
  }

  @Test("Signs determine the side; scale and order do not matter; a further claim lowers no p-value")
  func properties() throws {
    var generator = SplitMix64(seed: 6)
    for _ in 0..<30 {
      let claims = randomClaims(5, rounds: 9, using: &generator)
      let test = try #require(StepDownMaxT(claims))
      let turned = try #require(StepDownMaxT(claims.map { $0.map { $0.map(-) } }))
      let opposite: [StepDownMaxT.Side: StepDownMaxT.Side] = [.above: .below, .below: .above]
      #expect(turned.claims.map { $0?.adjustedP } == test.claims.map { $0?.adjustedP })
      #expect(turned.claims.map { $0?.side } == test.claims.map { $0?.side.flatMap { opposite[$0] } })
      let scaled = claims.enumerated().map { index, claim in claim.map { $0.map { $0 * pow(3, Double(index - 2)) } } }
      #expect(StepDownMaxT(scaled) == test)
      let order = [3, 0, 4, 1, 2]
      #expect(StepDownMaxT(order.map { claims[$0] })?.claims == order.map { test.claims[$0] })
      let rounds = (0..<9).shuffled(using: &generator)
      #expect(StepDownMaxT(claims.map { claim in rounds.map { claim[$0] } }) == test)
      let fewer = try adjusted(Array(claims.prefix(4)))
      for (claim, (alone, whole)) in zip(claims, zip(fewer, test.claims)) {
        guard let alone, let whole else { continue }
        #expect(whole.adjustedP >= alone)
        #expect(try whole.adjustedP >= #require(adjusted([claim])[0]))
      }
    }
  }

  @Test("Duplicate claims cost nothing")
  func copies() throws {
    let claim = Self.family[0]
    let copies = [claim, claim.map { $0.map { $0 * 2 } }, claim.map { $0.map(-) }]
    #expect(try vectors(copies) == [4, 4, 4])
  }
}

extension StepDownMaxTTests {
  @Test("Statistics that differ only by rounding are equal")
  func rounding() throws {
    // Both are the root of 8. Each has 4 + 4 of 1,024 vectors that reach it; they share 2.
    let ones = [Double?](repeating: 1, count: 8)
    #expect(try vectors([ones + [nil, nil], [nil, 0] + ones]) == [14, 14])
  }

  @Test("Rounds without information do not count against the draws")
  func emptyRounds() throws {
    let nothing = [Double?](repeating: nil, count: 10)
    let test = try #require(StepDownMaxT([[1, 2, 3, 4, 5, 6] + nothing, [1, -1, 1, 1, 2, 0] + nothing]))
    #expect(test.isExact && test.claims[0]?.adjustedP == 1 / 32)
  }

  @Test("With more orders than draws, a seeded sample is near the exact p-values, and the same each time")
  func sampled() throws {
    var generator = SplitMix64(seed: 8)
    let claims = randomClaims(6, rounds: 13, using: &generator)
    let exact = try #require(StepDownMaxT(claims))
    let sample = try #require(StepDownMaxT(claims, draws: 4095, seed: 1))
    #expect(exact.isExact && !sample.isExact)
    #expect(StepDownMaxT(claims, draws: 4096, seed: 1) == exact)
    #expect(StepDownMaxT(claims, draws: 4095, seed: 1) == sample)
    #expect(StepDownMaxT(claims, draws: 4095, seed: 2) != sample)
    for (found, known) in zip(sample.claims, exact.claims) {
      guard let found, let known else { continue }
      let deviation = (known.adjustedP * (1 - known.adjustedP) / 4095).squareRoot()
      #expect(abs(found.adjustedP - known.adjustedP) <= 4 * deviation + 1 / 4096)
      #expect(found.side == known.side)
    }
    // More rounds than a number has bits, with the smallest p-value.
    let many = (0..<70).map { Double($0 + 1) }
    #expect(try #require(StepDownMaxT([many], draws: 99)).claims[0]?.adjustedP == 1 / 100)
    let mixed = (0..<70).map { (index: Int) -> Double in index % 5 < 3 ? Double(index + 1) : -Double(index + 1) }
    let p = try rankTest(mixed)
    #expect(abs(try #require(adjustedOfSample(mixed)) - p) < 4 * (p * (1 - p) / 9999).squareRoot() + 1e-4)
  }

  private func adjustedOfSample(_ claim: [Double]) -> Double? { StepDownMaxT([claim])?.claims[0]?.adjustedP }

  /// The two-sided p-value of the signed-rank test.
  private func rankTest(_ values: [Double]) throws -> Double {
    let test = try #require(SignedRankTest(values))
    return min(1, 2 * min(test.pAbove, test.pBelow))
  }
}

extension StepDownMaxTTests {
  @Test("No claims, claims of only zeros and invalid claims are handled")
  func edges() throws {
    #expect(try #require(StepDownMaxT([])).claims.isEmpty && StepDownMaxT([[], []])?.claims == [nil, nil])
    let zeros = try #require(StepDownMaxT([Array(repeating: 0, count: 7), Self.family[0].dropLast(3)]))
    #expect(zeros.claims[0] == .init(rounds: 7, side: nil, adjustedP: 1))
    #expect(zeros.claims[0]?.isCertain(level: 1) == false && zeros.claims[1]?.adjustedP == 4 / 128)
    #expect(StepDownMaxT([[1, 2], [1]]) == nil && StepDownMaxT([[1, .nan]]) == nil)
    #expect(StepDownMaxT([[1, 2]], draws: 0) == nil)
  }

  private static let trials = ProcessInfo.processInfo.environment["BATCHMARK_TEST_ALL"] == "1" ? 5000 : 400

  /// Heavy tails: a normal number that is ten times as large in one of ten cases.
  private func heavy(_ generator: inout SplitMix64) -> Double {
    generator.nextNormal() * (generator.next(below: 10) == 0 ? 10 : 1)
  }

  @Test("Ten false claims that share a reference, with heavy tails: a false family in 5 % at most")
  func falseFamilies() throws {
    var generator = SplitMix64(seed: 707)
    let alarms = try (0..<Self.trials).count { _ in
      let reference = (0..<10).map { _ in heavy(&generator) }
      let claims = (0..<10).map { _ in reference.map { $0 + heavy(&generator) } }
      return try #require(StepDownMaxT(claims)).claims.contains { $0?.isCertain() ?? false }
    }
    #expect(alarms <= upperLimit(trials: Self.trials, rate: 0.05), "\(alarms) of \(Self.trials)")
    // It uses its whole level; a test of each claim at 0.5 % would not.
    #expect(alarms >= lowerLimit(trials: Self.trials, rate: 0.03), "\(alarms) of \(Self.trials)")
  }

  @Test("Testing each claim at 5 % fails: the simulation detects false families")
  func unadjusted() throws {
    var generator = SplitMix64(seed: 707)
    let alarms = try (0..<Self.trials).count { _ in
      let reference = (0..<10).map { _ in heavy(&generator) }
      let claims = (0..<10).map { _ in reference.map { $0 + heavy(&generator) } }
      return try claims.contains { try rankTest($0) <= 0.05 }
    }
    #expect(alarms > upperLimit(trials: Self.trials, rate: 0.05))
  }

  @Test("One true effect of 5 % among ten claims, with noise of 2 %, is found in ten rounds")
  func power() throws {
    var generator = SplitMix64(seed: 808)
    let effect = naturalLogarithm(1.05)
    let found = try (0..<Self.trials).count { _ in
      let claims = (0..<10).map { claim in
        (0..<10).map { _ in (claim == 4 ? effect : 0) + 0.02 * generator.nextNormal() }
      }
      let claim = try #require(StepDownMaxT(claims)?.claims[4])
      return claim.isCertain() && claim.side == .above
    }
    // NumPy: 1,997 of 2,000.
    #expect(found >= lowerLimit(trials: Self.trials, rate: 0.998), "\(found) of \(Self.trials)")
  }
}
