// What a run has found so far: one entry for each planned sample that was tried.
internal import Instruments
internal import BatchmarkEngine

/// Samples and failures, in the order they arrived; a later try replaces a failed one.
package struct RunLedger: Sendable {
  /// What succeeded, in the order it was taken.
  package private(set) var samples: [Sample] = []
  /// What failed and has not succeeded since.
  package private(set) var failures: [FailedSample] = []
  /// What each try took, its worker's start and end included, in seconds; several tries of a sample together.
  package private(set) var seconds: [SampleKey: Double] = [:]
  /// The samples that succeeded.
  private(set) var measured: Set<SampleKey> = []

  package init() {}

  /// Makes a ledger of what a journal holds; O(outcomes), and O(failures) for each that repeats another.
  package init(_ outcomes: some Sequence<SampleOutcome>) {
    for outcome in outcomes { record(outcome) }
  }

  /// Adds the outcome of a sample.
  package mutating func record(_ outcome: SampleOutcome) {
    if let seconds = outcome.seconds { self.seconds[outcome.key, default: 0] += seconds }
    switch outcome.result {
    case .success(let sample):
      // Two samples for one key cannot come from this program; the first one stays.
      guard measured.insert(sample.key).inserted else { return }
      failures.removeAll { $0.key == sample.key }
      samples.append(sample)
    case .failure(let failure):
      guard !measured.contains(failure.key) else { return }
      failures.removeAll { $0.key == failure.key }
      failures.append(failure)
    }
  }

  /// The samples of the plan still to take, in the plan's order: those never tried and those that failed, without the
  /// rounds that are left out of a slow cell.
  package func remaining(of plan: RunPlan) -> [PlannedSample] {
    var ends: [String: RoundEnd] = [:]
    for scenario in plan.scenarios { ends.merge(plan.earlyStops(of: scenario, in: self)) { $1 } }
    return plan.samples.filter { sample in
      if measured.contains(sample.key) { return false }
      guard sample.pass == .timing, let end = ends[sample.cell.id] else { return true }
      return sample.round <= end.round
    }
  }
}
