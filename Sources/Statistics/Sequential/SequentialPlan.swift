// Compares two sides by pairs with several looks on the way. It stops when it can decide, and the probability of a
// wrong decision is bounded over all looks together.

/// A paired comparison with predefined looks, on dᵢ = ln(Bᵢ/Aᵢ), where larger is worse (``pairedLogRatios(_:to:)``).
///
/// Let θ be the shift of the differences, δ = ln(1 + margin) and δ₀ = ln(1 + dead zone). Look k can show four things:
///
/// * *slower*: "θ ≤ δ₀" is rejected at α_k; *faster*, its mirror image: "θ ≥ −δ₀" is rejected at α_k. By the
///   signed-rank test: if nothing changed, a random order of the sides makes differences symmetric about zero, so the
///   test is exact without an assumption about the noise. It also detects stalls of one side, which the median does not.
/// * *not slower by the margin*: "θ ≥ δ" is rejected at β_k; *not faster by the margin*, its mirror image. This
///   requires both the signed-rank test and the sign test. Away from zero, the signed-rank test assumes that the noise
///   of both sides has the same shape, which the sign test does not; but the sign test alone would pass a side that is
///   as fast as before in most runs and stalls in the others. The error is bounded by β if either test is valid.
///
/// ``SequentialOutcome`` lists the conclusions. Swapping the sides mirrors every verdict exactly.
///
/// The levels are spent over the looks n₁ < … < n_K in proportion to the growth of (n/n_K)^1.5: α_k = α((n_k/n_K)^1.5 −
/// (n_{k−1}/n_K)^1.5), and likewise for β_k. Their sums are α and β. So by Boole's inequality, whatever the dependence
/// between looks, a side that is not slower is called slower with a probability of at most α, and a side that is slower
/// by the margin is called unchanged with a probability of at most β. This is a spending function as in Lan and DeMets,
/// "Discrete sequential boundaries for clinical trials", Biometrika 70 (1983), with Bonferroni's sum instead of their
/// integral.
package struct SequentialPlan: Sendable, Hashable {
  /// A point at which the pairs so far are judged.
  package struct Look: Sendable, Hashable {
    /// The number of pairs by then.
    package let pairs: Int
    /// The level at which a change is shown.
    package let alpha: Double
    /// The level at which a change as large as the margin is ruled out.
    package let beta: Double
  }

  package let looks: [Look]
  /// The change that matters: 0.05 is 5 % slower, and faster by the same factor.
  package let margin: Double
  /// The change that does not count, because the layout of an executable can cause it: 0.01 is 1 %.
  package let deadZone: Double
  /// The upper bound of the probability of a false alarm, on each side.
  package let alpha: Double
  /// The upper bound of the probability that a change as large as the margin is ruled out.
  package let beta: Double

  /// The numbers of pairs at which the default plan looks.
  package static let defaultLooks = [12, 18, 27, 40, 60, 90]

  /// The numbers of pairs at which a plan for a margin looks.
  ///
  /// Below 5 % it continues to 400, because the pairs that a change needs grow with the inverse square of its size.
  package static func looks(forMargin margin: Double) -> [Int] {
    margin < 0.05 ? defaultLooks + [135, 200, 300, 400] : defaultLooks
  }

  /// A plan; the defaults are for run times on a shared machine.
  ///
  /// The result is `nil` if a number is out of range, or if no look has enough pairs to show a change at its level (2⁻ⁿ
  /// ≤ α_k), so that the plan could never raise an alarm.
  ///
  /// - Parameters:
  ///   - looks: Increasing numbers of pairs.
  ///   - margin: Above the dead zone.
  ///   - deadZone: 0 or above.
  ///   - alpha: The maximum probability of a false alarm, between 0 and 1.
  ///   - beta: The maximum probability of a wrong all-clear, between 0 and 1.
  package init?(
    looks: [Int] = defaultLooks, margin: Double = 0.05, deadZone: Double = 0.01, alpha: Double = 0.01,
    beta: Double = 0.05
  ) {
    guard let first = looks.first, let last = looks.last, first > 0, zip(looks, looks.dropFirst()).allSatisfy(<),
      deadZone >= 0, margin > deadZone, margin.isFinite, alpha > 0, alpha < 1, beta > 0, beta < 1
    else { return nil }
    var spent = 0.0
    self.looks = looks.map { pairs in
      let share = Double(pairs) / Double(last)
      let spentBefore = spent
      spent = share * share.squareRoot()
      return Look(pairs: pairs, alpha: alpha * (spent - spentBefore), beta: beta * (spent - spentBefore))
    }
    self.margin = margin
    self.deadZone = deadZone
    self.alpha = alpha
    self.beta = beta
    guard firstDecisiveLook != nil else { return nil }
  }

  /// The first look that can show a change: its α is at least 2⁻ⁿ, the p-value if every pair leans to one side.
  package var firstDecisiveLook: Look? {
    looks.first { Double(sign: .plus, exponent: -$0.pairs, significand: 1) <= $0.alpha }
  }

  /// The decision from the differences so far: a verdict, or the number of pairs for the next look.
  ///
  /// It repeats every look from the beginning, so that stored differences give the same verdict as when they were
  /// measured. Differences after the deciding look are ignored. The order of pairs within one look does not matter.
  ///
  /// - Parameter differences: ``pairedLogRatios(_:to:)`` in the order in which the pairs were taken, without discarded
  ///   ones.
  /// - Returns: The step; `nil` if a difference is not finite.
  package func step(on differences: [Double]) -> SequentialStep? {
    guard differences.allSatisfy(\.isFinite) else { return nil }
    for (index, look) in looks.enumerated() {
      guard look.pairs <= differences.count else { return .goOn(pairs: look.pairs) }
      let seen = Array(differences.prefix(look.pairs))
      guard let evidence = evidence(in: seen, at: look) else { return nil }
      let isLastLook = index == looks.count - 1
      if isLastLook || evidence.outcome(isLastLook: false) != .inconclusive {
        let outcome = evidence.outcome(isLastLook: isLastLook)
        return SequentialVerdict(outcome: outcome, look: look, differences: seen).map { .decided($0) }
      }
    }
    return nil
  }

  /// The verdict if there will be no more differences, for example because the time is up.
  ///
  /// - Returns: The verdict of the deciding look, or else that of the last look that was reached, which is then
  ///   inconclusive. It is `nil` if there are too few pairs even for the first look, or a difference is not finite.
  package func verdict(endingWith differences: [Double]) -> SequentialVerdict? {
    guard let step = step(on: differences) else { return nil }
    if case .decided(let verdict) = step { return verdict }
    guard let look = looks.last(where: { $0.pairs <= differences.count }) else { return nil }
    return SequentialVerdict(outcome: .inconclusive, look: look, differences: Array(differences.prefix(look.pairs)))
  }

  /// The evidence of one look.
  func evidence(in seen: [Double], at look: Look) -> SequentialEvidence? {
    let dead = naturalLogarithm(1 + deadZone)
    let matters = naturalLogarithm(1 + margin)
    guard let slower = ShiftEvidence(seen, .above, dead, level: look.alpha, needsSignTest: false),
      let faster = ShiftEvidence(seen, .below, -dead, level: look.alpha, needsSignTest: false),
      let notSlower = ShiftEvidence(seen, .below, matters, level: look.beta, needsSignTest: true),
      let notFaster = ShiftEvidence(seen, .above, -matters, level: look.beta, needsSignTest: true)
    else { return nil }
    return SequentialEvidence(slower: slower, faster: faster, notSlower: notSlower, notFaster: notFaster)
  }
}

/// The decision of a plan after the pairs so far.
package enum SequentialStep: Sendable, Hashable {
  /// Undecided: take pairs until there are this many.
  case goOn(pairs: Int)
  case decided(SequentialVerdict)
}
