// Rounds and samples without valid times. Cells are compared within a round. If one of them failed, the cause may have
// disturbed its neighbors too, so the round is excluded for all cells, and its samples are only kept. A sample in which
// a process could not work for a while, according to its own clock, is excluded alone.
internal import BatchmarkEngine
package import Harness
internal import Instruments

/// The timed rounds with a failed sample, and single disturbed samples.
package struct SetAsideRounds {
  package let rounds: Set<Int>
  /// The rounds in which a cell's own sample is excluded.
  private let disturbed: [CellID: Set<Int>]

  /// A cell that never succeeded excludes no round: otherwise the other cells would have no times, and its failure is
  /// the same in every round.
  package init(failures: [FailedSample], samples: [Sample]) {
    let timed = Dictionary(grouping: samples.filter { $0.pass == .timing }, by: \.cell)
    rounds = Set(failures.lazy.filter { $0.pass == .timing && timed[$0.cell] != nil }.map(\.round))
    disturbed = timed.mapValues(SetAsideRounds.disturbed)
  }

  /// The excluded rounds of one cell: those with a failure of any cell, and its own disturbed samples.
  ///
  /// The samples of other cells are not read, because a report asks for each cell many times.
  init(of cell: CellReport, in cells: [CellReport]) {
    let failed = cells.filter { !$0.failures.isEmpty && $0.samples.contains { $0.pass == .timing } }
    rounds = Set(failed.flatMap(\.failures).filter { $0.pass == .timing }.map(\.round))
    let timed = cell.samples.filter { $0.pass == .timing }
    disturbed = Dictionary(grouping: timed, by: \.cell).mapValues(SetAsideRounds.disturbed)
  }

  /// The rounds in which a cell's process had to wait, from its timed samples.
  private static func disturbed(_ timed: [Sample]) -> Set<Int> {
    let longer = timed.filter(\.isLongerThanItsClock)
    // If it happens in most samples of a cell, it is how the engine works, not a disturbance.
    return 2 * longer.count < timed.count ? Set(longer.map(\.round)) : []
  }

  /// Whether the sample's times are excluded.
  ///
  /// Exact figures do not depend on neighbors and are always used.
  package func contains(_ sample: Sample) -> Bool {
    sample.pass == .timing && (rounds.contains(sample.round) || isDisturbed(sample))
  }

  /// Whether it took longer than by the clock of the process that did the work, unlike most samples of its cell.
  package func isDisturbed(_ sample: Sample) -> Bool { disturbed[sample.cell]?.contains(sample.round) == true }
}
