// The information that predicates need to become SQL, taken from the compiled model.
internal import CoreDataModel

/// The compiled model for a predicate's SQL.
struct LayoutSchema: PredicateSchema {
  let model: CompiledModel
  let store: StoreIdentity
  /// The store's numbers of the entities, by their indexes in the model; empty if no SQL is generated.
  let entityNumbers: [Int]

  func tableName(of entity: String) -> String { layout(entity)?.tableName ?? "" }

  func property(_ name: String, of entity: String) -> SchemaProperty? {
    guard let layout = layout(entity) else { return nil }
    if let slot = layout.slot(named: name) {
      let property = layout.slots[slot]
      guard let column = property.columnName else { return nil }
      if let toOne = property.toOne { return .toOne(column: column, destination: entityName(toOne.destinationIndex)) }
      return .attribute(column: column, type: layout.types[slot])
    }
    guard let index = layout.toManyIndex(named: name) else { return nil }
    let toMany = layout.toManyRelationships[index]
    let storage: ToManyStorage =
      switch toMany.storage {
      case .inverseKey(let inverse): .inverseColumn(inverse.keyColumn)
      case .join(let ends):
        .joinTable(ends.table, sourceColumn: ends.sourceColumn, destinationColumn: ends.destinationColumn)
      }
    return .toMany(destination: entityName(toMany.destinationIndex), storage: storage)
  }

  func isTransient(_ name: String, of entity: String) -> Bool {
    guard let layout = layout(entity), let slot = layout.slot(named: name) else { return false }
    return layout.isTransient(slot)
  }

  func propertyNames(of entity: String) -> [String] {
    guard let layout = layout(entity) else { return [] }
    return
      (layout.slots.filter { !$0.isTransient }.map(\.name)
      + layout.toManyRelationships.map(\.relationship.name)).sorted()
  }

  func entityNumbers(of entity: String?) -> [(name: String, number: Int)] {
    let family = entity.map { layout($0)?.family ?? 0..<0 } ?? model.layouts.indices
    return family.map { (entityName($0), entityNumbers.indices.contains($0) ? entityNumbers[$0] : 0) }
  }

  func primaryKey(of objectID: ManagedObjectID, in entity: String) -> Int64? {
    guard !objectID.isTemporaryID, objectID.store.isSameStore(as: store), let layout = layout(entity),
      self.layout(objectID.entityName)?.rootIndex == layout.rootIndex
    else { return nil }
    return objectID.key
  }

  private func layout(_ name: String) -> EntityLayout? { model.layouts.first { $0.entity.name == name } }

  private func entityName(_ index: Int) -> String { model.layouts[index].entity.name }
}
