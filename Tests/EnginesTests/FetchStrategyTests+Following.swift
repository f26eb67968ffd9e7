// A15: fetches that follow relationships to rows of the same entity, and from more rows than GRDB can name.
import BatchmarkEngine
import CSQLite
import CoreDataModel
import GRDB
import Harness
import MissionTags
import ObjectGraph
import Scenarios
import Testing

@testable import Engines

extension FetchStrategyTests {
  @Test(
    "Rows of a single entity refer to one another, in every strategy", .tags(.a15),
    arguments: ["boss", "reports", "boss.boss", "reports.reports", "boss.reports"])
  func ownEntity(path: String) throws {
    let cells = [
      "strategy: objects", "strategy: faults", "strategy: batched, batch_size: 7", "strategy: prefetched",
      "engine: sqlite, strategy: select", "engine: sqlite, strategy: select-by-key",
      "engine: grdb, strategy: associations",
    ]
    let samples = try takeSamples(of: text(following: path, cells: cells))
    let found = Set(samples.map { $0.phases[2].rows })
    #expect(samples.count == 7 && found.count == 1 && found.allSatisfy { $0 > 150 }, "\(found)")
  }

  /// A hundred persons; most have another one as their boss.
  private func text(following path: String, cells: [String]) -> String {
    """
    scenario: test
    model:
      Person:
        attributes: {name: {type: string}}
        relationships:
          boss: {to: Person, inverse: reports}
          reports: {to: Person, inverse: boss, many: true}
    source:
      synthetic:
        entities:
          Person: {rows: 100, attributes: {name: {}}, relationships: {boss: {Person: {nulls: 5}}}}
    operation: fetch
    follow: \(path)
    cells:

    """ + cells.map { "  - {\($0)}\n" }.joined()
  }

  @Test("GRDB's associations are refused for more rows than a statement has parameters, with their number", .tags(.a15))
  func parameterLimit() throws {
    let text = text(following: "reports", cells: ["engine: sqlite, strategy: select"])
    let model = try ScenarioReader(schema: ScenarioSchema(BuiltInEngines.all)).read(text: text, file: "test.yml").model
    _ = try takeSamples(of: text) { path in
      let session = try GRDBFetchSession(
        StoreSetup(path: path, model: model, entityName: "Person", pragmas: [], mergePolicy: .error), .associations)
      session.queue.inDatabase {
        _ = sqlite3_limit($0.sqliteConnection, SQLITE_LIMIT_VARIABLE_NUMBER, 99)
      }
      var rows = FetchedRows(of: session.entity)
      let error = #expect(throws: EngineError.self) {
        try session.fetch(FetchQuery(following: ["reports"]), into: &rows)
      }
      #expect(
        error?.description
          == "found more than 99 rows from which 'reports' is followed, and the engine names each in one statement; "
          + "expected at most 99, by 'limit' or 'where', or another strategy")
      try session.fetch(FetchQuery(limit: 99, following: ["reports"]), into: &rows)
      #expect(rows.rows > 99)
      try session.close()
    }
  }
}
