// The key `source`: the generator's settings or a path. `SyntheticSection` reads a profile when the model is known.
import BatchmarkEngine
import ObjectGraph

/// A source and where its parts were written.
struct SourceReading {
  var description: SourceDescription
  var place: SourceLocation
  var duplicatesPlace: SourceLocation?
  /// The only entity to take rows from, for a store or synthetic data; `nil` for all.
  var entity: YAMLNode?
  /// The profile of synthetic rows, which is read when the model is known.
  var synthetic: YAMLNode?

  var isStore: Bool {
    if case .store = description { true } else { false }
  }

  /// The share of rows that should repeat the code of an earlier row.
  var duplicates: Double {
    if case .generate(let settings) = description { settings.duplicates } else { 0 }
  }
}

/// Reads where the rows come from.
struct SourceSection: NodeReading {
  let diagnostics: Diagnostics

  /// Reads where the rows come from.
  func read(_ node: YAMLNode) -> SourceReading? {
    guard let section = section(node, .source) else { return nil }
    let kinds = ScenarioKey.names(in: .source).filter { $0 != "entity" }
    let found = kinds.compactMap { kind in section[kind].map { (kind: kind, node: $0) } }
    guard let source = found.first else {
      diagnose(
        node.place, found: "no source",
        expected:
          "generate: {rows: 1_000, seed: 42}, feed: path/to/all_month.csv, store: path/to/App.sqlite or synthetic: "
          + "{entities: …}")
      return nil
    }
    if found.count > 1 {
      diagnose(
        found[1].node.place,
        found:
          "\(found.count == 2 ? "two" : "\(found.count)") sources, \(found.map(\.kind).joined(separator: " and "))",
        expected: "one of them")
      return nil
    }
    if let entity = section["entity"], ["generate", "feed", "trees"].contains(source.kind) {
      diagnose(
        entity.place, found: "the key 'entity' beside \(source.kind)",
        expected: "the scenario's own key 'entity', since the source has rows of one kind")
    }
    switch source.kind {
    case "generate": return generator(source.node)
    case "trees": return trees(source.node)
    case "feed":
      guard let text = text(source.node, expected: "the path of a feed"),
        let path = resolve(text, at: source.node.place)
      else { return nil }
      return SourceReading(description: .feed(path: path), place: source.node.place)
    case "synthetic":
      let entity = section["entity"]
      let nothing = SyntheticSource(of: DataProfile(entities: []))
      return SourceReading(
        description: .synthetic(nothing, entity: entity?.text), place: source.node.place, entity: entity,
        synthetic: source.node)
    default:
      guard let text = text(source.node, expected: "the path of a store that Core Data wrote"),
        let path = resolve(text, at: source.node.place)
      else { return nil }
      let entity = section["entity"]
      return SourceReading(
        description: .store(path: path, entity: entity?.text), place: source.node.place,
        entity: entity)
    }
  }

  private func generator(_ node: YAMLNode) -> SourceReading? {
    guard let section = section(node, .generate) else { return nil }
    var settings = GeneratorSettings(rows: 1)
    if let rows = required("rows", in: section, example: "rows: 1_000"),
      let count = count(rows, of: .rowCount)
    {
      settings.rows = count
    }
    if let node = section["seed"], let seed = seed(node) { settings.seed = seed }
    if let node = section["duplicates"], let share = share(node) { settings.duplicates = share }
    return SourceReading(
      description: .generate(settings), place: node.place, duplicatesPlace: section["duplicates"]?.place)
  }

  private func trees(_ node: YAMLNode) -> SourceReading? {
    guard let section = section(node, .trees) else { return nil }
    let mistakes = diagnostics.count
    func number(_ key: String, _ domain: ValueDomain, example: String) -> Int {
      required(key, in: section, example: example).flatMap { count($0, of: domain) } ?? 1
    }
    var settings = TreeSettings(
      rows: number("rows", .rowCount, example: "rows: 1_000"),
      levels: number("levels", .levels, example: "levels: 3"),
      fanOut: number("fan_out", .fanOut, example: "fan_out: 4"))
    if let node = section["seed"], let seed = seed(node) { settings.seed = seed }
    guard diagnostics.count == mistakes else { return nil }
    return SourceReading(description: .trees(settings), place: node.place)
  }

  /// A description of the source, if it is of another kind.
  static func other(than kind: String, in source: YAMLNode?) -> String? {
    let kinds = [
      ("feed", "a feed"), ("store", "a store"), ("synthetic", "synthetic data"), ("trees", "trees"),
      ("generate", "generated"),
    ]
    return kinds.first { $0.0 != kind && source?[$0.0] != nil }?.1
  }
}
