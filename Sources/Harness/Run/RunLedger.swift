// The results of a run so far: one entry for each planned sample that was tried.
internal import Instruments
internal import BatchmarkEngine

/// Samples and failures in the order they arrived.
///
/// A later attempt replaces a failed one.
package struct RunLedger: Sendable {
  /// The successful samples, in the order they were taken.
  package private(set) var samples: [Sample] = []
  /// The samples that failed and have not succeeded since.
  package private(set) var failures: [FailedSample] = []
  /// The time of each sample in seconds, including its worker's start and end; several attempts are summed.
  package private(set) var seconds: [SampleKey: Double] = [:]
  /// The samples that succeeded.
  private(set) var measured: Set<SampleKey> = []

  package init() {}

  /// Makes a ledger from the contents of a journal; O(outcomes), and O(failures) for each repeated failure.
  package init(_ outcomes: some Sequence<SampleOutcome>) {
    for outcome in outcomes { record(outcome) }
  }

  /// Adds the outcome of a sample.
  package mutating func record(_ outcome: SampleOutcome) {
    if let seconds = outcome.seconds { self.seconds[outcome.key, default: 0] += seconds }
    switch outcome.result {
    case .success(let sample):
      // This program never writes two samples with one key; keep the first one.
      guard measured.insert(sample.key).inserted else { return }
      failures.removeAll { $0.key == sample.key }
      samples.append(sample)
    case .failure(let failure):
      guard !measured.contains(failure.key) else { return }
      failures.removeAll { $0.key == failure.key }
      failures.append(failure)
    }
  }

  /// The samples of the plan that are still to take, in the plan's order: those never tried and those that failed,
  /// without the skipped rounds of slow cells.
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
