// Sweeps: a key's values multiply the cells that have it, exclusions remove some, and every mistake has its position.
internal import CoreDataModel
import Foundation
import MissionTags
import ObjectGraph
import BatchmarkEngine
import Scenarios
import Testing

/// A scenario that sweeps its rows and the size of a save.
let sweptScenario = """
  scenario: quakes
  description: A test.
  model:
    Quake:
      attributes:
        code: {type: string}
        magnitude: {type: double, optional: true}
      unique: [[code]]
      indexes: {by_magnitude: [magnitude]}
  source: {generate: {seed: 7}}
  cells:
    - {strategy: save}
    - {engine: sqlite, strategy: insert}
  sweep: {rows: [10, 20], save_every: [5, all]}
  exclude: [{strategy: save, rows: 20, save_every: 5}]
  """

private func swept(_ old: String, _ new: String, sourceLocation: SourceLocation = #_sourceLocation) -> String {
  #expect(sweptScenario.contains(old), "the swept scenario has no \(old)", sourceLocation: sourceLocation)
  return sweptScenario.replacing(old, with: new)
}

private func ids(_ scenario: Scenario) -> [String] {
  scenario.cells.map { $0.id.replacing("quakes/objectgraph/", with: "").replacing("quakes/", with: "") }
}

@Suite("A1 E · sweeps", .tags(.a1))
struct SweepTests {
  @Test("Shares that differ by less than 0.01 % are different values")
  func smallShares() throws {
    let text = swept(
      "sweep: {rows: [10, 20], save_every: [5, all]}\nexclude: [{strategy: save, rows: 20, save_every: 5}]",
      "sweep: {duplicates: [0.001%, 0.002%]}\nmerge_policy: object_trump")
    let scenario = try read(text.replacing("seed: 7", with: "rows: 10"))
    #expect(
      ids(scenario) == [
        "save[duplicates=0.001%]", "sqlite/insert[duplicates=0.001%]", "save[duplicates=0.002%]",
        "sqlite/insert[duplicates=0.002%]",
      ])
  }

  @Test("Source values multiply every cell, a strategy's those that know it; defaults have no name, source values do")
  func product() throws {
    let scenario = try read(sweptScenario)
    #expect(
      ids(scenario) == [
        "save[rows=10,save_every=5]", "save[rows=10]", "sqlite/insert[rows=10]", "save[rows=20]",
        "sqlite/insert[rows=20]",
      ])
    #expect(
      scenario.cells.map { $0.conditions["rows"] } == [.count(10), .count(10), .count(10), .count(20), .count(20)])
    #expect(scenario.cells[0].ownParameters == ["save_every": .count(5)])
    #expect(scenario.cells.filter { $0.isSelected(by: "save") }.count == 3)
    #expect(scenario.cells.filter { $0.isSelected(by: "rows=20") }.count == 2)
    #expect(scenario.cells.filter { $0.isSelected(by: "strategy=save") }.count == 3)
    #expect(scenario.cells.filter { $0.isSelected(by: "engine=sqlite") }.count == 2)
    #expect(scenario.cells.allSatisfy { $0.isSelected(by: "scenario=\(scenario.name)") })
  }

  @Test("Each cell has the source, store and policy of its values, and keeps them in a worker")
  func variants() throws {
    let sweep =
      "sweep: {rows: [1_000, 2_000], duplicates: [0%, 2.5%], merge_policy: [store_trump, Object_Trump], "
      + "cache_size: [-2_000, 500], page_size: [4096], foreign_keys: [yes], indexes: [unique, all], seed: [1]}"
    let text = swept("sweep: {rows: [10, 20], save_every: [5, all]}", sweep).replacing(
      "{generate: {seed: 7}}", with: ""
    )
    .replacing("source: \n", with: "source: {generate: {}}\n")
    .replacing("exclude: [{strategy: save, rows: 20, save_every: 5}]", with: "store: {journal_mode: wal}")
    let scenario = try read(text)
    #expect(scenario.cells.count == 2 * 2 * 2 * 2 * 2 * 2)
    #expect(scenario.variants.count == 32)
    let cell = try #require(
      scenario.cells.last { $0.strategy == "insert" && $0.parameters["indexes"] == .word("unique") })
    #expect(
      cell.id == "quakes/sqlite/insert[cache_size=500,duplicates=2.5%,foreign_keys=on,indexes=unique,"
        + "merge_policy=object_trump,page_size=4096,rows=2000,seed=1]")
    let told = try JSONDecoder().decode(Cell.self, from: JSONEncoder().encode(cell))
    #expect(told == cell)
    let variant = scenario.variant(for: told)
    #expect(variant.source == .generate(GeneratorSettings(rows: 2_000, seed: 1, duplicates: 0.025)))
    #expect(variant.mergePolicy == .mergeByPropertyObjectTrump)
    #expect(
      variant.pragmas == [
        StorePragma("page_size", "4096"), StorePragma("journal_mode", "wal"), StorePragma("cache_size", "500"),
        StorePragma("foreign_keys", "on"),
      ])
    #expect(variant.entity?.fetchIndexes.isEmpty == true)
    #expect(variant.entity?.uniquenessConstraints == [["code"]])
    for cell in scenario.cells {
      let told = try JSONDecoder().decode(Cell.self, from: JSONEncoder().encode(cell))
      #expect(scenario.variants[told.conditions] != nil, "\(cell.id)")
    }
  }

  @Test("A cell of an earlier file has its parameters under their current names")
  func earlierNames() throws {
    let cell = Cell(
      scenario: "s", engine: "sqlite", strategy: "insert-many", parameters: ["rows_per_step": .count(7)],
      defaults: ["rows_per_step": .count(50), "relationships": .word("all")])
    let text = String(decoding: try JSONEncoder().encode(cell), as: UTF8.self)
    let before = text.replacing("rows_per_step", with: "rows_a_step")
    #expect(before != text)
    let read = try JSONDecoder().decode(Cell.self, from: Data(before.utf8))
    #expect(read.parameters == cell.parameters && read.defaults.keys == cell.defaults.keys && read.id == cell.id)
  }
}

