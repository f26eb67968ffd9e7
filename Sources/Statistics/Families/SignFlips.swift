// The sign flips of whole rounds for the step-down test: all of them if there are few, otherwise a seeded sample.
internal import Support

/// One claim's values by round, and its statistic.
struct RoundSigns {
  /// Rounds with a value.
  let count: Int
  /// The values as whole multiples of 2⁻⁴⁰ of the largest, so that sums are the same in any order; 0 if one is missing.
  let sizes: [Int]
  let sum: Int
  /// 1 / √Σ xᵢ²; 0 if all values are zero.
  let scale: Double

  /// The statistic without any flip.
  var observed: Double { Double(abs(sum)) * scale }

  /// The tolerance for rounding of each value and of the scale.
  var limit: Double { observed * (1 - 1e-12) - Double(count) * scale }

  var side: StepDownMaxT.Side? { sum > 0 ? .above : sum < 0 ? .below : nil }

  init(_ values: [Double?]) {
    let largest = values.reduce(0) { max($0, abs($1 ?? 0)) }
    let sizes = values.map { value in
      value.map { largest > 0 ? Int(($0 / largest * 0x1p40).rounded()) : 0 } ?? 0
    }
    let squares = sizes.reduce(0.0) { $0 + Double($1) * Double($1) }
    self.sizes = sizes
    count = values.count { $0 != nil }
    sum = sizes.reduce(0, +)
    scale = squares > 0 ? 1 / squares.squareRoot() : 0
  }
}

/// Counts the sign flips in which the greatest statistic of a claim and of those before it reaches the claim's own.
struct SignFlips {
  /// By round, each claim's value with its current sign.
  ///
  /// Rounds with only zeros are left out.
  private var rounds: [[Int]]
  private var sums: [Int]
  private let scales: [Double]
  private let limits: [Double]
  private var reached: [Int]
  private var total = 0

  /// Claims in ascending order of their statistics.
  ///
  /// The original signs count as the first flip.
  init(_ claims: [RoundSigns]) {
    rounds = (0..<(claims.first?.sizes.count ?? 0)).map { round in claims.map { $0.sizes[round] } }
      .filter { $0.contains { $0 != 0 } }
    sums = claims.map(\.sum)
    scales = claims.map(\.scale)
    limits = claims.map(\.limit)
    reached = [Int](repeating: 0, count: claims.count)
    tally()
  }

  /// Counts all flips if there are at most `limit`, and returns whether it did.
  ///
  /// The sign of one round is fixed, because inverting all signs changes no statistic. The others take all combinations
  /// in the order of the reflected binary code, which changes one sign at a time: Gray, US patent 2,632,058 (1953).
  mutating func count(upTo limit: Int) -> Bool {
    let free = max(0, rounds.count - 1)
    guard free < Int.bitWidth - 1, 1 << free <= limit else { return false }
    for step in 1..<max(1 << free, 1) {
      flip(step.trailingZeroBitCount)
      tally()
    }
    return true
  }

  /// Counts random flips, each with the same probability.
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

  /// The share of the flips so far in which the claim's own statistic is reached.
  func share(reaching claim: Int) -> Double { Double(reached[claim]) / Double(total) }

  private mutating func flip(_ round: Int) {
    for claim in sums.indices {
      let size = rounds[round][claim]
      sums[claim] -= 2 * size
      rounds[round][claim] = -size
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
