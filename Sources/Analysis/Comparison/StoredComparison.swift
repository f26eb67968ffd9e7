// Compares two stored results: exact metrics decide, times are hints, and results of different questions are refused.
package import BatchmarkEngine
package import Harness
internal import Instruments

/// A comparison of a run's results with those of an earlier run.
package struct StoredComparison: Sendable {
  /// Why the two cannot be compared, one sentence each; empty if they can.
  package let obstacles: [String]
  /// Whether both are results of the same run, which cannot show a change.
  package let isOfOneRun: Bool
  /// The differences between the two machines and environments.
  package let environment: [EnvironmentDifference]
  /// The cells of both, in base's order; empty if there is an obstacle.
  package let cells: [ComparedCell]
  /// Failed samples on both sides.
  package let failures: Int

  /// How far an exact metric may grow and still pass: 1 %, as for live pairs.
  ///
  /// Growth within the margin is reported.
  package static let figureMargin = 0.01

  package init(base: Report, head: Report) {
    obstacles = ComparisonObstacles(base: base, head: head).sentences
    isOfOneRun = !base.run.runID.isEmpty && base.run.runID == head.run.runID
    environment =
      EnvironmentDifference.all(base.environment, head.environment) + EnvironmentDifference.programs(base, head)
    failures = [base, head].flatMap(\.scenarios).flatMap(\.cells).reduce(0) { $0 + $1.failures.count }
    cells =
      obstacles.isEmpty
      ? base.scenarios.flatMap { scenario in
        let others = head.scenarios.first { $0.name == scenario.name }?.cells ?? []
        return scenario.cells.compactMap { cell in
          others.first { $0.cell.id == cell.cell.id }.map { ComparedCell(base: cell, head: $0) }
        }
      } : []
  }

  /// The cells with an exact metric on both sides.
  ///
  /// Others, such as those with concurrent readers or writers, show nothing.
  package var judgedCells: [ComparedCell] { cells.filter { !$0.figures.isEmpty } }

  /// The worst verdict of all metrics; untrusted if there are none.
  package var overall: Verdict {
    let judged = judgedCells
    return judged.isEmpty ? .untrusted : Verdict.worst(of: judged.map(\.verdict))
  }

  /// The exit status.
  package var status: CommandStatus {
    var statuses: [CommandStatus] = []
    if failures > 0 { statuses.append(.failedSamples) }
    if !obstacles.isEmpty { statuses.append(.notComparable) }
    // A comparison of nothing does not pass.
    if obstacles.isEmpty && judgedCells.isEmpty || cells.contains(where: { $0.has(.untrusted) }) {
      statuses.append(.untrusted)
    }
    if cells.contains(where: { $0.has(.regression) }) { statuses.append(.regression) }
    return .first(of: statuses)
  }
}

/// A cell that both results have.
package struct ComparedCell: Sendable {
  package let base: CellReport
  package let head: CellReport
  /// The exact metrics of both, phase by phase.
  package let figures: [FigureVerdict]

  package init(base: CellReport, head: CellReport) {
    self.base = base
    self.head = head
    figures = ComparedCell.phases.flatMap { phase -> [FigureVerdict] in
      guard let base = base.summary(of: phase), let head = head.summary(of: phase) else { return [] }
      return MetricID.allCases.filter(\.isJudged).compactMap { FigureVerdict($0, in: phase, base: base, head: head) }
    }
  }

  /// The phases in which an engine works; the others are the harness's own.
  package static let phases: [Phase] = [.ingest, .reingest, .update, .delete, .fetch, .migrate, .merge, .checkpoint]

  /// The worst verdict of its metrics; untrusted if there are none.
  package var verdict: Verdict { figures.isEmpty ? .untrusted : Verdict.worst(of: figures.map(\.verdict)) }

  package func has(_ verdict: Verdict) -> Bool { figures.contains { $0.verdict == verdict } }
}

extension FigureVerdict {
  /// The verdict on a metric of two stored phases by the built-in limit; `nil` if one side lacks it.
  fileprivate init?(_ metric: MetricID, in phase: Phase, base: PhaseReport, head: PhaseReport) {
    guard let one = base.metrics[metric], let other = head.metrics[metric] else { return nil }
    let repeats = base.disagreements[metric] == nil && head.disagreements[metric] == nil
    let limit = GateLimit(.share(StoredComparison.figureMargin))
    let verdict = repeats ? Verdict(ofFigure: other, to: one, limit: limit) : .untrusted
    self.init(
      phase: phase, metric: metric, base: one, head: other, verdict: verdict, rule: nil, fails: verdict == .regression)
  }
}

extension Verdict {
  /// The worst of some verdicts on exact metrics; a pass if there are none, or if some are better and none worse.
  package static func worst(of verdicts: [Verdict]) -> Verdict {
    [.untrusted, .regression, .small].first(where: verdicts.contains)
      ?? (verdicts.contains(.improved) ? .improved : .pass)
  }
}

/// A fact in which two runs differ.
package struct EnvironmentDifference: Codable, Sendable, Hashable {
  package var name: String
  /// `nil` if the run does not have it.
  package var base: String?
  package var head: String?

  package init(_ name: String, base: String?, head: String?) {
    self.name = name
    self.base = base
    self.head = head
  }

  /// Facts that vary between runs on one machine, or that the comparison is about.
  private static let changing: Set = [
    "build", "SQLite file", "sync probe", "load average at the end", "resolution of resident peaks",
  ]

  /// The facts that differ, in base's order, then those that only head has.
  package static func all(_ base: [EnvironmentFact], _ head: [EnvironmentFact]) -> [EnvironmentDifference] {
    func value(_ name: String, _ facts: [EnvironmentFact]) -> String? {
      facts.first { $0.name == name }?.steadyValue
    }
    let names = base.map(\.name) + head.map(\.name).filter { name in !base.contains { $0.name == name } }
    return names.filter { !changing.contains($0) }.compactMap { name in
      let (one, other) = (value(name, base), value(name, head))
      return one == other ? nil : EnvironmentDifference(name, base: one, head: other)
    }
  }

  /// The engines with different versions of their programs in the two runs, in base's order.
  fileprivate static func programs(_ base: Report, _ head: Report) -> [EnvironmentDifference] {
    func versions(_ results: Report) -> [(engine: String, version: String)] {
      results.scenarios.flatMap(\.cells).compactMap { cell in
        cell.samples.lazy.compactMap(\.programVersion).first.map { (cell.cell.engine, $0) }
      }
    }
    let others = Dictionary(versions(head)) { first, _ in first }
    var found: [EnvironmentDifference] = []
    for (engine, version) in versions(base) {
      guard let other = others[engine], other != version else { continue }
      let difference = EnvironmentDifference("the program of \(engine)", base: version, head: other)
      if !found.contains(difference) { found.append(difference) }
    }
    return found
  }
}

extension EnvironmentFact {
  /// The fact without its constantly changing part: the free space of a file system.
  var steadyValue: String {
    guard value.hasSuffix(" free"), let comma = value.lastIndex(of: ",") else { return value }
    return String(value[..<comma])
  }
}
