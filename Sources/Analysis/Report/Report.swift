// All results of a run, in the layout of results.json. Every output depends only on this value.
package import Harness
internal import Instruments
internal import BatchmarkEngine

/// A whole run.
///
/// Increment the JSON schema's version when a reader of the old layout would misread the new one.
package struct Report: Codable, Sendable {
  package static let currentSchemaVersion = 3

  package var schemaVersion: Int
  package var run: RunRecord
  /// The environment of the run, in display order.
  package var environment: [EnvironmentFact]
  package var scenarios: [ScenarioReport]
  /// Warnings for the reader as text, computed when the file is written; empty before that.
  package var warnings: [WarningRecord] = []
  package var method: Method
  /// The machines of a merged run's shards; `nil` for a run on one machine.
  package var machines: [MergedMachine]?
  /// What is missing in a partial merge; `nil` for a complete run.
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

  /// The run record for a scenario's figures, with the machine that measured them.
  package func run(of scenario: ScenarioReport) -> RunRecord {
    var run = run
    run.machine = scenario.machine ?? run.machine
    return run
  }

  /// Whether a sample failed, or was rejected after the run.
  package var hasFailures: Bool { scenarios.contains { $0.cells.contains { !$0.failures.isEmpty } } }
}

extension Report {
  /// How conclusions were reached.
  package struct Method: Codable, Sendable, Hashable {
    /// The probability with which each single interval covers the true value.
    package var confidence: Double
    /// The probability that any of the claims about a scenario is false.
    package var claimLevel: Double
    /// The minimum number of rounds for a ranking.
    package var leastRounds: Int
    /// The seed for the order of the rounds.
    package var seed: UInt64
    package var isQuick: Bool
    /// The conditions that samples lacked, and the number of these samples, in the order in which they were first
    /// noted.
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
