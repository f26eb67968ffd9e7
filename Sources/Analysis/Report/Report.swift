// The one value that the analysis ends in: a run's questions with their answers, and how they were come by.
package import Harness
internal import Scenarios

/// What a run found.
package struct Report: Codable, Sendable {
  package var scenarios: [ScenarioReport]
  package var warnings: [ReportWarning]
  package var method: Method
  /// What the run was measured on, in the order to show.
  package var machine: [EnvironmentFact]

  /// A warning without its words.
  package struct ReportWarning: Codable, Sendable, Hashable {
    package var kind: RunWarning.Kind
    /// Nil where it is about the whole run.
    package var cell: CellID?
  }

  /// How conclusions were come by.
  package struct Method: Codable, Sendable, Hashable {
    /// The probability that an interval covers what it is about, each on its own.
    package var confidence: Double
    /// The probability that any of the claims about a scenario is false.
    package var claimLevel: Double
    /// Rounds below which nothing is ranked.
    package var leastRounds: Int
    /// Orders the rounds.
    package var seed: UInt64
    package var isQuick: Bool
    /// What samples ran without, and how many of them.
    package var notes: [Note]

    package struct Note: Codable, Sendable, Hashable {
      package var text: String
      package var samples: Int
    }
  }
}

extension Report {
  /// Analyses a run; a function of the results alone.
  package init(of results: RunResults) { self = RunAnalysis(results).report }

  /// The same of a run whose scenarios have been analyzed, and whose warnings have been found.
  init(of results: RunResults, _ analyses: [ScenarioAnalysis], _ found: [RunWarning]) {
    scenarios = analyses.map { ScenarioReport($0) }
    warnings = found.map { ReportWarning(kind: $0.kind, cell: $0.cell?.id) }
    method = Method(
      confidence: PhaseSummary.confidence, claimLevel: ClaimFamily.level, leastRounds: ClaimFamily.leastRounds,
      seed: results.run.seed, isQuick: results.run.isQuick,
      notes: Method.Note.all(in: results))
    machine = results.environment
  }
}

extension Report.Method.Note {
  /// In the order in which they were first noted.
  fileprivate static func all(in results: RunResults) -> [Report.Method.Note] {
    var notes: [Report.Method.Note] = []
    for text in results.scenarios.flatMap(\.cells).flatMap(\.samples).flatMap(\.notes) {
      if let known = notes.firstIndex(where: { $0.text == text }) {
        notes[known].samples += 1
      } else {
        notes.append(Report.Method.Note(text: text, samples: 1))
      }
    }
    return notes
  }
}
