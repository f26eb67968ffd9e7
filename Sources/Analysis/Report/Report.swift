// Everything a run found, in the shape of results.json: every output is a function of this alone.
package import Harness
internal import Instruments
internal import BatchmarkEngine

/// A whole run.
///
/// The JSON schema's version rises when a reader of the old shape would misread the new one.
package struct Report: Codable, Sendable {
  package static let currentSchemaVersion = 3

  package var schemaVersion: Int
  package var run: RunRecord
  /// What the run was measured on, in the order to show.
  package var environment: [EnvironmentFact]
  package var scenarios: [ScenarioReport]
  /// What a reader is warned of, in words; worked out from the rest when the file is written, and empty before.
  package var warnings: [WarningRecord] = []
  package var method: Method
  /// The machines of a merged run's shards; nil for a run of one machine.
  package var machines: [MergedMachine]?
  /// What a partial merge lacks; nil for a run that is whole.
  package var absent: AbsentShards?

  package init(
    run: RunRecord, environment: [EnvironmentFact], scenarios: [ScenarioReport], machines: [MergedMachine]? = nil,
    absent: AbsentShards? = nil
  ) {
    schemaVersion = Report.currentSchemaVersion
    self.run = run
    self.environment = environment
    self.scenarios = scenarios
    method = Method(run, scenarios)
    self.machines = machines
    self.absent = absent
  }

  /// The run of a scenario's figures: on the machine that measured them.
  package func run(of scenario: ScenarioReport) -> RunRecord {
    var run = run
    run.machine = scenario.machine ?? run.machine
    return run
  }

  /// Whether a sample failed, or was taken for wrong after the run.
  package var hasFailures: Bool { scenarios.contains { $0.cells.contains { !$0.failures.isEmpty } } }
}

extension Report {
  /// How conclusions were reached.
  package struct Method: Codable, Sendable, Hashable {
    /// The probability with which each single interval covers the true value.
    package var confidence: Double
    /// The probability that any of the claims about a scenario is false.
    package var claimLevel: Double
    /// Rounds below which nothing is ranked.
    package var leastRounds: Int
    /// Orders the rounds.
    package var seed: UInt64
    package var isQuick: Bool
    /// What samples ran without, and how many of them, in the order in which they were first noted.
    package var notes: [Note]

    package struct Note: Codable, Sendable, Hashable {
      package var text: String
      package var samples: Int
    }

    init(_ run: RunRecord, _ scenarios: [ScenarioReport]) {
      confidence = Estimate.confidence
      claimLevel = ClaimFamily.level
      leastRounds = ClaimFamily.leastRounds
      seed = run.seed
      isQuick = run.isQuick
      notes = []
      for text in scenarios.flatMap(\.cells).flatMap(\.samples).flatMap(\.notes) {
        if let known = notes.firstIndex(where: { $0.text == text }) {
          notes[known].samples += 1
        } else {
          notes.append(Note(text: text, samples: 1))
        }
      }
    }
  }
}
