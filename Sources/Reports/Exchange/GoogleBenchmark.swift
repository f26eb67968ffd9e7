// Exports a run in Google Benchmark's format: each round as a repetition, with their aggregates.
internal import Analysis

/// The JSON of Google Benchmark.
struct GoogleBenchmark: Encodable {
  /// The machine and the run.
  ///
  /// Facts without a key in the format become custom ones, which are text.
  let context: [String: Value]
  let benchmarks: [[String: Value]]

  /// A value in one of the format's objects.
  enum Value: Hashable {
    case text(String)
    case number(Double)
    case count(Int)
  }

  init(_ run: ExchangedRun) {
    var context: [String: Value] = [
      "date": .text(run.record.started), "executable": .text("batchmark"), "json_schema_version": .count(1),
      "library_version": .text(run.record.batchmarkVersion),
      "library_build_type": .text(run.record.isComparable ? "release" : "debug"),
      "run_id": .text(run.record.runID), "machine": .text(run.record.machine),
    ]
    for fact in run.machine where context[fact.name] == nil { context[fact.name] = .text(fact.value) }
    self.context = context
    benchmarks = run.cells.enumerated().flatMap { GoogleBenchmark.lines(of: $1, family: $0) }
  }

  private static func lines(of cell: ExchangedCell, family: Int) -> [[String: Value]] {
    guard let wall = cell.wall else { return [] }
    let shared: [String: Value] = [
      "family_index": .count(family), "per_family_instance_index": .count(0), "run_name": .text(cell.cell.id),
      "repetitions": .count(cell.rounds.count), "threads": .count(1), "time_unit": .text("ns"),
    ]
    func line(_ name: String, _ real: Double, _ cpu: Double?, _ more: [String: Value]) -> [String: Value] {
      var line = shared.merging(more) { $1 }
      line["name"] = .text(name)
      line["real_time"] = .number(real)
      // Readers need a processor time. If none was measured, the wall time is an upper bound for one thread.
      line["cpu_time"] = .number(cpu ?? real)
      return line
    }
    let repetitions = cell.rounds.enumerated().map { index, round in
      line(
        cell.cell.id, round.wall.nanoseconds, round.cpu?.nanoseconds,
        [
          "run_type": .text("iteration"), "repetition_index": .count(index), "iterations": .count(1),
          "rows": .count(cell.figures.rows),
        ])
    }
    // As in Google Benchmark, a single repetition has no aggregates.
    guard cell.rounds.count > 1 else { return repetitions }
    func aggregate(_ name: String, _ real: Double?, _ cpu: Double?, unit: String = "time") -> [String: Value]? {
      real.map {
        line(
          "\(cell.cell.id)_\(name)", $0, cpu,
          [
            "run_type": .text("aggregate"), "aggregate_name": .text(name), "aggregate_unit": .text(unit),
            "iterations": .count(cell.rounds.count),
          ])
      }
    }
    return repetitions
      + [
        aggregate("mean", wall.mean.nanoseconds, cell.cpu?.mean.nanoseconds),
        aggregate("median", wall.median.nanoseconds, cell.cpu?.median.nanoseconds),
        aggregate("stddev", wall.deviation?.nanoseconds, cell.cpu?.deviation?.nanoseconds),
        aggregate("cv", wall.variation, cell.cpu?.variation, unit: "percentage"),
      ].compactMap(\.self)
  }
}

extension GoogleBenchmark.Value: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .number(let number): try container.encode(number)
    case .count(let count): try container.encode(count)
    }
  }
}
