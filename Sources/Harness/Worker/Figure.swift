// Every figure that summary.csv has a column for, times and metrics alike, and the words budgets have for them.
package import BatchmarkEngine
package import Instruments
package import Scenarios

/// A figure of a phase.
package enum Figure: Sendable, Hashable, CaseIterable {
  case wall, cpu, rowsPerSecond, timesReference
  case metric(MetricID)

  package static var allCases: [Figure] {
    [.wall, .cpu, .rowsPerSecond, .timesReference] + MetricID.allCases.map { .metric($0) }
  }

  /// The figure of a column.
  package init?(column: String) {
    guard let figure = Figure.allCases.first(where: { $0.column == column }) else { return nil }
    self = figure
  }

  /// Its column in summary.csv.
  package var column: String {
    switch self {
    case .wall: "wall_median_s"
    case .cpu: "cpu_median_s"
    case .rowsPerSecond: "rows_per_s"
    case .timesReference: "times_reference"
    case .metric(let metric): metric.rawValue
    }
  }

  /// The column's name without unit and statistic.
  package var name: String {
    switch self {
    case .wall: "wall"
    case .cpu: "cpu"
    case .rowsPerSecond, .timesReference: column
    case .metric: ["_bytes", "_ns"].first(where: column.hasSuffix).map { String(column.dropLast($0.count)) } ?? column
    }
  }

  package var kind: FigureKind {
    switch self {
    case .wall, .cpu: .time
    case .rowsPerSecond, .timesReference: .number
    case .metric(let metric): metric.isBytes ? .bytes : metric.isTime ? .time : .number
    }
  }

  /// The pass that measures it.
  package var pass: Pass {
    if case .metric(let metric) = self { metric.pass } else { .timing }
  }

  /// Whether two runs of the same thing agree to the bit.
  package var isExact: Bool {
    if case .metric(let metric) = self { metric.isExact } else { false }
  }

  /// Whether it is exact and more of it is worse.
  package var isGated: Bool {
    if case .metric(let metric) = self { metric.isJudged } else { false }
  }
}

extension Phase {
  /// Whether a cell is about it.
  package var isMain: Bool { Operation.Kind.allCases.contains { $0.phase == self } }

  /// The operations that have the phase.
  var operations: Set<Operation.Kind> {
    switch self {
    case .load, .merge, .checkpoint, .verify: Set(Operation.Kind.allCases)
    case .ingest, .reingest: [.insert]
    case .prepare: [.update, .delete, .fetch]
    case .update: [.update]
    case .delete: [.delete]
    case .fetch: [.fetch]
    }
  }
}

extension ScenarioSchema {
  /// The words of the engines, and of everything that is measured.
  package init(_ engines: [any Engine]) {
    self.init(
      engines: engines.map(\.schema),
      figures: Figure.allCases.map {
        FigureSchema(name: $0.name, column: $0.column, kind: $0.kind, isGated: $0.isGated)
      },
      phases: Phase.allCases.map { phase in
        PhaseSchema(
          name: phase.rawValue, operations: phase.operations,
          isMain: phase.isMain)
      })
  }
}
