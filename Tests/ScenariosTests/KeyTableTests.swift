// The table of keys: it describes each key as the reader handles it.
import MissionTags
import BatchmarkEngine
import Scenarios
import Testing

@Suite("A8 · the table of keys", .tags(.a8))
struct KeyTableTests {
  @Test("Every key occurs once in its place, with a line of help")
  func lines() {
    let keys = schema.keys
    #expect(Set(keys.map { "\($0.location.rawValue).\($0.name)" }).count == keys.count)
    for key in keys {
      #expect(!key.help.isEmpty && key.help.count <= 100, "\(key.name): \(key.help)")
      #expect(!key.help.hasSuffix(".") && !key.help.contains("\n"), "\(key.name)")
    }
    #expect(Set(keys.map(\.location)) == Set(ScenarioKey.Location.allCases))
  }

  @Test(
    "The table has the keys of each mapping that its reader knows",
    arguments: [
      (ScenarioKey.Location.scenario, "scenario: quakes", "xyzzy: 1\nscenario: quakes"),
      (.entity, "unique: [[code]]", "unique: [[code]]\n    xyzzy: 1"),
      (.attribute, "code: {type: string}", "code: {type: string, xyzzy: 1}"),
      (.source, "generate: {rows: 1_000, seed: 7, duplicates: 5%}", "{xyzzy: 1}"),
      (.generate, "seed: 7", "xyzzy: 7"),
      (.measure, "rounds: 3", "xyzzy: 3"),
      (.beside, "measure:", "beside: {xyzzy: 3}\nmeasure:"),
      (.query, "measure:", "beside: {query: {xyzzy: 3}}\nmeasure:"),
    ])
  func mappings(location: ScenarioKey.Location, old: String, new: String) {
    let names = schema.keys.filter { $0.location == location }.map(\.name).joined(separator: ", ")
    #expect(
      complaints(scenario(old, new)).contains { $0.contains("'xyzzy'; expected one of \(names)") }, "\(names)")
  }

  @Test("The table has the pragmas of the key 'store'")
  func pragmas() {
    let names = schema.keys.filter { $0.location == .store }.map(\.name).joined(separator: ", ")
    let found = complaints(scenario("journal_mode: wal", "xyzzy: wal"))
    #expect(found.first?.hasSuffix("found the pragma 'xyzzy'; expected one of \(names)") == true, "\(found)")
  }
}

extension KeyTableTests {
  @Test("The sweep knows exactly the keys that may be swept")
  func sweeps() throws {
    let keys = schema.keys.filter { $0.isSweepable || $0.location == .measure }
    try #require(!keys.isEmpty)
    for key in keys {
      let found = complaints(validScenario.replacing("measure:", with: "sweep: {\(key.name): 1}\nmeasure:"))
      // An insert does not know the keys of strategies for other operations.
      guard !["batch_size", "removal"].contains(key.name) else { continue }
      #expect(found.contains { $0.contains("a list of values for '\(key.name)'") } == key.isSweepable, "\(found)")
    }
  }

  @Test("The settings know exactly the keys that may be set")
  func settings() throws {
    let settable = Set(schema.keys.filter(\.isSettable).map(\.name))
    let names = Set(schema.keys.map(\.name))
    try #require(!names.isEmpty)
    for name in names {
      let found = complaints(validScenario, "\(name)=?")
      #expect(
        found.contains { $0.contains("the setting '\(name)'; expected one of rows, seed") } != settable.contains(name))
    }
  }

  @Test("A key that is not set has the table's default")
  func defaults() throws {
    let text = validScenario.replacing(", seed: 7, duplicates: 5%", with: "").replacing(
      "measure: {rounds: 3, sample_limit: 90 s}", with: "")
    let scenario = try read(text)
    let standards = Dictionary(
      schema.keys.map { ("\($0.location.rawValue).\($0.name)", $0.standard) }, uniquingKeysWith: { $1 })
    #expect(standards["measure.rounds"] == "\(scenario.measure.rounds)")
    #expect(standards["measure.warm_up"] == "\(scenario.measure.warmUpRows)")
    #expect(standards["measure.sample_limit"] == "\(Int(scenario.measure.sampleLimit)) s")
    #expect(standards["scenario.repeat"] == "\(scenario.repeats)")
    #expect(scenario.source == .generate(GeneratorSettings(rows: 1_000)))
    #expect(standards["generate.seed"] == "42" && standards["generate.duplicates"] == "0%")
    #expect(standards["beside.readers"] == "\(scenario.beside.readers)")
    #expect(standards["beside.writers"] == "\(scenario.beside.writers)")
    #expect(standards["beside.rate"] == "\(scenario.beside.rate)/s")
    #expect(standards["beside.in"] == scenario.beside.place.rawValue)
    #expect(standards["beside.transaction"] == scenario.beside.transaction.rawValue)
    #expect(standards["beside.timeout"] == "\(scenario.beside.busyTimeout)")
    #expect(standards["query.limit"] == "\(scenario.beside.query.limit)")
    #expect(standards["cell.save_every"] == "all" && standards["cell.rows_per_step"] == "50")
  }

  @Test("A setting of synthetic data needs a synthetic source")
  func scale() {
    #expect(
      complaints(validScenario, "scale=2") == [
        "--set scale=2, for Scenarios/x.yml: found the setting 'scale' of synthetic data, while the source is generated; "
          + "expected a scenario of synthetic data, or one of this source: rows, seed, duplicates"
      ])
  }
}
