// How many samples a profile is made of, and whether more are within reach.
internal import Instruments

extension ProfileResults {
  /// As many samples as shares can be read from: one of a tenth is then known to within 2 % of all.
  package static let enoughSamples = 1_000
  /// Workers that are sent for them.
  package static let mostStackWorkers = 20

  /// Whether another worker is to sample stacks: the main phase has too few, and so many workers as are sent at the most
  /// would bring enough, as the first one shows.
  var wantsMoreStacks: Bool {
    let counts = stackSamplesOfMainPhase
    guard let first = counts.first, counts.count < ProfileResults.mostStackWorkers else { return false }
    return counts.reduce(0, +) < ProfileResults.enoughSamples
      && first * ProfileResults.mostStackWorkers >= ProfileResults.enoughSamples
  }

  /// Allocations that the heap profile is made of; nil without one, and for text of another format.
  package var heapSamples: Int? { heap.flatMap(HeapProfile.samples) }
}
