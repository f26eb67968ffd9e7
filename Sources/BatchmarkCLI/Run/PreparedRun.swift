// A run that is ready to start or to continue.
internal import BatchmarkEngine
internal import Analysis
internal import Foundation
internal import Harness
internal import Instruments
internal import Programs

/// A run after all checks, with its output folder and an open journal.
struct PreparedRun: Sendable {
  let plan: RunPlan
  let header: JournalHeader
  /// The measurements of earlier invocations.
  let ledger: RunLedger
  let journal: Journal
  let output: OutputFolder

  /// Prepares a new run.
  ///
  /// - Throws: The errors of the request, the scenarios or the output. The folder is made last, so that a mistake does
  ///   not leave one behind.
  init(
    beginning request: RunRequest, in output: OutputFolder, exports: ReportExports, engines: [any Engine],
    passes: [Pass]
  ) throws {
    try output.checkIsNew(mayResume: true)
    let scenarios = try ScenarioLoading(engines: engines).plan(request)
    let inputs = InputFiles(of: scenarios)
    try inputs.refuse(output: output.path)
    try exports.check(against: inputs)
    try SourceNeeds.check(scenarios, output: output.path)
    let shard = try PreparedRun.shard(of: scenarios, request, passes)
    if let shard, shard.part(of: scenarios).isEmpty, request.allowsEmptyShard != true {
      throw CommandError(
        .usage,
        "shard \(shard.shard) has nothing to measure: each scenario is taken whole, and there are \(scenarios.count); use fewer "
          + "shards, share rounds with --rounds-per-shard, or accept it with --allow-empty")
    }
    // Keep it short enough to type, and for tools that read JSON numbers as doubles.
    let seed = request.seed ?? shard?.sharedSeed ?? UInt64(UInt32.random(in: .min ... .max))
    plan = RunPlan(
      scenarios: PreparedRun.part(of: scenarios, shard), seed: seed, isQuick: request.isQuick, passes: passes,
      rules: request.rounds)
    var header = JournalHeader(
      runID: UUID().uuidString.lowercased(), build: Executable.identity, request: request,
      command: CommandLine.arguments.map(ShellWord.quoted).joined(separator: " "),
      workingDirectory: FileManager.default.currentDirectoryPath, started: UTC.text(Date()),
      commit: plan.scenarios.first.flatMap { RepositoryCommit(ofFolderOf: $0.scenario.file) },
      isComparable: !Executable.isDebugBuild, plan: plan)
    header.shard = shard
    header.programs = PreparedRun.programs(among: engines, of: plan)
    self.header = header
    ledger = RunLedger()
    self.output = output
    try output.create(mayResume: true)
    do {
      journal = try Journal.create(in: output.path, header: header)
    } catch {
      output.removeIfEmpty()
      throw error
    }
  }

  /// Prepares to continue the run in a folder.
  ///
  /// Other options must be absent or the same as the first time.
  ///
  /// - Throws: ``CommandError`` with status ``CommandStatus/notComparable`` if it would become another run.
  init(
    resuming request: RunRequest, in output: OutputFolder, exports: ReportExports, engines: [any Engine],
    passes: [Pass]
  ) throws {
    let contents: JournalContents
    (journal, contents) = try Journal.resume(in: output.path)
    if let (line, found) = contents.excessiveFigure {
      throw JournalError.damaged(
        path: journal.path, line: line, reason: "the figure \(found.value) of \(found.place), which no run has")
    }
    header = contents.header
    guard request == RunRequest() || request == header.request else {
      throw PreparedRun.refusal(
        output,
        "it was started with other arguments (\(header.command)); give the same ones, or --resume and --out alone"
      )
    }
    // Paths of the request are relative to the original directory.
    guard FileManager.default.changeCurrentDirectoryPath(header.workingDirectory) else {
      throw CommandError(
        .unreadableFile,
        "found no folder \(header.workingDirectory), in which the run in \(output.path) was started; expected it, since the run's "
          + "paths are relative to it: restore it, or start a new run")
    }
    let scenarios = PreparedRun.part(of: try ScenarioLoading(engines: engines).plan(header.request), header.shard)
    try exports.check(against: InputFiles(of: scenarios))
    try SourceNeeds.check(scenarios, output: output.path)
    plan = RunPlan(
      scenarios: scenarios, seed: header.seed, isQuick: header.request.isQuick, passes: passes,
      rules: header.request.rounds)
    if let obstacle = header.obstacle(
      toResuming: plan, build: Executable.identity, programs: engines.programs)
    {
      throw PreparedRun.refusal(output, obstacle)
    }
    ledger = RunLedger(contents.outcomes)
    self.output = output
  }

  /// The engines of the plan that are programs; `nil` if there are none.
  private static func programs(among engines: [any Engine], of plan: RunPlan) -> [ProgramDefinition]? {
    let named = Set(plan.scenarios.flatMap(\.scenario.cells).map(\.engine))
    let programs = engines.programs.filter { named.contains($0.name) }
    return programs.isEmpty ? nil : programs
  }

  /// The record of the whole run, if this is only a part of it; `nil` otherwise.
  private static func shard(
    of scenarios: [PlannedScenario], _ request: RunRequest, _ passes: [Pass]
  ) throws -> ShardRecord? {
    guard let shard = request.shard else { return nil }
    let whole = RunPlan(
      scenarios: scenarios, seed: request.seed ?? 0, isQuick: request.isQuick, passes: passes, rules: request.rounds)
    return try ShardRecord(
      shard, of: whole, sharesRounds: request.sharesRounds ?? false, durations: request.durations)
  }

  private static func part(of scenarios: [PlannedScenario], _ shard: ShardRecord?) -> [PlannedScenario] {
    shard?.part(of: scenarios) ?? scenarios
  }

  /// The command to resume the run, quoted for a shell.
  var resumingCommand: String {
    let words = [CommandLine.arguments.first ?? "batchmark", "run", "--resume", "--out", output.path]
    let engines = Batchmark.enginesFile.map { ["--engines", $0] } ?? []
    let sqlite = Batchmark.library.map { ["--sqlite", $0.path] } ?? []
    return (words + engines + sqlite).map(ShellWord.quoted).joined(separator: " ")
  }

  private static func refusal(_ output: OutputFolder, _ reason: String) -> CommandError {
    CommandError(.notComparable, "the run in \(output.path) cannot be resumed: \(reason)")
  }
}

/// Quotes words for a shell.
enum ShellWord {
  static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || $0.properties.numericType != nil || "-_=+.,/:@%".unicodeScalars.contains($0)
      }
    return isPlain
      ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
