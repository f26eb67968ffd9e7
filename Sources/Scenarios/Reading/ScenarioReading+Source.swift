// The `source` key: the generator's settings or a path, and whether the source gives what the entity needs.
import ObjectGraph

/// The most rows a source may give: far above what is worth measuring, and small enough for every engine's keys.
let mostRows = 100_000_000

/// A source and where its parts were written.
struct SourceReading {
  var description: SourceDescription
  var place: Place
  var duplicatesPlace: Place?
  /// The entity of a store or synthetic data whose rows are meant; nil for all.
  var entity: YAMLNode?
  /// What rows are made after, which is read when the model is known.
  var synthetic: YAMLNode?

  var isStore: Bool {
    if case .store = description { true } else { false }
  }

  /// The share of rows the author wants to repeat the code of an earlier row.
  var duplicates: Double {
    if case .generate(let settings) = description { settings.duplicates } else { 0 }
  }
}

extension ScenarioReading {
  /// Reads where the rows come from.
  mutating func source(_ node: YAMLNode) -> SourceReading? {
    let kinds = ["generate", "feed", "store", "synthetic"]
    guard let section = section(node, keys: kinds + ["entity"]) else { return nil }
    let found = kinds.compactMap { kind in section[kind].map { (kind: kind, node: $0) } }
    guard let source = found.first else {
      complain(
        node.place, found: "no source",
        expected: "generate: {rows: 1_000, seed: 42}, feed: path/to/all_month.csv or store: path/to/App.sqlite")
      return nil
    }
    if found.count > 1 {
      complain(
        found[1].node.place,
        found:
          "\(found.count == 2 ? "two" : "\(found.count)") sources, \(found.map(\.kind).joined(separator: " and "))",
        expected: "one of them")
      return nil
    }
    if let entity = section["entity"], ["generate", "feed"].contains(source.kind) {
      complain(
        entity.place, found: "the key 'entity' beside \(source.kind)",
        expected: "the scenario's own key 'entity', since the source has rows of one kind")
    }
    switch source.kind {
    case "generate": return generator(source.node)
    case "feed":
      guard let path = text(source.node, expected: "the path of a feed") else { return nil }
      return SourceReading(description: .feed(path: resolve(path, at: source.node.place)), place: source.node.place)
    case "synthetic":
      let entity = section["entity"]
      let nothing = SyntheticSource(of: DataProfile(entities: []))
      return SourceReading(
        description: .synthetic(nothing, entity: entity?.text), place: source.node.place, entity: entity,
        synthetic: source.node)
    default:
      guard let path = text(source.node, expected: "the path of a store that Core Data wrote") else { return nil }
      let entity = section["entity"]
      return SourceReading(
        description: .store(path: resolve(path, at: source.node.place), entity: entity?.text), place: source.node.place,
        entity: entity)
    }
  }

  private mutating func generator(_ node: YAMLNode) -> SourceReading? {
    guard let section = section(node, keys: GeneratorSettings.keys) else { return nil }
    var settings = GeneratorSettings(rows: 1)
    if let rows = required("rows", in: section, example: "rows: 1_000"),
      let count = wholeNumber(rows, in: 1...mostRows, of: " of rows")
    {
      settings.rows = count
    }
    if let node = section["seed"], let seed = wholeNumber(node, in: UInt64.min...UInt64.max) { settings.seed = seed }
    if let node = section["duplicates"], let share = share(node) { settings.duplicates = share }
    return SourceReading(
      description: .generate(settings), place: node.place, duplicatesPlace: section["duplicates"]?.place)
  }

  /// Paths in the file are relative to it; those of the command line to the process's directory.
  func resolve(_ path: String, at place: Place) -> String {
    guard case .file = place, !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
    return file[...slash] + path
  }

  /// Checks that the source has a field for every attribute, of a type the attribute can hold.
  ///
  /// A feed is not read before a run: what it has beyond its documented fields shows only then.
  mutating func checkFields(of source: SourceReading, for entity: EntityReading) {
    let fields: [SourceField]
    switch source.description {
    case .generate: fields = SourceField.generated
    case .feed: fields = SourceField.documented
    // A store has what its model says, and so has synthetic data.
    case .store, .synthetic: return
    }
    for attribute in entity.description.attributes {
      guard let places = entity.attributePlaces[attribute.name] else { continue }
      if let field = fields.first(where: { $0.name == attribute.name }) {
        guard !field.kind.types.contains(attribute.type) else { continue }
        complain(
          places.type, found: "the type '\(attribute.type.rawValue)' for the source's field \(field.name)",
          expected: field.kind.expectation)
      } else if case .generate = source.description {
        complain(
          places.name, found: "the attribute '\(attribute.name)', for which the source has no field",
          word: attribute.name, words: fields.map(\.name))
      }
    }
  }
}

extension GeneratorSettings {
  /// The keys of `generate`.
  static let keys = ["rows", "seed", "duplicates"]
}
