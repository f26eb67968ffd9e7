// The work of `check`: reads results, finds the budgets of their scenarios, judges and reports them.
internal import Analysis
internal import BatchmarkEngine
internal import Foundation
internal import Harness
internal import Reports
internal import Scenarios

/// One invocation of `check`.
struct BudgetCheck {
  /// A run's folder, or its results.json.
  let results: String
  /// The scenario files to judge by; by default, those that the run read.
  let files: [String]
  let exports: ReportExports
  let format: OutputFormat

  func run() throws -> CommandStatus {
    let stored = try StoredResults(results)
    var exports = exports
    try exports.check(resuming: nil)
    try stored.refuseDebugBuild()
    let parts = try judged(stored)
    let budgets = parts.reduce(0) { $0 + $1.scenario.budgets.count }
    guard budgets > 0 else {
      let names = parts.map(\.scenario.file).joined(separator: ", ")
      throw CommandError(
        .notComparable, "\(names): found no budgets; expected some to judge by, as in budgets: [save.wall <= 2 s]")
    }
    try exports.check(against: InputFiles(results: stored.file, scenarios: parts.map(\.scenario.file)))
    // Write first what could be lost: standard output may be a pipe that is not read to its end.
    let exported = Result { try exports.write(judged(parts, of: stored), of: ".", resumingCommand: nil) }
    let status = try report(parts, of: stored)
    try exported.get()
    return status
  }

  /// The results of the judged scenarios, with their budgets.
  private func judged(_ parts: [Part], of stored: StoredResults) -> Report {
    var results = stored.results
    results.scenarios = parts.map { part in
      var scenario = part.results
      scenario.budgets = part.scenario.budgets
      return scenario
    }
    return results
  }

  // MARK: Scenarios

  /// The results of a scenario, and the current scenario in its file.
  private struct Part {
    let results: ScenarioReport
    let scenario: Scenario
  }

  private func judged(_ stored: StoredResults) throws -> [Part] {
    let reader = ScenarioReader(schema: Batchmark.schema)
    let found = stored.results.scenarios
    if files.isEmpty {
      return try found.map { part in
        try checked(Part(results: part, scenario: try recorded(part, reader)), stored)
      }
    }
    return try files.map { file in
      let scenario = try reader.read(file: file)
      guard let part = found.first(where: { $0.name == scenario.name }) else {
        throw CommandError(
          .notComparable,
          "\(file): found the scenario \(scenario.name); expected one of \(stored.path): "
            + found.map(\.name).joined(separator: ", "))
      }
      // Read the file again with the settings of the run, if there were any.
      let settings = part.settings
      let asked = settings.isEmpty ? scenario : try reader.read(file: file, overrides: settings)
      return try checked(Part(results: part, scenario: asked), stored)
    }
  }

  /// The scenario in the file that the run read.
  private func recorded(_ part: ScenarioReport, _ reader: ScenarioReader) throws -> Scenario {
    if part.file == ScenarioSchema.storeSuiteName {
      throw CommandError(
        .notComparable,
        "\(results): found a run of --store without a scenario file, which has no budgets; expected a scenario with some: "
          + "write one with init --store, and run that")
    }
    guard FileManager.default.fileExists(atPath: part.file) else {
      throw CommandError(
        .unreadableFile,
        "found no \(part.file), which the run read; name the scenario's file with --scenario, or check from the "
          + "folder of the run")
    }
    return try reader.read(file: part.file, overrides: part.settings)
  }

  /// Refuses results for another question than the file's, and those of missing engines, because nothing would judge
  /// the budgets of their cells.
  private func checked(_ part: Part, _ stored: StoredResults) throws(CommandError) -> Part {
    let (file, results) = (part.scenario.file, part.results)
    guard part.scenario.name == results.name else {
      throw CommandError(
        .notComparable,
        "\(file): found the scenario \(part.scenario.name); expected \(results.name), as in \(stored.path)")
    }
    guard part.scenario.fingerprint == results.fingerprint else {
      throw CommandError(
        .notComparable,
        "\(file): found a scenario that measures something else than the run in \(stored.path) did (fingerprint "
          + "\(part.scenario.fingerprint), not \(results.fingerprint)); run it again, or check with the file as it was")
    }
    let measured = Set(results.cells.map(\.cell.engine))
    if let absent = part.scenario.absentEngines.first(where: { measured.contains($0.name) }) {
      throw CommandError(
        .unreadableFile,
        "\(file): found no engine \(absent.name), whose cells are in \(stored.path); expected it here: \(absent.reason)"
      )
    }
    let ids = part.scenario.cells.map(\.id)
    if let extra = results.cells.first(where: { !ids.contains($0.cell.id) }) {
      throw CommandError(
        .notComparable,
        "\(file): found no cell \(extra.cell.id); expected it, as in \(stored.path): check with the file as it was run")
    }
    return part
  }

  // MARK: Verdicts

  private func report(_ parts: [Part], of stored: StoredResults) throws -> CommandStatus {
    var statuses: [CommandStatus] = []
    var judgements: [BudgetJudgement] = []
    var document = BudgetDocument()
    for part in parts {
      let found = stored.results.judgements(of: part.results, by: part.scenario.budgets)
      judgements += found
      document.budgets += JudgedBudget.all(found, of: part.results)
      if !found.isEmpty, format == .text {
        // If the export is piped, print nothing else.
        let lines =
          ["\(part.results.name.onOneLine)\n"] + BudgetText.lines(found, of: part.results).map { "  \($0)\n" }
        try Console.write(
          encoded: lines.joined().withoutControls, to: exports.takeStandardOutput ? .error : .output)
      }
      if !part.scenario.absentEngines.isEmpty, found.contains(where: { $0.gap == .renamed }) {
        Console.complain(
          "\(stored.path): found no results of cells that a budget is about, since their engines were not here")
        statuses.append(.notComparable)
      }
      let failed = part.results.cells.reduce(0) { $0 + $1.failures.count }
      document.failedSamples += failed
      if failed > 0 {
        Console.complain("\(stored.path): \(HumanUnits.counted(failed, "sample")) of \(part.results.name) had failed")
        statuses.append(.failedSamples)
      }
    }
    // If the gate has nothing to say about a cell, the cell does not pass.
    for case .leftOut(let cell) in judgements.compactMap(\.gap) {
      Console.complain("\(stored.path): found no results of \(cell), which a budget is about")
      statuses.append(.notComparable)
    }
    if stored.results.run.isQuick { Console.complain(BudgetCheck.quickRule) }
    if judgements.allSatisfy({ $0.verdict == .skipped }) {
      Console.complain("\(stored.path): no budget could be judged")
      statuses.append(.inconclusive)
    }
    return try format.document(document, .first(of: statuses + [judgements.status]))
  }

  static let quickRule = "of a quick run only budgets on exact counters are judged"
}

extension BudgetCheck {
  /// Prints how many budgets of a run are broken or undecided.
  ///
  /// The table and the report list them.
  ///
  /// - Returns: The status for the command.
  static func report(_ results: Report) -> CommandStatus {
    let judgements = results.scenarios.flatMap { results.judgements(of: $0) }
    guard !judgements.isEmpty else { return .success }
    if results.run.isQuick { Console.complain(BudgetCheck.quickRule) }
    let broken = judgements.count { $0.verdict == .broken }
    if broken > 0 { Console.complain("budgets broken: \(broken) of \(judgements.count)") }
    let undecided = judgements.count { $0.verdict == .undecided }
    if undecided > 0 { Console.complain("budgets that could not be judged: \(undecided) of \(judgements.count)") }
    return judgements.status
  }
}
