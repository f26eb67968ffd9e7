// What can be said of a run's rounds before any is taken.
package import Harness
internal import BatchmarkEngine

extension RunPlan {
  /// The timed rounds of scenarios that have too few of them for an interval and a ranking, each number once, the fewest first;
  /// empty for a quick run, which is asked for as a first impression.
  package var roundsWithoutInterval: [Int] {
    if isQuick { return [] }
    return Set(scenarios.map { rounds(of: .timing, in: $0) }).filter { $0 < Estimate.leastRounds }.sorted()
  }
}
