// Models that are not written in the scenario: read from a model file, or from the store that is the source.
import ObjectGraph

/// A model and where it was named.
struct ModelReading {
  var entities: [EntityReading]
  var place: Place
  /// Whether it was read from a file, so that its entities have no places of their own.
  var isRecovered: Bool
  /// What the file leaves open.
  var remarks: [String] = []
}

extension ScenarioReading {
  /// Reads the model: entities as the scenario writes them, a model file, or what a store says of itself.
  mutating func modelReading(_ node: YAMLNode?, source: SourceReading?) -> ModelReading? {
    guard let node else {
      guard case .store(let path, _) = source?.description, let source else { return nil }
      return recovered(at: source.place) { () throws(CoreDataFileError) in try RecoveredModel(storeAt: path) }
    }
    guard case .scalar(let path, _) = node.content, !node.isNothing else {
      return entities(node).map { ModelReading(entities: $0, place: node.place, isRecovered: false) }
    }
    let resolved = resolve(path, at: node.place)
    return recovered(at: node.place) { () throws(CoreDataFileError) in try RecoveredModel(modelFileAt: resolved) }
  }

  private mutating func recovered(
    at place: Place, _ recover: () throws(CoreDataFileError) -> RecoveredModel
  ) -> ModelReading? {
    do throws(CoreDataFileError) {
      let recovered = try recover()
      let entities = recovered.model.entities.map { entity in
        var reading = EntityReading(description: entity, place: place)
        reading.attributeNames = entity.attributes.map(\.name)
        reading.relationshipNames = entity.relationships.map(\.name)
        return reading
      }
      return ModelReading(entities: entities, place: place, isRecovered: true, remarks: recovered.remarks)
    } catch {
      complain(place, error)
      return nil
    }
  }

  private mutating func complain(_ place: Place, _ error: CoreDataFileError) {
    switch error {
    case .unreadable(let path, let reason):
      complain(
        place, found: "the file \(shown(path)), which cannot be read: \(reason)",
        expected: "the path of a file that can be read", namedFile: .unreadable)
    case .invalid(let path, let found, let expected):
      complain(place, found: "\(found) at \(shown(path))", expected: expected, namedFile: .invalid)
    }
  }

  /// The entities whose rows the source gives: of a store or synthetic data all that have rows of their own, unless one is named.
  mutating func ingestedEntities(in section: Section, source: SourceReading?, model: ModelReading) -> [EntityReading] {
    let node = source?.entity ?? section["entity"]
    if source?.description.isGraph == true, node == nil {
      return model.entities.filter { !$0.description.isAbstract }
    }
    return ingestedEntity(node, among: model.entities, model: model.place).map { [$0] } ?? []
  }

  /// Checks that what is said of the rows can be said of a store's or of synthetic data.
  mutating func checkReplay(
    of entities: [EntityReading], in section: Section, source: SourceReading, operation: ScenarioOperation,
    cells: [(cell: Cell, place: Place)]
  ) {
    if entities.count == 1, let entity = entities.first {
      checkRequiredRelationships(of: entity, cells: cells)
      if entity.description.isAbstract {
        complain(
          source.entity?.place ?? entity.place, found: "the abstract entity \(shown(entity.description.name))",
          expected: "an entity that has rows of its own")
      }
      if operation != .insert { checkIngestion(into: entity, at: entity.place) }
      for key in ["link", "repeat"] {
        guard operation == .insert, let node = section[key] else { continue }
        complain(
          node.place, found: "the key '\(key)' with rows that a store has once",
          expected: "a feed or the generator as source, or no such key")
      }
      return
    }
    let names = entities.map(\.description.name).joined(separator: ", ")
    for key in ["operation", "where", "set", "link", "indexes", "repeat"] {
      guard let node = section[key], key != "operation" || operation != .insert else { continue }
      complain(
        node.place, found: "the key '\(key)' with the rows of several entities",
        expected: "an 'entity' in the source, one of \(names), or no such key")
    }
    for (cell, place) in cells {
      if cell[.merge] != .none {
        complain(
          place, found: "merge: \(cell[.merge].rawValue) of the cell \(cell.id) with the rows of several entities",
          expected: "merge: none, since who observes is told of one entity's rows")
      }
      if cell[.saveEvery] != .all {
        complain(
          place,
          found:
            "save_every: \(cell[.saveEvery].parameterValue) of the cell \(cell.id) with rows that lead to each other",
          expected: "save_every: all, since a part of a graph cannot be saved")
      }
      let strategies = schema.engine(named: cell.engine)?.strategies(for: operation) ?? []
      guard strategies.contains(where: { $0.name == cell.strategy && !$0.storesSeveralEntities }) else { continue }
      complain(
        place,
        found: "the strategy \(shown(cell.strategy)) of the engine \(cell.engine), which stores rows of one entity",
        expected: "an 'entity' in the source, one of \(names), or another strategy")
    }
  }

  /// Notes a save of objects that may not be saved: those of one entity whose required relationships lead to others.
  private mutating func checkRequiredRelationships(
    of entity: EntityReading, cells: [(cell: Cell, place: Place)]
  ) {
    guard let required = entity.description.relationships.first(where: { !$0.isOptional }),
      let save = cells.first(where: { $0.cell.role == .objectByObject && $0.cell.operation == .insert })
    else { return }
    complain(
      save.place,
      found: "the cell \(save.cell.id) and the required relationship \(shown(required.name)) of "
        + "\(entity.description.name), whose objects are of another entity",
      expected: "a source whose entities are all stored (no 'entity'), or strategies that do not validate")
  }
}
