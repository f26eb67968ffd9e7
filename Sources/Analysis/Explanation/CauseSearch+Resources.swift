// Causes other than statements: checkpoints, syncs, writes, reads, allocations, and memory in use.
internal import BatchmarkEngine
internal import Instruments

extension CauseSearch {
  /// Additional work on files, as one cause, because checkpoints sync, and synced data was written before.
  ///
  /// Its time is the largest of three: that of statements which take longer without any different counts; that of syncs
  /// and checkpoints, because SQLite runs an automatic checkpoint after the statement that triggers it; and the waiting
  /// caused by syncs. If more transactions are committed, they are the cause, and this is a consequence.
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
    var parts: [CauseFinding.Part?] = []
    if let trials = affected.map(\.growth.count).min(), trials > 0 {
      let sums = (0..<trials).map { trial in affected.reduce(0.0) { $0 + $1.growth[trial] } }
      parts.append(part(sums, of: statementPhaseGrowth))
    }
    let metrics: [MetricID] = first.0 == .checkpoints ? [.syncTime, .checkpointTime] : [.syncTime]
    parts += metrics.map(growth).filter { $0 > 0 }.map { estimatedPart(nanoseconds: $0) }
    if mostSynced > 0 {
      parts.append(part(stageGrowth(\.waitNanoseconds).map { min($0, mostSynced) }, of: stageGrowth(\.nanoseconds)))
    }
    finding.part = parts.compactMap(\.self).max { $0.share < $1.share }
    return finding
  }

  /// The most waiting that additional syncs may have caused, as a share of the phase's time on the other side; 0
  /// without additional syncs.
  ///
  /// They were timed in separate passes, where one may take half as long.
  var mostSynced: Double {
    guard grown(.syncs) != nil, let phase = less.phaseNanoseconds, phase > 0 else { return 0 }
    return 2 * growth(.syncTime) / phase
  }

  /// How much larger a metric is on this side; 0 if it is not.
  func growth(_ metric: MetricID) -> Double { grown(metric).map { Double(($0.head - $0.base).magnitude) } ?? 0 }

  // The approximate cost of an allocation with its release, and of each byte written once: enough to rank by.
  private static let allocationNanoseconds = 50.0
  private static let byteNanoseconds = 0.03

  /// More allocations, or more memory in use.
  ///
  /// If no change of time needs an explanation, the metric that grew most.
  func memoryFinding() -> CauseFinding? {
    var evidence = [MetricID.allocations, .allocatedBytes, .heapPeak].compactMap { grown($0) }
    if timeGrowth == nil { evidence.sort { $0.growthShare > $1.growthShare } }
    guard let first = evidence.first else { return nil }
    if first.name == MetricID.heapPeak.rawValue {
      return CauseFinding(.heap, subject: allocatingFunction(of: growth(.heapPeak)), evidence)
    }
    let nanoseconds =
      growth(.allocations) * CauseSearch.allocationNanoseconds + growth(.allocatedBytes) * CauseSearch.byteNanoseconds
    return CauseFinding(.allocations, subject: allocatingStage, evidence, part: estimatedPart(nanoseconds: nanoseconds))
  }

  /// The stage with the most additional allocations; `nil` if no stage explains them.
  private var allocatingStage: String? {
    let growth = more.stageAllocations.compactMap { name, after -> (name: String, growth: Int64)? in
      let before = less.stageAllocations[name] ?? FigureRange(0)
      return after.isAbove(before) ? (name, after.middle - before.middle) : nil
    }
    return growth.max { ($0.growth, $1.name) < ($1.growth, $0.name) }?.name
  }

  /// The function that allocates most of the additional bytes; `nil` if no stack explains half of them.
  ///
  /// It is the innermost function of the stack that grew most, ignoring the allocator, the runtime and the standard
  /// library.
  private func allocatingFunction(of bytes: Double) -> String? {
    let grown = more.allocatedBytes.map { stack, after in (stack, after - (less.allocatedBytes[stack] ?? 0)) }
    guard let (stack, growth) = grown.max(by: { ($0.1, $1.0) < ($1.1, $0.0) }), 2 * Double(growth) >= bytes else {
      return nil
    }
    return stack.split(separator: ";").last { function in
      let name = function.split(separator: " of ").last ?? function
      return name.contains(".") && !name.hasPrefix("[") && !["Swift.", "Foundation"].contains { name.hasPrefix($0) }
    }.map(String.init)
  }
}

extension CauseFinding.Evidence {
  /// The growth of the figure, as a share of the smaller one.
  fileprivate var growthShare: Double {
    (max(Double(base), Double(head)) - min(Double(base), Double(head))) / max(min(Double(base), Double(head)), 1)
  }
}
