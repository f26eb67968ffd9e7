// Round values along an axis, as many as fit.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A round value of an axis and its label.
struct Tick: Equatable {
  let value: Double
  /// The position along the axis.
  let position: Double
  let label: String
}

extension Scale {
  /// Between 3 and 7 round values, if there is room for them, with different labels that do not overlap.
  ///
  /// `overlaps` decides whether the labels of two neighbors, the lower one first, are too close.
  func ticks(_ steps: Axis.Steps, label: (Double) -> String, overlaps: (Tick, Tick) -> Bool) -> [Tick] {
    var best: [Tick] = []
    for (values, isDivided) in candidates(steps) where values.count <= 7 && values.count > best.count {
      // Powers alone are easier to read; for powers of ten, every third one is enough.
      if isLogarithmic, best.count >= 3, isDivided || steps == .decimal { break }
      let ticks = values.compactMap { value in
        position(value).map { Tick(value: value, position: $0, label: label(value)) }
      }
      guard Set(ticks.map(\.label)).count == ticks.count else { continue }
      guard !zip(ticks, ticks.dropFirst()).contains(where: overlaps) else { continue }
      best = ticks
    }
    return best
  }

  /// Sets of round values within the axis, coarse ones first, and whether they divide the range between two powers.
  private func candidates(_ steps: Axis.Steps) -> [(values: [Double], isDivided: Bool)] {
    guard isLogarithmic else { return linear(steps).map { ($0, true) } }
    let base = steps == .decimal ? 10.0 : 2
    let strides = steps == .decimal ? [100, 50, 30, 20, 10, 5, 3, 2, 1] : [320, 160, 80, 40, 20, 10, 5, 4, 3, 2, 1]
    let whole = strides.map { powers(of: base, every: $0, times: [1]) }
    let factors: [[Double]] = steps == .decimal ? [[1, 2, 5], [1, 3]] : [[1, 1.5]]
    let divided = factors.map { powers(of: base, every: 1, times: $0) }
    // Evenly spaced values over more than one power would all be at one end.
    let even = high / low < base ? linear(.decimal) : []
    return whole.map { ($0, false) } + (divided + even).map { ($0, true) }
  }

  /// The powers with exponents that are multiples of the stride, each multiplied by the factors.
  private func powers(of base: Double, every stride: Int, times factors: [Double]) -> [Double] {
    let width = log(base)
    let (first, last) = (Int((log(low) / width).rounded(.down)) - 1, Int((log(high) / width).rounded(.up)) + 1)
    guard (last - first) / stride <= 20 else { return [] }
    var values: [Double] = []
    for exponent in first...last where exponent % stride == 0 {
      for factor in factors {
        let value = round(factor, times: base, toThe: exponent)
        if contains(value) { values.append(value) }
      }
    }
    return values
  }

  private func linear(_ steps: Axis.Steps) -> [[Double]] {
    let base = steps == .doubling && (high - low) / 7 > 0.25 ? 2.0 : 10
    let exponent = Int((log(high - low) / log(base)).rounded(.up))
    var sets: [[Double]] = []
    for exponent in (exponent - (base == 2 ? 5 : 3)...exponent + 1).reversed() {
      for factor in base == 2 ? [1.0] : [5, 2, 1] {
        let step = round(factor, times: base, toThe: exponent)
        guard step > 0, step.isFinite else { continue }
        let (first, last) = ((low / step - 1e-6).rounded(.up), (high / step + 1e-6).rounded(.down))
        guard first.isFinite, last - first < 20, abs(first) < 1e15 else { continue }
        var values: [Double] = []
        var index = first
        while index <= last {
          // Use a single multiplication or division, so that three tenths are exactly 0.3.
          let value = round(index * factor, times: base, toThe: exponent)
          if contains(value) { values.append(value == 0 ? 0 : value) }
          index += 1
        }
        sets.append(values)
      }
    }
    return sets
  }

  private func contains(_ value: Double) -> Bool {
    let slack = 1e-9 * (isLogarithmic ? value : high - low)
    return value >= low - slack && value <= high + slack
  }

  private func round(_ factor: Double, times base: Double, toThe exponent: Int) -> Double {
    exponent < 0 ? factor / pow(base, Double(-exponent)) : factor * pow(base, Double(exponent))
  }
}
