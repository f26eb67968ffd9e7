// D3: every kind of fetch gives the rows its predicate holds for, and leaves the store as it was.
import BatchmarkEngine
import Engines
import Foundation
import CoreDataModel
import Instruments
import MissionTags
import Scenarios
import Support
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

  @Test("In an order and in part every kind fetches the same rows", arguments: ["false", "true"])
  func pages(isDescending: String) throws {
    let page = "order: code\ndescending: \(isDescending)\n"
    for (part, rows) in [("offset: 40\nlimit: 25", 25), ("offset: 290", 10), ("limit: 1_000", 300)] {
      let samples = try takeSamples(of: text(where: page + part))
      #expect(samples.count == 13 && samples.allSatisfy { $0.phases[2].rows == rows }, "\(part)")
    }
    let strong = try takeSamples(of: text(where: "where: magnitude >= 0.5\n" + page + "offset: 3\nlimit: 10"))
    #expect(strong.allSatisfy { $0.phases[2].rows == 10 })
  }

  @Test("Each of several named predicates chooses its rows, and a cell says which")
  func predicates() throws {
    let question = """
      predicates: {strong: magnitude >= 1.5, weak: magnitude < 1.5, one: code == "none"}
      sweep: {predicate: [strong, weak]}
      """
    let samples = try takeSamples(of: text(where: question))
    let rows = { (word: String) in
      Set(samples.filter { $0.cell.contains("predicate=\(word)") }.map { $0.phases[2].rows })
    }
    #expect(samples.count == 26 && rows("strong").count == 1 && rows("weak").count == 1)
    #expect(rows("strong") != rows("weak"))
  }

  @Test("A cold fetch reads the store from the disk: its pages are given up before")
  func cold() throws {
    let path = FileManager.default.temporaryDirectory.path + "/pages-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(count: 1 << 20).write(to: URL(fileURLWithPath: path))
    let residence = try FilePageCache.drop(path)
    #expect(residence.allPages == (1 << 20) / Int(getpagesize()))
    let samples = {
      try takeSamples(of: self.text(where: "page_cache: cold").replacing("rows: 300", with: "rows: 3_000"))
    }
    // A file system in memory keeps what it has.
    if residence.pages == 0 {
      #expect(try samples().allSatisfy { $0.phases[2].rows == 3_000 })
    } else {
      #expect(throws: VerificationError.self) { try samples() }
    }
  }

  @Test("A fetch that gives fewer rows, other values, or another order is a failure")
  func wrong() throws {
    let engine = ForgetfulEngine()
    let question = try #require(text(where: "").components(separatedBy: "cells:").first)
    let text =
      question + "order: code\ncells: [{engine: forgetful, strategy: fewer}, {engine: forgetful, strategy: other}, "
      + "{engine: forgetful, strategy: unordered}]"
    let scenario = try ScenarioReader(schema: ScenarioSchema([engine])).read(text: text, file: "x.yml")
    for (cell, complaint) in zip(
      scenario.cells, ["the fetch gave 299 rows; expected 300", "but other values", "the right rows in another order"])
    {
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
    ["fewer", "other", "unordered"].map { name in
      Strategy(
        name, summary: "forgets",
        .fetch { setup, cell in
          let select = try #require(SQLiteEngine().strategy(named: "select", for: .fetch))
          guard case .fetch(let open) = select.opening else { throw CocoaError(.featureUnsupported) }
          return Session(
            inner: try open(setup, cell), entity: try #require(setup.model[setup.entityName]),
            forgets: name)
        })
    }
  }

  private final class Session: FetchSession {
    let inner: any FetchSession
    let entity: EntityDescription
    let forgets: String

    init(inner: any FetchSession, entity: EntityDescription, forgets: String) {
      (self.inner, self.entity, self.forgets) = (inner, entity, forgets)
    }

    func fetch(_ query: FetchQuery, into rows: inout FetchedRows) throws {
      if forgets == "unordered" { return try inner.fetch(FetchQuery(), into: &rows) }
      var all = FetchedRows(of: entity)
      try inner.fetch(query, into: &all)
      if forgets == "fewer" {
        rows.count(all.rows - 1)
      } else {
        for _ in 0..<all.rows { rows.add { _ in .null } }
      }
    }

    func checkpoint() throws { try inner.checkpoint() }
    func close() throws { try inner.close() }
  }
}
