// The course of `plan`: measures some pairs of every cell with itself, and reports what they show about this machine.
internal import Analysis
internal import Foundation
internal import Harness
internal import Reports
internal import BatchmarkEngine
internal import Support

/// One invocation of `plan`.
struct PlanSession: Sendable {
  let request: RunRequest
  let rules: PairRules
  /// The number of pairs for each cell.
  let pairs: Int
  /// The time to share among the cells, in seconds; `nil` without a budget.
  let budget: Double?
  let seed: UInt64
  let format: OutputFormat

  func run() throws -> CommandStatus {
    try Executable.refuseDebugBuild()
    let scenarios = try ScenarioLoading(engines: Batchmark.engines).plan(request)
    try scenarios.refuseConcurrentWork(in: "plan", since: "its two sides stop each other all the time")
    let folder = try PrivateFolder()
    defer { withExtendedLifetime(folder) {} }
    let directories = try SampleDirectories(output: folder.path)
    let cancellation = Cancellation()
    let launcher = try ProcessLauncher(meter: try MeterLibrary.find())
    var measured = rules
    measured.looks = [pairs]
    guard
      let run = PairRun(
        rules: measured, seed: seed, processors: .reserve(), passes: [], directories: directories,
        cancellation: cancellation)
    else { throw CommandError(.usage, "--pairs \(pairs): found too few to show anything; take 7 or more") }
    var lines: [PlanMarkdown.Line] = []
    var display = PairDisplay(total: scenarios.reduce(0) { $0 + $1.scenario.cells.count })
    defer { display.end() }
    do {
      try Interrupts.cancelling(cancellation) { _ in
        for scenario in scenarios {
          for cell in scenario.scenario.cells {
            lines.append(try line(on: cell, of: scenario, run, launcher, number: lines.count, &display))
          }
        }
      }
    } catch is CancellationError {
      return .interrupted
    }
    let estimates = lines.compactMap(\.estimate)
    let shares = budget.map { (seconds: $0, pairs: Analysis.pairs(within: $0, of: estimates, rules)) }
    try format.output(PlanMarkdown.render(lines, rules, shares: shares, as: Console.Stream.output.form))
    return try format.document(
      PlanDocument(lines, rules, shares: shares), estimates.count == lines.count ? .success : .failedSamples)
  }

  private func line(
    on cell: Cell, of scenario: PlannedScenario, _ run: PairRun, _ launcher: ProcessLauncher, number: Int,
    _ display: inout PairDisplay
  ) throws -> PlanMarkdown.Line {
    display.begin("\(cell.id) with itself")
    let side = PairSide(scenario: scenario.with(cell), launcher: launcher)
    let start = MonotonicClock.now()
    let taken = try run.takePairs(side, count: pairs, number: number) { display.show($0) }
    let seconds = Double(MonotonicClock.now() - start) / 1e9
    display.finish(
      "\(cell.id) with itself: \(HumanUnits.counted(taken?.pairs.count ?? 0, "pair")) in \(HumanUnits.duration(seconds))"
    )
    return PlanMarkdown.Line(
      cell: cell.id, estimate: taken.flatMap { NoiseEstimate($0.pairs, seconds: seconds) },
      failure: taken?.failures.first?.reason)
  }
}
