// The search for causes: compares the side that has less with the side that has more, and with how much longer that one
// takes.
internal import BatchmarkEngine
internal import Harness
internal import Instruments
internal import Statistics
internal import Support

/// What one side has more of, and how much of the change that explains.
///
/// Rules against false causes: an exact metric names no cause if it is equal on both sides, or if the difference is
/// within its variation between trials. A time names a cause only if the comparison itself has shown a change of time,
/// if its interval excludes chance at ``falseCauses`` divided by the number of compared times, and if it is at least a
/// tenth of the change.
struct CauseSearch {
  let less: SideFigures
  let more: SideFigures
  /// Whether base has more.
  let isReversed: Bool
  /// How much longer the side that has more takes, as a share of the other's time; `nil` if that was not shown.
  let timeGrowth: Double?

  /// The upper bound of the probability that a comparison of equal sides names a cause by times.
  static let falseCauses = 0.01
  /// A time with a smaller share of the change names no cause.
  static let leastTimedPart = 0.1
  /// Smaller parts are left out, however certain the difference is.
  static let leastPart = 0.01

  /// The number of compared times.
  private var timedCandidates: Int {
    let statements = Set(less.statements.flatMap(\.statements.keys)).union(more.statements.flatMap(\.statements.keys))
    let stages = Set(more.stages.flatMap(\.stages.keys))
    // Waiting and other threads.
    return statements.count + stages.count + 2
  }

  /// The confidence level of an interval that excludes chance for all times together.
  ///
  /// With few trials and many times, no interval reaches it.
  private var confidence: Double { 1 - CauseSearch.falseCauses / Double(max(timedCandidates, 1)) }

  // MARK: Evidence

  /// Evidence with the figures assigned to base and head.
  func evidence(_ name: String, _ less: Int64, _ more: Int64) -> CauseFinding.Evidence {
    CauseFinding.Evidence(name, base: isReversed ? more : less, head: isReversed ? less : more)
  }

  /// A metric that is larger on this side; `nil` if it is not.
  func grown(_ metric: MetricID) -> CauseFinding.Evidence? {
    guard let before = less.metrics[metric], let after = more.metrics[metric], after.isAbove(before) else { return nil }
    return evidence(metric.rawValue, before.middle, after.middle)
  }

  // MARK: Times

  /// The part of the change that a time explains.
  ///
  /// - Parameters:
  ///   - growth: How much longer it is in each trial, as shares of the phase's time on the side that has less.
  ///   - phase: How much longer the phase is in the same trials, so that disturbances of the machine are in both.
  /// - Returns: Its estimate and 95 % interval; `nil` if no change of time was shown.
  func part(_ growth: [Double], of phase: [Double]) -> CauseFinding.Part? {
    guard let timeGrowth, timeGrowth > 0, let middle = hodgesLehmann(growth) else { return nil }
    let interval = hodgesLehmannInterval(growth, confidence: 0.95)
    // Trials that do not show the change with certainty, or show only little of it, are too noisy to divide by.
    let isSeen = (hodgesLehmannInterval(phase, confidence: 0.95)?.lowerBound ?? 0) > 0
    let seen = hodgesLehmann(phase) ?? 0
    let whole = isSeen && seen > CauseSearch.leastTimedPart * timeGrowth ? seen : timeGrowth
    func share(_ growth: Double) -> Double { min(max(growth / whole, 0), 1) }
    return CauseFinding.Part(
      share: share(middle), low: interval.map { share($0.lowerBound) }, high: interval.map { share($0.upperBound) })
  }

  /// A part computed from exact figures and their unit costs.
  func estimatedPart(nanoseconds: Double) -> CauseFinding.Part? {
    guard let timeGrowth, timeGrowth > 0, let phase = less.phaseNanoseconds, phase > 0 else { return nil }
    return CauseFinding.Part(share: min(max(nanoseconds / phase / timeGrowth, 0), 1))
  }

  /// Whether times alone prove a cause.
  func isShown(_ growth: [Double]) -> Bool {
    guard let timeGrowth, timeGrowth > 0,
      let interval = hodgesLehmannInterval(growth, confidence: confidence),
      let middle = hodgesLehmann(growth)
    else { return false }
    return interval.lowerBound > 0 && middle >= CauseSearch.leastTimedPart * timeGrowth
  }

  /// How much more of the phase's time something takes in each trial.
  func stageGrowth(_ value: (SideFigures.StageTrial) -> Double?) -> [Double] {
    zip(less.stages, more.stages).compactMap { before, after in
      guard before.nanoseconds > 0, let one = value(before), let other = value(after) else { return nil }
      return (other - one) / before.nanoseconds
    }
  }

