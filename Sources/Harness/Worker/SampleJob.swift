// A worker's job: one sample of one cell, as JSON on its standard input.
internal import Instruments
package import Programs
package import BatchmarkEngine
package import Scenarios

extension SampleJob {
  /// Whether the worker is started with the allocation meter's library: in the memory pass, and in the timing pass of a
  /// cell that has it attached.
  package var isMetered: Bool { pass == .memory || pass == .timing && cell.attachment == .allocationMeter }
}

/// The format of a job, which is read before the rest.
package struct JobFormat: Decodable, Sendable {
  /// Nil in jobs of builds from before formats were counted.
  package var format: Int?
}

/// A sample to take.
///
/// The format's number rises when a worker of another build would misread a job, or the harness its answer.
package struct SampleJob: Codable, Sendable {
  package static let currentFormat = 5

  package var format = SampleJob.currentFormat
  /// The scenario file's text: every worker of a run reads what the run read.
  package var scenarioText: String
  /// The file's path, for messages and for paths inside the file.
  package var scenarioFile: String
  /// The command line's settings, in order.
  package var overrides: [ScenarioOverride]
  package var cell: Cell
  package var pass: Pass
  /// Counted from 1; exact passes count their own rounds.
  package var round: Int
  /// The sample's own directory, there and empty.
  package var directory: String
  /// The processor the worker keeps to; nil for any.
  package var processor: Int?
  /// Bytes by which the worker's environment is longer; nil for none.
  package var padding: Int?
  /// The order of the turns in the trials of a pair; nil for a worker that is alone and does the work once.
  ///
  /// Every trial does the work in its own store after the warm-up, and the middle trial counts.
  package var turns: Turns?
  /// The fault that the worker injects, for the self-test; nil for none.
  package var fault: InjectedFault?
  /// What the worker of a profile observes; nil for a sample.
  package var profile: ProfileInstrument?
  /// The engines that are programs, as they were found when the run began; nil for none.
  package var programs: [ProgramDefinition]?
  /// How often it samples stacks, a second; nil for ``ProfileInstrument/standardSamplingRate``.
  package var samplingRate: Int?
  /// Whether a profile of statements counts their rows, preparations and plans too; nil for no.
  package var countsStatementWork: Bool?
  /// The highest level of the heap in the operation's phase, above the one it began with, as an earlier worker found it; for a
  /// profile of what is there then.
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
