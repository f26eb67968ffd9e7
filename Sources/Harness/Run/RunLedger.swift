// What a run has found so far: one entry for each planned sample that was tried.
public import Workloads

/// Samples and failures, in the order they arrived; a later try replaces a failed one.
public struct RunLedger: Sendable {
  /// What succeeded, in the order it was taken.
  public private(set) var samples: [Sample] = []
  /// What failed and has not succeeded since.
  public private(set) var failures: [FailedSample] = []
  private var measured: Set<SampleKey> = []

  public init() {}

  /// Makes a ledger of a journal's entries; O(entries), and O(failures) for each that repeats another.
  public init(_ entries: some Sequence<JournalEntry>) {
    for entry in entries { record(entry) }
  }

  /// Adds what became of a sample.
  public mutating func record(_ entry: JournalEntry) {
    switch entry {
    case .sample(let sample):
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

  /// Whether the sample was taken and succeeded.
  public func hasSample(_ key: SampleKey) -> Bool { measured.contains(key) }

  /// The samples of the plan still to take, in the plan's order: those never tried and those that failed, without the
  /// rounds that are left out of a slow cell.
  public func remaining(of plan: RunPlan) -> [PlannedSample] {
    plan.samples.filter { !measured.contains($0.key) && !plan.isLeftOut($0, in: self) }
  }
}
