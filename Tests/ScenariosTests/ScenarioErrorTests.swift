// Mistakes in scenarios: each message has the position, what was found, what was expected and the nearest word.
import MissionTags
import ObjectGraph
import BatchmarkEngine
import Scenarios
import Testing

@Suite("A1 · mistakes in scenarios", .tags(.a1))
struct ScenarioErrorTests {
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

  private func check(_ mistake: Mistake) {
    #expect(complaints(scenario(mistake.old, mistake.new)) == ["Scenarios/x.yml:" + mistake.complaint])
  }

  @Test(
    "A wrong key is reported with the valid ones and the nearest",
    arguments: [
      Mistake(
        "attributes:", "atributes:",
        "5:5: found the key 'atributes'; expected one of attributes, relationships, unique, indexes, "
          + "parent, abstract; did you mean 'attributes'?"),
      Mistake(
        "optional: true", "optinal: true",
        "7:33: found the key 'optinal'; expected one of type, optional, default, transient, renamed_from, min, max, "
          + "min_length, max_length, pattern; did you mean 'optional'?"),
      Mistake(
        "seed: 7", "sead: 7",
        "12:27: found the key 'sead'; expected one of rows, seed, duplicates; did you mean 'seed'?"),
      Mistake(
        "rounds: 3", "runds: 3",
        "18:11: found the key 'runds'; expected one of rounds, warm_up, sample_limit, cell_limit; did you mean 'rounds'?"
      ),
      Mistake(
        "save_every: 100", "save_evry: 100",
        "16:22: found the key 'save_evry' for the strategy save; expected one of engine, strategy, tags, after_save, attached, history, merge, reader, "
          + "results, save_every; "
          + "did you mean 'save_every'?"),
      Mistake(
        "strategy: insert", "strategy: insert, save_every: 5",
        "17:40: found the key 'save_every' for the strategy insert; expected one of engine, strategy, tags, attached, reader"
      ),
      Mistake(
        "description:", "xyzzy:",
        "2:1: found the key 'xyzzy'; expected one of scenario, description, about, tags, model, entity, indexes, delete_rule, source, map, "
          + "link, operation, where, predicates, predicate, order, descending, offset, limit, follow, group_by, aggregates, page_cache, set, versions, version, merge_policy, repeat, merge, history, reader, beside, store, list, cells, sweep, exclude, measure, budgets, gate"
      ),
    ])
  func wrongKey(mistake: Mistake) { check(mistake) }

  @Test(
    "A wrong word is reported with the valid ones and the nearest",
    arguments: [
      Mistake(
        "type: double", "type: duble",
        "7:25: found the type 'duble'; expected one of int16, int32, int64, boolean, float, double, decimal, date, "
          + "string, binary, uuid, uri, transformable; did you mean 'double'?"),
      Mistake(
        "type: double", "type: real",
        "7:25: found the type 'real'; expected one of int16, int32, int64, boolean, float, double, decimal, date, "
          + "string, binary, uuid, uri, transformable; did you mean 'double'?"),
      Mistake(
        "object_trump", "object_trum",
        "13:15: found 'object_trum'; expected one of error, store_trump, object_trump, overwrite, rollback; "
          + "did you mean 'object_trump'?"),
      Mistake(
        "entity: Quake", "entity: Quakes", "10:9: found the entity 'Quakes'; expected Quake; did you mean 'Quake'?"),
      Mistake(
        "[[code]]", "[[cod]]",
        "9:15: found the attribute 'cod'; expected one of code, magnitude, time; did you mean 'code'?"),
      Mistake(
        "strategy: save", "strategy: svae",
        "16:16: found the strategy 'svae' of the engine objectgraph; expected one of save, batch-objects, "
          + "batch-dictionary, batch-managed-object; did you mean 'save'?"),
      Mistake(
        "{strategy: save, save_every: 100}", "{strategy: insert}",
        "16:16: found the strategy 'insert' of the engine objectgraph; expected one of save, batch-objects, "
          + "batch-dictionary, batch-managed-object; did you mean 'engine: sqlite, strategy: insert'?"),
      Mistake(
        "engine: sqlite", "engine: sqllite",
        "17:14: found the engine 'sqllite'; expected one of objectgraph, sqlite, grdb; did you mean 'sqlite'?"),
      Mistake(
        "save_every: 100", "save_every: al",
        "16:34: found 'al'; expected a whole number of rows from 1 to 100000000, or all; did you mean 'all'?"),
      Mistake(
        "optional: true", "optional: yse",
        "7:43: found 'yse'; expected one of true, false"),
    ])
  func wrongWord(mistake: Mistake) { check(mistake) }

