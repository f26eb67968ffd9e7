// Files that are not scenarios: each gets one clear message, and none causes a crash or a hang.
import MissionTags
import ObjectGraph
import BatchmarkEngine
import Scenarios
import Testing

@Suite("A1 · files that are not YAML or not a scenario", .tags(.a1))
struct YAMLRobustnessTests {
  private let quoting =
    "YAML, in which text stands in quotes when it has ': ' or ' #', or begins with a sign such as [ { * & %"

  @Test("An empty file is refused", arguments: ["", "\n\n", "# only a comment\n", "\u{FEFF}", "---\n...\n"])
  func empty(text: String) throws {
    let found = complaints(text)
    #expect(found.count == 1)
    #expect(try #require(found.first).hasPrefix("Scenarios/x.yml"))
  }

  @Test("A file of another kind is refused, and the message says what it is")
  func otherContents() {
    #expect(
      complaints("").first
        == "Scenarios/x.yml: found an empty file; expected a scenario, such as Scenarios/earthquakes.yml")
    let expected =
      "expected a mapping with keys among scenario, description, about, tags, model, entity, indexes, delete_rule, source, map, link, operation, "
      + "where, predicates, predicate, order, descending, offset, limit, follow, group_by, aggregates, page_cache, set, versions, version, merge_policy, repeat, merge, history, reader, beside, store, list, cells, sweep, exclude, measure, budgets, gate"
    #expect(complaints("- a\n- b\n") == ["Scenarios/x.yml:1:1: found a list; \(expected)"])
    #expect(complaints("hello") == ["Scenarios/x.yml:1:1: found 'hello'; \(expected)"])
    #expect(complaints("null") == ["Scenarios/x.yml:1:1: found nothing; \(expected)"])
  }

  @Test("The first twenty of many mistakes are described, and the others counted")
  func manyMistakes() throws {
    let wrong = (1...50).map { "xyzzy\($0): 1" }.joined(separator: "\n")
    let error = #expect(throws: ScenarioErrors.self) {
      try ScenarioReader(schema: schema).read(text: validScenario + "\n" + wrong, file: "x.yml")
    }
    let lines = try #require(error).description.split(separator: "\n")
    #expect(lines.count == 21 && lines[19].contains("'xyzzy20'") && lines[20] == "and 30 more mistakes")
    #expect(error?.errors.count == 50)
  }
}

extension YAMLRobustnessTests {
  @Test("The reading time grows linearly with tens of thousands of items in a file", .timeLimit(.minutes(5)))
  func manyParts() throws {
    let words = (0..<30_000).map { "t\($0)" }.joined(separator: ", ")
    #expect(try read("tags: [\(words)]\n" + validScenario).tags.common.count == 30_000)
    #expect(complaints("tags: [\(words), t5]\n" + validScenario).count == 1)
    let attributes = "{code: {values: [\(words)]}, magnitude: {}, time: {}}"
    let synthetic = scenario(
      "generate: {rows: 1_000, seed: 7, duplicates: 5%}",
      "synthetic: {entities: {Quake: {rows: 9, attributes: \(attributes)}}}")
    #expect(complaints(synthetic).isEmpty, "\(complaints(synthetic))")
    let entities = (0..<3_000).map { "  E\($0): {attributes: {a: {type: string}}}" }.joined(separator: "\n")
    #expect(try read(scenario("model:", "model:\n\(entities)")).name == "quakes")
    let parents = (0..<3_000).map { "  E\($0): {parent: E\($0 + 1)}\n" }.joined() + "  E3000: {abstract: true}"
    #expect(complaints(scenario("model:", "model:\n\(parents)")).count > 1_000)
  }

