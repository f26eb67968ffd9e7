// The sequential plan: its levels, its outcome for each kind of sample, and changes that must not affect a verdict.
import MissionTags
import Support
import Testing

@testable import Statistics

@Suite("A7 · the sequential plan", .tags(.a2, .a7))
struct SequentialPlanTests {
  let plan: SequentialPlan

  init() throws { plan = try #require(SequentialPlan()) }

  @Test("Levels are spent over the looks, and add up to 1 % and 5 %")
  func levels() {
    // 0.01 * ((n/90)**1.5 - (m/90)**1.5) in Python.
    let known = [
      0.00048686449556014765, 0.0004075626954397684, 0.0007487404815155821, 0.0013197952904474648,
      0.0024803475765552106, 0.004556689460481826,
    ]
    #expect(plan.looks.map(\.pairs) == [12, 18, 27, 40, 60, 90])
    #expect(zip(plan.looks, known).allSatisfy { isClose($0.alpha, $1) && isClose($0.beta, 5 * $1) })
    #expect(isClose(plan.looks.reduce(0) { $0 + $1.alpha }, 0.01))
    #expect(isClose(plan.looks.reduce(0) { $0 + $1.beta }, 0.05))
    #expect(plan.firstDecisiveLook?.pairs == 12)
  }

  @Test("A p-value equal to the level is enough")
  func exactLevel() throws {
    let plan = try #require(SequentialPlan(looks: [7], alpha: 0x1p-7, beta: 0.5))
    let slower = (0..<7).map { 0.1 + Double($0) * 0.01 }
    #expect(plan.looks[0].alpha == 0x1p-7)
    #expect(plan.verdict(endingWith: slower)?.outcome == .regression)
    #expect(plan.verdict(endingWith: slower.map(-))?.outcome == .improved)
    // One of seven is below: 2 / 128.
    #expect(plan.verdict(endingWith: [0.005] + slower.dropFirst())?.outcome == .notFaster)
  }

  @Test("A plan that could never raise an alarm, or has numbers out of range, is refused")
  func refused() {
    #expect(SequentialPlan(looks: []) == nil && SequentialPlan(looks: [12, 12]) == nil)
    #expect(SequentialPlan(looks: [18, 12]) == nil && SequentialPlan(looks: [0, 12]) == nil)
    #expect(SequentialPlan(looks: [6]) == nil && SequentialPlan(looks: [7]) != nil)
    #expect(SequentialPlan(looks: [4, 8])?.firstDecisiveLook?.pairs == 8)
    #expect(SequentialPlan(margin: 0.01, deadZone: 0.01) == nil && SequentialPlan(margin: 0.05, deadZone: -0.01) == nil)
    #expect(SequentialPlan(margin: 0.01, deadZone: 0) != nil)
    for bad in [0, 1, -1, .nan] { #expect(SequentialPlan(alpha: bad) == nil && SequentialPlan(beta: bad) == nil) }
    #expect(SequentialPlan(margin: .infinity) == nil && SequentialPlan(margin: .nan) == nil)
  }

  /// Differences spread evenly around a middle, in an order that gives every prefix the same spread.
  private func differences(_ middle: Double, spread: Double = 0.004, count: Int = 90) -> [Double] {
    (0..<count).map { pair -> Double in
      let place = Double(pair * 37 % 101) - 50
      return middle + spread * place / 50
    }
  }

  private func verdict(_ differences: [Double]) throws -> SequentialVerdict {
    guard case .decided(let verdict) = try #require(plan.step(on: differences)) else {
      Issue.record("No verdict on \(differences.count) differences")
      throw NoVerdict()
    }
    return verdict
  }

  private struct NoVerdict: Error {}

  /// The p-values of the deciding look.
  private func evidence(_ differences: [Double]) throws -> SequentialEvidence {
    let look = try verdict(differences).look
    return try #require(plan.evidence(in: Array(differences.prefix(look.pairs)), at: look))
  }

  @Test("A clear difference is found at the first look that can show it")
  func outcomes() throws {
    let slow = try verdict(differences(0.08))
    #expect(slow.outcome == .regression && slow.pairs == 12)
    let shown = try evidence(differences(0.08))
    #expect(shown.slower.pSignedRank == 0x1p-12 && isClose(shown.slower.pSign, 0x1p-12))
    #expect(shown.slower.isShown && !shown.faster.isShown && !shown.notSlower.isShown)
    #expect(slow.outcome.isSlower && !slow.outcome.rulesOutSlowdown)
    #expect(abs(slow.effect - 0.08) < 0.002)
    let interval = try #require(slow.interval)
    #expect(interval.contains(0.08) && interval.lowerBound > 0.07)

    #expect(try verdict(differences(0.03)).outcome == .smallRegression)
    #expect(try verdict(differences(0.001)).outcome == .pass)
    #expect(try verdict(differences(0)).pairs == 12)
    #expect(try verdict(differences(-0.03)).outcome == .smallImprovement)
    #expect(try verdict(differences(-0.08)).outcome == .improved)
  }
}

extension SequentialPlanTests {
  @Test("Noise that is too large for 90 pairs is inconclusive, and the smallest visible change is reported")
  func inconclusive() throws {
    let values = differences(0.02, spread: 0.5)
    let noisy = try verdict(values)
    #expect(noisy.outcome == .inconclusive && noisy.pairs == 90)
    let spread = try #require(robustStandardDeviation(values))
    #expect(isClose(noisy.detectable, 4 * spread / 90.0.squareRoot()))
    #expect(noisy.detectable > 0.05 && !noisy.outcome.rulesOutSlowdown)
  }

