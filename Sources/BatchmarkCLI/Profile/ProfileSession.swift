// The course of `profile`: finds the cell, runs a worker for each instrument, and writes the results.
internal import Analysis
internal import Foundation
internal import Harness
internal import Instruments
internal import Reports
internal import BatchmarkEngine

/// One invocation of `profile`.
struct ProfileSession: Sendable {
  let request: RunRequest
  let rounds: Int
  let samplingRate: Int
  let output: OutputFolder
  let format: OutputFormat

  func run() throws -> CommandStatus {
    try Executable.refuseDebugBuild()
    let (scenario, cell) = try cellToProfile()
    try InputFiles(of: [scenario]).refuse(output: output.path)
    try SourceNeeds.check([scenario], output: output.path)
    let meter = try MeterLibrary.find()
    try output.create()
    let directories = try SampleDirectories(output: output.path)
    defer { directories.removeIfEmpty() }
    let run = ProfileRun(
      of: cell, in: scenario, rounds: rounds, samplingRate: samplingRate, launcher: try ProcessLauncher(meter: meter),
      directories: directories)
    let unavailable = ProfileSession.unavailable(meter: meter)
    return try Interrupts.cancelling { cancellation in
      var results = try run.take(unavailable: unavailable, cancellation: cancellation, ProfileSession.report)
      results.command = CommandLine.arguments.map(ShellWord.quoted).joined(separator: " ")
      results.environment = EnvironmentFacts.all(output: output.path)
      results.isComparable = !Executable.isDebugBuild
      return try report(results)
    }
  }

  private func cellToProfile() throws -> (PlannedScenario, Cell) {
    let found: [PlannedScenario]
    do {
      found = try ScenarioLoading(engines: Batchmark.engines).plan(request)
    } catch let error as CommandError {
      // Scenario loading uses another option's name in its message.
      throw CommandError(error.status, error.message.replacingOccurrences(of: "--only ", with: "--cell "))
    }
    let cells = found.flatMap { scenario in scenario.scenario.cells.map { (scenario, $0) } }
    try found.refuseConcurrentWork(in: "profile", since: "what they do would be in its counts")
    guard let first = cells.first, cells.count == 1 else {
      let ids = cells.map(\.1.id).joined(separator: ", ")
      throw CommandError(.usage, "found the cells \(ids); expected one, so choose it with --cell")
    }
    return first
  }

  /// The instruments that do not work here, with reasons.
  static func unavailable(meter: String?) -> [ProfileInstrument: String] {
    var reasons: [ProfileInstrument: String] = [:]
    if meter == nil { reasons[.allocations] = "this build has no jemalloc, over which the allocation meter counts" }
    reasons[.stacks] = StackSampler.obstacle
    reasons[.heap] = HeapProfile.obstacle
    reasons[.peak] = HeapProfile.obstacle ?? reasons[.allocations]
    return reasons
  }

  private static func report(_ event: ProfileRun.Event) {
    switch event {
    case .began(let instrument, let round):
      Console.complain("measuring \(ProfileMarkdown.words(for: instrument))" + (round > 1 ? ", round \(round)" : ""))
    case .failed(let instrument, let failure):
      Console.complain("\(ProfileMarkdown.words(for: instrument)): failed: \(failure.reason)")
    }
  }

  private func report(_ results: ProfileResults) throws -> CommandStatus {
    let page = try ProfileWriter(directory: output.path).write(results)
    try format.output(ProfileLines.render(results) + "\n\(page.onOneLine)\n")
    for instrument in ProfileInstrument.allCases {
      guard let reason = results.unavailable[instrument] else { continue }
      Console.complain("\(ProfileMarkdown.words(for: instrument)): not measured: \(reason)")
    }
    if let words = ProfileMarkdown.fewStacks(results) { Console.complain(folding: words) }
    if results.isInterrupted { Console.complain("interrupted; what was measured before is written") }
    return try format.document(
      ProfileDocument(results, page: page),
      results.isInterrupted ? .interrupted : results.failures.isEmpty ? .success : .failedSamples)
  }
}
