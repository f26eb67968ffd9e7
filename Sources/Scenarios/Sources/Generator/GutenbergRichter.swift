// Magnitudes as earthquakes have them: ten times fewer for every unit more.

/// Draws magnitudes after Gutenberg and Richter's law, log₁₀ N(≥ m) = a − b · m with b = 1 (Bulletin of the
/// Seismological Society of America 34, 1944), in steps of a hundredth from 0 to 9.5.
///
/// Below the magnitude from which a network hears every earthquake the law does not hold: one row in 64 is a small
/// one, evenly from −1 to −0.01, as the feeds of local networks have them.
struct GutenbergRichter {
  /// The highest magnitude, a little above the greatest measured (Valdivia 1960, 9.4 to 9.6).
  private static let steps = 950

  /// `survivors[k]` · 2⁻⁶⁴ is the share of earthquakes of magnitude k / 100 and more, from k = 1 on.
  private let survivors: [UInt64]

  init() {
    // 10^(−1/100) · 2⁶⁴, rounded. Powers of it by integer multiplication are the same on every machine, which a
    // mathematical library's are not.
    let ratio: UInt64 = 18_026_844_914_274_992_355
    var survivors: [UInt64] = []
    var share = ratio
    for _ in 0..<GutenbergRichter.steps {
      survivors.append(share)
      share = share.multipliedFullWidth(by: ratio).high
    }
    self.survivors = survivors
  }

  /// The magnitude that 64 random bits stand for; the double nearest to its two decimals.
  func magnitude(_ bits: UInt64) -> Double {
    if bits & 63 == 0 { return Double(-1 - Int((bits >> 6) % 100)) / 100 }
    // Binary search for the number of steps the bits survive.
    var (low, high) = (0, survivors.count)
    while low < high {
      let middle = (low + high) / 2
      if bits < survivors[middle] { low = middle + 1 } else { high = middle }
    }
    return Double(low) / 100
  }
}
