// D3: every kind of fetch returns the matching rows and does not change the store.
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
    model: {Quake: \(quakeEntity())}
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

  /// A query that some strategies can run.
  private func text(_ lines: String, strategies: [String]) throws -> String {
    try #require(text(where: lines).components(separatedBy: "cells:").first) + "cells:\n"
      + strategies.map { "  - {\($0)}\n" }.joined()
  }

  @Test("Each kind of fetch gives the same rows, in a phase of its own, and changes none")
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

  @Test("Every kind fetches the same rows with an order and a limit", arguments: ["false", "true"])
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

  @Test("A cold fetch reads the store from the disk, because its pages are evicted before")
  func cold() throws {
    let path = FileManager.default.temporaryDirectory.path + "/pages-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(count: 1 << 20).write(to: URL(fileURLWithPath: path))
    let residence = try FilePageCache.drop(path)
    #expect(residence.allPages == (1 << 20) / Int(getpagesize()))
    let samples = {
      try takeSamples(of: self.text(where: "page_cache: cold").replacing("rows: 300", with: "rows: 3_000"))
    }
    // A file system in memory cannot drop pages.
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

extension FetchStrategyTests {
  @Test("A list of a thousand values is searched by one statement, which finds as many rows", .tags(.a15))
  func valueLists() throws {
    let lists = "predicates: {few: {code: 3}, many: {code: 1_500}}\nsweep: {predicate: [few, many]}"
    let samples = try takeSamples(of: text(where: lists).replacing("rows: 300", with: "rows: 2_000"))
    #expect(samples.count == 26)
    for sample in samples {
      #expect(sample.phases[2].rows == (sample.cell.contains("predicate=few") ? 3 : 1_500), "\(sample.cell)")
    }
  }

  @Test("Groups are the same whether the store counts them or the rows are counted in memory", .tags(.a15))
  func groups() throws {
    let strategies = [
      "strategy: dictionaries", "strategy: objects", "strategy: faults", "strategy: batched",
      "engine: sqlite, strategy: select", "engine: sqlite, strategy: select-kept", "engine: grdb, strategy: row",
      "engine: grdb, strategy: record",
    ]
    let aggregates =
      "aggregates: [count, count(magnitude), count(place), count(code), max(magnitude), min(time), max(nst)]"
    for lines in ["group_by: place\n", "group_by: nst\nwhere: magnitude >= 0.5\n"] {
      let samples = try takeSamples(of: text(lines + aggregates, strategies: strategies))
      // The rows of the phase are the grouped rows.
      #expect(samples.count == 8 && Set(samples.map { $0.phases[2].rows }).count == 1)
    }
  }

  @Test("Groups of text are formed by its bytes, wherever they are counted", .tags(.a15))
  func groupsOfEqualTexts() throws {
    let feed = FileManager.default.temporaryDirectory.path + "/groups-\(UUID().uuidString).csv"
    defer { try? FileManager.default.removeItem(atPath: feed) }
    try Data("name\ncaf\u{E9}\ncafe\u{301}\ncaf\u{E9}\n".utf8).write(to: URL(fileURLWithPath: feed))
    let samples = try takeSamples(
      of: """
        scenario: test
        model: {Place: {attributes: {name: {type: string}}}}
        source: {feed: \(feed)}
        operation: fetch
        group_by: name
        aggregates: [count]
        cells: [{strategy: dictionaries}, {strategy: objects}, {engine: sqlite, strategy: select}]
        """)
    #expect(samples.map { $0.contents.rows } == [3, 3, 3])
  }

  @Test("A sum that SQLite refuses is refused before anything is measured", .tags(.a15))
  func sums() throws {
    func text(_ numbers: String) -> String {
      """
      scenario: test
      model: {Place: {attributes: {size: {type: int64}, kind: {type: boolean}}}}
      source: {feed: \(numbers)}
      operation: fetch
      group_by: kind
      aggregates: [sum(size)]
      cells: [{strategy: dictionaries}, {strategy: objects}, {engine: sqlite, strategy: select}]
      """
    }
    func samples(_ numbers: [Int64]) throws -> [Sample] {
      let feed = FileManager.default.temporaryDirectory.path + "/sums-\(UUID().uuidString).csv"
      defer { try? FileManager.default.removeItem(atPath: feed) }
      try Data("size,kind\n\(numbers.map { "\($0),true\n" }.joined())".utf8).write(to: URL(fileURLWithPath: feed))
      return try takeSamples(of: text(feed))
    }
    #expect(try samples([.max - 1, 1, -5]).count == 3)
    let error = #expect(throws: SampleError.self) { try samples([.max, 1, -5]) }
    #expect(
      error?.description
        == "the sum(size) of a group of test has more than 64 bits, which SQLite refuses; expected smaller "
        + "numbers, or min and max")
  }

  @Test("Followed relationships are equal object by object, prefetched, joined, or queried row by row", .tags(.a15))
  func relationships() throws {
    let model = """
      scenario: test
      model:
        Album:
          attributes: {title: {type: string}, number: {type: int32}}
          relationships: {tracks: {to: Track, inverse: album, many: true}}
          unique: [[number]]
        Track:
          attributes: {title: {type: string}, seconds: {type: double, optional: true}}
          relationships:
            album: {to: Album, inverse: tracks}
            artist: {to: Artist, inverse: tracks}
            tags: {to: Tag, inverse: tracks, many: true}
        Artist:
          attributes: {name: {type: string}}
          relationships: {tracks: {to: Track, inverse: artist, many: true}}
        Tag:
          attributes: {name: {type: string}}
          relationships: {tracks: {to: Track, inverse: tags, many: true}}
      source:
        synthetic:
          entities:
            Album: {rows: 30, attributes: {title: {}, number: {range: [1, 90]}}}
            Artist: {rows: 9, attributes: {name: {}}}
            Tag: {rows: 7, attributes: {name: {}}}
            Track:
              rows: 200
              attributes: {title: {}, seconds: {nulls: 10%}}
              relationships:
                album: {Album: {nulls: 20}}
                artist: {Artist: {nulls: 30}}
                tags: {Tag: {destinations: [0, 3]}}
      operation: fetch
      cells:
        - {strategy: objects}
        - {strategy: faults}
        - {strategy: batched, batch_size: 7}
        - {strategy: prefetched}
        - {engine: sqlite, strategy: select}
        - {engine: sqlite, strategy: select-by-key}
        - {engine: grdb, strategy: associations}

      """
    for (lines, rows) in [
      ("entity: Album\nfollow: tracks.artist", nil), ("entity: Album\nfollow: tracks", 30 + 180),
      ("entity: Track\nfollow: artist", 200 + 170), ("entity: Track\nfollow: tags.tracks", nil),
      ("entity: Artist\nfollow: tracks.album", nil), ("entity: Track\nfollow: album.tracks", nil),
      ("entity: Track\nfollow: album\nwhere: title != \"\"", nil),
      (
        "entity: Album\nfollow: tracks.tags\nwhere: number >= 10\norder: number\ndescending: true\noffset: 1\nlimit: 12",
        nil
      ),
    ] as [(String, Int?)] {
      let samples = try takeSamples(of: model + lines)
      #expect(samples.count == 7, "\(lines)")
      let found = Set(samples.map { $0.phases[2].rows })
      #expect(found.count == 1 && rows.map { found == [$0] } != false, "\(lines): \(found)")
    }
  }

  @Test("A fetch that reaches the right rows from the wrong ones is a failure", .tags(.a6))
  func wrongWay() throws {
    var right = FetchedRows(of: EntityDescription("Album"))
    var wrong = right
    let (one, two, track) = (hash(1), hash(2), hash(3))
    for album in [one, two] {
      right.add(album)
      wrong.add(album)
    }
    right.add(track, reachedFrom: one)
    wrong.add(track, reachedFrom: two)
    #expect(right.rows == wrong.rows && right.contents != wrong.contents)
  }

  private func hash(_ number: Int64) -> RowHash {
    var hash = RowHash()
    hash.add(number)
    return hash
  }
}

/// An engine with wrong fetches.
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
