// Which entities a store holds: all of the model, or those of one of its configurations.

/// The entities of a store, always whole hierarchies.
struct StoreEntities: Sendable {
  /// Nil for all entities.
  private let indexes: Set<Int>?

  static let all = StoreEntities(indexes: nil)

  private init(indexes: Set<Int>?) { self.indexes = indexes }

  /// The entities of a configuration; without a name, all.
  ///
  /// - Throws: ``ObjectGraphError/unknownConfiguration(found:expected:)``.
  init(configuration name: String?, of model: CompiledModel) throws(ObjectGraphError) {
    guard let name else {
      self = .all
      return
    }
    guard let entities = model.model.entities(forConfiguration: name) else {
      throw .unknownConfiguration(found: name, expected: model.model.configurations)
    }
    let names = Set(entities.map(\.name))
    let indexes = model.layouts.indices.filter { names.contains(model.layouts[$0].entity.name) }
    self.init(indexes: indexes.count == model.layouts.count ? nil : Set(indexes))
  }

  /// Whether the store has a table for every entity of the model.
  var isComplete: Bool { indexes == nil }

  @inline(__always)
  func contains(_ entityIndex: Int) -> Bool { indexes?.contains(entityIndex) ?? true }

  /// Whether the store has the pairs of a many-to-many relationship: both of their ends are in it.
  func contains(_ table: JoinTable) -> Bool {
    contains(table.owner.entityIndex) && contains(table.inverse.entityIndex)
  }
}
