// The keys of sources: where rows come from, and how many there are of what.

/// The most rows a source may give: far above what is worth measuring, and small enough for every engine's keys.
let mostRows = 100_000_000

extension ScenarioKey {
  static let sourceKeys = ownSourceKeys + generatorKeys + treeKeys + syntheticKeys + profileKeys

  private static let ownSourceKeys = [
    ScenarioKey("generate", .mapping("settings", .keys(.generate)), in: .source, help: "generated earthquakes"),
    ScenarioKey("feed", .text("path"), in: .source, .setting, help: "a USGS earthquake feed, GeoJSON or CSV"),
    ScenarioKey("store", .text("path"), in: .source, .setting, help: "a store that Core Data wrote"),
    ScenarioKey("synthetic", .mapping("a profile", .keys(.synthetic)), in: .source, help: "rows made after counts"),
    ScenarioKey(
      "trees", .mapping("settings", .keys(.trees)), in: .source,
      help: "rows of an entity that leads to itself, as trees"),
    ScenarioKey(
      "entity", .text("entity"), in: .source, help: "the one entity of a store or of synthetic data that is meant"),
  ]

  private static let generatorKeys = [
    ScenarioKey("rows", .value(.rowCount), in: .generate, [.sweep, .setting], help: "how many rows there are"),
    ScenarioKey(
      "seed", .value(.seed), in: .generate, [.sweep, .setting], default: "\(GeneratorSettings(rows: 1).seed)",
      help: "the same seed gives the same rows on every machine"),
    ScenarioKey(
      "duplicates", .value(.share), in: .generate, [.sweep, .setting], default: "0%",
      help: "the share of rows that repeat an earlier code"),
  ]

  private static let treeKeys = [
    ScenarioKey(
      "rows", .value(.rowCount), in: .trees, [.sweep, .setting],
      help: "how many rows there are in all: whole trees, and one that ends where the rows do"),
    ScenarioKey(
      "levels", .value(.levels), in: .trees, [.sweep, .setting], help: "how many levels lie below a root"),
    ScenarioKey(
      "fan_out", .value(.fanOut), in: .trees, [.sweep, .setting],
      help: "how many rows lie right below each row, but for those of the last level"),
    ScenarioKey(
      "seed", .value(.seed), in: .trees, [.sweep, .setting],
      default: "\(TreeSettings(rows: 1, levels: 1, fanOut: 1).seed)",
      help: "the same seed gives the same rows on every machine"),
  ]

  private static let syntheticKeys = [
    ScenarioKey(
      "seed", .value(.seed), in: .synthetic, .setting,
      default: "\(SyntheticSource(of: DataProfile(entities: [])).seed)",
      help: "another seed gives other rows of the same counts"),
    ScenarioKey(
      "scale", .value(.scale), in: .synthetic, .setting, default: "1",
      help: "how many rows are made for each one of the profile"),
    ScenarioKey(
      "entities", .mapping("profiles by entity", .named(.keys(.syntheticEntity))), in: .synthetic,
      help: "the entities that have rows"),
  ]

  private static let profileKeys = [
    ScenarioKey(
      "rows", .value(.profileRows), in: .syntheticEntity,
      help: "rows of the entity itself, without those of entities that inherit from it"),
    ScenarioKey(
      "attributes", .mapping("profiles by attribute", .named(.keys(.syntheticAttribute))), in: .syntheticEntity,
      help: "the values of each; an attribute that is not named is null in every row"),
    ScenarioKey(
      "relationships", .mapping("profiles by relationship and entity", .named(.named(.keys(.syntheticRelationship)))),
      in: .syntheticEntity,
      help: "the pairs of each; one end describes both"),
    ScenarioKey(
      "nulls", .value(.profileCount), in: .syntheticAttribute, default: "0", help: "rows without a value"),
    ScenarioKey(
      "distinct", .value(.profileCount), in: .syntheticAttribute, help: "the number of different values"),
    ScenarioKey(
      "lengths", .mapping("counts by length", .counts), in: .syntheticAttribute, help: "values of each length"),
    ScenarioKey(
      "per_row", .mapping("counts by number", .counts), in: .syntheticRelationship,
      help: "how many rows lead to one, two, … rows"),
    ScenarioKey(
      "per_destination", .mapping("counts by number", .counts), in: .syntheticRelationship,
      help: "to how many rows one, two, … rows lead"),
  ]
}

extension ValueDomain {
  static let levels = number(1...20, of: " of levels")
  static let fanOut = number(1...mostRows, of: " of rows")
  static let scale = number(1...mostRows, of: " of times")
  static let profileRows = number(0...mostRows, of: " of rows")
  static let profileCount = number(0...mostRows)
}
