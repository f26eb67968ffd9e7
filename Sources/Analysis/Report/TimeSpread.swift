// How a phase's times lie over the rounds, beside their median.
internal import Harness
package import BatchmarkEngine
internal import Statistics

/// The spread of a phase's wall times, in seconds, of the rounds whose times are used.
package struct TimeSpread: Sendable, Hashable {
  package let least: Double
  package let lowerQuartile: Double
  package let upperQuartile: Double
  /// The 95th percentile.
  package let percentile95: Double
  package let greatest: Double

  /// Nil without times.
  init?(_ times: [Double]) {
    let found = [0, 0.25, 0.75, 0.95, 1].compactMap { quantile(times, $0) }
    guard found.count == 5 else { return nil }
    (least, lowerQuartile, upperQuartile) = (found[0], found[1], found[2])
    (percentile95, greatest) = (found[3], found[4])
  }
}

extension ScenarioReport {
  /// The spread of a cell's times in a phase; nil without any.
  package func spread(of cell: CellReport, in phase: Phase) -> TimeSpread? {
    TimeSpread(Array(walls(of: cell, in: [phase]).values))
  }
}