extension SweepTests {
  @Test("Swept values are part of the scenario's question; their order is not")
  func fingerprint() throws {
    let fingerprint = try read(sweptScenario).fingerprint
    #expect(try read(swept("rows: [10, 20]", "rows: [20, 10]")).fingerprint == fingerprint)
    #expect(try read(swept("save_every: [5, all]", "save_every: [5, 6, all]")).fingerprint == fingerprint)
    #expect(try read(swept("rows: [10, 20]", "rows: [10, 20, 30]")).fingerprint != fingerprint)
    #expect(try read(swept("{seed: 7}", "{seed: 8}")).fingerprint != fingerprint)
  }

  @Test("A pinned reader is swept for every engine, and cells without one differ from those with it", .tags(.c1))
  func reader() throws {
    let text = swept("save_every: [5, all]", "reader: [none, pinned]").replacing(
      "save_every: 5", with: "reader: pinned"
    )
    .replacing("[10, 20]", with: "[20]")
    let scenario = try read(text)
    #expect(ids(scenario) == ["save[rows=20]", "sqlite/insert[rows=20]", "sqlite/insert[reader=pinned,rows=20]"])
    #expect(scenario.cells[1].conditions == ["rows": .count(20)])
    #expect(scenario.cells[2].conditions == ["rows": .count(20), "reader": .word("pinned")])
  }

  @Test("An exclusion may name several values, and an engine; a default is a value too")
  func exclusions() throws {
    let exclusion = "[{strategy: save, rows: 20, save_every: 5}]"
    let several = swept(exclusion, "[{engine: objectgraph, rows: [10, 2_0], save_every: ALL}, {engine: sqlite}]")
    #expect(ids(try read(several)) == ["save[rows=10,save_every=5]", "save[rows=20,save_every=5]"])
    let overlapping = swept(exclusion, "[{engine: sqlite}, {engine: sqlite, rows: 10}]")
    #expect(try read(overlapping).cells.count == 4)
  }
}

