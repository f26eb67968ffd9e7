// D3: every kind of fetch gives the rows its predicate holds for, and leaves the store as it was.
import BatchmarkEngine
import Engines
import Foundation
import CoreDataModel
import Instruments
import MissionTags
import Scenarios
import Testing
import Harness

@Suite("D3 · fetches", .tags(.d3))
struct FetchStrategyTests {
  private func text(where condition: String) -> String {
    """
    scenario: test
    model:
      Quake:
        attributes:
          code: {type: string}
          magnitude: {type: float, optional: true, default: 1.5}
          place: {type: string, optional: true}
          time: {type: date}
          nst: {type: int32, optional: true}
        unique: [[code]]
    source: {generate: {rows: 300, seed: 3}}
    operation: fetch
    \(condition)
    cells:
      - {strategy: objects}
      - {strategy: faults}
      - {strategy: batched}
      - {strategy: batched, batch_size: 7}
      - {strategy: dictionaries}
      - {strategy: object-ids}
      - {strategy: count}
      - {engine: sqlite, strategy: select}
      - {engine: sqlite, strategy: select-kept}
      - {engine: sqlite, strategy: select-by-key}
      - {engine: grdb, strategy: row}
      - {engine: grdb, strategy: record}
      - {engine: grdb, strategy: codable}
    """
  }

  @Test("Each kind gives the same rows, in a phase of its own, and changes none")
  func predicate() throws {
    let samples = try takeSamples(of: text(where: "where: magnitude >= 0.5 AND place != NULL"))
    #expect(samples.count == 13)
    for sample in samples {
      #expect(sample.phases.map(\.phase) == [.load, .prepare, .fetch, .checkpoint, .verify])
      #expect(sample.phases[2].rows > 20 && sample.phases[2].rows < 280)
      #expect(sample.contents.rows == 300 && sample.contents.versions == [1: 300])
    }
    #expect(Set(samples.map { $0.phases[2].rows }).count == 1)
  }

  @Test("Without a predicate every row is fetched")
  func everyRow() throws {
    #expect(try takeSamples(of: text(where: "")).allSatisfy { $0.phases[2].rows == 300 })
  }

  @Test("A fetch that gives fewer rows, or other values, is a failure")
  func wrong() throws {
    let engine = ForgetfulEngine()
    let question = try #require(text(where: "").components(separatedBy: "cells:").first)
    let text = question + "cells: [{engine: forgetful, strategy: fewer}, {engine: forgetful, strategy: other}]"
    let scenario = try ScenarioReader(schema: ScenarioSchema([engine])).read(text: text, file: "x.yml")
    for (cell, complaint) in zip(scenario.cells, ["the fetch gave 299 rows; expected 300", "but other values"]) {
      let directory = FileManager.default.temporaryDirectory.path + "/fetch-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: directory) }
      let job = SampleJob(
        scenarioText: text, scenarioFile: "x.yml", overrides: [], cell: cell, pass: .timing, round: 1,
        directory: directory)
      #expect {
        try SampleTaker(engines: [engine]).take(job)
      } throws: {
        "\($0)".contains(complaint)
      }
    }
  }
}

/// An engine whose fetches are wrong.
private struct ForgetfulEngine: Engine {
  let name = "forgetful"
  var strategies: [Strategy] {
    ["fewer", "other"].map { name in
      Strategy(
        name, summary: "forgets",
        .fetch { setup, cell in
          let select = try #require(SQLiteEngine().strategy(named: "select", for: .fetch))
          guard case .fetch(let open) = select.opening else { throw CocoaError(.featureUnsupported) }
          return Session(
            inner: try open(setup, cell), entity: try #require(setup.model[setup.entityName]),
            forgetsRow: name == "fewer")
        })
    }
  }

  private final class Session: FetchSession {
    let inner: any FetchSession
    let entity: EntityDescription
    let forgetsRow: Bool

    init(inner: any FetchSession, entity: EntityDescription, forgetsRow: Bool) {
      (self.inner, self.entity, self.forgetsRow) = (inner, entity, forgetsRow)
    }

    func fetch(where condition: RowCondition?, into rows: inout FetchedRows) throws {
      var all = FetchedRows(of: entity)
      try inner.fetch(where: condition, into: &all)
      if forgetsRow {
        rows.count(all.rows - 1)
      } else {
        for _ in 0..<all.rows { rows.add { _ in .null } }
      }
    }

    func checkpoint() throws { try inner.checkpoint() }
    func close() throws { try inner.close() }
  }
}
