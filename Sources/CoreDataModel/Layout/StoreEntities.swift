// Which entities a store holds: all of the model, or those of one of its configurations.

/// The entities of a store, always whole hierarchies.
package struct StoreEntities: Sendable {
  /// Nil for all entities.
  private let indexes: Set<Int>?

  package static let all = StoreEntities(indexes: nil)

  /// All entities where the set is nil.
  package init(indexes: Set<Int>?) { self.indexes = indexes }

  /// Whether the store has a table for every entity of the model.
  package var isComplete: Bool { indexes == nil }

  @inline(__always)
  package func contains(_ entityIndex: Int) -> Bool { indexes?.contains(entityIndex) ?? true }

  /// Whether the store has the pairs of a many-to-many relationship: both of their ends are in it.
  package func contains(_ table: JoinTable) -> Bool {
    contains(table.owner.entityIndex) && contains(table.inverse.entityIndex)
  }
}
