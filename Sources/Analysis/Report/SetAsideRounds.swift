// Rounds whose times are not used. Cells are compared within a round; when one of them failed there, whatever made it
// fail may have disturbed its neighbors too, so the round is set aside for all, and only its samples are kept.
internal import BatchmarkEngine
package import Harness
internal import Instruments

/// The timed rounds in which a sample failed.
package struct SetAsideRounds {
  package let rounds: Set<Int>

  /// A cell that never succeeded sets no round aside: that would leave the other cells without any time, and its
  /// absence is the same in every round.
  package init(failures: [FailedSample], samples: [Sample]) {
    let working = Set(samples.lazy.filter { $0.pass == .timing }.map(\.cell))
    rounds = Set(
      failures.lazy.filter { $0.pass == .timing && working.contains($0.cell) }.map(\.round))
  }

  /// Whether the sample's times are not used.
  ///
  /// Exact figures do not depend on neighbors and are always used.
  package func contains(_ sample: Sample) -> Bool { sample.pass == .timing && rounds.contains(sample.round) }
}
