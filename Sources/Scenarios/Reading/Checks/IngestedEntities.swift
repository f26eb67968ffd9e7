// The key `entity`: which entities the rows of the source go into.
internal import BatchmarkEngine
internal import CoreDataModel
import ObjectGraph

/// Finds the entities that the rows go into.
struct IngestedEntities: NodeReading {
  let diagnostics: Diagnostics

  /// The entities whose rows the source gives: of a store or synthetic data all that have rows of their own, unless one is named.
  ///
  /// Where a fetch follows relationships, the entity that the scenario names is the one that is fetched, and comes first.
  func read(
    _ named: YAMLNode?, source: SourceReading?, model: ModelReading, isFollowed: Bool = false
  ) -> [EntityReading] {
    if isFollowed, source?.description.isGraph == true, source?.entity == nil,
      let fetched = ingestedEntity(named, among: model.entities, model: model.place)
    {
      return [fetched]
        + model.entities.filter {
          !$0.description.isAbstract && $0.description.name != fetched.description.name
        }
    }
    let node = source?.entity ?? named
    if source?.description.isGraph == true, node == nil {
      return model.entities.filter { !$0.description.isAbstract }
    }
    return ingestedEntity(node, among: model.entities, model: model.place).map { [$0] } ?? []
  }

  /// The entity whose rows the source gives: the one named, or the only one.
  private func ingestedEntity(_ node: YAMLNode?, among entities: [EntityReading], model: SourceLocation)
    -> EntityReading?
  {
    let names = entities.map(\.description.name)
    guard let node else {
      if entities.count == 1 { return entities[0] }
      diagnose(
        model, found: "\(entities.count) entities and no key 'entity'",
        expected:
          "entity: and one of \(names.joined(separator: ", ")), or source: {synthetic: …} for rows of all of them")
      return nil
    }
    guard let name = text(node, expected: "one of " + names.joined(separator: ", ")) else { return nil }
    if let entity = entities.first(where: { $0.description.name == name }) { return entity }
    diagnose(node.place, found: "the entity \(shown(name))", word: name, words: names)
    return nil
  }
}
