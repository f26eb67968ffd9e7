// Takes a profile: one worker for each instrument, so that no instrument measures another.
internal import Foundation
internal import Instruments
package import BatchmarkEngine
package import Support

/// Takes the samples of a profile of one cell.
package struct ProfileRun: Sendable {
  /// A progress event for the display.
  package enum Event: Sendable {
    /// A worker begins; `nil` if it has no instrument.
    case began(ProfileInstrument?, round: Int)
    case failed(ProfileInstrument?, FailedSample)
  }

  private let scenario: PlannedScenario
  private let cell: Cell
  private let rounds: Int
  private let samplingRate: Int
  private let launcher: any WorkerLauncher
  private let directories: SampleDirectories

  /// - Parameters:
  ///   - cell: The cell to profile.
  ///   - scenario: The scenario of the cell.
  ///   - rounds: How often times are taken, alternately with and without the tracer.
  ///   - samplingRate: Stack samples per second.
  ///   - launcher: Runs the workers.
  ///   - directories: The folders of the samples.
  package init(
    of cell: Cell, in scenario: PlannedScenario, rounds: Int,
    samplingRate: Int = ProfileInstrument.standardSamplingRate, launcher: any WorkerLauncher,
    directories: SampleDirectories
  ) {
    self.cell = cell
    self.scenario = scenario
    self.rounds = max(rounds, 1)
    self.samplingRate = samplingRate
    self.launcher = launcher
    self.directories = directories
  }

  /// Takes all samples.
  ///
  /// It repeats stack sampling until there are enough samples, if that is feasible.
  ///
  /// - Parameters:
  ///   - unavailable: Instruments that do not work here, with the reason in one sentence.
  ///   - cancellation: Ends it early.
  ///   - report: Called when a worker begins, and when one fails.
  /// - Returns: The results, with reasons for what is missing. After a cancellation, the results so far.
  /// - Throws: ``OutputError`` if a sample's folder cannot be made.
  package func take(
    unavailable: [ProfileInstrument: String], cancellation: Cancellation = Cancellation(),
    _ report: (Event) -> Void = { _ in }
  ) throws(OutputError) -> ProfileResults {
    var results = ProfileResults(cell: cell, rows: scenario.rows)
    results.unavailable = unavailable
    results.samplingRate = samplingRate
    var turns: [(instrument: ProfileInstrument?, round: Int)] = []
    for round in 1...rounds {
      turns.append((nil, round))
      turns.append((.stages, round))
    }
    for instrument in ProfileInstrument.allCases where instrument != .stages { turns.append((instrument, 1)) }
    var number = 0
    while number < turns.count {
      let (instrument, round) = turns[number]
      number += 1
      if let instrument, unavailable[instrument] != nil { continue }
      report(.began(instrument, round: round))
      let directory = try directories.make(number: number)
      defer { directories.remove(directory) }
      let outcome: SampleOutcome
      do {
        outcome = try launcher.take(
          job(instrument, round: round, in: directory, after: results), limit: scenario.scenario.measure.sampleLimit,
          cancellation: cancellation)
      } catch {
        results.isInterrupted = true
        return results
      }
      switch outcome.result {
      case .failure(let failure):
        results.failures.append((instrument, failure))
        report(.failed(instrument, failure))
      case .success(let sample):
        results.add(sample, instrument)
        if instrument == .stacks, results.wantsMoreStacks { turns.insert((.stacks, round + 1), at: number) }
        // Counting rows, scans and plans takes time, so a separate worker counts them.
        if instrument == .statements, round == 1 { turns.insert((.statements, 2), at: number) }
        if instrument == .heap {
          let file = "\(directory)/\(ProfileInstrument.heapFile)"
          results.heap = try? String(decoding: InputFile.bytes(of: file, limit: .results), as: UTF8.self)
        }
      }
    }
    return results
  }

  private func job(
    _ instrument: ProfileInstrument?, round: Int, in directory: String, after results: ProfileResults
  ) -> SampleJob {
    var job = SampleJob(
      scenarioText: scenario.text, scenarioFile: scenario.scenario.file, overrides: scenario.overrides, cell: cell,
      pass: instrument?.pass ?? .timing, round: round, directory: directory)
    job.profile = instrument
    if instrument == .statements, round > 1 { job.countsStatementWork = true }
    if instrument == .stacks { job.samplingRate = samplingRate }
    if instrument == .peak { job.heapPeakBytes = results.heapPeakBytes }
    return job
  }
}
