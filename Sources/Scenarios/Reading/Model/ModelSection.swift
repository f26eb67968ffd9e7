// The key `model`: entities and their inheritance, written in the scenario or read from a file.
import BatchmarkEngine
import CoreDataFiles
internal import CoreDataModel

/// A model and the position where it was named.
struct ModelReading {
  var entities: [EntityReading]
  var place: SourceLocation
  /// Remarks about unsupported parts of the file.
  var remarks: [String] = []
  /// The file; `nil` if the model is in the scenario or comes from a store.
  var file: String?
}

struct ModelSection: NodeReading {
  let diagnostics: Diagnostics

  /// Reads the model: entities in the scenario, a model file, or a store's own model.
  func read(_ node: YAMLNode?, source: SourceReading?) -> ModelReading? {
    guard let node else {
      guard case .store(let path, _) = source?.description, let source else { return nil }
      return recovered(at: source.place) { () throws(CoreDataFileError) in try RecoveredModel(storeAt: path) }
    }
    guard case .scalar(let path, _) = node.content, !node.isNothing else {
      return entities(node).map { ModelReading(entities: $0, place: node.place) }
    }
    guard let resolved = resolve(path, at: node.place) else { return nil }
    var reading = recovered(at: node.place) { () throws(CoreDataFileError) in
      try RecoveredModel(modelFileAt: resolved)
    }
    reading?.file = resolved
    return reading
  }

  /// Reads the model's entities.
  ///
  /// Those with mistakes are reported and left out.
  private func entities(_ node: YAMLNode) -> [EntityReading]? {
    let expected = "a mapping of entity names, such as Quake: {attributes: {code: {type: string}}}"
    guard let entries = entries(node, expected: expected) else { return nil }
    guard !entries.isEmpty else {
      diagnose(node.place, found: "a model without entities", expected: expected)
      return nil
    }
    var names: [String: String] = [:]
    var entities = entries.compactMap { entry in
      check(name: entry.key, of: "entity", at: entry.keyPlace)
      if let other = names.updateValue(entry.key, forKey: entry.key.uppercased()) {
        diagnose(clashOf: entry.key, with: other, at: entry.keyPlace, what: "entity", shared: "table")
      }
      return readEntity(entry.value, named: entry.key, at: entry.keyPlace)
    }
    resolveNames(in: &entities, entityNames: entries.map(\.key))
    checkWidth(of: entities)
    return entities
  }

  /// The most attributes and to-one relationships that fit into SQLite's 2,000 columns, in addition to those that
  /// every table has.
  static let mostProperties = 1_990

  /// Reports tables with more columns than SQLite allows; an entity shares its table with its subentities.
  private func checkWidth(of entities: [EntityReading]) {
    let parents = Dictionary(
      entities.map { ($0.description.name, $0.description.superentityName) }, uniquingKeysWith: { first, _ in first })
    var roots: [String: String] = [:]
    /// Visit each entity only once on the way up, even if parents form a cycle.
    func root(of name: String) -> String {
      var way: [String] = []
      var known: Set<String> = []
      var name = name
      while roots[name] == nil, known.insert(name).inserted {
        way.append(name)
        guard let parent = parents[name] ?? nil else { break }
        name = parent
      }
      let root = roots[name] ?? name
      for passed in way { roots[passed] = root }
      return root
    }
    var widths: [String: Int] = [:]
    for entity in entities {
      let width = entity.attributeNames.count + entity.relationshipNames.count
      widths[root(of: entity.description.name), default: 0] += width
    }
    for entity in entities {
      guard let width = widths.removeValue(forKey: entity.description.name), width > ModelSection.mostProperties else {
        continue
      }
      diagnose(
        entity.place, found: "\(width) properties in the table of the entity \(shown(entity.description.name))",
        expected: "at most \(ModelSection.mostProperties), since SQLite has 2,000 columns")
    }
  }

  /// Makes the model.
  ///
  /// Most mistakes have been reported with their positions before. This finds those that only the model detects.
  func model(of entities: [EntityReading], at place: SourceLocation) -> ManagedObjectModel? {
    if entities.isEmpty {
      diagnose(place, found: "no entity", expected: "at least one")
      return nil
    }
    do {
      return try ManagedObjectModel(entities: entities.map(\.description))
    } catch {
      let places = Dictionary(entities.map { ($0.description.name, $0) }, uniquingKeysWith: { first, _ in first })
      for problem in error.problems {
        let entity = problem.entityName.flatMap { places[$0] }
        diagnose(entity?.place(of: problem.part) ?? place, found: problem.found, expected: problem.expected)
      }
      return nil
    }
  }
}

extension ModelSection {
  func recovered(
    at place: SourceLocation, _ recover: () throws(CoreDataFileError) -> RecoveredModel
  ) -> ModelReading? {
    do throws(CoreDataFileError) {
      let recovered = try recover()
      let entities = recovered.model.entities.map { entity in
        var reading = EntityReading(description: entity, place: place)
        reading.attributeNames = entity.attributes.map(\.name)
        reading.relationshipNames = entity.relationships.map(\.name)
        return reading
      }
      return ModelReading(entities: entities, place: place, remarks: recovered.remarks)
    } catch {
      diagnose(place, error)
      return nil
    }
  }

  private func diagnose(_ place: SourceLocation, _ error: CoreDataFileError) {
    switch error {
    case .unreadable(let path, let reason):
      diagnose(
        place, found: "the file \(shown(path)), which cannot be read: \(reason)",
        expected: "the path of a file that can be read", namedFile: .unreadable)
    case .invalid(let path, let found, let expected):
      diagnose(place, found: "\(found) at \(shown(path))", expected: expected, namedFile: .invalid)
    case .damaged(let path, let found):
      diagnose(
        place, found: "\(found) at \(shown(path))", expected: CoreDataFileError.wholeStore, namedFile: .invalid)
    }
  }
}
