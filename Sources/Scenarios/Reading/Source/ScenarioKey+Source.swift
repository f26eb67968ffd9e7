// The keys of sources: where rows come from, and how many rows and values there are.
import BatchmarkEngine

/// The most rows a source may have: far above what is worth measuring, and small enough for every engine's keys.
let mostRows = 100_000_000

extension ScenarioKey {
  static let sourceKeys = ownSourceKeys + generatorKeys + treeKeys + syntheticKeys + entityKeys + valueKeys + linkKeys

  private static let ownSourceKeys = [
    ScenarioKey("generate", .mapping("settings", .keys(.generate)), in: .source, help: "generated earthquakes"),
    ScenarioKey(
      "feed", .text("path"), in: .source, .setting, help: "CSV with a header, JSON Lines, or a USGS feed in GeoJSON"),
    ScenarioKey("store", .text("path"), in: .source, .setting, help: "a store that Core Data wrote"),
    ScenarioKey(
      "synthetic", .mapping("rows by entity", .keys(.synthetic)), in: .source,
      help: "rows of any model, made from ranges and lengths, or from the counts of a store"),
    ScenarioKey(
      "trees", .mapping("settings", .keys(.trees)), in: .source,
      help: "rows of an entity that has a relationship to itself, as trees"),
    ScenarioKey(
      "entity", .text("entity"), in: .source, help: "the one entity of a store or of synthetic data to take"),
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
      help: "how many children each row has, except those of the last level"),
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
      "rows", .value(.rowCount), in: .synthetic, [.sweep, .setting],
      help: "rows of all entities together; each keeps its share of them"),
    ScenarioKey(
      "scale", .value(.scale), in: .synthetic, [.sweep, .setting], default: "1",
      help: "how many rows are made for each one of the profile"),
    ScenarioKey(
      "entities", .mapping("profiles by entity", .named(.keys(.syntheticEntity))), in: .synthetic,
      help: "the entities that have rows"),
  ]

  private static let entityKeys = [
    ScenarioKey(
      "rows", .value(.profileRows), in: .syntheticEntity,
      help: "rows of the entity itself, without those of entities that inherit from it"),
    ScenarioKey(
      "attributes", .mapping("values by attribute", .named(.keys(.syntheticAttribute))), in: .syntheticEntity,
      help: "the values of each; an attribute that is not named is null in every row"),
    ScenarioKey(
      "relationships",
      .mapping("links by relationship and entity", .named(.named(.keys(.syntheticRelationship)))),
      in: .syntheticEntity,
      help: "what rows are related to; one end describes both"),
  ]

  private static let valueKeys = [
    ScenarioKey(
      "nulls", .value(.partOfRows), in: .syntheticAttribute, default: "0", help: "rows without a value"),
    ScenarioKey(
      "distinct", .value(.profileCount), in: .syntheticAttribute,
      help: "the number of different values; a unique attribute has as many as values"),
    ScenarioKey(
      "range", .list("lowest and highest value", .list(.scalar)), in: .syntheticAttribute,
      help: "numbers or times that values are drawn from, both ends among them, such as [1, 500]"),
    ScenarioKey(
      "decimals", .value(.decimals), in: .syntheticAttribute, default: "\(SyntheticRecipeSection.standardDecimals)",
      help: "digits after the point of real numbers"),
    ScenarioKey(
      "lengths", .mapping("counts by length; or a length, or [shortest, longest]", .lengths), in: .syntheticAttribute,
      help: "characters of text, bytes of blobs; with counts, how many values of each length there are"),
    ScenarioKey(
      "stretch", .flag, in: .syntheticAttribute, default: "false",
      help: "whether unique texts become longer where there are fewer of them than rows"),
    ScenarioKey(
      "alphabet", .value(.words(Alphabet.allCases.map(\.rawValue))), in: .syntheticAttribute,
      default: Alphabet.standard.rawValue, help: "characters that text is made of"),
    ScenarioKey(
      "characters", .text("text"), in: .syntheticAttribute,
      help: "your own characters that text is made of, each once"),
    ScenarioKey(
      "values", .list("values of the type", .list(.scalar)), in: .syntheticAttribute,
      help: "the values that are drawn from, in place of a range or lengths"),
    ScenarioKey("trues", .value(.share), in: .syntheticAttribute, default: "50%", help: "the share of true values"),
    ScenarioKey(
      "distribution", .value(.words(DistributionShape.allCases.map(\.rawValue))), in: .syntheticAttribute,
      default: DistributionShape.uniform.rawValue,
      help: "of numbers, of the lengths of text or, with distinct or values, of the values"),
    ScenarioKey(
      "mean", .text("value of the type"), in: .syntheticAttribute,
      help: "of a normal distribution; the middle by default"),
    ScenarioKey(
      "deviation", .text("number"), in: .syntheticAttribute,
      help: "of a normal distribution, in days for times; a sixth of the range by default"),
    ScenarioKey(
      "exponent", .text("number"), in: .syntheticAttribute, default: "1",
      help: "of a Zipf distribution: the n-th value is drawn 1 / n^exponent times as often as the first"),
  ]

  private static let linkKeys = [
    ScenarioKey(
      "nulls", .value(.partOfRows), in: .syntheticRelationship, default: "0", help: "rows without a related row"),
    ScenarioKey(
      "destinations", .list("fewest and most", .bounds(0...mostRows)), in: .syntheticRelationship, default: "[1, 1]",
      help: "how many related rows each row of a to-many relationship has"),
    ScenarioKey(
      "distribution", .value(.words(LinkRecipeSection.shapes)), in: .syntheticRelationship,
      default: DistributionShape.uniform.rawValue, help: "how often each row of the entity is a destination"),
    ScenarioKey(
      "exponent", .text("number"), in: .syntheticRelationship, default: "1", help: "of a Zipf distribution"),
    ScenarioKey(
      "per_row", .mapping("counts by number", .counts), in: .syntheticRelationship,
      help: "how many rows have one, two, … related rows"),
    ScenarioKey(
      "per_destination", .mapping("counts by number", .counts), in: .syntheticRelationship,
      help: "how many destinations have one, two, … rows"),
  ]
}

extension KeyContents {
  /// Lengths of values: a count for each length, one length for all, or the shortest and the longest.
  fileprivate static let lengths = KeyContents.either(
    .counts, .bounds(0...SyntheticRecipeSection.longest))

  /// A whole number, or a list of the minimum and the maximum.
  fileprivate static func bounds(_ range: ClosedRange<Int>) -> KeyContents {
    .either(.wholeNumber(range), .list(.wholeNumber(range)))
  }
}

extension ValueDomain {
  static let levels = number(1...20, of: " of levels")
  static let fanOut = number(1...mostRows, of: " of rows")
  static let scale = number(1...mostRows, of: " of times")
  static let profileRows = number(0...mostRows, of: " of rows")
  static let profileCount = number(0...mostRows)
  static let partOfRows = countOrShare(0...mostRows)
  static let decimals = number(0...6, of: " of digits")
}
