// Causes that are no statement's: checkpoints, syncs, writes, reads, allocations, and memory that is held.
internal import BatchmarkEngine
internal import Instruments

extension CauseSearch {
  /// What is done more with files, as one cause: checkpoints sync, and what is synced was written.
  ///
  /// Its time is the larger of two: that of statements which take longer though nothing of theirs that is counted differs, and
  /// that of syncs and checkpoints, since SQLite runs an automatic checkpoint after the statement that it counts. Where more
  /// transactions are committed they are the cause, and this follows from it.
  func filesFinding(_ timed: [TimedStatement], hasMoreCommits: Bool) -> CauseFinding? {
    let kinds: [(kind: CauseFinding.Kind, metrics: [MetricID])] = [
      (.checkpoints, [.checkpoints, .checkpointedPages]),
      (.syncs, [.syncs, .databaseSyncs, .walSyncs, .journalSyncs, .directorySyncs]),
      (
        .writes,
        [
          .bytesWritten, .walFrames, .walBytesWritten, .databaseBytesWritten, .journalBytesWritten,
          .temporaryBytesWritten, .cacheSpills,
        ]
      ),
      (.reads, [.bytesRead, .cacheMisses]),
    ]
    let grown = kinds.map { kind in (kind.kind, kind.metrics.compactMap { self.grown($0) }) }.filter { !$0.1.isEmpty }
    guard let first = grown.first else { return nil }
    var finding = CauseFinding(first.0, grown.flatMap(\.1))
    if hasMoreCommits { return finding }
    let affected = first.0 == .reads ? timed : timed.filter(\.writes)
    if let trials = affected.map(\.growth.count).min(), trials > 0 {
      let sums = (0..<trials).map { trial in affected.reduce(0.0) { $0 + $1.growth[trial] } }
      finding.part = part(sums, of: statementPhaseGrowth)
    }
    let metrics: [MetricID] = first.0 == .checkpoints ? [.syncTime, .checkpointTime] : [.syncTime]
    let waited = metrics.map(growth).max().flatMap { $0 > 0 ? estimatedPart(nanoseconds: $0) : nil }
    if let waited, waited.share > finding.part?.high ?? 0 { finding.part = waited }
    return finding
  }

  /// By how much more of a metric the side has; 0 where it has no more.
  func growth(_ metric: MetricID) -> Double { grown(metric).map { Double(($0.head - $0.base).magnitude) } ?? 0 }

  // About what an allocation costs with its release, and each byte of it that is written once: enough to rank by.
  private static let allocationNanoseconds = 50.0
  private static let byteNanoseconds = 0.03

  func memoryFinding() -> CauseFinding? {
    let evidence = [MetricID.allocations, .allocatedBytes, .heapPeak].compactMap { grown($0) }
    guard let first = evidence.first else { return nil }
    if first.name == MetricID.heapPeak.rawValue { return CauseFinding(.heap, evidence) }
    let nanoseconds =
      growth(.allocations) * CauseSearch.allocationNanoseconds + growth(.allocatedBytes) * CauseSearch.byteNanoseconds
    return CauseFinding(.allocations, subject: allocatingStage, evidence, part: estimatedPart(nanoseconds: nanoseconds))
  }

  /// The stage with the most further allocations; nil where no stage explains them.
  private var allocatingStage: String? {
    let growth = more.stageAllocations.compactMap { name, after -> (name: String, growth: Int64)? in
      let before = less.stageAllocations[name] ?? FigureRange(0)
      return after.isAbove(before) ? (name, after.middle - before.middle) : nil
    }
    return growth.max { ($0.growth, $1.name) < ($1.growth, $0.name) }?.name
  }
}
