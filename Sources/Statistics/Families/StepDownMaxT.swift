// Many claims from the same rounds: which of them hold when the chance of even one false claim has to stay small.

/// Step-down max-T over the sign flips of whole rounds: adjusted p-values of a family of claims.
///
/// A claim is a row of log ratios, one for each round, and says that they do not lie around zero. Its statistic is
/// u = |Σ xᵢ| / √Σ xᵢ², with xᵢ the ith log ratio: it is independent of scale, and grows and falls with Student's t of the
/// same values. Each permutation draws one sign a round and gives it to all claims of that round, so that claims that share
/// a reference, a cell or a slow moment stay as dependent as they are. In descending order of u, a claim's p-value is the
/// share of permutations in which the greatest u of this claim and of all after it is at least its own; no claim gets a
/// smaller one than the claim before it. Westfall and Young, "Resampling-based multiple testing" (1993), algorithm 2.8;
/// Romano and Wolf, "Exact and approximate stepdown methods for multiple hypothesis testing", Journal of the American
/// Statistical Association 100 (2005).
///
/// Sizes and not ranks: of n values with one sign the ranks give every claim one and the same z, which each of many false
/// claims reaches in two of 2ⁿ permutations. With 8 rounds, 12 such claims hide all true ones, however large these are. The
/// sizes of a true claim's values are alike, and those of a false one are not.
///
/// The claims at or below α together contain a false one with a probability of at most α, whichever of them are true, when the
/// log ratios of a round are jointly symmetric about zero for the claims that are false. A random order within the round
/// makes each claim symmetric by itself, but not all together: a reference that stalls pulls all its claims to one side.
/// Documentation/Validation.md has simulations of that. Do not choose a family by the values that it is tested with: to
/// claim something about the fastest of several cells, test every pair of them.
///
/// With one claim, the p-value is that of Fisher's permutation test for pairs.
package struct StepDownMaxT: Sendable, Hashable {
  /// The side of zero on which a claim's log ratios lie.
  package enum Side: Sendable, Hashable { case above, below }

  /// The result of the family for one claim.
  package struct Claim: Sendable, Hashable {
    /// Rounds in which the claim has a log ratio.
    package let rounds: Int
    /// The sign of the mean; nil when it is zero.
    package let side: Side?
    /// Two-sided, adjusted for the family.
    package let adjustedP: Double

    /// Whether the claim is accepted if the probability of any false claim in the family may be at most `level`.
    package func isCertain(level: Double = 0.05) -> Bool { side != nil && adjustedP <= level }
  }

  /// Rounds a claim needs to enter the family: with five, the least two-sided p-value is 2/2⁵ = 0.0625.
  package static let leastRounds = 6

  /// In the order given; nil for a claim of fewer than ``leastRounds`` rounds.
  package let claims: [Claim?]
  /// Whether all sign flips were counted, not a sample.
  package let isExact: Bool

  /// Tests the claims together; nil when their numbers of rounds differ, a log ratio is not finite, or `draws` is not above 0.
  ///
  /// O(min(2ⁿ⁻¹, n · draws) · claims), n being the number of rounds.
  ///
  /// - Parameters:
  ///   - claims: For each claim its log ratios by round, nil where a round has none.
  ///   - draws: How many sign flips to sample when there are more than that. A p-value is then (b + 1) / (draws + 1), b being
  ///     how many reach the statistic (Phipson and Smyth, "Permutation p-values should never be zero", Statistical
  ///     Applications in Genetics and Molecular Biology 9, 2010), and depends on the order of the rounds as on the seed:
  ///     near 0.05, by ±0.004. By the default, up to 14 rounds are exact.
  ///   - seed: Of the sample.
  package init?(_ claims: [[Double?]], draws: Int = 9_999, seed: UInt64 = 0) {
    let rounds = claims.first?.count ?? 0
    guard draws > 0, claims.allSatisfy({ $0.count == rounds && $0.allSatisfy { $0?.isFinite ?? true } }) else {
      return nil
    }
    let statistics = claims.map(RoundSigns.init)
    // Ascending, so that the greatest of a claim and all below it is a running maximum.
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
