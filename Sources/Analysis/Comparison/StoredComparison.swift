// Compares two stored results: exact figures decide, times are hints, and results of different questions are refused.
package import BatchmarkEngine
package import Harness
internal import Instruments

/// A run's results against those of an earlier one.
package struct StoredComparison: Sendable {
  /// Why the two cannot be compared, one sentence each; empty when they can.
  package let obstacles: [String]
  /// Whether both are results of one run, which cannot show a change.
  package let isOfOneRun: Bool
  /// The differences between the two machines and environments.
  package let environment: [EnvironmentDifference]
  /// The cells both have, in base's order; none where there is an obstacle.
  package let cells: [ComparedCell]
  /// Samples that failed, on both sides.
  package let failures: Int

  /// How far an exact figure may grow and still pass, 1 % as between live pairs; growth within it is reported.
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

  /// The cells that have an exact figure on both sides: others show nothing, as those beside which others read or write.
  package var judgedCells: [ComparedCell] { cells.filter { !$0.figures.isEmpty } }

  /// The worst verdict of all figures; untrusted without any.
  package var overall: Verdict {
    let judged = judgedCells
    return judged.isEmpty ? .untrusted : Verdict.worst(of: judged.map(\.verdict))
  }

  /// What the process ends with.
  package var status: CommandStatus {
    var statuses: [CommandStatus] = []
    if failures > 0 { statuses.append(.failedSamples) }
    if !obstacles.isEmpty { statuses.append(.notComparable) }
    // What compares nothing lets nothing through.
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
  /// The exact figures that both have, phase by phase.
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

  /// The worst of its figures; untrusted without any.
  package var verdict: Verdict { figures.isEmpty ? .untrusted : Verdict.worst(of: figures.map(\.verdict)) }

  package func has(_ verdict: Verdict) -> Bool { figures.contains { $0.verdict == verdict } }
}

extension FigureVerdict {
  /// The figure of two stored phases by the built-in limit; nil where one side has none.
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
  /// The worst of verdicts on exact figures; a pass where there are none, or where some are better and none worse.
  package static func worst(of verdicts: [Verdict]) -> Verdict {
    [.untrusted, .regression, .small].first(where: verdicts.contains)
      ?? (verdicts.contains(.improved) ? .improved : .pass)
  }
}

/// A fact that two runs do not share.
package struct EnvironmentDifference: Codable, Sendable, Hashable {
  package var name: String
  /// Nil where the run does not know it.
  package var base: String?
  package var head: String?

  package init(_ name: String, base: String?, head: String?) {
    self.name = name
    self.base = base
    self.head = head
  }

  /// What differs from run to run on one machine, or is what the comparison is about.
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

  /// The engines whose programs have other versions in the two runs, in base's order.
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
  /// The fact without the part that changes all the time: the free space of a file system.
  var steadyValue: String {
    guard value.hasSuffix(" free"), let comma = value.lastIndex(of: ",") else { return value }
    return String(value[..<comma])
  }
}
