// A15: fetches that follow relationships from rows to others of their own entity.
import BatchmarkEngine
import Harness
import MissionTags
import Testing

extension FetchStrategyTests {
  @Test(
    "Rows of the only entity lead to others of it, by every strategy", .tags(.a15),
    arguments: ["boss", "reports", "boss.boss", "reports.reports", "boss.reports"])
  func ownEntity(path: String) throws {
    let samples = try takeSamples(
      of: """
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
          - {strategy: objects}
          - {strategy: faults}
          - {strategy: batched, batch_size: 7}
          - {strategy: prefetched}
          - {engine: sqlite, strategy: select}
          - {engine: sqlite, strategy: select-by-key}
          - {engine: grdb, strategy: associations}
        """)
    let found = Set(samples.map { $0.phases[2].rows })
    #expect(samples.count == 7 && found.count == 1 && found.allSatisfy { $0 > 150 }, "\(found)")
  }
}