  @Test("Values beyond what is practical or SQLite allows are refused, each with its limit in the message")
  func limits() {
    func expect(_ text: String, _ complaint: String, sourceLocation: SourceLocation = #_sourceLocation) {
      let found = complaints(text)
      #expect(
        found.contains { $0.hasSuffix(complaint) }, "\(found.first ?? "no complaint")", sourceLocation: sourceLocation)
    }
    expect(
      scenario("scenario: quakes", "scenario: " + String(repeating: "s", count: 5_000_000)),
      ":1:11: found a name of 5000000 characters; expected at most 100")
    let cells = (1...1_000).map { "  - {strategy: save, save_every: \($0)}" }.joined(separator: "\n")
    expect(
      scenario("  - {strategy: save, save_every: 100}", cells),
      "found 1001 cells; expected at most 1000, or several scenarios")
    let budgets = Array(repeating: "save.wall <= 1 s", count: 1_001).joined(separator: ", ")
    expect(validScenario + "\nbudgets: [\(budgets)]\n", "found 1001 budgets; expected at most 1000")
    let attributes = (0..<2_000).map { "a\($0): {type: string, optional: true}" }.joined(separator: ", ")
    expect(
      scenario("model:", "model:\n  Wide: {attributes: {\(attributes)}}"),
      "found 2000 properties in the table of the entity 'Wide'; expected at most 1990, since SQLite has 2,000 columns")
    let heir = "  Wide: {attributes: {a: {type: string}}}\n  Heir: {parent: Wide, attributes: {\(attributes)}}"
    expect(
      scenario("model:", "model:\n" + heir),
      "found 2001 properties in the table of the entity 'Wide'; expected at most 1990, since SQLite has 2,000 columns")
  }

  @Test("A message quotes no more than a page of its subject")
  func longWords() throws {
    let name = String(repeating: "q", count: 1_000_000)
    let long = complaints(scenario("code: {type: string}", "? \(name)\n      : {type: string}"))
    #expect(!long.isEmpty && long.allSatisfy { $0.utf8.count < 10_000 })
    let names = (0..<3_000).map { "  E\($0): {attributes: {a: {type: string}}}" }.joined(separator: "\n")
    let many = complaints(scenario("model:", "model:\n\(names)").replacing("entity: Quake", with: "entity: Quak"))
    #expect(many.count == 1 && many[0].utf8.count < 10_000, "\(many.map(\.utf8.count))")
  }

  @Test("Broken YAML is refused at the position of the error")
  func syntax() throws {
    #expect(
      complaints("a: {b: 1") == [
        "Scenarios/x.yml:1:1: found text that is not YAML: did not find expected ',' or '}' (while parsing a flow "
          + "mapping that begins at 1:4); expected \(quoting)"
      ])
    #expect(complaints("a: b: c").first?.hasPrefix("Scenarios/x.yml:1:5: found text that is not YAML: ") == true)
    #expect(complaints("a: \"b").first?.hasSuffix("expected \(quoting)") == true)
  }
}

extension YAMLRobustnessTests {
  @Test("Tabs as indentation are refused by name")
  func tabs() {
    #expect(
      complaints("model:\n\tQuake:\n") == [
        "Scenarios/x.yml:2:1: found a tab; expected spaces, with which alone YAML indents"
      ])
  }

  @Test("A second document is refused")
  func documents() {
    #expect(
      complaints(validScenario + "\n---\nscenario: b\n") == [
        "Scenarios/x.yml:19:1: found a second document; expected one scenario a file"
      ])
  }

  @Test("A key written twice is refused")
  func duplicateKeys() {
    #expect(
      complaints(scenario("seed: 7", "seed: 7, seed: 8")) == [
        "Scenarios/x.yml:12:27: found the key 'seed' more than once in one mapping; expected each key once"
      ])
    #expect(complaints("{\"scenario\": 1, scenario: 2}").count == 1)
  }

  @Test(
    "Anchors, aliases, merge keys, tags and keys that are not words are refused",
    arguments: [
      ("scenario: &a x\ndescription: *a", "1:11: found an anchor; expected each value written out where it is used"),
      ("scenario: x\n<<: {a: b}", "2:1: found the merge key '<<'; expected each value written out where it is used"),
      ("scenario: !!int 5", "1:11: found the tag 'tag:yaml.org,2002:int'; expected a value without a tag"),
      ("? [a, b]\n: c", "1:3: found a list as a key; expected a word"),
    ])
  func unused(text: String, complaint: String) {
    #expect(complaints(text).contains("Scenarios/x.yml:" + complaint))
  }
}