extension SweepTests {
  @Test("A combination without cells is not read, so it may be an impossible one", .tags(.b11))
  func impossible() throws {
    let text = swept("save_every: [5, all]", "duplicates: [0%, 5%], merge_policy: [error, object_trump]")
    let exclusion = "[{strategy: save, rows: 20, save_every: 5}]"
    #expect(
      complaints(text.replacing(exclusion, with: "[{rows: 20}]")) == [
        "Scenarios/x.yml:14:62: found the policy 'error' with duplicates of 5%, with which the cell "
          + "quakes/objectgraph/save[duplicates=5%,merge_policy=error,rows=10] would fail; expected another policy: "
          + "store_trump, object_trump, overwrite, rollback"
      ])
    #expect(
      try read(text.replacing(exclusion, with: "[{duplicates: 5%, merge_policy: error}]")).cells.count == 2 * 3 * 2)
  }

  @Test("A command-line setting replaces all swept values, and exclusions of other values stay valid")
  func settings() throws {
    let fewer = try read(sweptScenario, "rows=7")
    #expect(ids(fewer) == ["save[save_every=5]", "save", "sqlite/insert"])
    #expect(fewer.source == .generate(GeneratorSettings(rows: 7, seed: 7)))
    #expect(fewer.variants.isEmpty)
    #expect(ids(try read(sweptScenario, "rows=20", "save_every=4")) == ["save[save_every=4]", "sqlite/insert"])
    let cached = try read(
      swept("save_every: [5, all]", "cache_size: [1, 2]").replacing(", save_every: 5", with: ""),
      "cache_size=3")
    #expect(ids(cached) == ["save[rows=10]", "sqlite/insert[rows=10]", "sqlite/insert[rows=20]"])
    #expect(cached.variant(for: cached.cells[0]).pragmas == [StorePragma("cache_size", "3")])
    #expect(try read(sweptScenario, "feed=a.csv").source == .feed(path: "a.csv"))
    #expect(try read(sweptScenario, "rounds=2").cells.count == 5)
  }

  @Test("Budgets name swept cells by any of their words; a name that a setting removed is not a mistake", .tags(.a7))
  func budgets() throws {
    let text = sweptScenario + "\nbudgets: ['save.wall <= 2 s', 'rows=20.wall <= 3 * insert[rows=20].wall']"
    #expect(
      try read(text).budgets.map(\.figure.cells.count) == [3, 2])
    #expect(try read(text, "rows=7").budgets.map(\.figure.cells.count) == [2, 0])
  }
}

@Suite("A1 · mistakes in sweeps", .tags(.a1))
struct SweepMistakeTests {
  /// One mistake: the text that it replaces, its own text, and the whole message after the file's name.
  struct Mistake: CustomTestStringConvertible, Sendable {
    let old: String
    let new: String
    let complaint: String

    init(_ old: String, _ new: String, _ complaint: String) {
      (self.old, self.new, self.complaint) = (old, new, complaint)
    }

    var testDescription: String { new }
  }