  @Test(
    "A wrong number is reported with its range",
    arguments: [
      Mistake("rows: 1_000", "rows: 0", "12:20: found 0; expected a whole number of rows from 1 to 100000000"),
      Mistake("rows: 1_000", "rows: -5", "12:20: found -5; expected a whole number of rows from 1 to 100000000"),
      Mistake(
        "rows: 1_000", "rows: 1_000_000_000_000_000_000_000",
        "12:20: found 1_000_000_000_000_000_000_000; expected a whole number of rows from 1 to 100000000"),
      Mistake("rows: 1_000", "rows: 1e3", "12:20: found '1e3'; expected a whole number of rows from 1 to 100000000"),
      Mistake("rows: 1_000", "rows: 1__0", "12:20: found '1__0'; expected a whole number of rows from 1 to 100000000"),
      Mistake(
        "rows: 1_000", "rows: \"1000\"",
        "12:20: found the text \"1000\"; expected a whole number of rows from 1 to 100000000"),
      Mistake("rows: 1_000", "rows: [5]", "12:20: found a list; expected a whole number of rows from 1 to 100000000"),
      Mistake("rows: 1_000", "rows: ", "12:20: found nothing; expected a whole number of rows from 1 to 100000000"),
      Mistake("seed: 7", "seed: -1", "12:33: found -1; expected a whole number from 0 to 18446744073709551615"),
      Mistake(
        "save_every: 100", "save_every: 0", "16:34: found 0; expected a whole number of rows from 1 to 100000000"),
      Mistake("rounds: 3", "rounds: 0", "18:19: found 0; expected a whole number of rounds from 1 to 10000"),
      Mistake(
        "duplicates: 5%", "duplicates: 5",
        "12:48: found '5'; expected a percentage from 0% to 100%; did you mean '5%'?"),
      Mistake(
        "duplicates: 5%", "duplicates: 0.05",
        "12:48: found '0.05'; expected a percentage from 0% to 100%; did you mean '5%'?"),
      Mistake("duplicates: 5%", "duplicates: 101%", "12:48: found '101%'; expected a percentage from 0% to 100%"),
      Mistake(
        "90 s", "90",
        "18:36: found '90'; expected a duration above 0 and up to 24 h, such as 600 s (ms, s, min and h are units); "
          + "did you mean '90 s'?"),
      Mistake(
        "90 s", "25 h",
        "18:36: found '25 h'; expected a duration above 0 and up to 24 h, such as 600 s (ms, s, min and h are units)"),
    ])
  func wrongNumber(mistake: Mistake) { check(mistake) }

  @Test(
    "A pragma is checked by name and value", .tags(.d9),
    arguments: [
      Mistake("synchronous: normal", "synchronus: normal", "14:28: found the pragma 'synchronus'; expected one of "),
      Mistake(
        "synchronous: normal", "synchronous: norml",
        "14:41: found 'norml'; expected one of off, normal, full, extra; did you mean 'normal'?"),
      Mistake(
        "synchronous: normal", "page_size: 1000",
        "14:39: found 1000; expected a power of two from 512 to 65536; did you mean '512'?"),
      Mistake("synchronous: normal", "page_size: 256", "14:39: found 256; expected a whole number from 512 to 65536"),
      Mistake(
        "synchronous: normal", "cache_size: many",
        "14:40: found 'many'; expected a whole number from -2147483648 to 2147483647"),
      Mistake("synchronous: normal", "fullfsync: perhaps", "14:39: found 'perhaps'; expected one of on, off"),
      Mistake(
        "{journal_mode: wal, synchronous: normal}", "[wal]",
        "14:8: found a list; expected a mapping of pragmas, such as {journal_mode: wal}"),
    ])
  func pragmas(mistake: Mistake) throws {
    let found = complaints(scenario(mistake.old, mistake.new))
    let complaint = try #require(found.first)
    #expect(found.count == 1)
    #expect(complaint.hasPrefix("Scenarios/x.yml:" + mistake.complaint))
  }
}

