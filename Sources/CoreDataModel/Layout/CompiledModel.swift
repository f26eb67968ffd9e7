// A model compiled for coordinators and contexts: tables, join tables, and a layout for each entity.

/// A compiled model.
package final class CompiledModel: Sendable {
  package let model: ManagedObjectModel
  /// Layouts in the order of the model's entities.
  package let layouts: [EntityLayout]
  /// The entity tables, in the order of their root entities.
  package let tables: [EntityTable]
  package let joinTables: [JoinTable]
  /// Whether any entity has a relationship; if not, saves skip the work for relationships.
  package let hasRelationships: Bool
  /// Whether any attribute is derived.
  package let hasDerivations: Bool
  /// The attributes of other objects that derived attributes depend on.
  package let derivationSources: [DerivationSource]

  package init(_ model: ManagedObjectModel) {
    let hierarchy = model.hierarchy
    let roots = hierarchy.entities.indices.filter { hierarchy.parents[$0] == nil }
    let tables = roots.map { EntityTable(root: $0, in: hierarchy) }
    let joinTables = JoinTable.tables(in: hierarchy)
    let compiler = LayoutCompiler(hierarchy: hierarchy, tables: tables, joinTables: joinTables)
    self.model = model
    self.tables = tables
    self.joinTables = joinTables
    hasRelationships = hierarchy.entities.contains { !$0.relationships.isEmpty }
    layouts = tables.flatMap { table in
      hierarchy.family(of: table.root).map { EntityLayout($0, in: hierarchy, table: table, compiler: compiler) }
    }
    hasDerivations = layouts.contains { !$0.derivations.isEmpty }
    derivationSources = layouts.flatMap { layout in layout.derivations.compactMap { layout.source(of: $0.derivation) } }
  }
}

extension EntityLayout {
  /// The attribute of other objects that a derivation depends on; `nil` if there is none, or no inverse from those
  /// objects.
  fileprivate func source(of derivation: Derivation) -> DerivationSource? {
    switch derivation {
    case .aggregate(_, let index, let attribute):
      let toMany = toManyRelationships[index]
      return DerivationSource(
        entityIndex: toMany.destinationIndex, attribute: attribute, inverse: toMany.inverse.name)
    case .destination(let slot, let attribute, _):
      guard let toOne = slots[slot].toOne, let inverse = toOne.inverse else { return nil }
      return DerivationSource(entityIndex: toOne.destinationIndex, attribute: attribute, inverse: inverse.name)
    case .count, .value, .now: return nil
    }
  }
}

/// Finds the columns of properties for the layouts.
package struct LayoutCompiler {
  package let hierarchy: EntityHierarchy
  package let tables: [EntityTable]
  package let joinTables: [JoinTable]

  /// The attributes and to-one relationships of an entity, in name order.
  package func slots(of index: Int) -> [PropertySlot] {
    let slots = hierarchy.lineage(of: index).flatMap { declarer in
      let entity = hierarchy.entities[declarer]
      return entity.attributes.map { slot($0, declaredBy: declarer) }
        + entity.relationships.compactMap { slot($0, declaredBy: declarer) }
    }
    return slots.sorted { $0.name < $1.name }
  }

  /// The to-many relationships of an entity, in name order.
  package func toManyRelationships(of index: Int) -> [ToManyLayout] {
    let relationships = hierarchy.lineage(of: index).flatMap { declarer in
      hierarchy.entities[declarer].relationships.compactMap { toMany($0, declaredBy: declarer) }
    }
    return relationships.sorted { $0.relationship.name < $1.relationship.name }
  }

  private func slot(_ attribute: AttributeDescription, declaredBy declarer: Int) -> PropertySlot {
    PropertySlot(
      name: attribute.name, kind: .attribute(attribute), isOptional: attribute.isOptional,
      columnName: table(of: declarer)?.column(.value, of: attribute.name, declaredBy: declarer))
  }

  private func slot(_ relationship: RelationshipDescription, declaredBy declarer: Int) -> PropertySlot? {
    guard !relationship.isToMany, let destination = hierarchy.index(of: relationship.destinationEntityName),
      let table = table(of: declarer), let destinationTable = self.table(of: destination),
      let key = table.column(.destinationKey, of: relationship.name, declaredBy: declarer)
    else { return nil }
    let toOne = ToOneLayout(
      relationship: relationship, entityIndex: declarer, destinationIndex: destination,
      destinationTable: destinationTable.name, keyColumn: key,
      entityColumn: table.column(.destinationEntity, of: relationship.name, declaredBy: declarer),
      orderColumn: table.column(.order, of: relationship.name, declaredBy: declarer),
      inverse: inverse(of: relationship, leadingTo: destination))
    return PropertySlot(
      name: relationship.name, kind: .toOne(toOne), isOptional: relationship.isOptional, columnName: key)
  }

  private func toMany(_ relationship: RelationshipDescription, declaredBy declarer: Int) -> ToManyLayout? {
    guard relationship.isToMany, let destination = hierarchy.index(of: relationship.destinationEntityName),
      let inverse = inverse(of: relationship, leadingTo: destination), let table = table(of: destination),
      let storage = inverse.isToMany
        ? join(relationship, declaredBy: declarer) : inverseKey(inverse, of: destination, in: table)
    else { return nil }
    return ToManyLayout(
      relationship: relationship, entityIndex: declarer, destinationIndex: destination, destinationTable: table.name,
      inverse: inverse, storage: storage)
  }

  private func inverseKey(
    _ inverse: RelationshipDescription, of destination: Int, in table: EntityTable
  ) -> ToManyLayout.Storage? {
    guard let key = table.column(.destinationKey, of: inverse.name, declaredBy: destination) else { return nil }
    return .inverseKey(
      ToManyLayout.InverseKey(
        table: table.name, keyColumn: key,
        entityColumn: table.column(.destinationEntity, of: inverse.name, declaredBy: destination),
        orderColumn: table.column(.order, of: inverse.name, declaredBy: destination)))
  }

  private func join(_ relationship: RelationshipDescription, declaredBy declarer: Int) -> ToManyLayout.Storage? {
    for table in joinTables {
      let isOwner = table.owner.entityIndex == declarer && table.owner.relationship == relationship.name
      let isInverse = table.inverse.entityIndex == declarer && table.inverse.relationship == relationship.name
      guard isOwner || isInverse else { continue }
      let (here, there) = isOwner ? (table.owner, table.inverse) : (table.inverse, table.owner)
      return .join(
        ToManyLayout.JoinEnds(
          table: table.name, sourceColumn: there.column, destinationColumn: here.column,
          orderColumn: here.orderColumn, inverseOrderColumn: there.orderColumn, isOwner: isOwner,
          isReflexive: table.isReflexive))
    }
    return nil
  }

  private func table(of index: Int) -> EntityTable? {
    let root = hierarchy.root(of: index)
    // Binary search: the tables are in the order of their roots.
    var rest = tables[...]
    while rest.count > 1 {
      let middle = rest.startIndex + rest.count / 2
      rest = tables[middle].root <= root ? rest[middle...] : rest[..<middle]
    }
    return rest.first.flatMap { $0.root == root ? $0 : nil }
  }

  private func inverse(of relationship: RelationshipDescription, leadingTo destination: Int) -> RelationshipDescription?
  {
    relationship.inverseName.flatMap { hierarchy.relationship(named: $0, of: destination) }?.relationship
  }
}