  @Test("If only a slow-down can be ruled out, the last look reports it, and it passes as a gate")
  func oneSided() throws {
    let faster = try verdict(differences(-0.045, spread: 0.25))
    #expect(faster.outcome == .notSlower && faster.pairs == 90 && faster.outcome.rulesOutSlowdown)
    let slower = try verdict(differences(-0.045, spread: 0.25).map(-))
    #expect(slower.outcome == .notFaster && !slower.outcome.rulesOutSlowdown)
  }

  @Test("A side that is unchanged in most runs and stalls in the others does not pass")
  func stalls() throws {
    // Every third pair is 40 % slower: the median does not change, and the sign test alone would pass.
    let stalling = (0..<90).map { pair -> Double in
      let spread = Double(pair * 37 % 101 - 50) / 25_000
      return pair.isMultiple(of: 3) ? spread + 0.34 : spread
    }
    let stalled = try verdict(stalling)
    #expect(stalled.outcome == .notFaster && !stalled.outcome.rulesOutSlowdown)
    let notSlower = try evidence(stalling).notSlower
    #expect(notSlower.pSign <= notSlower.level && !notSlower.isShown)
  }

  @Test("A side that is slower by the margin in most runs does not pass, however fast it is in the others")
  func typicalRun() throws {
    // Five of nine pairs are 5 % slower and four are 2 to 4 % faster: the signed-rank test alone would pass.
    let mixed = (0..<90).map { pair -> Double in
      let slower = 0.0495 + Double(pair) * 1e-5
      let faster = -0.02 - Double(pair * 37 % 101) * 2e-4
      return (pair % 9).isMultiple(of: 2) ? slower : faster
    }
    let told = try verdict(mixed)
    #expect(told.outcome == .notFaster && told.pairs == 90)
    let notSlower = try evidence(mixed).notSlower
    #expect(notSlower.pSignedRank <= notSlower.level && !notSlower.isShown)
  }
}

extension SequentialPlanTests {
  @Test("The plan requests the pairs of the next look until it can decide")
  func goingOn() throws {
    let noisy = differences(0.02, spread: 0.5)
    #expect(plan.step(on: []) == .goOn(pairs: 12) && plan.step(on: Array(noisy.prefix(11))) == .goOn(pairs: 12))
    #expect(plan.step(on: Array(noisy.prefix(12))) == .goOn(pairs: 18))
    #expect(plan.step(on: Array(noisy.prefix(89))) == .goOn(pairs: 90))
    // Pairs after the deciding look change nothing.
    let clear = differences(0.08)
    #expect(plan.step(on: Array(clear.prefix(12))) == plan.step(on: clear))
    #expect(plan.step(on: [1, .nan]) == nil && plan.step(on: [.infinity]) == nil)
  }

  @Test("If the time is up, the last completed look counts")
  func ending() throws {
    let noisy = differences(0.02, spread: 0.5)
    #expect(plan.verdict(endingWith: Array(noisy.prefix(11))) == nil)
    let early = try #require(plan.verdict(endingWith: Array(noisy.prefix(35))))
    #expect(early.outcome == .inconclusive && early.pairs == 27)
    #expect(plan.verdict(endingWith: differences(0.08))?.outcome == .regression)
    #expect(plan.verdict(endingWith: [.nan]) == nil)
  }

  @Test("Equal times make every difference zero, and nothing has changed")
  func zeros() throws {
    let equal = try verdict(Array(repeating: 0, count: 12))
    #expect(equal.outcome == .pass && equal.effect == 0 && equal.interval == 0...0 && equal.detectable == 0)
  }

