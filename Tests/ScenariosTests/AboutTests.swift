// The subject of a question: time, or an exact figure by its name in budgets.
import BatchmarkEngine
import MissionTags
import Scenarios
import Testing

@Suite("A1 · what a question is about", .tags(.a1, .a5))
struct AboutTests {
  private func read(_ line: String) throws -> Scenario {
    let text = """
      scenario: x
      \(line)
      model: {Quake: {attributes: {code: {type: string}}}}
      source: {generate: {rows: 10, seed: 1}}
      cells: [{strategy: save}]
      """
    return try ScenarioReader(schema: schema).read(text: text, file: "Scenarios/x.yml")
  }

  @Test("A question names an exact figure by its name, and time by its word or by default")
  func figures() throws {
    #expect(try read("about: heap_peak").about == MetricID("heap_peak_bytes"))
    #expect(try read("about: syncs").about == MetricID("syncs"))
    #expect(try read("about: time").about == nil)
    #expect(try read("tags: []").about == nil)
  }

  @Test(
    "A figure that is not exact is refused, and the nearest exact one is suggested",
    arguments: ["heap_pek", "wall", "rows_per_s"])
  func unknown(word: String) throws {
    let error = try #require(throws: ScenarioErrors.self) { try read("about: \(word)") }
    #expect("\(error)".contains("2:8: found the figure '\(word)'; expected time, an exact figure such as heap_peak"))
    if word == "heap_pek" { #expect("\(error)".contains("did you mean 'heap_peak'?")) }
  }

  @Test("The figure in question does not change what is measured")
  func fingerprint() throws {
    #expect(try read("about: syncs").fingerprint == (try read("about: time")).fingerprint)
  }

  @Test("A question may name several figures: the first is its subject, and each occurs once")
  func several() throws {
    let scenario = try read("about: [time, wal_peak, db]")
    #expect(scenario.about == nil && scenario.alsoAbout == [MetricID("wal_peak_bytes"), MetricID("db_bytes")])
    #expect(try read("about: [wal_peak, time]").about == MetricID("wal_peak_bytes"))
    #expect(try read("about: [wal_peak, time]").alsoAbout.isEmpty)
    #expect(try read("about: wal_peak").alsoAbout.isEmpty && read("about: db_bytes").about == MetricID("db_bytes"))
    let error = try #require(throws: ScenarioErrors.self) { try read("about: [syncs, syncs, wal_pek]") }
    #expect("\(error)".contains("2:16: found the figure 'syncs' again; expected each figure once"), "\(error)")
    #expect("\(error)".contains("did you mean 'wal_peak'?"), "\(error)")
  }
}
