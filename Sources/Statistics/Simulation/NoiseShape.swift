// Realistic run times for simulations: eight kinds of noise, in the order in which the runs take place.
package import Support

/// A kind of noise of single runs, with a size that gives differences of pairs a robust spread of about 3 %.
package enum NoiseShape: String, CaseIterable, Sendable {
  case normal, laplace, lognormal, outliers, drift, autoregressive, slotBias, coarseClock

  /// The differences ln(B/A) of pairs in random ABBA blocks, where B is longer by `shift`.
  package func differences(pairs: Int, shift: Double, using generator: inout SplitMix64) -> [Double] {
    differences(pairs: pairs, shift: shift, using: &generator) { seed in
      balancedOrders(alternatives: 2, rounds: pairs, seed: seed).enumerated().map { pair, order in
        order == [0, 1] ? (2 * pair, 2 * pair + 1) : (2 * pair + 1, 2 * pair)
      }
    }
  }

  /// The same with other positions in time for the runs of each pair.
  func differences(
    pairs: Int, shift: Double, using generator: inout SplitMix64, places: (UInt64) -> [(first: Int, second: Int)]
  ) -> [Double] {
    let noise = noise(runs: 2 * pairs, using: &generator)
    return places(generator.next()).compactMap { place in
      let first = time(noise[place.first], using: &generator)
      let second = time(noise[place.second] + shift, using: &generator)
      return logRatio(second, to: first)
    }
  }

  /// The logarithms of the times of consecutive runs, up to a constant.
  private func noise(runs: Int, using generator: inout SplitMix64) -> [Double] {
    let scale = 0.021
    var state = generator.nextNormal() / 0.6
    return (0..<runs).map { run in
      let normal = generator.nextNormal()
      switch self {
      case .normal, .coarseClock: return scale * normal
      case .laplace: return scale * 0.8 * (generator.nextExponential() - generator.nextExponential())
      case .lognormal: return scale * 0.8 * exponential(normal)
      case .outliers: return scale * normal * (generator.next(below: 10) == 0 ? 10 : 1)
      case .drift: return scale * normal + 0.3 * Double(run) / Double(runs)
      case .autoregressive:
        state = 0.8 * state + normal
        return scale * state
      case .slotBias: return scale * normal + (run.isMultiple(of: 2) ? 0.04 : 0)
      }
    }
  }

  /// A run of about 18 ms, measured with a clock that ticks every quarter of a millisecond for the coarse kind.
  private func time(_ logarithm: Double, using generator: inout SplitMix64) -> Double {
    let seconds = 0.018 * exponential(logarithm)
    guard self == .coarseClock else { return seconds }
    return (seconds / 0.00025 + generator.nextUnit()).rounded(.down) * 0.00025
  }
}

extension SplitMix64 {
  /// Marsaglia's polar method.
  package mutating func nextNormal() -> Double {
    while true {
      let (x, y) = (2 * nextUnit() - 1, 2 * nextUnit() - 1)
      let square = x * x + y * y
      if square > 0, square < 1 { return x * (-2 * naturalLogarithm(square) / square).squareRoot() }
    }
  }

  mutating func nextExponential() -> Double { -naturalLogarithm(1 - nextUnit()) }
}
