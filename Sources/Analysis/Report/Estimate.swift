// A median over rounds, with its interval.
internal import Statistics

/// A median with its interval; the bounds are `nil` if there are too few samples.
package struct Estimate: Codable, Sendable, Hashable {
  /// The probability with which an interval covers the median.
  package static let confidence = 0.95
  /// The fewest rounds that give a time an interval and allow a ranking.
  package static let leastRounds = max(
    leastForMedianInterval(confidence: confidence) ?? 0, ClaimFamily.leastRounds)

  package var median: Double
  package var low: Double?
  package var high: Double?

  package init(median: Double, low: Double? = nil, high: Double? = nil) {
    self.median = median
    self.low = low
    self.high = high
  }

  /// The median of the values and its interval; `nil` without values.
  package init?(medianOf values: [Double]) {
    guard let middle = Statistics.median(values) else { return nil }
    let interval = medianInterval(values, confidence: Estimate.confidence)
    self.init(median: middle, low: interval?.lowerBound, high: interval?.upperBound)
  }

  /// The median of the differences in the common rounds, and its interval; `nil` without such rounds.
  package init?(differenceOf figures: [Int: Double], to others: [Int: Double]) {
    self.init(
      medianOf: figures.keys.sorted().compactMap { round in
        guard let figure = figures[round], let other = others[round] else { return nil }
        return figure - other
      })
  }

  /// The median of the ratios in the common rounds, and its interval; `nil` without such rounds.
  package init?(ratioOf figures: [Int: Double], to others: [Int: Double]) {
    self.init(medianOf: Estimate.ratios(of: figures, to: others))
  }

  /// The ratios of figures in the common rounds.
  package static func ratios(of figures: [Int: Double], to others: [Int: Double]) -> [Double] {
    figures.keys.sorted().compactMap { round in
      guard let figure = figures[round], let other = others[round], other > 0 else { return nil }
      return figure / other
    }
  }

  /// How far a ratio is from 1 in either direction: 2 both for twice and for half as much.
  package var timesApart: Double { max(median, 1 / median) }

  /// The estimate in another unit.
  package func scaled(by factor: Double) -> Estimate {
    Estimate(median: median * factor, low: low.map { $0 * factor }, high: high.map { $0 * factor })
  }
}
