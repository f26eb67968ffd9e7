// Reading scenarios without a mistake: every key, its defaults, and both notations.
import MissionTags
internal import ObjectGraph
import CoreDataModel
import Foundation
import BatchmarkEngine
import Scenarios
import Testing

@Suite("A1 · reading scenarios", .tags(.a1))
struct ScenarioReaderTests {
  @Test("Every key of a scenario is read")
  func everyKey() throws {
    let scenario = try read(validScenario)
    #expect(scenario.name == "quakes")
    #expect(scenario.description == "A test.")
    #expect(scenario.file == "Scenarios/x.yml")
    #expect(scenario.entityName == "Quake")
    #expect(
      scenario.entity?.attributes == [
        AttributeDescription("code", .string), AttributeDescription("magnitude", .double, isOptional: true),
        AttributeDescription("time", .date),
      ])
    #expect(scenario.entity?.uniquenessConstraints == [["code"]])
    #expect(scenario.source == .generate(GeneratorSettings(rows: 1000, seed: 7, duplicates: 0.05)))
    #expect(scenario.mergePolicy == .mergeByPropertyObjectTrump)
    #expect(scenario.repeats == 1)
    #expect(scenario.pragmas == [StorePragma("journal_mode", "wal"), StorePragma("synchronous", "normal")])
    #expect(
      scenario.cells.map(\.id) == ["quakes/objectgraph/save[save_every=100]", "quakes/sqlite/insert"])
    #expect(scenario.measure.rounds == 3)
    #expect(scenario.measure.sampleLimit == 90)
  }

  @Test("Optional keys have defaults")
  func defaults() throws {
    let scenario = try read(
      """
      scenario: small
      model: {Quake: {attributes: {code: {type: string}}}}
      source: {generate: {rows: 5}}
      cells: [{strategy: save}]
      """)
    #expect(scenario.description == "")
    #expect(scenario.entityName == "Quake")
    #expect(scenario.source == .generate(GeneratorSettings(rows: 5, seed: 42, duplicates: 0)))
    #expect(scenario.mergePolicy == nil)
    #expect(scenario.repeats == 1)
    #expect(scenario.pragmas.isEmpty)
    #expect(scenario.measure.rounds == 10)
    #expect(scenario.measure.sampleLimit == 600)
  }

  @Test("JSON is read like YAML")
  func json() throws {
    let json = """
      {"scenario": "quakes", "description": "A test.",
      \t"model": {"Quake": {"attributes": {"code": {"type": "string"},
      \t\t"magnitude": {"type": "double", "optional": true}, "time": {"type": "date"}}, "unique": [["code"]]}},
       "entity": "Quake", "source": {"generate": {"rows": 1000, "seed": 7, "duplicates": "5%"}},
       "merge_policy": "object_trump", "store": {"journal_mode": "wal", "synchronous": "normal"},
       "cells": [{"strategy": "save", "save_every": 100}, {"engine": "sqlite", "strategy": "insert"}],
       "measure": {"rounds": 3, "sample_limit": "90 s"}}
      """
    let (one, other) = (try read(json), try read(validScenario))
    #expect(one.fingerprint == other.fingerprint)
    #expect(one.cells == other.cells)
    #expect(one.measure.sampleLimit == other.measure.sampleLimit)
  }
}

extension ScenarioReaderTests {
  @Test("A parameter with its default value is not part of the cell's id")
  func defaultParameter() throws {
    let all = try read(scenario("save_every: 100", "save_every: all"))
    #expect(all.cells[0].id == "quakes/objectgraph/save")
    #expect(all.cells[0].parameters.isEmpty)
  }

  @Test(
    "Defaults of attributes of every type are read", .tags(.d1),
    arguments: [
      ("int16, default: -32_768", AttributeValue.integer(-32768)), ("int32, default: 7", .integer(7)),
      ("int64, default: 9223372036854775807", .integer(.max)), ("boolean, default: true", .boolean(true)),
      ("float, default: 0.5", .real(0.5)), ("double, default: -1e3", .real(-1000)),
      ("double, default: 5", .real(5)), ("string, default: no", .string("no")),
      ("string, default: \"null\"", .string("null")), ("string, default: \"\"", .string("")),
      ("string, default: null", .null), ("string, default: 5", .string("5")),
      ("date, default: 2001-01-01T00:00:01.500Z", .date(Date(timeIntervalSinceReferenceDate: 1.5))),
      ("date, default: 2001-01-02", .date(Date(timeIntervalSinceReferenceDate: 86_400))),
      ("binary, default: AQID", .binary(Data([1, 2, 3]))),
    ])
  func attributeDefaults(text: String, value: AttributeValue) throws {
    let text = scenario(
      "unique: [[code]]", "unique: [[code]]\n  Other:\n    attributes:\n      field: {type: \(text)}")
    #expect(try read(text).model["Other"]?.attribute(named: "field")?.defaultValue == value)
  }

