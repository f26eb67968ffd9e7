// Formats 1 and 2 of results.json: only the samples are used, and all other figures are computed again.
internal import Harness
internal import BatchmarkEngine
internal import Scenarios

/// The results of a run in the earlier formats, only for decoding.
package struct EarlierResults: Decodable {
  package static let schemaVersions = [1, 2]

  fileprivate struct Scenario: Decodable {
    let name, description, file, fingerprint, source: String
    let rows: Int
    let mergePolicy: String?
    let change: ChangeRecord?
    let repeats: Int
    let pragmas: [StorePragma]
    let rounds: Int
    let contentHash: String?
    let cells: [Cell]
    let budgets: [Budget]
    let settings: [ScenarioOverride]
    let leftOut: Int
    let modelRemarks: [String]
    let machine: String?
  }

  fileprivate struct Cell: Decodable {
    let cell: BatchmarkEngine.Cell
    let summary: String
    let gloss: String?
    let givesUp: [String]
    let samples: [Sample]
    let failures: [FailedSample]
    let missing: Int
    let stop: EarlyStop?
    let durations: [PassDuration]?
  }

  private let run: RunRecord
  private let environment: [EnvironmentFact]
  private let scenarios: [Scenario]
  private let machines: [MergedMachine]?
  private let absent: AbsentShards?

  /// The same results in the current format.
  package var results: Report {
    Report(
      run: run, environment: environment, scenarios: scenarios.map(\.results), machines: machines, absent: absent)
  }
}

extension EarlierResults.Scenario {
  fileprivate var results: ScenarioReport {
    let setAside = SetAsideRounds(failures: cells.flatMap(\.failures), samples: cells.flatMap(\.samples))
    return ScenarioReport(
      name: name, description: description, file: file, fingerprint: fingerprint, source: source, rows: rows,
      mergePolicy: mergePolicy, change: change, repeats: repeats, pragmas: pragmas, rounds: rounds,
      contentHash: contentHash,
      cells: cells.map { cell in
        CellReport(
          cell: cell.cell, summary: cell.summary, gloss: cell.gloss, tradeoffs: cell.givesUp, samples: cell.samples,
          failures: cell.failures, missing: cell.missing, stop: cell.stop, durations: cell.durations,
          setAside: setAside)
      },
      budgets: budgets, settings: settings, leftOut: leftOut, modelRemarks: modelRemarks, machine: machine)
  }
}
