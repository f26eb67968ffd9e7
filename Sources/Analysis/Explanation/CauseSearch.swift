// The search for causes: of the side that has less, the side that has more, and how much more time that one takes.
internal import BatchmarkEngine
internal import Harness
internal import Instruments
internal import Statistics
internal import Support

/// What one side has more of, and what that accounts for.
///
/// Rules against false causes: an exact figure that is equal names nothing, nor one within the range by which it differs from
/// trial to trial; a time names something only where the comparison itself has shown that the time changed, where its interval
/// excludes chance at ``falseCauses`` divided by the number of times that are looked at, and where it is a tenth of the change.
struct CauseSearch {
  let less: SideFigures
  let more: SideFigures
  /// Whether base is the side that has more.
  let isReversed: Bool
  /// By how much the time of the side that has more is longer, as a share of the other's; nil where that was not shown.
  let timeGrowth: Double?

  /// The bound of the probability that a comparison of equal sides has a cause named by times.
  static let falseCauses = 0.01
  /// Parts of times below this share of the change name no cause.
  static let leastTimedPart = 0.1
  /// Parts below this share are left out, however certain the difference is.
  static let leastPart = 0.01

  /// How many times are looked at.
  private var timedCandidates: Int {
    let statements = Set(less.statements.flatMap(\.statements.keys)).union(more.statements.flatMap(\.statements.keys))
    let stages = Set(more.stages.flatMap(\.stages.keys))
    // Waiting and other threads.
    return statements.count + stages.count + 2
  }

  /// The confidence of an interval that excludes chance for all times together.
  ///
  /// With few trials for many times, no interval reaches it.
  private var confidence: Double { 1 - CauseSearch.falseCauses / Double(max(timedCandidates, 1)) }

  // MARK: Evidence

  /// Evidence with the sides where they belong.
  func evidence(_ name: String, _ less: Int64, _ more: Int64) -> CauseFinding.Evidence {
    CauseFinding.Evidence(name, base: isReversed ? more : less, head: isReversed ? less : more)
  }

  /// A metric that the side has more of; nil where it does not.
  func grown(_ metric: MetricID) -> CauseFinding.Evidence? {
    guard let before = less.metrics[metric], let after = more.metrics[metric], after.isAbove(before) else { return nil }
    return evidence(metric.rawValue, before.middle, after.middle)
  }

  // MARK: Times

  /// The part of the change that a time accounts for.
  ///
  /// - Parameters:
  ///   - growth: By how much longer it is in each trial, as shares of the phase's time on the side that has less.
  ///   - phase: By how much longer the phase is in the same trials: what else ran on the machine is then in both.
  /// - Returns: Its estimate and 95 % interval; nil where no change of time was shown.
  func part(_ growth: [Double], of phase: [Double]) -> CauseFinding.Part? {
    guard let timeGrowth, timeGrowth > 0, let middle = hodgesLehmann(growth) else { return nil }
    let interval = hodgesLehmannInterval(growth, confidence: 0.95)
    // Trials that do not show the change for certain, or little of it, are too noisy to divide by.
    let isSeen = (hodgesLehmannInterval(phase, confidence: 0.95)?.lowerBound ?? 0) > 0
    let seen = hodgesLehmann(phase) ?? 0
    let whole = isSeen && seen > CauseSearch.leastTimedPart * timeGrowth ? seen : timeGrowth
    func share(_ growth: Double) -> Double { min(max(growth / whole, 0), 1) }
    return CauseFinding.Part(
      share: share(middle), low: interval.map { share($0.lowerBound) }, high: interval.map { share($0.upperBound) })
  }

  /// A part that is computed from exact figures and what each costs.
  func estimatedPart(nanoseconds: Double) -> CauseFinding.Part? {
    guard let timeGrowth, timeGrowth > 0, let phase = less.phaseNanoseconds, phase > 0 else { return nil }
    return CauseFinding.Part(share: min(max(nanoseconds / phase / timeGrowth, 0), 1))
  }

  /// Whether times alone show a cause.
  func isShown(_ growth: [Double]) -> Bool {
    guard let timeGrowth, timeGrowth > 0,
      let interval = hodgesLehmannInterval(growth, confidence: confidence),
      let middle = hodgesLehmann(growth)
    else { return false }
    return interval.lowerBound > 0 && middle >= CauseSearch.leastTimedPart * timeGrowth
  }

  /// By how much more of the phase's time something takes, trial by trial.
  func stageGrowth(_ value: (SideFigures.StageTrial) -> Double?) -> [Double] {
    zip(less.stages, more.stages).compactMap { before, after in
      guard before.nanoseconds > 0, let one = value(before), let other = value(after) else { return nil }
      return (other - one) / before.nanoseconds
    }
  }

  /// By how much longer the phase is while statements are followed.
  var statementPhaseGrowth: [Double] {
    zip(less.statements, more.statements).compactMap { before, after in
      before.nanoseconds > 0 ? after.nanoseconds / before.nanoseconds - 1 : nil
    }
  }

  func median(_ values: [Double?]) -> Int64 {
    Int64(clamping: Statistics.median(values.compactMap(\.self)) ?? 0)
  }

  // MARK: Findings

  /// Every cause, the one that accounts for the most first.
  func findings() -> [CauseFinding] {
    let (statements, unexplainedTimes) = statementFindings()
    var found = withPreparationTimes(statements)
    if let files = filesFinding(unexplainedTimes, hasMoreCommits: statements.contains(where: \.isOfCommits)) {
      found.append(files)
    } else {
      found += unexplainedTimes.filter { isShown($0.growth) }.map(\.finding)
    }
    // What is estimated or may follow from what was found so far accounts at most for what that leaves.
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

  /// Less than this share is not looked for in functions and stages.
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

  /// Waiting, without what syncs account for where more is synced: that is the cause then.
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
  /// Whether it says that more transactions are committed: what they write and sync follows from it.
  fileprivate var isOfCommits: Bool {
    guard kind == .statements, let word = subject?.prefix(while: \.isLetter).uppercased() else { return false }
    return ["COMMIT", "END", "RELEASE"].contains(word)
  }
}