  @Test(
    "A mistake in a sweep is reported once, at its location",
    arguments: [
      Mistake(
        "rows: [10, 20]", "row: [10, 20]",
        "14:9: found the key 'row' in the sweep; expected one of rows, seed, duplicates, indexes, delete_rule, predicate, offset, "
          + "limit, page_cache, version, merge_policy, "
      ),
      Mistake(
        "rows: [10, 20]", "rounds: [10, 20]",
        "14:9: found the key 'rounds' in the sweep; expected one of rows, seed, duplicates, "),
      Mistake(
        "rows: [10, 20]", "rows: []",
        "14:15: found an empty list; expected a list of values for 'rows', such as [1_000, 10_000]"),
      Mistake(
        "rows: [10, 20]", "rows: 10",
        "14:15: found '10'; expected a list of values for 'rows', such as [1_000, 10_000]"),
      Mistake(
        "rows: [10, 20]", "rows: [10, ten]",
        "14:20: found 'ten'; expected a whole number of rows from 1 to 100000000"),
      Mistake(
        "rows: [10, 20]", "rows: [1_000, 1000]",
        "14:23: found the value 1000 of 'rows' again; expected each value once"),
      Mistake(
        "save_every: [5, all]", "save_every: [5, al]",
        "14:41: found 'al'; expected a whole number of rows from 1 to 100000000, or all; did you mean 'all'?"),
      Mistake(
        "save_every: [5, all]", "synchronous: [norml]",
        "14:39: found 'norml'; expected one of off, normal, full, extra; did you mean 'normal'?"),
      Mistake(
        "save_every: [5, all]", "duplicates: [5]",
        "14:38: found '5'; expected a percentage from 0% to 100%; did you mean '5%'?"),
      Mistake(
        "save_every: [5, all]", "merge_policy: [object_trum]",
        "14:40: found 'object_trum'; expected one of error, store_trump, object_trump, overwrite, rollback; "
          + "did you mean 'object_trump'?"),
      Mistake(
        "save_every: [5, all]", "request_size: [5]",
        "14:25: found the key 'request_size' in the sweep, which no cell of the scenario has; expected a key of source, "
          + "store or scenario, or a parameter of one of its strategies"),
      Mistake(
        "save_every: [5, all]", "save_every: [5, 05]",
        "12:5: found the cell quakes/objectgraph/save[rows=10,save_every=5] again; expected cells that differ in engine, "
          + "strategy or a parameter that is not its default"),
      Mistake(
        "{strategy: save}", "{strategy: save, save_every: 9}",
        "12:22: found the key 'save_every' of a cell, which is swept as well; expected it here or in the sweep"),
      Mistake(
        "{seed: 7}", "{seed: 7, rows: 5}",
        "10:36: found a value of 'source.generate.rows', which is swept as well; expected it here or in the sweep"),
      Mistake(
        "{rows: [10, 20], save_every: [5, all]}", "[10]",
        "14:8: found a list; expected a mapping of keys and their values, such as {rows: [1_000, 10_000]}"),
      Mistake(
        "{rows: [10, 20], save_every: [5, all]}", "{}",
        "14:8: found nothing to sweep; expected a mapping of keys and their values, such as {rows: [1_000, 10_000]}"),
    ])
  func sweeps(mistake: Mistake) throws {
    let found = complaints(swept(mistake.old, mistake.new).replacing("rows: 20, save_every: 5", with: "rows: 20"))
    let first = try #require(found.first { $0.hasPrefix("Scenarios/x.yml:" + mistake.complaint) }, "\(found)")
    #expect(found.filter { $0 == first }.count == 1)
  }

  @Test(
    "A mistake in an exclusion is reported at its location, with what cells have",
    arguments: [
      Mistake(
        "[{strategy: save, rows: 20, save_every: 5}]", "[{strategy: save, row: 20}]",
        "15:28: found the key 'row' in an exclusion; expected one of engine, strategy, after_save, attached, history, "
          + "merge, reader, results, rows, save_every; did you mean 'rows'?"),
      Mistake(
        "strategy: save, rows: 20, save_every: 5", "strategy: sav",
        "15:22: found 'sav', which no cell has for 'strategy'; expected one of save, insert; did you mean 'save'?"),
      Mistake(
        "rows: 20, save", "rows: 555, save",
        "15:34: found '555', which no cell has for 'rows'; expected one of 10, 20"),
      Mistake(
        "{strategy: save, rows: 20, save_every: 5}", "{engine: sqlite, save_every: 5}",
        "15:11: found an exclusion that no cell matches; expected values that one cell has, all of them together"),
      Mistake(
        "[{strategy: save, rows: 20, save_every: 5}]", "[{rows: [10, 20]}]",
        "15:10: found exclusions that leave no cell; expected at least one cell that none matches"),
      Mistake(
        "[{strategy: save, rows: 20, save_every: 5}]", "[]",
        "15:10: found an empty list; expected a list of what to leave out, such as [{strategy: save, rows: 1_000_000}]"),
      Mistake(
        "[{strategy: save, rows: 20, save_every: 5}]", "{strategy: save}",
        "15:10: found a mapping; expected a list of what to leave out, such as [{strategy: save, rows: 1_000_000}]"),
      Mistake(
        "{strategy: save, rows: 20, save_every: 5}", "{}",
        "15:11: found an empty mapping; expected keys and values, such as {strategy: save}"),
      Mistake(
        "{strategy: save, rows: 20, save_every: 5}", "save",
        "15:11: found 'save'; expected a mapping, such as {strategy: save, rows: 1_000_000}"),
      Mistake(
        "rows: 20, save", "rows: [], save",
        "15:34: found an empty list; expected one of 10, 20"),
    ])
  func exclusions(mistake: Mistake) {
    #expect(complaints(swept(mistake.old, mistake.new)).first == "Scenarios/x.yml:" + mistake.complaint)
  }
}

