// Runs a plan: one sample after the other in the plan's order, each written to the journal before the next begins.
package import BatchmarkEngine
internal import Instruments
package import Support

/// Takes the samples of a plan that are still missing.
package struct BenchmarkRun: Sendable {
  /// A cell that failed this often in a row is skipped: it would only use up its time limit again and again.
  package static let failuresBeforeGivingUp = 3

  private let plan: RunPlan
  private let launcher: any WorkerLauncher
  private let directories: SampleDirectories
  private let keepsStores: Bool

  package init(
    plan: RunPlan, launcher: any WorkerLauncher, directories: SampleDirectories, keepsStores: Bool = false
  ) {
    self.plan = plan
    self.launcher = launcher
    self.directories = directories
    self.keepsStores = keepsStores
  }

  /// How a run ended.
  package enum End: Sendable, Hashable {
    case finished
    /// The run was cancelled.
    ///
    /// The sample in progress was dropped, and everything before it is in the journal.
    case interrupted
  }

  /// Takes the samples that the ledger lacks, including failed ones, and adds them to ledger and journal.
  ///
  /// - Throws: ``JournalError`` or ``OutputError`` if the output cannot be written: samples that cannot be stored are
  ///   not taken.
  package func measure(
    into ledger: inout RunLedger, journal: Journal, cancellation: Cancellation = Cancellation(),
    progress: (RunEvent) -> Void
  ) throws -> End {
    let remaining = ledger.remaining(of: plan)
    var failuresInARow: [Cell: Int] = [:]
    var ends: [String: RoundEnd] = [:]
    var round: (scenario: String, number: Int)?
    for (index, planned) in remaining.enumerated() {
      if cancellation.isCancelled { return .interrupted }
      guard failuresInARow[planned.cell, default: 0] < BenchmarkRun.failuresBeforeGivingUp else { continue }
      guard let scenario = plan.scenario(named: planned.cell.scenario) else { continue }
      if planned.pass == .timing, round.map({ $0 != (planned.cell.scenario, planned.round) }) ?? true {
        // Decide only between rounds, when an interrupted and an uninterrupted run know the same.
        round = (planned.cell.scenario, planned.round)
        let found = plan.earlyStops(of: scenario, in: ledger)
        for cell in scenario.scenario.cells where ends[cell.id] == nil {
          guard let end = found[cell.id] else { continue }
          ends[cell.id] = end
          progress(.stoppedEarly(cell, afterRound: end.round, reason: end.reason))
        }
      }
      if planned.pass == .timing, let end = ends[planned.cell.id], planned.round > end.round { continue }
      progress(.began(planned, done: plan.samples.count - remaining.count + index, total: plan.samples.count))
      let directory = try OutputError.inRun { () throws(OutputError) in try directories.make(number: index + 1) }
      defer { directories.remove(directory) }

      let start = ContinuousClock.now
      var outcome: SampleOutcome
      do {
        outcome = try launcher.take(
          job(planned, of: scenario, in: directory), limit: scenario.scenario.measure.sampleLimit,
          cancellation: cancellation)
      } catch {
        return .interrupted
      }
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      outcome.seconds = seconds
      ledger.record(outcome)
      try journal.append(outcome)
      if case .success = outcome.result, keepsStores && planned.pass == .timing,
        let path = try OutputError.inRun({ () throws(OutputError) in
          try directories.keepStore(in: directory, of: planned.cell)
        })
      {
        progress(.kept(planned, path: path))
      }
      switch outcome.result {
      case .success:
        failuresInARow[planned.cell] = 0
        progress(.measured(planned, seconds: seconds))
      case .failure(let failed):
        failuresInARow[planned.cell, default: 0] += 1
        progress(.failed(failed))
        if let failures = failuresInARow[planned.cell], failures == BenchmarkRun.failuresBeforeGivingUp {
          progress(.gaveUp(planned, failures: failures))
        }
      }
    }
    return .finished
  }

  private func job(_ planned: PlannedSample, of scenario: PlannedScenario, in directory: String) -> SampleJob {
    SampleJob(
      scenarioText: scenario.text, scenarioFile: scenario.scenario.file, overrides: scenario.overrides,
      cell: planned.cell, pass: planned.pass, round: planned.round, directory: directory)
  }
}

/// A step of a run.
package enum RunEvent: Sendable {
  /// A sample begins; `done` of `total` samples are finished.
  case began(PlannedSample, done: Int, total: Int)
  /// It succeeded after this many seconds, including the worker's start and end.
  case measured(PlannedSample, seconds: Double)
  case failed(FailedSample)
  /// The cell failed so often in a row that its other samples are skipped.
  case gaveUp(PlannedSample, failures: Int)
  /// The cell has enough rounds, or no time for more, so the rounds after this one are skipped.
  case stoppedEarly(Cell, afterRound: Int, reason: EarlyStop)
  /// A cell's store was kept at this path.
  case kept(PlannedSample, path: String)
}
