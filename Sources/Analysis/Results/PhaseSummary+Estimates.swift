// The summary of a cell's samples, phase by phase.
package import Harness
internal import Instruments
internal import Statistics

extension PhaseSummary {
  /// The probability with which an interval covers the median.
  package static let confidence = 0.95

  /// Summarizes every phase that any sample has, in the order in which phases follow one another; `reference` holds the
  /// reference cell's samples whose times are used.
  package static func all(of samples: [Sample], reference: [Sample], setAside: SetAsideRounds) -> [PhaseSummary] {
    Phase.allCases.compactMap { phase in
      PhaseSummary(phase, samples: samples, reference: reference, setAside: setAside)
    }
  }

  private init?(_ phase: Phase, samples: [Sample], reference: [Sample], setAside: SetAsideRounds) {
    let measured = samples.compactMap { sample in sample.phases.first { $0.phase == phase } }
    guard let rows = measured.first?.rows else { return nil }
    let timed = samples.filter { $0.pass == .timing && !setAside.contains($0) }
    let walls = PhaseSummary.walls(of: phase, in: timed)
    let cpu = timed.compactMap { sample in sample.phases.first { $0.phase == phase }?.cpuSeconds }
    let wall = Estimate(medianOf: Array(walls.values))

    let referenceWalls = PhaseSummary.walls(of: phase, in: reference)
    let ratios = walls.compactMap { round, wall -> Double? in
      guard let reference = referenceWalls[round], reference > 0 else { return nil }
      return wall / reference
    }
    let (metrics, disagreements) = PhaseSummary.metrics(of: phase, in: samples)
    self.init(
      phase: phase, rows: rows, samples: walls.count, wall: wall, cpuMedian: median(cpu),
      rowsPerSecond: wall.flatMap { $0.median > 0 ? Double(rows) / $0.median : nil },
      timesReference: Estimate(medianOf: ratios), metrics: metrics, disagreements: disagreements)
  }

  /// Wall time of the phase by round.
  private static func walls(of phase: Phase, in samples: [Sample]) -> [Int: Double] {
    var walls: [Int: Double] = [:]
    for sample in samples {
      walls[sample.round] = sample.phases.first { $0.phase == phase }?.wallSeconds
    }
    return walls
  }

  /// The median of each metric over the samples of its own pass, and the exact ones that differ.
  private static func metrics(
    of phase: Phase, in samples: [Sample]
  ) -> (medians: [MetricID: Int64], disagreements: [MetricID: [Int64]]) {
    var medians: [MetricID: Int64] = [:]
    var disagreements: [MetricID: [Int64]] = [:]
    for metric in MetricID.allCases {
      let values = samples.lazy.filter { $0.pass == metric.pass }.compactMap { sample in
        sample.phases.first { $0.phase == phase }?.metrics[metric]
      }
      let sorted = values.sorted()
      guard let first = sorted.first, let last = sorted.last else { continue }
      // Of an even number the lower of the two middle values: a figure that was measured, not one between two.
      medians[metric] = sorted[(sorted.count - 1) / 2]
      if metric.isExact && first != last { disagreements[metric] = Array(Set(sorted)).sorted() }
    }
    return (medians, disagreements)
  }
}

extension Estimate {
  /// The median of the values and its interval at 95 %; nil without values.
  package init?(medianOf values: [Double]) {
    guard let middle = Statistics.median(values) else { return nil }
    let interval = medianInterval(values, confidence: PhaseSummary.confidence)
    self.init(median: middle, low: interval?.lowerBound, high: interval?.upperBound)
  }
}