extension ScenarioErrorTests {
  @Test(
    "A missing part is reported with an example",
    arguments: [
      Mistake("scenario: quakes\n", "", "1:1: found no key 'scenario'; expected one, such as scenario: earthquakes"),
      Mistake("rows: 1_000, ", "", "12:13: found no key 'rows'; expected one, such as rows: 1_000"),
      Mistake("strategy: insert", "", "17:5: found no key 'strategy'; expected one, such as strategy: insert"),
      Mistake("type: date", "", "8:13: found no key 'type'; expected one, such as type: string"),
      Mistake(
        "generate: {rows: 1_000, seed: 7, duplicates: 5%}", "{}",
        "12:3: found no source; expected generate: {rows: 1_000, seed: 42}, feed: path/to/all_month.csv, store: "
          + "path/to/App.sqlite or synthetic: {entities: …}"),
    ])
  func missing(mistake: Mistake) { check(mistake) }

  @Test(
    "A value of the wrong kind is reported with the right kind",
    arguments: [
      Mistake(
        "{type: date}", "date",
        "8:13: found 'date'; expected a mapping such as {type: string, optional: true}; did you mean '{type: date}'?"),
      Mistake(
        "[[code]]", "[code]", "9:14: found 'code'; expected a list of lists of attribute names, such as [[code]]"),
      Mistake("[[code]]", "code", "9:13: found 'code'; expected a list of lists of attribute names, such as [[code]]"),
      Mistake("[[code]]", "[[]]", "9:14: found an empty list; expected the names of attributes"),
      Mistake("[[code]]", "[[code, code]]", "9:21: found the attribute 'code' again; expected each attribute once"),
      Mistake(
        "[[code]]", "[[code], [code]]",
        "9:22: found a constraint again; "
          + "expected each constraint once"),
      Mistake(
        "- {engine: sqlite, strategy: insert}", "- insert",
        "17:5: found 'insert'; expected a cell, such as {engine: sqlite, strategy: insert}"),
      Mistake(
        "scenario: quakes", "scenario: a/b",
        "1:11: found the name 'a/b'; expected a name of ASCII letters, digits, '-', '_' and '.'"),
      Mistake(
        "scenario: quakes", "scenario:",
        "1:10: found nothing; expected a name of ASCII letters, digits, '-', '_' and '.'"),
    ])
  func wrongKind(mistake: Mistake) { check(mistake) }

  @Test(
    "A default that its type cannot hold is refused", .tags(.d1),
    arguments: [
      Mistake("type: double", "type: double, default: many", "7:42: found 'many'; expected a default that is a number"),
      Mistake("type: double", "type: double, default: inf", "7:42: found 'inf'; expected a default that is a number"),
      Mistake(
        "type: date", "type: date, default: 2018-02-30",
        "8:35: found '2018-02-30'; expected a default that is a time such as 2018-06-12T16:38:28.820Z"),
      Mistake(
        "type: date", "type: date, default: [1]",
        "8:35: found a list; expected a default that is a time such as 2018-06-12T16:38:28.820Z"),
    ])
  func wrongDefault(mistake: Mistake) { check(mistake) }

  @Test(
    "Names that are invalid for tables or columns are refused", .tags(.d1),
    arguments: [
      Mistake(
        "magnitude:", "mag-nitude:",
        "7:7: found the attribute name 'mag-nitude'; expected ASCII letters, digits and underscores, a letter first"),
      Mistake(
        "magnitude:", "Code:",
        "7:7: found the attribute 'Code', which would share a column with 'code'; expected names that "
          + "differ in more than case"
      ),
    ])
  func names(mistake: Mistake) throws {
    let complaint = try #require(complaints(scenario(mistake.old, mistake.new)).first)
    #expect(complaint == "Scenarios/x.yml:" + mistake.complaint)
  }
}

