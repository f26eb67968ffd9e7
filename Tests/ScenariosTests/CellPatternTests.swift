// `--only` and `--skip`: words, wildcards, regular expressions and tags.
import MissionTags
import BatchmarkEngine
import Scenarios
import Testing

@Suite("A1 A6 · selection of cells", .tags(.a1))
struct CellPatternTests {
  private let cell = Cell(
    scenario: "quakes", engine: "objectgraph", strategy: "save",
    parameters: ["save_every": .count(100), "rows": .count(1_000)], conditionKeys: ["rows"])

  private func selects(_ text: String, tags: [String] = []) throws -> Bool {
    try CellPattern(text).selects(cell, tags: tags)
  }

  @Test(
    "Wildcards stand for characters of a whole word, and brackets for themselves",
    arguments: [
      ("sa?e", true), ("save", true), ("s*e", true), ("*", true), ("s*", true), ("*rows=1000*", true),
      ("save_every=1?0", true), ("save[*]", true), ("quakes/*/save*", true), ("quakes/*", true), ("q*s/o*h/*]", true),
      ("?ave", true), ("save_every=*0", true), ("*a*a*", true), ("save[rows=1000,save_every=100]", true),
      // A word matches as a whole.
      ("ave*", false), ("s?e", false), ("sa[uv]e", false), ("sa[vx]?", false), ("*b", false), ("quakes?", false),
      ("save?", false), ("Sav*", false), ("", false), ("save*x", false), ("*g*z*", false),
    ])
  func wildcards(_ text: String, _ isSelected: Bool) throws {
    #expect(try selects(text) == isSelected)
  }

  @Test("A star leaves what the rest of the pattern needs, in time proportional to the product of their lengths")
  func backtracking() throws {
    let pattern = try CellPattern(String(repeating: "*a", count: 200) + "*b")
    #expect(!pattern.selects(id: "x", words: [String(repeating: "a", count: 5_000)]))
    #expect(pattern.selects(id: "x", words: [String(repeating: "a", count: 5_000) + "b"]))
    #expect(try CellPattern("*ab*ab").selects(id: "x", words: ["xabab"]))
    #expect(try !CellPattern("*ab*ab").selects(id: "x", words: ["xab"]))
  }

  @Test(
    "A regular expression matches anywhere in the id",
    arguments: [
      ("/save_every=\\d+/", true), ("/^quakes/", true), ("/(save|insert)/", true), ("/rows=1000[,\\]]/", true),
      ("/objectgraph/save/", true), ("/^save/", false), ("/rows=100\\b/", false), ("/save$/", false),
    ])
  func expressions(_ text: String, _ isSelected: Bool) throws {
    #expect(try selects(text) == isSelected)
  }
}

extension CellPatternTests {
  @Test("An invalid regular expression is refused with the reason")
  func refused() throws {
    let error = try #require(throws: CellPatternError.self) { try CellPattern("/save[/") }
    #expect(error.text == "/save[/")
    #expect(error.description.contains("found /save[/, which is no regular expression:"))
    // Without an expression between two slashes, it is a word.
    #expect(try !selects("/save"))
    #expect(try !selects("//"))
  }

  @Test("A tag selects by its word, also with wildcards, and does not match another word of the cell")
  func tags() throws {
    #expect(try selects("tag:nightly", tags: ["slow", "nightly"]))
    #expect(try selects("tag:night*", tags: ["nightly"]))
    #expect(try !selects("nightly", tags: ["nightly"]))
    #expect(try !selects("tag:save", tags: ["nightly"]))
    #expect(try !selects("tag:nightly"))
  }

  @Test("Tags of a scenario apply to all its cells; a cell keeps its own through a sweep")
  func reading() throws {
    let scenario = try read(
      sweptScenario.replacing("description: A test.", with: "description: A test.\ntags: [nightly]")
        .replacing("{strategy: save}", with: "{strategy: save, tags: [slow, disk]}"))
    for cell in scenario.cells {
      #expect(scenario.tags[cell] == (cell.strategy == "save" ? ["nightly", "slow", "disk"] : ["nightly"]))
    }
    #expect(scenario.cells.count > 3)
    let plain = try read(sweptScenario)
    #expect(plain.cells.map(\.id) == scenario.cells.map(\.id) && plain.fingerprint == scenario.fingerprint)
  }

  @Test(
    "Tags that are not words, or that occur twice, are refused at their location",
    arguments: [
      ("tags: nightly", "found 'nightly'; expected a list of words, such as [nightly]"),
      ("tags: [a b]", "found the tag 'a b'; expected a word of ASCII letters, digits, '-', '_' and '.'"),
      ("tags: [a, a]", "found the tag 'a' again; expected each tag once"),
    ])
  func mistakes(_ line: String, _ message: String) throws {
    let text = sweptScenario.replacing("description: A test.", with: line)
    let error = try #require(throws: ScenarioErrors.self) { try read(text) }
    #expect(error.lines.count == 1 && error.lines[0].hasSuffix(message), "\(error)")
  }
}