  @Test("Decimal, UUID and URI defaults are read", .tags(.d1))
  func foundationDefaults() throws {
    let uuid = try #require(UUID(uuidString: "3E4666BF-D5E5-4AA7-B8CE-CEFE41C7568A"))
    let url = try #require(URL(string: "https://example.org/a?b=c"))
    let model = try read(
      scenario(
        "unique: [[code]]",
        """
        unique: [[code]]
          Other:
            attributes:
              price: {type: decimal, default: 12.50}
              key: {type: uuid, default: 3E4666BF-D5E5-4AA7-B8CE-CEFE41C7568A}
              link: {type: uri, default: "https://example.org/a?b=c"}
        """)
    ).model
    #expect(model["Other"]?.attributes.map(\.defaultValue) == [.decimal(Decimal(125) / 10), .uuid(uuid), .uri(url)])
  }
}

extension ScenarioReaderTests {
  @Test("Pragmas keep the file's order, except that those for an empty file come first", .tags(.d9))
  func pragmaOrder() throws {
    let scenario = try read(
      scenario(
        "{journal_mode: wal, synchronous: normal}",
        "{journal_mode: WAL, page_size: 8192, cache_size: -16_384, secure_delete: true, auto_vacuum: full}"))
    #expect(
      scenario.pragmas == [
        StorePragma("page_size", "8192"), StorePragma("auto_vacuum", "full"), StorePragma("journal_mode", "wal"),
        StorePragma("cache_size", "-16384"), StorePragma("secure_delete", "on"),
      ])
  }

  @Test(
    "Every pragma a scenario may set is read", .tags(.d9),
    arguments: [
      ("journal_mode", "delete"), ("synchronous", "extra"), ("wal_autocheckpoint", "0"), ("cache_size", "-2000"),
      ("page_size", "65536"), ("mmap_size", "268435456"), ("temp_store", "memory"), ("locking_mode", "exclusive"),
      ("journal_size_limit", "-1"), ("auto_vacuum", "incremental"), ("max_page_count", "50"), ("cache_spill", "off"),
      ("secure_delete", "fast"), ("fullfsync", "on"), ("checkpoint_fullfsync", "on"), ("busy_timeout", "5000"),
      ("foreign_keys", "on"), ("automatic_index", "off"), ("recursive_triggers", "on"), ("cell_size_check", "on"),
      ("threads", "2"),
    ])
  func everyPragma(name: String, value: String) throws {
    let pragmas = try read(scenario("{journal_mode: wal, synchronous: normal}", "{\(name): \(value)}")).pragmas
    #expect(pragmas == [StorePragma(name, value)])
  }

  @Test("A feed's path is relative to the scenario file")
  func feedPath() throws {
    let text = scenario("generate: {rows: 1_000, seed: 7, duplicates: 5%}", "feed: feeds/week.csv")
    #expect(try read(text).source == .feed(path: "Scenarios/feeds/week.csv"))
    let absolute = scenario("generate: {rows: 1_000, seed: 7, duplicates: 5%}", "feed: /feeds/week.csv")
    #expect(try read(absolute).source == .feed(path: "/feeds/week.csv"))
    let here = try ScenarioReader(schema: schema).read(text: text, file: "x.yml")
    #expect(here.source == .feed(path: "feeds/week.csv"))
  }
}

extension ScenarioReaderTests {
  @Test(
    "Durations may have a unit",
    arguments: [("500 ms", 0.5), ("600s", 600), ("1.5 min", 90), ("2 h", 7200), ("\"10 s\"", 10)])
  func durations(text: String, seconds: Double) throws {
    #expect(try read(scenario("90 s", text)).measure.sampleLimit == seconds)
  }

  @Test(
    "The warm-up takes a number of rows, none or all",
    arguments: [("", 1_000), ("warm_up: 50, ", 50), ("warm_up: 0, ", 0), ("warm_up: all, ", Int.max)])
  func warmUp(text: String, rows: Int) throws {
    #expect(try read(scenario("{rounds: 3", "{\(text)rounds: 3")).measure.warmUpRows == rows)
    #expect(try read(validScenario, "warm_up=\(rows == .max ? "all" : "\(rows)")").measure.warmUpRows == rows)
  }

  @Test("Shares are percentages", arguments: [("0%", 0), ("2.5%", 0.025), ("100%", 1), ("\"29%\"", 0.29)])
  func shares(text: String, share: Double) throws {
    let source = try read(scenario("duplicates: 5%", "duplicates: \(text)")).source
    #expect(source == .generate(GeneratorSettings(rows: 1000, seed: 7, duplicates: share)))
  }

  @Test("Comments, a byte-order mark and CRLF lines do not matter")
  func notation() throws {
    let windows = "\u{FEFF}# a comment\n" + validScenario.replacing("\n", with: "\r\n")
    #expect(try read(windows).fingerprint == read(validScenario).fingerprint)
  }
}
