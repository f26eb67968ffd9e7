// The comparison of two sides by pairs, looked at several times on the way: it stops when it can decide, and the
// probability of a wrong word stays bounded over all looks together.

/// A paired comparison with looks fixed beforehand, on dᵢ = ln(Bᵢ/Aᵢ) where larger is worse (``pairedLogRatios(_:to:)``).
///
/// With θ the shift of the differences, δ = ln(1 + margin) and δ₀ = ln(1 + dead zone), four things can be shown at look k:
///
/// * *slower*: "θ ≤ δ₀" is rejected at α_k; *faster*, its mirror image: "θ ≥ −δ₀" is rejected at α_k. By the signed-rank test:
///   if nothing changed, a random order of the sides makes differences symmetric about zero, so that it is exact without an
///   assumption about the noise; and it sees stalls of one side that the median does not.
/// * *not slower by the margin*: "θ ≥ δ" is rejected at β_k; *not faster by the margin*, its mirror image. By the signed-rank
///   test and the sign test, both: away from zero the signed-rank test takes the noise of both sides to have one shape, which the sign
///   test does not, while the sign test alone would let pass a side that is as fast as ever in most runs and stalls in
///   the others. The error is bounded by β when either holds.
///
/// ``SequentialOutcome`` says what follows from them. Swapping the sides mirrors every verdict exactly.
///
/// The levels are spent over the looks n₁ < … < n_K in proportion to the growth of (n/n_K)^1.5: α_k = α((n_k/n_K)^1.5 −
/// (n_{k−1}/n_K)^1.5), and β_k alike. Their sums are α and β, so by Boole's inequality, whatever the dependence between looks,
/// a side that is not slower is called slower with a probability of at most α, and one that is slower by the margin is
/// called unchanged with one of at most β. A spending function as in Lan and DeMets, "Discrete sequential boundaries for
/// clinical trials", Biometrika 70 (1983), with Bonferroni's sum instead of their integral.
package struct SequentialPlan: Sendable, Hashable {
  /// A point at which the pairs so far are judged.
  package struct Look: Sendable, Hashable {
    /// Pairs taken by then.
    package let pairs: Int
    /// The level at which a change is shown.
    package let alpha: Double
    /// The level at which a change as large as the margin is ruled out.
    package let beta: Double
  }

  package let looks: [Look]
  /// The change that matters: 0.05 is 5 % slower, and faster by the same factor.
  package let margin: Double
  /// The change that does not count, such as the layout of an executable can bring about: 0.01 is 1 %.
  package let deadZone: Double
  /// The bound of the probability of a false alarm, on each side.
  package let alpha: Double
  /// The bound of the probability that a change as large as the margin is ruled out.
  package let beta: Double

  /// The pairs at which the default plan looks.
  package static let defaultLooks = [12, 18, 27, 40, 60, 90]

  /// The pairs at which a plan for a margin looks: below 5 % it continues to 400, since the pairs that a change needs grow
  /// with the square of its inverse.
  package static func looks(forMargin margin: Double) -> [Int] {
    margin < 0.05 ? defaultLooks + [135, 200, 300, 400] : defaultLooks
  }

  /// A plan; the defaults are for run times on a shared machine.
  ///
  /// nil when a number is out of its range, or no look has the pairs to show a change at its level (2⁻ⁿ ≤ α_k), so that the
  /// plan could never raise an alarm.
  ///
  /// - Parameters:
  ///   - looks: Numbers of pairs, increasing.
  ///   - margin: Above the dead zone.
  ///   - deadZone: 0 or above.
  ///   - alpha: The probability of a false alarm to stay within, between 0 and 1.
  ///   - beta: The probability of a wrong all-clear to stay within, between 0 and 1.
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

  /// The first look that can show a change: if every pair leans to one side, 2⁻ⁿ is at most its α.
  package var firstDecisiveLook: Look? {
    looks.first { Double(sign: .plus, exponent: -$0.pairs, significand: 1) <= $0.alpha }
  }

  /// What the differences so far say: a verdict, or how many pairs there must be for the next look.
  ///
  /// Every look is taken again from the beginning, so that stored differences give the verdict they gave when they were
  /// taken; those after the look that decided are not used. The order within the pairs of one look changes nothing.
  ///
  /// - Parameter differences: ``pairedLogRatios(_:to:)`` in the order in which the pairs were taken, those set aside left out.
  /// - Returns: nil when a difference is not finite.
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

  /// The verdict if no more differences will come, such as when the time is up.
  ///
  /// - Returns: The verdict of the look that decides, else that of the last look that was reached, which is then
  ///   inconclusive. nil when there are not even the pairs for the first look, or a difference is not finite.
  package func verdict(endingWith differences: [Double]) -> SequentialVerdict? {
    guard let step = step(on: differences) else { return nil }
    if case .decided(let verdict) = step { return verdict }
    guard let look = looks.last(where: { $0.pairs <= differences.count }) else { return nil }
    return SequentialVerdict(outcome: .inconclusive, look: look, differences: Array(differences.prefix(look.pairs)))
  }

  /// What the differences of one look show.
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
