// Tests many claims from the same rounds so that the probability of even one false claim stays small.

/// Step-down max-T over the sign flips of whole rounds: adjusted p-values of a family of claims.
///
/// A claim is a row of log ratios, one for each round, and asserts that they are not centered at zero. Its statistic is
/// u = |Σ xᵢ| / √Σ xᵢ², where xᵢ is the ith log ratio. It is independent of scale, and monotonic in Student's t of the
/// same values. Each permutation draws one sign per round for all claims of that round, so that claims with a common
/// reference, cell or slow moment stay dependent. In descending order of u, a claim's p-value is the share of
/// permutations in which the greatest u of this claim and of all after it is at least its own. No claim gets a smaller
/// p-value than the claim before it. Westfall and Young, "Resampling-based multiple testing" (1993), algorithm 2.8;
/// Romano and Wolf, "Exact and approximate stepdown methods for multiple hypothesis testing", Journal of the American
/// Statistical Association 100 (2005).
///
/// It uses sizes instead of ranks. For n values with one sign, ranks give every claim the same z, which each of many
/// false claims reaches in two of 2ⁿ permutations. With 8 rounds, 12 such claims would hide all true ones, however
/// large these are. A true claim's values have similar sizes, those of a false one do not.
///
/// The claims at or below α include a false one with a probability of at most α, whichever of them are true, if the log
/// ratios of a round are jointly symmetric about zero for the false claims. A random order within the round makes each
/// claim symmetric, but not all of them jointly: a stall of the reference pulls all its claims to one side.
/// Documentation/Validation.md has simulations of this. Do not choose a family by the values that it is tested with: to
/// claim something about the fastest of several cells, test every pair of them.
///
/// With one claim, the p-value is that of Fisher's permutation test for pairs.
package struct StepDownMaxT: Sendable, Hashable {
  /// The side of zero on which a claim's log ratios lie.
  package enum Side: Sendable, Hashable { case above, below }

  /// The result of the family for one claim.
  package struct Claim: Sendable, Hashable {
    /// The number of rounds with a log ratio of the claim.
    package let rounds: Int
    /// The sign of the mean; `nil` if it is zero.
    package let side: Side?
    /// Two-sided, adjusted for the family.
    package let adjustedP: Double

    /// Whether the claim is accepted if the probability of any false claim in the family may be at most `level`.
    package func isCertain(level: Double = 0.05) -> Bool { side != nil && adjustedP <= level }
  }

  /// The minimum number of rounds of a claim: with five, the smallest two-sided p-value is 2/2⁵ = 0.0625.
  package static let leastRounds = 6

  /// In the same order; `nil` for a claim with fewer than ``leastRounds`` rounds.
  package let claims: [Claim?]
  /// Whether all sign flips were counted, instead of a sample.
  package let isExact: Bool

  /// Tests the claims together; `nil` if their numbers of rounds differ, a log ratio is not finite, or `draws` is not
  /// above 0.
  ///
  /// O(min(2ⁿ⁻¹, n · draws) · claims), where n is the number of rounds.
  ///
  /// - Parameters:
  ///   - claims: For each claim its log ratios by round, `nil` for a round without one.
  ///   - draws: How many sign flips to sample if there are more. A p-value is then (b + 1) / (draws + 1), where b flips
  ///     reach the statistic (Phipson and Smyth, "Permutation p-values should never be zero", Statistical Applications
  ///     in Genetics and Molecular Biology 9, 2010), and depends on the order of the rounds and on the seed: near 0.05,
  ///     by ±0.004. With the default, up to 14 rounds are exact.
  ///   - seed: The seed of the sample.
  package init?(_ claims: [[Double?]], draws: Int = 9_999, seed: UInt64 = 0) {
    let rounds = claims.first?.count ?? 0
    guard draws > 0, claims.allSatisfy({ $0.count == rounds && $0.allSatisfy { $0?.isFinite ?? true } }) else {
      return nil
    }
    let statistics = claims.map(RoundSigns.init)
    // Ascending, so that the greatest statistic of a claim and all below it is a running maximum.
    let family = statistics.indices.filter { statistics[$0].count >= Self.leastRounds }
      .sorted { statistics[$0].observed < statistics[$1].observed }
    var flips = SignFlips(family.map { statistics[$0] })
    isExact = flips.count(upTo: draws)
    if !isExact { flips.sample(draws, seed: seed) }
    var verdicts = [Claim?](repeating: nil, count: claims.count)
    var greatest = 0.0
    for (position, index) in family.enumerated().reversed() {
      greatest = max(greatest, flips.share(reaching: position))
      verdicts[index] = Claim(rounds: statistics[index].count, side: statistics[index].side, adjustedP: greatest)
    }
    self.claims = verdicts
  }
}
