// Rounds and samples whose times are not used. Cells are compared within a round; when one of them failed there, whatever made it
// fail may have disturbed its neighbors too, so the round is set aside for all, and only its samples are kept. A sample in which
// a process was kept from its work, as its own clock says, is set aside alone.
internal import BatchmarkEngine
package import Harness
internal import Instruments

/// The timed rounds in which a sample failed, and single samples that were disturbed.
package struct SetAsideRounds {
  package let rounds: Set<Int>
  /// The rounds of a cell's own samples that are not used.
  private let disturbed: [CellID: Set<Int>]

  /// A cell that never succeeded sets no round aside: that would leave the other cells without any time, and its
  /// absence is the same in every round.
  package init(failures: [FailedSample], samples: [Sample]) {
    let timed = Dictionary(grouping: samples.filter { $0.pass == .timing }, by: \.cell)
    rounds = Set(failures.lazy.filter { $0.pass == .timing && timed[$0.cell] != nil }.map(\.round))
    disturbed = timed.mapValues(SetAsideRounds.disturbed)
  }

  /// Those of one cell: failures of any cell, and its own samples.
  ///
  /// The samples of the others are not read: a report asks for each cell, and for some many times.
  init(of cell: CellReport, in cells: [CellReport]) {
    let failed = cells.filter { !$0.failures.isEmpty && $0.samples.contains { $0.pass == .timing } }
    rounds = Set(failed.flatMap(\.failures).filter { $0.pass == .timing }.map(\.round))
    let timed = cell.samples.filter { $0.pass == .timing }
    disturbed = Dictionary(grouping: timed, by: \.cell).mapValues(SetAsideRounds.disturbed)
  }

  /// The rounds in which the process was kept from its work, of the timed samples of one cell.
  private static func disturbed(_ timed: [Sample]) -> Set<Int> {
    let longer = timed.filter(\.isLongerThanItsClock)
    // In most samples of a cell it is how the engine works, and no disturbance.
    return 2 * longer.count < timed.count ? Set(longer.map(\.round)) : []
  }

  /// Whether the sample's times are not used.
  ///
  /// Exact figures do not depend on neighbors and are always used.
  package func contains(_ sample: Sample) -> Bool {
    sample.pass == .timing && (rounds.contains(sample.round) || isDisturbed(sample))
  }

  /// Whether it took longer than the clock of the process says that did the work, unlike most samples of its cell.
  package func isDisturbed(_ sample: Sample) -> Bool { disturbed[sample.cell]?.contains(sample.round) == true }
}
