// `run --dry-run`: estimates a run without measuring it.
internal import Analysis
internal import BatchmarkEngine
internal import Harness
internal import Instruments
internal import Reports

/// One invocation of `run --dry-run`.
struct DryRun {
  let request: RunRequest
  /// The earlier run to estimate from, as the user typed it; `nil` for the newest one with such cells.
  let durations: String?
  /// `--shard`; `nil` for the whole run.
  let part: ShardArgument?
  let format: OutputFormat

  /// The most earlier runs that are read.
  private static let mostRead = 10

  /// Checks the scenarios as a run does, and prints an estimate of its duration.
  ///
  /// - Throws: The errors of the scenarios; ``ReportError`` if results cannot be read.
  func run() throws -> CommandStatus {
    let scenarios = try ScenarioLoading(engines: Batchmark.engines).plan(request)
    let passes: [Pass] = try MeterLibrary.find() == nil ? [.counters, .timing] : [.memory, .counters, .timing]
    var plan = RunPlan(
      scenarios: scenarios, seed: request.seed ?? 0, isQuick: request.isQuick, passes: passes, rules: request.rounds)
    let earlier = try earlier(for: plan)
    switch part {
    case .all(let count):
      // The scenarios of each shard, as every machine computes them.
      let forecast = RunForecast(of: plan, from: try durations.map { try StoredResults($0).results })
      guard let first = Shard(index: 1, of: count) else { return .success }
      let record = try ShardRecord(first, of: plan, sharesRounds: false, durations: durations)
      try format.output(ForecastMarkdown.division(record, forecast, as: Console.Stream.output.form))
      return try format.document(ForecastDocument(forecast, from: durations, division: record), .success)
    case .one(let shard):
      let record = try ShardRecord(
        shard, of: plan, sharesRounds: request.sharesRounds ?? false, durations: durations)
      plan = RunPlan(
        scenarios: record.part(of: scenarios), seed: request.seed ?? 0, isQuick: request.isQuick, passes: passes,
        rules: request.rounds)
    case nil: break
    }
    RunSession.warn(of: plan, request)
    let forecast = RunForecast(of: plan, from: earlier?.results)
    try format.output(ForecastMarkdown.render(forecast, from: earlier?.path, as: Console.Stream.output.form))
    return try format.document(ForecastDocument(forecast, from: earlier?.path), .success)
  }

  private func earlier(for plan: RunPlan) throws -> (path: String, results: Report)? {
    if let durations { return (durations, try StoredResults(durations).results) }
    let wanted = Set(plan.scenarios.flatMap(\.scenario.cells).map(\.id))
    for file in StoredResults.newestFirst().prefix(DryRun.mostRead) {
      // Ignore results of older versions.
      guard let results = try? ResultsFile.read(file),
        results.scenarios.contains(where: { $0.cells.contains { wanted.contains($0.cell.id) && $0.durations != nil } })
      else { continue }
      return (file, results)
    }
    return nil
  }
}