extension ScenarioErrorTests {
  @Test("An entity must be named if the model has two")
  func twoEntities() {
    let text = scenario("entity: Quake", "").replacing(
      "model:", with: "model:\n  Other: {attributes: {a: {type: string}}}")
    #expect(
      complaints(text) == [
        "Scenarios/x.yml:4:3: found 2 entities and no key 'entity'; expected entity: and one of Other, Quake, or source: "
          + "{synthetic: …} for rows of all of them"
      ])
  }

  @Test(
    "An attribute must have a field of its type in the source", .tags(.a8),
    arguments: [
      Mistake(
        "magnitude:", "magnitud:",
        "7:7: found the attribute 'magnitud', for which the source has no field; expected one of code, magnitude, "),
      Mistake("type: date", "type: double", "8:20: found the type 'double' for the source's field time; expected date"),
      Mistake(
        "code: {type: string}", "code: {type: uuid}",
        "6:20: found the type 'uuid' for the source's field code; expected string"),
      Mistake(
        "type: double", "type: int32",
        "7:25: found the type 'int32' for the source's field magnitude; expected one of double, float, decimal"),
    ])
  func fields(mistake: Mistake) throws {
    let found = complaints(scenario(mistake.old, mistake.new))
    #expect(found.count == 1)
    #expect(try #require(found.first).hasPrefix("Scenarios/x.yml:" + mistake.complaint))
  }

  @Test(
    "The documented fields of a GeoJSON feed are checked for their types, others only when it is read", .tags(.a8))
  func feedFields() {
    let feed = scenario("generate: {rows: 1_000, seed: 7, duplicates: 5%}", "feed: a.geojson")
    #expect(complaints(feed.replacing("magnitude:", with: "curiosity:")).isEmpty)
    // Another kind of file may have fields with these names and its own values.
    #expect(complaints(feed.replacing("type: double", with: "type: string").replacing("geojson", with: "csv")).isEmpty)
    #expect(
      complaints(feed.replacing("type: double", with: "type: string")) == [
        "Scenarios/x.yml:7:25: found the type 'string' for the source's field magnitude; expected one of double, "
          + "float, decimal"
      ])
  }

  @Test("Two sources are refused")
  func twoSources() {
    #expect(
      complaints(scenario("source:", "source:\n  feed: a.csv")) == [
        "Scenarios/x.yml:12:9: found two sources, generate and feed; expected one of them"
      ])
  }
}

extension ScenarioErrorTests {
  @Test("Two cells with one id are refused")
  func twinCells() {
    #expect(
      complaints(scenario("save_every: 100}", "save_every: all}\n  - {engine: objectgraph, strategy: save}")) == [
        "Scenarios/x.yml:17:5: found the cell quakes/objectgraph/save again; expected cells that differ in engine, "
          + "strategy or a parameter that is not its default"
      ])
  }

  @Test("A cell without an engine belongs to the first one")
  func defaultEngine() {
    let reader = ScenarioReader(schema: ScenarioSchema(engines: schema.engines.filter { $0.name == "sqlite" }))
    let error = #expect(throws: ScenarioErrors.self) { try reader.read(text: validScenario, file: "x.yml") }
    #expect(
      error?.description
        == "x.yml:16:16: found the strategy 'save' of the engine sqlite; expected one of insert, empty, insert-many")
    let none = #expect(throws: ScenarioErrors.self) {
      try ScenarioReader(schema: ScenarioSchema(engines: [])).read(text: validScenario, file: "x.yml")
    }
    #expect(none?.errors.first?.found == "a cell, but no engine")
  }

  @Test("A scenario without cells is refused")
  func noCells() throws {
    let text = String(try #require(validScenario.split(separator: "  - {").first)).replacing(
      "cells:\n", with: "cells: []")
    #expect(
      complaints(text) == ["Scenarios/x.yml:15:8: found no cell; expected a list of cells, such as [{strategy: save}]"])
  }

  @Test("All mistakes of a file are reported at once, by position")
  func allAtOnce() {
    let text = scenario("rows: 1_000", "rows: none").replacing("type: double", with: "type: duble")
      .replacing("engine: sqlite", with: "engine: mysql").replacing("rounds: 3", with: "rounds: 0")
    let lines = complaints(text).compactMap { $0.split(separator: ":").dropFirst().first.flatMap { Int($0) } }
    #expect(lines == [7, 12, 17, 18])
  }
}

