// Makes the rows of a source from its description.
package import BatchmarkEngine
package import CoreDataModel
internal import Support

extension SourceDescription {
  /// Makes or parses the rows of an entity: a column for each attribute, filled from the source's field with that name.
  ///
  /// If a feed lacks a value, it is null if the attribute is optional or has a default. Otherwise the row is refused,
  /// because engines that validate and engines that do not would store different rows. O(rows); a feed is kept in
  /// memory while it is parsed.
  ///
  /// - Throws: ``SourceError`` if a feed is missing, unreadable, not a feed, malformed or empty; if an attribute has no
  ///   field; if an attribute cannot hold a value, or a required value is missing.
  package func rows(for entity: EntityDescription) throws(SourceError) -> ColumnarRows {
    switch self {
    case .generate(let settings): try EarthquakeGenerator(settings).rows(for: entity)
    case .feed(let path, let map): try Feed(path: path, map: map).rows(for: entity)
    case .store(let path, _):
      throw SourceError(
        source: path, found: "a store, whose rows are those of its own model", expected: "a feed or the generator")
    case .synthetic:
      throw SourceError(
        making: entity.name, found: "rows of a model of their own", expected: "a feed or the generator")
    case .trees:
      throw SourceError(
        source: TreeRows.source, found: "rows that lead to each other", expected: "a feed or the generator")
    }
  }

  /// A short description of the source: `generated earthquakes, seed 42`, `feed all_month.csv`.
  package var summary: String {
    switch self {
    case .generate(let settings):
      let duplicates = settings.duplicates > 0 ? ", \(percentText(settings.duplicates)) duplicate codes" : ""
      return "generated earthquakes, seed \(settings.seed)\(duplicates)"
    case .feed(let path, _):
      return "feed \(FileName.last(of: path))"
    case .store(let path, let entity):
      return "store \(FileName.last(of: path))" + (entity.map { ", \($0)" } ?? ", all entities")
    case .synthetic(let synthetic, let entity):
      let scale = synthetic.scale > 1 ? ", \(synthetic.scale) times as many" : ""
      return "synthetic rows, seed \(synthetic.seed)\(scale)" + (entity.map { ", \($0)" } ?? ", all entities")
    case .trees(let settings):
      let levels = "\(settings.levels) level\(settings.levels == 1 ? "" : "s") below a root"
      return "trees, \(levels), fan-out \(settings.fanOut), seed \(settings.seed)"
    }
  }
}

extension Scenario {
  /// Makes or parses the source's rows: of one entity, or of several for a store or synthetic data.
  ///
  /// - Throws: ``SourceError``, as ``SourceDescription/rows(for:)`` does, and if a store cannot be read.
  package func sourceRows() throws(SourceError) -> SourceRows {
    if case .store(let path, _) = source {
      return try StoreSource(path: path, model: model, entities: storedEntities).rows()
    }
    if case .synthetic(let synthetic, _) = source { return try synthetic.rows(of: storedEntities, model: model) }
    guard let entity else {
      throw SourceError(
        source: source.summary, found: "no entity '\(entityName)' in the model", expected: "an entity that has rows")
    }
    if case .trees(let settings) = source { return try TreeRows(settings).rows(for: entity) }
    return SourceRows(try source.rows(for: entity))
  }

  /// Whether the scenario stores the rows of a store or of synthetic data: those of several entities, or of one that
  /// may have a parent.
  package var isReplay: Bool { source.isGraph && (operation == .insert || followsRelationships) }

  /// Whether the fetch follows relationships from its rows.
  package var followsRelationships: Bool { !operation.query.path.isEmpty }

  /// The entities of the source's rows as a store keeps them, in the order of their numbers.
  package var storedEntities: [StoredEntity] {
    model.storedEntities.filter { entityNames.contains($0.name) }
  }
}

extension Scenario {
  /// The scenario with the list of values that its fetch looks for, taken from the rows of its source.
  package func listingValues(of rows: SourceRows) -> Scenario {
    guard let list = operation.query.among, let table = rows.tables.first(where: { $0.entityName == entityName }),
      let column = table.attributes.firstIndex(where: { $0.name == list.attribute })
    else { return self }
    let values = list.rows(of: table.count).map { row -> AttributeValue in
      switch table.columns[column] {
      case .text(let texts): texts.string(at: row).map { .string($0) } ?? .null
      case .integers(let numbers): numbers[row].map { .integer($0) } ?? .null
      // The reader accepts no lists of other types.
      case .reals, .blobs: .null
      }
    }
    var scenario = self
    scenario.operation = .fetch(operation.query.listing(values))
    return scenario
  }
}

extension EntityDescription {
  /// The error for an attribute without a field in the source; `field` is the name in the map, if there is one.
  func missingField(_ attribute: String, mappedTo field: String? = nil, fields: [String], source: String) -> SourceError
  {
    SourceError(
      source: source,
      found: field.map { "no field \(shown($0)), which map: names for the attribute '\(attribute)' of \(name)" }
        ?? "no field for the attribute '\(attribute)' of \(name)",
      expected: fields.isEmpty
        ? "a source that has it" : "one of " + fields.map { $0.isEmpty ? "''" : $0 }.joined(separator: ", "),
      suggestion: nearestWord(to: field ?? attribute, among: fields))
  }

  /// The field of each attribute: the one in the map, or else the one with the attribute's name.
  func fields(by map: [String: String]) -> [String] { attributes.map { map[$0.name] ?? $0.name } }
}
