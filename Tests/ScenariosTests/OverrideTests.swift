// Settings on the command line: each replaces a value in the file and is checked like that value.
import MissionTags
import ObjectGraph
import BatchmarkEngine
import Scenarios
import Testing

@Suite("A1 · settings replace values", .tags(.a1))
struct OverrideTests {
  @Test("Settings of every section are applied")
  func sections() throws {
    let changed = try read(
      validScenario, "rows=20_000", "seed=9", "duplicates=50%", "repeat=2", "merge_policy=store_trump", "rounds=5",
      "sample_limit=2 min", "cell_limit=90 s", "synchronous=off", "cache_size=-4096")
    #expect(changed.source == .generate(GeneratorSettings(rows: 20_000, seed: 9, duplicates: 0.5)))
    #expect(changed.repeats == 2)
    #expect(changed.mergePolicy == .mergeByPropertyStoreTrump)
    #expect(changed.measure.rounds == 5)
    #expect(changed.measure.sampleLimit == 120)
    #expect(changed.measure.cellLimit == 90)
    #expect(
      changed.pragmas == [
        StorePragma("journal_mode", "wal"), StorePragma("synchronous", "off"), StorePragma("cache_size", "-4096"),
      ])
  }

  @Test("Missing sections of the file are created")
  func absentSections() throws {
    let text = """
      scenario: small
      model: {Quake: {attributes: {code: {type: string}}}}
      source: {generate: {rows: 5}}
      cells: [{strategy: save}]
      """
    let changed = try read(text, "rounds=2", "page_size=8192")
    #expect(changed.measure.rounds == 2)
    #expect(changed.pragmas == [StorePragma("page_size", "8192")])
  }

  @Test("A cell's parameter applies to every cell with a strategy that has it")
  func cells() throws {
    let text = scenario("{engine: sqlite", "{strategy: batch-objects}\n  - {engine: sqlite")
    #expect(
      try read(text, "save_every=10", "request_size=500").cells.map(\.id) == [
        "quakes/objectgraph/save[save_every=10]", "quakes/objectgraph/batch-objects[request_size=500]",
        "quakes/sqlite/insert",
      ])
    #expect(try read(text, "save_every=all").cells[0].id == "quakes/objectgraph/save")
  }

  @Test("Cells that become equal by a setting are merged")
  func alike() throws {
    let text = scenario("{engine: sqlite", "{strategy: save, save_every: all}\n  - {engine: sqlite")
    #expect(try read(text).cells.count == 3)
    #expect(
      try read(text, "save_every=10").cells.map(\.id) == [
        "quakes/objectgraph/save[save_every=10]", "quakes/sqlite/insert",
      ]
    )
  }
}

extension OverrideTests {
  @Test("The last of two settings with one name wins")
  func last() throws {
    #expect(try read(validScenario, "rounds=5", "rounds=6").measure.rounds == 6)
  }

  @Test("A feed replaces the generator; its path is relative to the working directory", .tags(.a8))
  func feed() throws {
    #expect(try read(validScenario, "feed=feeds/week.csv").source == .feed(path: "feeds/week.csv"))
  }

  @Test("A generator setting is refused beside a feed, whichever comes first")
  func generatorAndFeed() {
    let complaint =
      "--set rows=10, for Scenarios/x.yml: found the setting 'rows' of the generator, while the source is a feed; "
      + "expected a scenario that generates its rows, or no such setting"
    #expect(complaints(validScenario, "feed=a.csv", "rows=10") == [complaint])
    #expect(complaints(validScenario, "rows=10", "feed=a.csv") == [complaint])
    let text = scenario("generate: {rows: 1_000, seed: 7, duplicates: 5%}", "feed: a.csv")
    #expect(complaints(text, "rows=10") == [complaint])
  }
}

extension OverrideTests {
  @Test(
    "An invalid setting is quoted as the user wrote it, with what was expected",
    arguments: [
      ("rows=0", "found 0; expected a whole number of rows from 1 to 100000000"),
      ("rows=", "found nothing; expected a whole number of rows from 1 to 100000000"),
      (
        "merge_policy=object_trum",
        "found 'object_trum'; expected one of error, store_trump, object_trump, overwrite, rollback; did you mean "
          + "'object_trump'?"
      ),
      ("synchronous=maybe", "found 'maybe'; expected one of off, normal, full, extra"),
      ("save_every=0", "found 0; expected a whole number of rows from 1 to 100000000"),
      ("feed=", "found nothing; expected the path of a feed"),
      (
        "request_size=5",
        "found the setting 'request_size', which no cell of the scenario has; expected a "
          + "parameter of one of its strategies"
      ),
    ])
  func mistakes(setting: String, complaint: String) {
    #expect(complaints(validScenario, setting) == ["--set \(setting), for Scenarios/x.yml: \(complaint)"])
  }

  @Test(
    "An unknown setting is reported with the nearest one",
    arguments: [
      ("row=5", "rows"), ("sav_every=5", "save_every"), ("page_sise=512", "page_size"), ("round=1", "rounds"),
    ])
  func unknown(setting: String, nearest: String) throws {
    let complaint = try #require(complaints(validScenario, setting).first)
    let name = try #require(setting.split(separator: "=").first)
    #expect(
      complaint.hasPrefix(
        "--set \(setting), for Scenarios/x.yml: found the setting '\(name)'; expected one of rows, seed, "))
    #expect(complaint.hasSuffix("; did you mean '\(nearest)'?"))
  }

  @Test("Mistakes in settings follow those in the file")
  func order() {
    let found = complaints(scenario("rounds: 3", "rounds: 0"), "rows=0")
    #expect(found.map { $0.hasPrefix("Scenarios/x.yml:18:19") } == [true, false])
  }

  @Test("Settings for a file that is not a mapping do no harm")
  func noMapping() {
    #expect(complaints("- a", "rows=5", "save_every=5", "feed=a").count == 1)
    #expect(complaints("source: [1]\ncells: 5", "rows=5").contains { $0.contains(":1:9: found a list") })
  }
}