extension YAMLRobustnessTests {
  @Test("An alias without an anchor is refused")
  func undefinedAlias() {
    #expect(
      complaints("a: *b") == [
        "Scenarios/x.yml:1:4: found text that is not YAML: found undefined alias; expected \(quoting)"
      ])
  }

  @Test("An alias bomb is refused before it is expanded")
  func bomb() throws {
    var text = "a0: &a0 [x, x]\n"
    for level in 1...60 { text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    text += "? *a60\n: v\n"
    let found = complaints(text)
    #expect(found.count == 1)
    #expect(
      try #require(found.first).hasSuffix("found anchors and aliases; expected each value written out where it is used")
    )
  }

  @Test("Endlessly nested values are refused", arguments: ["[", "{a: ", "- "])
  func nesting(opening: String) {
    #expect(complaints(String(repeating: opening, count: 20)).isEmpty == false)
    #expect(complaints(String(repeating: opening, count: 900)).isEmpty == false)
    #expect(complaints(String(repeating: opening, count: 100_000)).isEmpty == false)
    let closed = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)
    #expect(
      complaints("model: \(closed)") == [
        "Scenarios/x.yml:1:23: found values nested 17 deep; expected a scenario, which never nests so deep"
      ])
  }

  @Test(
    "Endlessly nested values are refused on a thread with a small stack",
    arguments: ["[", "{a: ", "- ", "? ", "[a: ", "[? "])
  func nestingOnSmallStack(opening: String) throws {
    let found = onSmallStack { [65, 2_000, 100_000].map { complaints(String(repeating: opening, count: $0)) } }
    for complaint in try #require(found) {
      #expect(
        complaint.count == 1
          && complaint.allSatisfy {
            $0.hasSuffix(": found values nested more than 64 deep; expected at most 64 levels")
          },
        "\(complaint)")
    }
    // As deep as the parser allows, and deeper than any scenario.
    let deep = onSmallStack { complaints(String(repeating: "[a: ", count: 64) + String(repeating: "]", count: 64)) }
    #expect(try #require(deep?.first).contains("found values nested 17 deep"))
  }
}

extension YAMLRobustnessTests {
  @Test("A control character is refused at its location")
  func controlCharacter() throws {
    let complaint = try #require(complaints("scenario: quakes\ndescription: a\u{7}b\nmodel: {}\n").first)
    #expect(complaint.hasPrefix("Scenarios/x.yml:2:15: found a character that YAML does not allow"))
  }

  @Test("Columns count characters, not bytes")
  func columns() throws {
    #expect(
      complaints("{\"scenario\": \"é\", xyzzy: 1}").contains {
        $0.hasPrefix("Scenarios/x.yml:1:19: found the key 'xyzzy'")
      })
    #expect(
      complaints("{\"description\": \"日本語\", xyzzy: 1}").contains {
        $0.hasPrefix("Scenarios/x.yml:1:24: found the key 'xyzzy'")
      })
  }

  @Test("A found value is shown on one line, shortened if it is long")
  func longText() throws {
    let long = String(repeating: "x", count: 5000)
    let complaint = try #require(complaints(scenario("rounds: 3", "rounds: \"a\\nb\(long)\"")).first)
    #expect(complaint.contains("found the text \"a\\nbxxx"))
    #expect(complaint.contains("xxx…\"; expected"))
    #expect(complaint.count < 250)
  }

  @Test("Text truncated anywhere is reported, unless it ends after a cell")
  func prefixes() {
    let bytes = Array(validScenario.utf8)
    for length in stride(from: 0, through: bytes.count, by: 3) {
      let text = String(decoding: bytes[..<length], as: UTF8.self)
      if complaints(text).isEmpty { #expect(text.contains("- {strategy: save, save_every: 100}"), "\(text) was read") }
    }
  }
}
