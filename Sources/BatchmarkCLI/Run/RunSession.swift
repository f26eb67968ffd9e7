// The course of a run: checks everything, measures, and reports.
internal import Analysis
internal import BatchmarkEngine
internal import Foundation
internal import Harness
internal import Instruments
internal import Reports
internal import Support

/// One invocation of `run`.
struct RunSession: Sendable {
  let request: RunRequest
  let output: OutputFolder
  let resumes: Bool
  let exports: ReportExports
  /// Whether to open the page when it is written.
  let opens: Bool
  let format: OutputFormat
  let engines = Batchmark.engines

  init(
    request: RunRequest, output: String?, resumes: Bool, exports: ReportExports, opens: Bool = false,
    format: OutputFormat = .text
  ) {
    self.request = request
    self.output = OutputFolder(output)
    self.resumes = resumes
    self.exports = exports
    self.opens = opens
    self.format = format
  }

  func run() throws -> CommandStatus {
    try Executable.refuseDebugBuild()
    var exports = exports
    try exports.check(resuming: resumes ? output.path : nil)
    try StepSummary()?.check()
    let meter = try MeterLibrary.find()
    let passes: [Pass] = meter == nil ? [.counters, .timing] : [.memory, .counters, .timing]
    let run =
      try resumes
      ? PreparedRun(resuming: request, in: output, exports: exports, engines: engines, passes: passes)
      : PreparedRun(beginning: request, in: output, exports: exports, engines: engines, passes: passes)
    RunSession.warn(of: run.plan, request)
    return try Interrupts.cancelling(
      advice: "interrupted: the samples taken are kept; continue with \(run.resumingCommand)"
    ) { cancellation in
      let (ledger, end) = try measure(run, meter: meter, cancellation)
      return try report(run, ledger: ledger, end: end, exports: exports)
    }
  }

  /// Warns before the measurement if there are too few rounds to rank times.
  static func warn(of plan: RunPlan, _ request: RunRequest) {
    // If machines share the rounds, each one takes only a part of them.
    guard request.sharesRounds != true, let most = plan.roundsWithoutInterval.last else { return }
    Console.complain(
      folding:
        "warning: \(HumanUnits.counted(most, "round")) \(most == 1 ? "gives" : "give") no interval, and no cell is ranked by time; "
        + "take \(Estimate.leastRounds) or more with --rounds")
  }

  private func measure(
    _ run: PreparedRun, meter: String?, _ cancellation: Cancellation
  ) throws -> (RunLedger, BenchmarkRun.End) {
    let directories = try SampleDirectories(output: run.output.path)
    defer { directories.removeIfEmpty() }
    let launcher = HookedLauncher(try ProcessLauncher(meter: meter), hooks: run.header.request.hooks)
    var ledger = run.ledger
    var display = ProgressDisplay(remaining: ledger.remaining(of: run.plan)) { sample in
      run.plan.scenario(named: sample.cell.scenario).map {
        run.plan.rounds(of: sample.pass, in: $0)
      } ?? 1
    }
    defer { display.end() }
    let end = try BenchmarkRun(
      plan: run.plan, launcher: launcher, directories: directories, keepsStores: run.header.request.keepsStores
    ).measure(into: &ledger, journal: run.journal, cancellation: cancellation) { display.show($0) }
    return (ledger, end)
  }

  /// Writes the reports and prints the result.
  private func report(
    _ run: PreparedRun, ledger: RunLedger, end: BenchmarkRun.End, exports: ReportExports
  ) throws -> CommandStatus {
    let header = run.header
    let probe = try? SyncProbe(in: run.output.path)
    var record = RunRecord(
      batchmarkVersion: header.build.version, command: header.command, started: header.started,
      finished: UTC.text(Date()), seed: header.seed, isQuick: header.request.isQuick,
      isComparable: header.isComparable, isInterrupted: end == .interrupted, runID: header.runID,
      commit: header.commit, machine: EnvironmentFacts.machine, toolchain: EnvironmentFacts.toolchain)
    record.syncSeconds = probe?.median
    record.rounds = header.request.rounds
    record.shard = header.shard
    record.enginesFile = Batchmark.enginesFile
    let results = Report(
      run: record, environment: EnvironmentFacts.all(output: run.output.path, probe: probe), plan: run.plan,
      ledger: ledger
    ) { cell in
      engines.first { $0.name == cell.engine }?.strategy(of: cell)
    }
    let report = try write(results, of: run)
    // Write first what could be lost: standard output may be a pipe that is not read to its end.
    let exported = Result {
      try exports.write(results, of: run.output.path, resumingCommand: run.resumingCommand)
      try StepSummary()?.append(RunReport.comment(results))
    }
    // If the export is piped, print nothing else.
    if format == .text {
      let output = exports.takeStandardOutput ? Console.Stream.error : .output
      let table = TerminalTable.render(
        results, color: output.usesColor, columns: output.columns ?? TerminalTable.lineWidth,
        isASCII: !Console.usesUnicode)
      try Console.write(
        encoded: table + "\n\(output.link(to: report.html))\n\(report.markdown.onOneLine)\n", to: output)
    }
    try exported.get()
    if opens { open(page: report.html) }
    for line in WarningLines.render(results) { Console.complain(folding: "warning: \(line)") }
    var statuses: [CommandStatus] = []
    if results.hasFailures {
      let failed = results.scenarios.flatMap(\.cells).reduce(0) { $0 + $1.failures.count }
      Console.complain(
        folding:
          "\(failed) of \(HumanUnits.counted(run.plan.samples.count, "sample")) failed; \(report.markdown) says which and why; --resume takes them again"
      )
      statuses.append(.failedSamples)
    }
    statuses.append(BudgetCheck.report(results))
    if end == .interrupted {
      Console.complain(
        "interrupted: \(ledger.samples.count) of \(HumanUnits.counted(run.plan.samples.count, "sample")) "
          + "\(ledger.samples.count == 1 ? "is" : "are") kept; continue with "
          + run.resumingCommand)
      statuses.append(.interrupted)
    }
    return try format.document(RunDocument(results, report), .first(of: statuses))
  }

  /// Writes the files of the report.
  ///
  /// - Returns: Their paths.
  private func write(_ results: Report, of run: PreparedRun) throws -> ReportFiles {
    do throws(ReportError) {
      return try ReportWriter(directory: run.output.path).write(results)
    } catch {
      guard let obstacle = error.obstacle else { throw error }
      throw CommandError(
        .unwritableOutput,
        "\(obstacle); the samples are kept: fix this, and write the report with \(run.resumingCommand)")
    }
  }
  /// Opens a page in the desktop's browser; reports if that is not possible.
  private func open(page path: String) {
    #if os(Linux)
      let command = "xdg-open"
    #else
      let command = "open"
    #endif
    if ToolProcess.lines(of: [command, path]) == nil {
      Console.complain("--open: '\(command)' cannot open a page here; open \(path.onOneLine) in a browser")
    }
  }
}
