// Whole numbers that no run has, but that a file may hold which was damaged or which somebody else wrote: sums of them would
// overflow.
package import Harness
internal import Instruments
internal import BatchmarkEngine

/// A whole number that is too large to be computed with.
package struct ExcessiveFigure: Sendable, Hashable, CustomStringConvertible {
  /// The scenario or the cell.
  package let place: String
  package let value: Int64

  /// More bytes than any disk has, and more nanoseconds than three days.
  private static let greatestFigure: UInt64 = 1 << 48
  /// More of anything that is counted in a scenario.
  private static let greatestCount: UInt64 = 1 << 32

  package var description: String { "\(place) has the figure \(value), which no run has" }

  private init?(at place: @autoclosure () -> String, figures: some Sequence<Int64>) {
    guard let value = figures.first(where: { $0.magnitude > ExcessiveFigure.greatestFigure }) else { return nil }
    (self.place, self.value) = (place(), value)
  }

  private init?(at place: @autoclosure () -> String, counts: [Int]) {
    guard let value = counts.first(where: { $0.magnitude > ExcessiveFigure.greatestCount }) else { return nil }
    (self.place, self.value) = (place(), Int64(value))
  }

  /// The first of a scenario; nil where every figure can be computed with.
  fileprivate init?(in scenario: ScenarioReport) {
    let counts = [scenario.rounds, scenario.repeats, scenario.leftOut]
    let found =
      ExcessiveFigure(at: scenario.name, counts: counts)
      ?? ExcessiveFigure(at: scenario.name, figures: [Int64(scenario.rows)])
      ?? scenario.cells.lazy.compactMap { ExcessiveFigure(in: $0) }.first
    guard let found else { return nil }
    self = found
  }

  private init?(in cell: CellReport) {
    let counts =
      [cell.missing] + cell.phases.map(\.samples) + (cell.durations ?? []).map(\.samples) + cell.failures.map(\.round)
    let found =
      ExcessiveFigure(at: cell.cell.id, counts: counts)
      ?? cell.phases.lazy.compactMap { phase in
        ExcessiveFigure(at: cell.cell.id, figures: [Int64(phase.rows)])
          ?? ExcessiveFigure(at: cell.cell.id, figures: phase.metrics.values)
          ?? ExcessiveFigure(at: cell.cell.id, figures: phase.disagreements.values.joined())
      }.first
      ?? cell.samples.lazy.compactMap { ExcessiveFigure(in: $0) }.first
    guard let found else { return nil }
    self = found
  }

  fileprivate init?(in sample: Sample) {
    let contents = sample.contents
    let held =
      [contents.rows] + Array(contents.nulls.values) + contents.versions.flatMap { [$0.key, $0.value] }
      + (contents.links ?? []).flatMap { [$0.linkedRows, $0.objects] }
    let found =
      ExcessiveFigure(at: sample.cell, counts: [sample.round])
      ?? ExcessiveFigure(at: sample.cell, figures: held.map { Int64($0) } + [contents.databaseBytes])
      ?? ExcessiveFigure(
        at: sample.cell,
        figures: sample.growth.lazy.flatMap { [Int64($0.rows), $0.walBytes, $0.walFrames, $0.checkpoints] })
      ?? ExcessiveFigure(at: sample.cell, figures: sample.heap.lazy.map(\.liveBytes))
      ?? sample.phases.lazy.compactMap { phase in
        ExcessiveFigure(at: sample.cell, figures: [Int64(phase.rows)])
          ?? ExcessiveFigure(at: sample.cell, figures: phase.metrics.values)
      }.first
    guard let found else { return nil }
    self = found
  }
}

extension Report {
  /// The first figure that is too large to be computed with; nil for every run.
  package var excessiveFigure: ExcessiveFigure? {
    scenarios.lazy.compactMap { ExcessiveFigure(in: $0) }.first
  }
}

extension PairResults {
  /// The first figure that is too large to be computed with; nil for every comparison.
  package var excessiveFigure: ExcessiveFigure? {
    for comparison in comparisons + placebos {
      let paired = (comparison.pairs + comparison.confirmation).flatMap { [$0.base, $0.head] }
      for sample in comparison.baseFigures + comparison.headFigures + paired {
        if let found = ExcessiveFigure(in: sample) { return found }
      }
    }
    return nil
  }
}
