// The key `indexes`: with which of its entity's indexes a store is made, so that what they cost can be swept.
internal import CoreDataModel
import ObjectGraph

/// The indexes that the table of the source's rows has.
enum IndexChoice: String, CaseIterable {
  /// All that the model says.
  case all
  /// Neither fetch indexes nor those of uniqueness constraints.
  case none
  /// Fetch indexes alone.
  case fetch
  /// Those of uniqueness constraints alone.
  case unique
}

/// Reads which indexes a store has.
struct IndexesSection: NodeReading {
  let diagnostics: Diagnostics

  /// Reads the choice and gives the entity without the indexes that were not chosen; nil for an invalid choice.
  func read(_ node: YAMLNode, of entity: EntityReading) -> EntityReading? {
    choice(node, of: IndexChoice.self).map { choosing($0, at: node.place, of: entity) }
  }

  /// The entity without the indexes that were not chosen; a choice of what it does not have is noted.
  private func choosing(_ choice: IndexChoice, at place: SourceLocation, of entity: EntityReading) -> EntityReading {
    var chosen = entity
    let name = entity.description.name
    if choice == .fetch, entity.description.fetchIndexes.isEmpty, entity.indexes == nil {
      diagnose(
        place, found: "the choice 'fetch', while \(name) has no fetch index",
        expected: "indexes: in \(name), such as {by_magnitude: [magnitude]}, or another choice")
    }
    if choice == .unique, entity.description.uniquenessConstraints.isEmpty, entity.unique == nil {
      diagnose(
        place, found: "the choice 'unique', while \(name) has no uniqueness constraint",
        expected: "unique: in \(name), such as [[code]], or another choice")
    }
    if choice == .none || choice == .unique { chosen.description.fetchIndexes = [] }
    if choice == .none || choice == .fetch { chosen.description.uniquenessConstraints = [] }
    return chosen
  }
}
