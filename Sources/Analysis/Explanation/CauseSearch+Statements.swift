// Causes that are statements: prepared again, run more often, with another plan, or with more rows, steps, scans or
// sorts.
internal import Harness
internal import Statistics
internal import Support

extension CauseSearch {
  /// A statement with the same counts on both sides, and how much longer it takes.
  struct TimedStatement {
    var finding: CauseFinding
    var growth: [Double]
    /// Whether it writes to the store's files, or may.
    var writes: Bool
  }

  /// A metric that SQLite counts for a statement.
  private struct Counter: Sendable {
    var kind: CauseFinding.Kind
    var name: String
    var value: @Sendable (StatementFigures) -> Int64?
  }

  /// The most specific one first: the first that grew names the cause.
  private static let counters = [
    Counter(kind: .preparation, name: "preparations") { $0.work.map { $0.preparations + $0.repreparations } },
    Counter(kind: .statements, name: "runs") { $0.runs },
    Counter(kind: .automaticIndex, name: "automatic_index_rows") { $0.work?.automaticIndexRows },
    Counter(kind: .sorts, name: "sorts") { $0.work?.sorts },
    Counter(kind: .rows, name: "rows") { $0.work?.rows },
    Counter(kind: .fullScan, name: "full_scan_steps") { $0.work?.fullScanSteps },
    Counter(kind: .vmSteps, name: "vm_steps") { $0.vmSteps },
  ]

  /// Every statement that one side runs more often, and those that only take longer.
  func statementFindings() -> (found: [CauseFinding], timed: [TimedStatement]) {
    var found: [CauseFinding] = []
    var timed: [TimedStatement] = []
    for (name, lessName) in pairedStatements() {
      let before = less.statements.map { trial in
        lessName.flatMap { trial.statements[$0] } ?? StatementFigures()
      }
      let after = more.statements.map { $0.statements[name] ?? StatementFigures() }
      guard !before.isEmpty, before.count == after.count else { continue }
      let growth = self.growth(from: before, to: after)
      let isNew = before.allSatisfy { $0.runs == 0 }
      var evidence: [CauseFinding.Evidence] = []
      var kinds: [CauseFinding.Kind] = []
      for counter in CauseSearch.counters {
        // Counts of a statement that a side does not run are 0.
        guard let ranges = ranges(counter, before, after, isNew: isNew), ranges.after.isAbove(ranges.before) else {
          continue
        }
        kinds.append(counter.kind)
        evidence.append(self.evidence(counter.name, ranges.before.middle, ranges.after.middle))
      }
      let plans = [before, after].map { $0.lazy.compactMap(\.work?.plan).first }
      let hasOtherPlan = plans[0] != nil && plans[1] != nil && plans[0] != plans[1]
      if kinds.isEmpty, !hasOtherPlan || !isShown(growth) {
        let finding = CauseFinding(
          .statementTime, subject: name,
          [
            self.evidence(
              "time_ns", median(before.map { Double($0.nanoseconds) }), median(after.map { Double($0.nanoseconds) }))
          ], part: part(growth, of: statementPhaseGrowth))
        timed.append(TimedStatement(finding: finding, growth: growth, writes: CauseSearch.writes(name)))
        continue
      }
      // A different text has a different plan anyway.
      let kind = hasOtherPlan && lessName == name ? .queryPlan : kind(of: kinds, evidence)
      // The metric that names the cause comes first.
      if let deciding = CauseSearch.counters.first(where: { $0.kind == kind })?.name,
        let place = evidence.firstIndex(where: { $0.name == deciding })
      {
        evidence.insert(evidence.remove(at: place), at: 0)
      }
      var finding = CauseFinding(kind, subject: name, evidence, part: part(growth, of: statementPhaseGrowth))
      if let lessName, lessName != name { finding.baseSubject = lessName }
      if hasOtherPlan {
        (finding.basePlan, finding.headPlan) = isReversed ? (plans[1], plans[0]) : (plans[0], plans[1])
      }
      if isReversed, finding.baseSubject != nil { (finding.subject, finding.baseSubject) = (lessName, name) }
      found.append(finding)
    }
    return (found, timed)
  }

  /// The kind of cause.
  ///
  /// A statement that runs more often is also prepared more often if each run prepares it.
  private func kind(of kinds: [CauseFinding.Kind], _ evidence: [CauseFinding.Evidence]) -> CauseFinding.Kind {
    guard kinds.count > 1, kinds[0] == .preparation, kinds[1] == .statements else { return kinds.first ?? .vmSteps }
    func growth(_ name: String) -> Int64 {
      evidence.first { $0.name == name }.map { ($0.head - $0.base).magnitude }.map(Int64.init(clamping:)) ?? 0
    }
    return growth("preparations") > growth("runs") ? .preparation : .statements
  }

  private func ranges(
    _ counter: Counter, _ before: [StatementFigures], _ after: [StatementFigures], isNew: Bool
  ) -> (before: FigureRange, after: FigureRange)? {
    let values = after.compactMap(counter.value)
    let earlier = isNew ? before.map { _ in 0 } : before.compactMap { $0.runs == 0 ? 0 : counter.value($0) }
    guard values.count == after.count, earlier.count == before.count, let after = FigureRange(values),
      let before = FigureRange(earlier)
    else { return nil }
    return (before, after)
  }

  /// How much more of the phase's time the statement takes in each trial, including the cost of additional
  /// preparations.
  private func growth(from before: [StatementFigures], to after: [StatementFigures]) -> [Double] {
    let each = after.lazy.compactMap(\.work?.preparationNanoseconds).first
    func nanoseconds(_ figures: StatementFigures) -> Double {
      let prepared = figures.work.map { $0.preparations + $0.repreparations } ?? 0
      return Double(figures.nanoseconds) + Double(prepared) * Double(each ?? 0)
    }
    return before.indices.compactMap { trial in
      let phase = less.statements[trial].nanoseconds
      return phase > 0 ? (nanoseconds(after[trial]) - nanoseconds(before[trial])) / phase : nil
    }
  }

  /// The texts of the side that has more, each with its counterpart on the other side: the same text, or one that only
  /// the other side has, with the same purpose and number of runs; `nil` if there is none.
  private func pairedStatements() -> [(more: String, less: String?)] {
    let names = [less, more].map { side in Set(side.statements.flatMap(\.statements.keys)) }
    func figures(_ side: SideFigures, _ name: String) -> (purpose: String, runs: Int64)? {
      side.statements.first?.statements[name].map { ($0.purpose, $0.runs) }
    }
    var unpaired = names[0].subtracting(names[1]).sorted()
    return names[1].sorted().map { name in
      if names[0].contains(name) { return (name, name) }
      guard let own = figures(more, name),
        let place = unpaired.firstIndex(where: { other in figures(less, other).map { $0 == own } ?? false })
      else { return (name, nil) }
      return (name, unpaired.remove(at: place))
    }
  }

  private static func writes(_ sql: String) -> Bool {
    let word = sql.prefix(while: \.isLetter).uppercased()
    return ["COMMIT", "END", "RELEASE", "INSERT", "UPDATE", "DELETE", "REPLACE", "PRAGMA", "WITH"].contains(word)
  }
}