@Suite("D12 · cells that keep results, and their list", .tags(.d12))
struct ListTests {
  private func found(_ list: String, _ parameters: String) -> [String] {
    complaints(
      scenario("merge_policy: object_trump", "merge_policy: object_trump\n\(list)")
        .replacing("save_every: 100", with: parameters)
    ).map { $0.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? "" }
  }

  @Test("A cell with results needs an observing context, a list, and what to show of it")
  func needs() {
    #expect(found("list: {order: time}", "merge: automatic, results: controller").isEmpty)
    #expect(
      found("list: {order: time}", "results: refetch") == [
        "found results: refetch of the cell quakes/objectgraph/save[results=refetch] without a context that observes; "
          + "expected merge: automatic, changes or history, or results: none"
      ])
    #expect(
      found("", "merge: automatic, results: sections") == [
        "found results: sections of the cell quakes/objectgraph/save[merge=automatic,results=sections] without the key "
          + "'list'; expected list: and what it shows, such as {order: time}"
      ])
    for (word, key) in [("sections", "section"), ("matching", "matching")] {
      let complaint = found("list: {order: time}", "merge: changes, results: \(word)")
      #expect(complaint.count == 1 && complaint[0].contains("while the list has no key '\(key)'"))
    }
    #expect(
      found("list: {order: time}", "save_every: 10")[0].hasPrefix("found the key 'list', while no cell has results"))
  }

  @Test("A list names attributes that can be ordered")
  func attributes() throws {
    func one(_ list: String) -> String { found(list, "merge: automatic, results: controller").first ?? "" }
    #expect(one("list: {order: tme}").contains("found the attribute 'tme'"))
    #expect(one("list: {section: place}").contains("order"))
    #expect(one("list: {order: time, matching: magnitude >= }").contains("of the predicate"))
    #expect(one("list: {order: time, descending: yse}").contains("found 'yse'"))
    let list = try read(
      scenario(
        "merge_policy: object_trump",
        "merge_policy: object_trump\nlist: {order: time, descending: true, section: code, matching: magnitude > 2}"
      ).replacing("save_every: 100", with: "merge: automatic, results: matching")
    ).list
    #expect(list?.order == "time" && list?.isAscending == false && list?.section == "code")
    #expect(list?.condition?.description == "magnitude > 2.0")
  }
}

@Suite("B11 · rows with one unique value need a policy", .tags(.b11))
struct ConflictTests {
  @Test("Duplicates need a merge policy")
  func duplicates() {
    #expect(
      complaints(scenario("merge_policy: object_trump\n", "")) == [
        "Scenarios/x.yml:12:48: found duplicates of 5% and no key 'merge_policy'; expected merge_policy: and one of "
          + "store_trump, object_trump, overwrite, rollback"
      ])
  }

  @Test("A second ingest needs a merge policy")
  func repeats() throws {
    let text = scenario("duplicates: 5%", "duplicates: 0%")
    #expect(try read(text.replacing("merge_policy: object_trump\n", with: "")).mergePolicy == nil)
    #expect(
      complaints(text.replacing("merge_policy: object_trump", with: "repeat: 2")) == [
        "Scenarios/x.yml:13:9: found a repeat of 2 and no key 'merge_policy'; expected merge_policy: and one of "
          + "store_trump, object_trump, overwrite, rollback"
      ])
    #expect(try read(text.replacing("entity: Quake", with: "entity: Quake\nrepeat: 2")).repeats == 2)
  }

  @Test("Duplicates need a uniqueness constraint")
  func unconstrained() {
    #expect(
      complaints(scenario("unique: [[code]]", "unique: []")) == [
        "Scenarios/x.yml:12:48: found duplicates of 5%, while no attribute of Quake is unique; expected "
          + "unique: [[code]] in Quake, so that a row can meet its like"
      ])
  }

  @Test("The error policy with duplicates is refused if a save would fail, and allowed otherwise")
  func errorPolicy() throws {
    let text = scenario("object_trump", "error")
    #expect(
      complaints(text) == [
        "Scenarios/x.yml:13:15: found the policy 'error' with duplicates of 5%, with which the cell "
          + "quakes/objectgraph/save[save_every=100] would fail; expected another policy: store_trump, object_trump, "
          + "overwrite, rollback"
      ])
    #expect(
      try read(text.replacing("strategy: save, save_every: 100", with: "strategy: batch-objects")).mergePolicy == .error
    )
  }
}