  @Test("Swapping the sides mirrors the verdict exactly, for every kind of noise", arguments: NoiseShape.allCases)
  func mirrored(shape: NoiseShape) throws {
    var generator = SplitMix64(seed: 17)
    var seen: Set<SequentialOutcome> = []
    for shift in stride(from: -0.08, through: 0.08, by: 0.02) {
      let differences = shape.differences(pairs: 90, shift: shift, using: &generator)
      let there = try verdict(differences)
      let back = try verdict(differences.map(-))
      seen.insert(there.outcome)
      #expect(back.outcome == there.outcome.mirrored && back.look == there.look)
      #expect(back.effect == -there.effect && back.detectable == there.detectable)
      #expect(back.interval?.lowerBound == there.interval.map { -$0.upperBound })
      let (shown, turned) = (try evidence(differences), try evidence(differences.map(-)))
      #expect(turned.faster.pSignedRank == shown.slower.pSignedRank && turned.slower.pSign == shown.faster.pSign)
      #expect(turned.notFaster.pSignedRank == shown.notSlower.pSignedRank)
      #expect(turned.notSlower.pSign == shown.notFaster.pSign)
    }
    #expect(seen.count >= 3)
  }
}

extension SequentialPlanTests {
  @Test("The order of the pairs within a look, and a common scale, change nothing")
  func invariance() throws {
    var generator = SplitMix64(seed: 23)
    for shift in [-0.05, 0, 0.02, 0.05] {
      let references = (0..<90).map { _ in 0.02 * exponential(generator.nextNormal() / 10) }
      let values = references.map { $0 * exponential(shift + 0.04 * generator.nextNormal()) }
      let differences = try #require(pairedLogRatios(values, to: references))
      let there = try verdict(differences)
      let scaled = try #require(pairedLogRatios(values.map { $0 * 1024 }, to: references.map { $0 * 1024 }))
      #expect(try verdict(scaled) == there)
      let bounds = [0] + plan.looks.map(\.pairs)
      let shuffled = zip(bounds, bounds.dropFirst()).flatMap { differences[$0..<$1].shuffled(using: &generator) }
      let other = try verdict(shuffled)
      let (shown, again) = (try evidence(differences), try evidence(shuffled))
      #expect(other == there && again == shown)
    }
  }

  @Test("The more a side is slowed down, the more certainly it is called slower", arguments: NoiseShape.allCases)
  func monotone(shape: NoiseShape) throws {
    var generator = SplitMix64(seed: 29)
    let differences = shape.differences(pairs: 90, shift: 0, using: &generator)
    var lastSlower = 1.0
    var lastNotSlower = 0.0
    for slowdown in stride(from: -0.06, through: 0.12, by: 0.005) {
      let slowed = differences.map { $0 + slowdown }
      let slower = try #require(SignedRankTest(slowed, shift: naturalLogarithm(1.01))).pAbove
      let notSlower = try #require(SignedRankTest(slowed, shift: naturalLogarithm(1.05))).pBelow
      #expect(slower <= lastSlower && notSlower >= lastNotSlower)
      lastSlower = slower
      lastNotSlower = notSlower
    }
    #expect(lastSlower < 0.01)
    #expect(try verdict(differences.map { $0 + 0.3 }).outcome == .regression)
  }

  @Test("The interval and the verdict agree: slower means above the dead zone altogether")
  func agreement() throws {
    var generator = SplitMix64(seed: 37)
    for round in 0..<60 {
      let differences = NoiseShape.laplace.differences(
        pairs: 90, shift: Double(round % 5) * 0.012, using: &generator)
      let verdict = try verdict(differences)
      let interval = try #require(verdict.interval)
      let shown = try evidence(differences)
      #expect(shown.slower.isShown == (interval.lowerBound > naturalLogarithm(1.01)))
      #expect(shown.faster.isShown == (interval.upperBound < -naturalLogarithm(1.01)))
    }
  }

  @Test("A change must be confirmed by fresh pairs on the same side; one that is small once counts as small")
  func confirmations() {
    #expect(confirmation(of: .regression, by: .regression) == .regression)
    #expect(confirmation(of: .regression, by: .smallRegression) == .smallRegression)
    #expect(confirmation(of: .smallRegression, by: .regression) == .smallRegression)
    #expect(confirmation(of: .regression, by: .pass) == .inconclusive)
    #expect(confirmation(of: .regression, by: .improved) == .inconclusive)
    #expect(confirmation(of: .pass, by: .regression) == .pass)
    for first in SequentialOutcome.allCases {
      #expect(first.mirrored.mirrored == first && first.isSlower == first.mirrored.isFaster)
      for fresh in SequentialOutcome.allCases {
        #expect(
          confirmation(of: first.mirrored, by: fresh.mirrored) == confirmation(of: first, by: fresh).mirrored)
      }
    }
  }
}

extension SequentialOutcome {
  /// The outcome when the sides are swapped.
  fileprivate var mirrored: SequentialOutcome {
    switch self {
    case .regression: .improved
    case .smallRegression: .smallImprovement
    case .smallImprovement: .smallRegression
    case .improved: .regression
    case .notSlower: .notFaster
    case .notFaster: .notSlower
    case .pass, .inconclusive: self
    }
  }
}
