// Checks that the relationships of a fetch exist, and that every cell can follow or group by them.
import BatchmarkEngine
import CoreDataModel
import ObjectGraph

extension ScenarioVariant {
  /// Checks the path against the model, and the cells against the query.
  func checkFollow(
    _ section: Section, _ query: FetchQuery, source: SourceReading, entities: [EntityReading],
    cells: [PlacedCell]
  ) {
    if let node = section["follow"], !query.path.isEmpty {
      if source.description.isGraph, source.entity == nil {
        check(query.path, at: node.place, among: entities)
      } else {
        diagnose(
          node.place, found: "the key 'follow' with rows of one entity",
          expected: "synthetic rows or those of a store, without an 'entity' in the source")
      }
    }
    guard let ability = query.ability else { return }
    for placed in cells {
      guard let strategy = schema.strategy(of: placed.cell), !strategy.abilities.contains(ability) else { continue }
      let able = schema.engines.flatMap { engine in
        engine.strategies(for: .fetch).filter { $0.abilities.contains(ability) }.map { "\(engine.name)/\($0.name)" }
      }
      diagnose(
        placed.place,
        found: "the strategy \(shown(placed.cell.strategy)) of the engine \(placed.cell.engine), which cannot "
          + (ability == .follow ? "follow relationships" : "group rows"),
        expected: able.isEmpty
          ? "no key '\(ability == .follow ? "follow" : "group_by")'" : "one of " + able.joined(separator: ", "))
    }
  }

  private func check(_ path: [String], at place: SourceLocation, among entities: [EntityReading]) {
    guard var entity = entities.first else { return }
    for name in path {
      let relationships = entity.description.relationships
      guard let relationship = relationships.first(where: { $0.name == name }) else {
        diagnose(
          place, found: "the relationship \(shown(name)) of \(entity.description.name)", word: name,
          words: relationships.map(\.name))
        return
      }
      guard let next = entities.first(where: { $0.description.name == relationship.destinationEntityName }) else {
        return
      }
      entity = next
    }
    if let other = entities.first(where: { $0.description.superentityName != nil }) {
      diagnose(
        place, found: "the key 'follow' in a model in which \(other.description.name) inherits",
        expected: "entities without a parent, each with a table of its own")
    }
  }
}
