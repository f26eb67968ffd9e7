// A worker's job: one sample of one cell, as JSON on its standard input.
internal import Instruments
package import Programs
package import BatchmarkEngine
package import Scenarios

extension SampleJob {
  /// Whether the worker starts with the allocation meter's library: in the memory pass, and in the timing pass of a
  /// cell that attaches it.
  package var isMetered: Bool { pass == .memory || pass == .timing && cell.attachment == .allocationMeter }
}

/// The format of a job, read before everything else.
package struct JobFormat: Decodable, Sendable {
  /// `nil` in jobs of builds that had no format number.
  package var format: Int?
}

/// The job of a worker: a sample to take.
///
/// Increment the format number when a worker of another build would misread a job, or the harness its answer.
package struct SampleJob: Codable, Sendable {
  package static let currentFormat = 5

  package var format = SampleJob.currentFormat
  /// The text of the scenario file, so that every worker uses the same text as the run.
  package var scenarioText: String
  /// The file's path, for messages and for relative paths in the file.
  package var scenarioFile: String
  /// The command line's settings, in order.
  package var overrides: [ScenarioOverride]
  package var cell: Cell
  package var pass: Pass
  /// Counted from 1; exact passes count their own rounds.
  package var round: Int
  /// The sample's directory, which exists and is empty.
  package var directory: String
  /// The processor that the worker is bound to; `nil` for any.
  package var processor: Int?
  /// Bytes of padding in the worker's environment; `nil` for none.
  package var padding: Int?
  /// The turns in the trials of a pair; `nil` for a single worker, which does the work once.
  ///
  /// Every trial has its own store and runs after the warm-up. The median trial counts.
  package var turns: Turns?
  /// The fault that the worker injects, for the self-test; `nil` for none.
  package var fault: InjectedFault?
  /// The instrument of a profile; `nil` for a sample.
  package var profile: ProfileInstrument?
  /// The engines that are programs, as they were found when the run began; `nil` for none.
  package var programs: [ProgramDefinition]?
  /// Stack samples per second; `nil` for ``ProfileInstrument/standardSamplingRate``.
  package var samplingRate: Int?
  /// Whether a profile of statements counts their rows, preparations and plans too; `nil` means no.
  package var countsStatementWork: Bool?
  /// The heap's peak in the operation's phase above its starting level, as found by an earlier worker, for a profile of
  /// the blocks at the peak.
  package var heapPeakBytes: Int64?

  package init(
    scenarioText: String, scenarioFile: String, overrides: [ScenarioOverride], cell: Cell, pass: Pass, round: Int,
    directory: String, processor: Int? = nil, padding: Int? = nil, turns: Turns? = nil,
    fault: InjectedFault? = nil
  ) {
    self.scenarioText = scenarioText
    self.scenarioFile = scenarioFile
    self.overrides = overrides
    self.cell = cell
    self.pass = pass
    self.round = round
    self.directory = directory
    self.processor = processor
    self.padding = padding
    self.turns = turns
    self.fault = fault
  }
}