  /// How much longer the phase is while statements are recorded.
  var statementPhaseGrowth: [Double] {
    zip(less.statements, more.statements).compactMap { before, after in
      before.nanoseconds > 0 ? after.nanoseconds / before.nanoseconds - 1 : nil
    }
  }

  func median(_ values: [Double?]) -> Int64 {
    Int64(clamping: Statistics.median(values.compactMap(\.self)) ?? 0)
  }

  // MARK: Findings

  /// Every cause, the one that explains most of the change first.
  func findings() -> [CauseFinding] {
    let (statements, unexplainedTimes) = statementFindings()
    var found = withPreparationTimes(statements)
    if let files = filesFinding(unexplainedTimes, hasMoreCommits: statements.contains(where: \.isOfCommits)) {
      found.append(files)
    } else {
      found += unexplainedTimes.filter { isShown($0.growth) }.map(\.finding)
    }
    // Estimated causes, and possible consequences of others, explain at most the rest of the change.
    for next in [memoryFinding(), waitFinding(), otherThreadsFinding()] {
      if let next = next.map({ limited($0, after: found) }) { found.append(next) }
    }
    let left = 1 - CauseSearch.explained(by: found)
    if left >= CauseSearch.leastRest, let code = newCodeFinding(beside: found) {
      found.append(limited(code, after: found))
    }
    if 1 - CauseSearch.explained(by: found) >= CauseSearch.leastRest {
      for stage in stageFindings() { found.append(limited(stage, after: found)) }
    }
    found.removeAll { timeGrowth != nil && ($0.part?.share ?? 1) < CauseSearch.leastPart }
    let order = CauseFinding.Kind.allCases
    return found.enumerated().sorted { one, other in
      let shares = (one.element.part?.share ?? -1, other.element.part?.share ?? -1)
      if shares.0 != shares.1 { return shares.0 > shares.1 }
      let kinds = [one, other].map { order.firstIndex(of: $0.element.kind) ?? 0 }
      return (kinds[0], one.offset) < (kinds[1], other.offset)
    }.map(\.element)
  }

  /// A smaller rest is not searched for in functions and stages.
  private static let leastRest = 0.25

  private static func explained(by findings: [CauseFinding]) -> Double {
    min(1, findings.compactMap(\.part?.share).reduce(0, +))
  }

  private func limited(_ finding: CauseFinding, after others: [CauseFinding]) -> CauseFinding {
    var finding = finding
    guard var part = finding.part else { return finding }
    let rest = 1 - CauseSearch.explained(by: others)
    if part.share > rest { part = CauseFinding.Part(share: rest) }
    finding.part = part
    return finding
  }

  private func otherThreadsFinding() -> CauseFinding? {
    let growth = stageGrowth(\.otherThreadsNanoseconds)
    guard isShown(growth) else { return nil }
    return CauseFinding(
      .otherThreads,
      [
        evidence(
          "other_threads_ns", median(less.stages.map(\.otherThreadsNanoseconds)),
          median(more.stages.map(\.otherThreadsNanoseconds))),
        evidence(
          "thread_ns", median(less.stages.map(\.threadNanoseconds)), median(more.stages.map(\.threadNanoseconds))),
      ], part: part(growth, of: stageGrowth(\.nanoseconds)))
  }

  /// Waiting, except for the part explained by additional syncs, which are then the cause.
  private func waitFinding() -> CauseFinding? {
    let growth = stageGrowth(\.waitNanoseconds).map { $0 - mostSynced }
    guard isShown(growth) else { return nil }
    return CauseFinding(
      .wait,
      [
        evidence("wait_ns", median(less.stages.map(\.waitNanoseconds)), median(more.stages.map(\.waitNanoseconds))),
        evidence("cpu_ns", median(less.stages.map(\.cpuNanoseconds)), median(more.stages.map(\.cpuNanoseconds))),
      ], part: part(growth, of: stageGrowth(\.nanoseconds)))
  }

  private func stageFindings() -> [CauseFinding] {
    Set(more.stages.flatMap(\.stages.keys)).sorted().compactMap { name in
      let growth = stageGrowth { $0.stages[name] ?? 0 }
      guard isShown(growth) else { return nil }
      return CauseFinding(
        .stage, subject: name,
        [
          evidence(
            "time_ns", median(less.stages.map { $0.stages[name] ?? 0 }),
            median(more.stages.map { $0.stages[name] ?? 0 }))
        ],
        part: part(growth, of: stageGrowth(\.nanoseconds)))
    }.sorted { ($0.part?.share ?? 0) > ($1.part?.share ?? 0) }
  }
}

extension CauseFinding {
  /// Whether it says that more transactions are committed, which explains their writes and syncs.
  fileprivate var isOfCommits: Bool {
    guard kind == .statements, let word = subject?.prefix(while: \.isLetter).uppercased() else { return false }
    return ["COMMIT", "END", "RELEASE"].contains(word)
  }
}
