// The sign flips of whole rounds behind the step-down test: all of them where they are few, else a seeded sample.

/// One claim's signed ranks by round, and its statistic.
struct RoundSigns {
  /// Rounds that have a value.
  let count: Int
  /// Doubled ranks with the signs of the values; 0 where the value is zero or missing.
  let ranks: [Int]
  let sum: Int
  /// 1 / √Σ rᵢ²; 0 when all ranks are.
  let scale: Double

  /// The size of z before any flip.
  var observed: Double { Double(abs(sum)) * scale }

  var side: StepDownMaxT.Side? { sum > 0 ? .above : sum < 0 ? .below : nil }

  /// Zeros keep their rank and count for neither side, as in ``SignedRankTest``.
  init(_ values: [Double?]) {
    let known = values.indices.filter { values[$0] != nil }
    var ranks = [Int](repeating: 0, count: values.count)
    if let signed = SignedRanks(values.compactMap(\.self), shift: 0)?.signed {
      for (index, rank) in zip(known, signed) { ranks[index] = rank }
    }
    let squares = ranks.reduce(0.0) { $0 + Double($1) * Double($1) }
    self.ranks = ranks
    count = known.count
    sum = ranks.reduce(0, +)
    scale = squares > 0 ? 1 / squares.squareRoot() : 0
  }
}

/// Counts in how many sign flips the greatest |z| of a claim and of those before it reaches the claim's own.
struct SignFlips {
  /// By round, each claim's rank as it stands now; rounds in which all are zero are left out.
  private var rounds: [[Int]]
  private var sums: [Int]
  private let scales: [Double]
  private let limits: [Double]
  private var reached: [Int]
  private var total = 0

  /// Claims in ascending order of their statistics; the signs as they are count as the first flip.
  init(_ claims: [RoundSigns]) {
    rounds = (0..<(claims.first?.ranks.count ?? 0)).map { round in claims.map { $0.ranks[round] } }
      .filter { $0.contains { $0 != 0 } }
    sums = claims.map(\.sum)
    scales = claims.map(\.scale)
    // Equal but for rounding is equal: claims with ties or gaps have scales of their own.
    limits = claims.map { $0.observed * (1 - 1e-12) }
    reached = [Int](repeating: 0, count: claims.count)
    tally()
  }

  /// Counts all flips if there are at most `limit`, and returns whether.
  ///
  /// The sign of one round is kept: turning all signs changes no |z|. The others go through all combinations in the order of
  /// the reflected binary code, in which one sign changes at a time: Gray, US patent 2,632,058 (1953).
  mutating func count(upTo limit: Int) -> Bool {
    let free = max(0, rounds.count - 1)
    guard free < Int.bitWidth - 1, 1 << free <= limit else { return false }
    for step in 1..<max(1 << free, 1) {
      flip(step.trailingZeroBitCount)
      tally()
    }
    return true
  }

  /// Counts flips that are drawn at random, each with the same probability.
  mutating func sample(_ draws: Int, seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<draws {
      var bits: UInt64 = 0
      for round in rounds.indices {
        if round.isMultiple(of: 64) { bits = generator.next() }
        if bits & 1 == 1 { flip(round) }
        bits >>= 1
      }
      tally()
    }
  }

  /// The share of flips counted so far in which the claim's own statistic is reached.
  func share(reaching claim: Int) -> Double { Double(reached[claim]) / Double(total) }

  private mutating func flip(_ round: Int) {
    for claim in sums.indices {
      let rank = rounds[round][claim]
      sums[claim] -= 2 * rank
      rounds[round][claim] = -rank
    }
  }

  private mutating func tally() {
    var greatest = 0.0
    for claim in sums.indices {
      greatest = max(greatest, Double(abs(sums[claim])) * scales[claim])
      if greatest >= limits[claim] { reached[claim] += 1 }
    }
    total += 1
  }
}
