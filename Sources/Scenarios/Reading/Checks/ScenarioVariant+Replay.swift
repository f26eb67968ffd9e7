// Checks that a scenario's keys for its rows apply to those of a store, or to synthetic data.
import BatchmarkEngine
internal import CoreDataModel
import ObjectGraph

extension ScenarioVariant {
  /// Checks that the keys for rows apply to a store's rows or to synthetic data.
  func checkReplay(
    _ section: Section, entities: [EntityReading], source: SourceReading, operation: Operation.Kind,
    cells: [PlacedCell]
  ) {
    if entities.count == 1, let entity = entities.first {
      check(section, entity: entity, source: source, operation: operation, cells: cells)
    } else {
      check(section, severalEntities: entities.map(\.description.name), operation: operation, cells: cells)
    }
  }

  private func check(
    _ section: Section, entity: EntityReading, source: SourceReading, operation: Operation.Kind,
    cells: [PlacedCell]
  ) {
    checkRequiredRelationships(of: entity, cells: cells)
    if entity.description.isAbstract {
      diagnose(
        source.entity?.place ?? entity.place, found: "the abstract entity \(shown(entity.description.name))",
        expected: "an entity that has rows of its own")
    }
    if operation != .insert { checkIngestible(entity, at: entity.place) }
    for key in ["link", "repeat"] {
      guard operation == .insert, let node = section[key] else { continue }
      diagnose(
        node.place, found: "the key '\(key)' with rows that a store has once",
        expected: "a feed or the generator as source, or no such key")
    }
  }

  private func check(
    _ section: Section, severalEntities names: [String], operation: Operation.Kind, cells: [PlacedCell]
  ) {
    let names = names.joined(separator: ", ")
    // A fetch that follows relationships starts with the rows of its first entity.
    if operation == .fetch, section["follow"] != nil {
      if let node = section["indexes"] {
        diagnose(
          node.place, found: "the key 'indexes' with the rows of several entities", expected: "no such key")
      }
      return
    }
    for key in ["operation", "where", "set", "link", "indexes", "repeat"] {
      guard let node = section[key], key != "operation" || operation != .insert else { continue }
      diagnose(
        node.place, found: "the key '\(key)' with the rows of several entities",
        expected: "an 'entity' in the source, one of \(names), or no such key")
    }
    for placed in cells { check(placed.cell, at: placed.place, severalEntities: names) }
  }

  private func check(_ cell: Cell, at place: SourceLocation, severalEntities names: String) {
    if cell[.merge] != .none {
      diagnose(
        place, found: "merge: \(cell[.merge].rawValue) of the cell \(cell.id) with the rows of several entities",
        expected: "merge: none, since an observer is notified of one entity's rows")
    }
    if schema.strategy(of: cell)?.storesSeveralEntities == false {
      diagnose(
        place,
        found: "the strategy \(shown(cell.strategy)) of the engine \(cell.engine), which stores rows of one entity",
        expected: "an 'entity' in the source, one of \(names), or another strategy")
    }
  }

  /// Reports a save of objects of one entity if it cannot succeed, because required relationships have destinations in
  /// other entities.
  private func checkRequiredRelationships(of entity: EntityReading, cells: [PlacedCell]) {
    guard let required = entity.description.relationships.first(where: { !$0.isOptional }),
      let save = cells.first(where: { $0.cell.role == .objectByObject && $0.cell.operation == .insert })
    else { return }
    diagnose(
      save.place,
      found: "the cell \(save.cell.id) and the required relationship \(shown(required.name)) of "
        + "\(entity.description.name), whose objects are of another entity",
      expected: "a source whose entities are all stored (no 'entity'), or strategies that do not validate")
  }
}
