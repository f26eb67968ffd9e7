// The stacks of both sides of a comparison, summed over the same number of workers, for differential flame graphs.
package import Harness

/// The stacks of both sides with their weights.
///
/// Functions start with the outermost one and are separated by semicolons.
package struct SideStacks: Sendable, Hashable {
  package var base: [String: Int]
  package var head: [String: Int]

  package init(base: [String: Int] = [:], head: [String: Int] = [:]) {
    self.base = base
    self.head = head
  }

  /// Whether a side has none.
  package var isOneSided: Bool { [base, head].contains { !$0.values.contains { $0 > 0 } } }
}

extension PairProfiles {
  /// Stack samples of the thread.
  ///
  /// Both sides were sampled in the same number of workers and at the same rate, so more samples mean more time.
  package var timeStacks: SideStacks { stacks(\.stacks) }

  /// Bytes allocated in total, as estimated by jemalloc's profiler, over the same number of workers for each side.
  package var allocationStacks: SideStacks { stacks(\.heapStacks) }

  private func stacks(_ stacks: (PhaseProfile) -> [String: Int]?) -> SideStacks {
    func sum(_ trials: [ProfiledTrial]) -> [String: Int] {
      trials.compactMap { $0.phase.profile.flatMap(stacks) }.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    }
    return SideStacks(base: sum(base), head: sum(head))
  }
}
