// Checks the statistics of this executable with problems that have known exact answers.
internal import Statistics

/// The known answers of the self-test.
enum KnownAnswers {
  /// The result of each problem next to the expected one, which was found by hand or by enumerating all cases.
  static func checks() -> [DoctorCheck] {
    let positive = (1...12).map { Double($0) }
    let mixed = [1.1, -0.4, 2.3, 0.7, -1.9, 3.1, 0.2, 1.4, -0.6, 2.8]
    return [
      check("signed-rank test, 12 differences above zero", SignedRankTest(positive)?.pAbove, 1.0 / 4096),
      check("signed-rank test, 10 differences of both signs", SignedRankTest(mixed)?.pAbove, signedRankTail(mixed)),
      check("sign test, 3 of 10 below zero", SignTest(mixed)?.pAbove, 176.0 / 1024, tolerance: 1e-12),
      check("Hodges-Lehmann estimate of 1, 2, 4", hodgesLehmann([1, 2, 4]), 2.25),
      check("median of an even number", median([4, 1, 3, 2]), 2.5),
      check(
        "no alarm in 300: the rate's bound at 95 %", binomialUpperBound(successes: 0, trials: 300, confidence: 0.95),
        1 - exponentialOfLog(0.05, over: 300), tolerance: 1e-9),
      check("slope through the origin, with an outlier", slopeThroughOrigin([2, 4, 100], on: [1, 2, 1]), 2),
      check(
        "scaling exponent of n to the power of 1.5",
        scalingExponent(of: [(1, 1), (4, 8), (16, 64), (64, 512)], confidence: 0.95)?.exponent, 1.5, tolerance: 1e-12),
      check(
        "levels of the plan's looks, summed", SequentialPlan()?.looks.reduce(0) { $0 + $1.alpha }, 0.01,
        tolerance: 1e-15),
    ]
  }

  /// Enumerates all assignments of signs: slow, but independent of the test's own method.
  private static func signedRankTail(_ values: [Double]) -> Double {
    let ordered = values.sorted { $0.magnitude < $1.magnitude }
    let negative = ordered.enumerated().filter { $1 < 0 }.reduce(0) { $0 + $1.offset + 1 }
    let asExtreme = (0..<(1 << values.count)).count { signs in
      (0..<values.count).reduce(0) { $0 + (signs >> $1 & 1) * ($1 + 1) } <= negative
    }
    return Double(asExtreme) / Double(1 << values.count)
  }

  /// The n-th root, by bisection.
  private static func exponentialOfLog(_ value: Double, over n: Int) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<200 {
      let middle = (low + high) / 2
      let power = (0..<n).reduce(1.0) { product, _ in product * middle }
      if power < value { low = middle } else { high = middle }
    }
    return low
  }

  /// At most six decimals; the comparison used all of them.
  private static func rounded(_ value: Double) -> String { "\((value * 1e6).rounded() / 1e6)" }

  private static func check(_ name: String, _ found: Double?, _ expected: Double, tolerance: Double = 0) -> DoctorCheck
  {
    guard let found, (found - expected).magnitude <= tolerance else {
      return .fail(
        name, "found \(found.map { "\($0)" } ?? "nothing"), expected \(expected)",
        "this build's statistics cannot be trusted")
    }
    return .ok(name, rounded(found))
  }
}
