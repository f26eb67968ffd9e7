// The one value that the analysis ends in: a run's questions with their answers, and how they were come by.
package import Harness
package import Scenarios
internal import Workloads

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
  }
}

/// One scenario: its question, and what its figures say.
package struct ScenarioReport: Codable, Sendable {
  package struct Question: Codable, Sendable, Hashable {
    package var scenario: String
    package var description: String
    package var operation: Operation.Kind
  }

  /// The figures of a cell, phase by phase.
  package struct CellFigures: Codable, Sendable {
    package var cell: Cell
    package var phases: [PhaseSummary]
  }

  package var question: Question
  /// The cells that may be compared with one another.
  package var groups: [EqualWork]
  /// What answers the question, in the order to tell it.
  package var answer: [Finding]
  /// What else can be concluded.
  package var details: [Finding]
  package var figures: [CellFigures]
  /// How many claims about two cells' times were tested together.
  package var claims: Int

  package var findings: [Finding] { answer + details }
}

extension Report {
  /// Analyses a run; a function of the results alone.
  package init(of results: RunResults) {
    scenarios = results.scenarios.map { ScenarioReport(ScenarioAnalysis($0)) }
    warnings = results.foundWarnings.map { ReportWarning(kind: $0.kind, cell: $0.cell?.id) }
    method = Method(
      confidence: PhaseSummary.confidence, claimLevel: ClaimFamily.level, leastRounds: ClaimFamily.leastRounds,
      seed: results.run.seed, isQuick: results.run.isQuick)
    machine = results.environment
  }
}

extension ScenarioReport {
  package init(_ analysis: ScenarioAnalysis) {
    let scenario = analysis.scenario
    question = Question(
      scenario: scenario.name, description: scenario.description, operation: scenario.operation)
    groups = analysis.groups
    answer = analysis.answer
    details = analysis.details
    figures = scenario.cells.map { CellFigures(cell: $0.cell, phases: $0.phases) }
    claims = analysis.claims.count
  }
}
