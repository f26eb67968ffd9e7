// Finds entities and configurations of a model by the names in requests and store descriptions.
internal import CoreDataModel

extension CompiledModel {
  /// The layout of an entity.
  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)``.
  func layout(named name: String) throws(ObjectGraphError) -> EntityLayout {
    for layout in layouts where layout.entity.name == name { return layout }
    throw .unknownEntity(found: name, expected: layouts.map(\.entity.name))
  }

  /// The layout of an entity that can have objects of its own.
  ///
  /// - Throws: ``ObjectGraphError/unknownEntity(found:expected:)``, ``ObjectGraphError/abstractEntity(_:)``.
  func concreteLayout(named name: String) throws(ObjectGraphError) -> EntityLayout {
    let layout = try layout(named: name)
    if layout.entity.isAbstract { throw .abstractEntity(name) }
    return layout
  }
}

extension StoreEntities {
  /// The entities of a configuration; all entities without a name.
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
}