extension SweepMistakeTests {
  @Test("Exclusions without a sweep, and a sweep over the generator beside a feed, are mistakes")
  func contradictions() {
    #expect(
      complaints(
        swept("sweep: {rows: [10, 20], save_every: [5, all]}\n", "").replacing("seed: 7", with: "seed: 7, rows: 9"))
        == [
          "Scenarios/x.yml:14:10: found the key 'exclude' without a key 'sweep'; expected a sweep whose cells it leaves out"
        ])
    #expect(
      complaints(swept("{generate: {seed: 7}}", "{feed: a.csv}")) == [
        "Scenarios/x.yml:14:9: found the key 'rows' of the generator in the sweep, while the source is a feed; "
          + "expected a scenario that generates its rows, or no such key"
      ])
    #expect(
      complaints(swept("cells:", "store: {cache_size: 5}\ncells:").replacing("save_every: [5", with: "cache_size: [5"))
        .first
        == "Scenarios/x.yml:11:21: found a value of 'store.cache_size', which is swept as well; expected it here or in "
        + "the sweep")
    #expect(
      complaints(swept("cells:", "reader: pinned\ncells:").replacing("save_every: [5, all]", with: "reader: [none]"))
        .first
        == "Scenarios/x.yml:11:9: found a value of 'reader', which is swept as well; expected it here or in the sweep")
  }

  @Test("A sweep with too many cells is refused before they are created")
  func tooMany() {
    let values = (1...40).map(String.init).joined(separator: ", ")
    let keys = ["rows", "seed", "cache_size", "mmap_size", "busy_timeout", "journal_size_limit"]
    let sweep = keys.map { "\($0): [\(values)]" }.joined(separator: ", ")
    let text = swept("rows: [10, 20], save_every: [5, all]", sweep).replacing("{seed: 7}", with: "{}")
      .replacing("exclude: [{strategy: save, rows: 20, save_every: 5}]", with: "")
    let found = complaints(text)
    #expect(found.count == 1 && found[0].contains("found a sweep that makes more than 1000 cells"), "\(found)")
  }

  @Test("A choice of indexes that the entity does not have is a mistake", .tags(.d1))
  func indexes() throws {
    let one = swept("rows: [10, 20], save_every: [5, all]", "indexes: [none, fetch]").replacing(
      "exclude: [{strategy: save, rows: 20, save_every: 5}]", with: ""
    ).replacing("seed: 7", with: "seed: 7, rows: 5")
    #expect(try read(one).cells.count == 4)
    #expect(
      complaints(one.replacing("    indexes: {by_magnitude: [magnitude]}\n", with: "")) == [
        "Scenarios/x.yml:13:25: found the choice 'fetch', while Quake has no fetch index; expected indexes: in Quake, "
          + "such as {by_magnitude: [magnitude]}, or another choice"
      ])
    #expect(
      complaints(
        one.replacing("    unique: [[code]]\n", with: "").replacing("[none, fetch]", with: "[unique, none]")) == [
          "Scenarios/x.yml:13:19: found the choice 'unique', while Quake has no uniqueness constraint; expected unique: in "
            + "Quake, such as [[code]], or another choice"
        ])
    #expect(
      complaints(one.replacing("[none, fetch]", with: "[nne]")) == [
        "Scenarios/x.yml:14:19: found 'nne'; expected one of all, none, fetch, unique; did you mean 'none'?"
      ])
  }
}
