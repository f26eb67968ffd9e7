// The fingerprint: equal for one question, different for another.
import MissionTags
import BatchmarkEngine
import Scenarios
import Testing

@Suite("A1 · fingerprints", .tags(.a1))
struct FingerprintTests {
  @Test("A fingerprint is the same on every machine")
  func pinned() throws {
    let fingerprint = try read(validScenario).fingerprint
    #expect(fingerprint == "a2ecae298c3c7980")
  }

  @Test(
    "Everything that decides what is measured changes the fingerprint",
    arguments: [
      ("rows: 1_000", "rows: 1_001"), ("seed: 7", "seed: 8"), ("duplicates: 5%", "duplicates: 6%"),
      ("object_trump", "store_trump"), ("synchronous: normal", "synchronous: full"),
      ("synchronous: normal", "synchronous: normal, cache_size: 5"), ("type: double,", "type: float,"),
      ("optional: true", "optional: false"), ("optional: true", "optional: true, default: 1"),
      ("entity: Quake", "entity: Quake\nrepeat: 2"), ("[[code]]", "[[code], [time]]"),
      ("generate: {rows: 1_000, seed: 7, duplicates: 5%}", "feed: a.csv"),
      ("entity: Quake", "entity: Quake\nbeside: {readers: 1}"),
    ])
  func different(old: String, new: String) throws {
    #expect(try read(scenario(old, new)).fingerprint != read(validScenario).fingerprint)
  }

  @Test(
    "Everything else leaves the fingerprint unchanged",
    arguments: [
      ("scenario: quakes", "scenario: other"), ("A test.", "Another."), ("rounds: 3", "rounds: 9"), ("90 s", "9 min"),
      ("save_every: 100", "save_every: 10"), ("rows: 1_000", "rows: 1000"),
      ("- {engine: sqlite, strategy: insert}", ""),
    ])
  func same(old: String, new: String) throws {
    #expect(try read(scenario(old, new)).fingerprint == read(validScenario).fingerprint)
  }

  @Test("A setting changes the fingerprint as an edit of the file would")
  func settings() throws {
    #expect(try read(validScenario, "rows=5_000").fingerprint == read(scenario("1_000", "5_000")).fingerprint)
  }

  @Test("A feed counts in the fingerprint by its file's name")
  func feeds() throws {
    let one = try read(validScenario, "feed=here/a.csv").fingerprint
    #expect(try read(validScenario, "feed=/there/a.csv").fingerprint == one)
    #expect(try read(validScenario, "feed=here/b.csv").fingerprint != one)
  }
}
