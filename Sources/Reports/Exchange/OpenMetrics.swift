// Exports a run in the text format of OpenMetrics: a gauge for each metric, with a sample for each cell.
internal import Analysis

/// The text format 1.0.0 (https://github.com/prometheus/OpenMetrics).
enum OpenMetrics {
  /// A gauge: one metric of every cell.
  private struct Family: Sendable {
    let name: String
    /// The unit, which is the end of the name; `nil` for plain numbers.
    let unit: String?
    let help: String
    let value: @Sendable (ExchangedCell) -> Double?
  }

  /// The whole text, with its end mark.
  static func render(_ run: ExchangedRun) -> String {
    families.map { text(of: $0, in: run) }.joined() + info(on: run) + "# EOF\n"
  }

  private static let families: [Family] =
    [
      Family(name: "batchmark_wall_median_seconds", unit: "seconds", help: "Median of the main phase's wall time.") {
        $0.figures.wall.figure?.median
      },
      Family(name: "batchmark_wall_low_seconds", unit: "seconds", help: "Lower end of the median's 95 % interval.") {
        $0.figures.wall.figure?.low
      },
      Family(name: "batchmark_wall_high_seconds", unit: "seconds", help: "Upper end of the median's 95 % interval.") {
        $0.figures.wall.figure?.high
      },
      Family(name: "batchmark_cpu_median_seconds", unit: "seconds", help: "Median of the main phase's CPU time.") {
        $0.figures.cpuMedian.figure
      },
      Family(name: "batchmark_rows_per_second", unit: nil, help: "Rows of the main phase for each second of it.") {
        $0.figures.rowsPerSecond.figure
      },
      Family(name: "batchmark_rows", unit: nil, help: "Rows that the main phase handled.") {
        $0.figures.rows > 0 ? Double($0.figures.rows) : nil
      },
      Family(name: "batchmark_rounds", unit: nil, help: "Timed samples whose times are used.") {
        Double($0.rounds.count)
      },
      Family(name: "batchmark_failed_samples", unit: nil, help: "Samples that failed.") { Double($0.failures) },
    ] + MetricID.allCases.map(family)

  private static func family(of id: MetricID) -> Family {
    let (name, unit, factor): (String, String?, Double) =
      switch id.declaration.unit {
      case .seconds: (stem(id, "_s") + "_seconds", "seconds", 1)
      case .nanoseconds: (stem(id, "_ns") + "_seconds", "seconds", 1e-9)
      case .bytes: (stem(id, "_bytes") + "_bytes", "bytes", 1)
      case .frames, .pages, .count: (id.rawValue, nil, 1)
      }
    return Family(name: "batchmark_" + name, unit: unit, help: id.declaration.help + ".") {
      $0.figures[id].figure.map { Double($0) * factor }
    }
  }

  private static func stem(_ id: MetricID, _ suffix: String) -> String {
    id.rawValue.hasSuffix(suffix) ? String(id.rawValue.dropLast(suffix.count)) : id.rawValue
  }

  private static func text(of family: Family, in run: ExchangedRun) -> String {
    let samples = run.cells.compactMap { cell in
      family.value(cell).map { "\(family.name){\(labels(of: cell))} \($0)\n" }
    }
    guard !samples.isEmpty else { return "" }
    return "# TYPE \(family.name) gauge\n" + (family.unit.map { "# UNIT \(family.name) \($0)\n" } ?? "")
      + "# HELP \(family.name) \(escaped(family.help))\n" + samples.joined()
  }

  private static func info(on run: ExchangedRun) -> String {
    let labels = [
      ("version", run.record.batchmarkVersion), ("run_id", run.record.runID), ("started", run.record.started),
      ("commit", run.record.commit?.description ?? ""), ("machine", run.record.machine),
      ("comparable", run.record.isComparable ? "true" : "false"),
    ]
    return "# TYPE batchmark_run info\n# HELP batchmark_run The run that the figures are of.\n"
      + "batchmark_run_info{\(text(of: labels))} 1\n"
  }

  private static func labels(of cell: ExchangedCell) -> String {
    text(of: [
      ("scenario", cell.cell.scenario), ("cell", cell.cell.id), ("engine", cell.cell.engine),
      ("strategy", cell.cell.strategy), ("phase", cell.figures.phase.rawValue),
    ])
  }

  private static func text(of labels: [(String, String)]) -> String {
    labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",")
  }

  /// Escapes quoted text and help.
  private static func escaped(_ text: String) -> String {
    text.onOneLine.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}
