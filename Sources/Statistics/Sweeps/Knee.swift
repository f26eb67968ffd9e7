// The knee of a sweep: the smallest size that is nearly as good as the best one.

/// The size above which a larger one hardly helps.
package struct Knee: Sendable, Hashable {
  /// The smallest size certainly within the margin of the best one.
  package let size: Double
  /// The smallest size that is not certainly worse than the best one by more than the margin.
  ///
  /// The knee is between this size and ``size``.
  package let earliest: Double
  /// The size with the shortest median time.
  package let best: Double
  /// The largest size that may still be better than the best one by more than the margin; the best size if none may.
  ///
  /// If it is larger than the best size, the sweep does not show the knee.
  package let latest: Double
  /// The largest size of the sweep.
  package let largest: Double
  /// Whether there is no knee in the sweep: all smaller sizes are certainly worse than the largest by more than the
  /// margin.
  ///
  /// A larger size may be better still, unless the largest one means all the work at once, which only the caller knows.
  package let isStillGaining: Bool
}

/// Finds the smallest size with a time within a margin of the best, such as the rows of a batch request.
///
/// The times must be for the same work at every size, from the same rounds in the same order. Each time is compared
/// with that of the best size in its round, and the Hodges-Lehmann interval of the log ratios decides. A size is
/// *within* if the interval is completely within the margin, and *worse* if it is completely beyond. The best size is
/// chosen by the same times, so it looks slightly better than it is: a larger one may be better unless its interval is
/// above the margin's inverse.
///
/// Pass a size that means "all", such as one request for all rows, as the number of rows, and only once.
///
/// - Parameters:
///   - sweep: For each size, its times by round.
///   - margin: 0.05 is 5 % longer than the best.
///   - confidence: The confidence level of each interval.
/// - Returns: The knee; `nil` if there is no size, a size occurs twice, the numbers of rounds differ, or a number is
///   not finite or not above zero. With too few rounds for an interval, the knee is the best size, and no size is
///   certainly worse.
package func knee(
  of sweep: [(size: Double, times: [Double])], margin: Double, confidence: Double
) -> Knee? {
  let sweep = sweep.sorted { $0.size < $1.size }
  guard margin >= 0, margin.isFinite, confidence > 0, confidence < 1,
    sweep.allSatisfy({ $0.size > 0 && $0.size.isFinite }),
    zip(sweep, sweep.dropFirst()).allSatisfy({ $0.size < $1.size })
  else { return nil }
  let medians = sweep.compactMap { median($0.times) }
  guard medians.count == sweep.count, let least = medians.min(), let bestIndex = medians.firstIndex(of: least) else {
    return nil
  }
  let best = sweep[bestIndex]
  let largest = sweep[sweep.count - 1].size
  let allowed = naturalLogarithm(1 + margin)
  let latest = sweep.last { point in
    guard point.size > best.size, let ratios = pairedLogRatios(point.times, to: best.times) else { return false }
    return hodgesLehmannInterval(ratios, confidence: confidence).map { $0.lowerBound < -allowed } ?? true
  }
  var earliest: Double?
  for point in sweep {
    guard let ratios = pairedLogRatios(point.times, to: best.times) else { return nil }
    let interval = hodgesLehmannInterval(ratios, confidence: confidence)
    if earliest == nil, interval.map({ $0.lowerBound <= allowed }) ?? true { earliest = point.size }
    if point.size == best.size || interval.map({ $0.upperBound <= allowed }) ?? false {
      let earliest = earliest ?? point.size
      return Knee(
        size: point.size, earliest: earliest, best: best.size, latest: latest?.size ?? best.size, largest: largest,
        isStillGaining: sweep.count > 1 && earliest == largest)
    }
  }
  return nil
}
