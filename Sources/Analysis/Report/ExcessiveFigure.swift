// Integers that no run has, but that a damaged or foreign file may have. Sums of them would overflow.
package import Harness
internal import Instruments
internal import BatchmarkEngine

/// An integer that is too large to compute with.
package struct ExcessiveFigure: Sendable, Hashable, CustomStringConvertible {
  /// The name of the scenario or the cell.
  package let place: String
  package let value: Int64

  /// More bytes than any disk has, and more than three days of nanoseconds.
  private static let greatestFigure: UInt64 = 1 << 48
  /// More than any sum, but small enough to add other figures.
  private static let greatestSum: UInt64 = 1 << 60
  /// More than any count in a scenario.
  private static let greatestCount: UInt64 = 1 << 32

  package var description: String { "\(place) has the figure \(value), which no run has" }

  /// The first figure that is too large, or else the first sum.
  private init?(at place: @autoclosure () -> String, figures: some Sequence<Int64>) {
    var sum: UInt64 = 0
    for figure in figures {
      let isExcessive = figure.magnitude > ExcessiveFigure.greatestFigure
      sum += figure.magnitude
      guard isExcessive || sum > ExcessiveFigure.greatestSum else { continue }
      (self.place, value) = (place(), isExcessive ? figure : Int64(clamping: sum))
      return
    }
    return nil
  }

  private init?(at place: @autoclosure () -> String, counts: [Int]) {
    guard let value = counts.first(where: { $0.magnitude > ExcessiveFigure.greatestCount }) else { return nil }
    (self.place, self.value) = (place(), Int64(value))
  }

  /// The first one in a scenario; `nil` if all figures are small enough to compute with.
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
      // Check sums over the samples too, naming the cell.
      ?? ExcessiveFigure(at: cell.cell.id, figures: cell.allLatencies.lazy.flatMap(\.wholeNumbers))
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
      ?? ExcessiveFigure(at: sample.cell, figures: sample.concurrent?.wholeNumbers ?? [])
      ?? sample.phases.lazy.compactMap { phase in
        ExcessiveFigure(at: sample.cell, figures: [Int64(phase.rows)])
          ?? ExcessiveFigure(at: sample.cell, figures: phase.metrics.values)
      }.first
    guard let found else { return nil }
    self = found
  }
}

extension ExcessiveFigure {
  fileprivate init?(in profiles: PairProfiles, of cell: CellID) {
    let found = [profiles.base, profiles.head].lazy.compactMap { trials in
      ExcessiveFigure(at: cell, figures: trials.lazy.compactMap(\.phase.profile).flatMap(\.wholeNumbers))
    }.first
    guard let found else { return nil }
    self = found
  }
}

// MARK: - Whole numbers

extension OperationTally {
  fileprivate var wholeNumbers: [Int64] { ([due, done, late, retries] + refusals.values).map { Int64($0) } }
}

extension OperationLatency {
  fileprivate var wholeNumbers: [Int64] {
    tally.wholeNumbers + [Int64(processes), Int64(rate), Int64(processors ?? 0), walBytes ?? 0]
  }
}

extension ConcurrentMeasurement {
  fileprivate var wholeNumbers: [Int64] {
    let operations = classes.flatMap { $0.tally.wholeNumbers + [Int64($0.processes), Int64($0.rate)] }
    let slices = (course?.classes ?? []).flatMap(\.counts).map { Int64($0) } + (course?.walBytes ?? [])
    return operations + slices + [walBytes ?? 0, Int64(processors ?? 0), Int64(course?.sliceMilliseconds ?? 0)]
  }
}

extension PhaseProfile {
  fileprivate var wholeNumbers: [Int64] {
    let staged = stages.map { $0.stages + [$0.other] } ?? []
    let stacked = [stacks, heapStacks, peakStacks].compactMap(\.self).flatMap(\.values).map { Int64($0) }
    return staged.flatMap { [$0.turns, $0.nanoseconds, $0.allocations, $0.allocatedBytes] }
      + (statements ?? []).flatMap(\.wholeNumbers) + stacked + [Int64(lostStacks ?? 0)]
  }
}

extension SQLCost {
  fileprivate var wholeNumbers: [Int64] {
    let counted = work.map { work in
      [
        work.preparations, work.repreparations, work.rows, work.fullScanSteps, work.sorts, work.automaticIndexRows,
        work.preparationNanoseconds ?? 0,
      ]
    }
    return [runs, vmSteps, nanoseconds] + (counted ?? [])
  }
}

// MARK: - What is read

extension Report {
  /// The first figure that is too large to compute with; `nil` for every valid run.
  package var excessiveFigure: ExcessiveFigure? {
    scenarios.lazy.compactMap { ExcessiveFigure(in: $0) }.first
  }
}

extension PairResults {
  /// The first figure that is too large to compute with; `nil` for every valid comparison.
  package var excessiveFigure: ExcessiveFigure? {
    for comparison in comparisons + placebos {
      let paired = (comparison.pairs + comparison.confirmation).flatMap { [$0.base, $0.head] }
      for sample in comparison.baseFigures + comparison.headFigures + paired {
        if let found = ExcessiveFigure(in: sample) { return found }
      }
      if let profiles = comparison.profiles,
        let found = ExcessiveFigure(in: profiles, of: comparison.headCell.id)
      {
        return found
      }
    }
    return nil
  }
}

extension JournalContents {
  /// The first figure of a sample that is too large to compute with, and its line; `nil` for every valid run.
  package var excessiveFigure: (line: Int, figure: ExcessiveFigure)? {
    // The header is on the first line.
    for (index, outcome) in outcomes.enumerated() {
      if case .success(let sample) = outcome.result, let found = ExcessiveFigure(in: sample) {
        return (index + 2, found)
      }
    }
    return nil
  }
}
