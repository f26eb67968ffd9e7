// The table that stores a many-to-many relationship.

/// A join table: a row for each pair of related objects.
package struct JoinTable: Sendable, Hashable {
  /// One end: a relationship and the column with the keys of its destinations.
  package struct End: Sendable, Hashable {
    /// The entity that declares the relationship.
    package let entityIndex: Int
    package let relationship: String
    /// The column with the keys of the relationship's destinations.
    package let column: String
    /// The column with the destinations' positions, if the relationship is ordered.
    package let orderColumn: String?
  }

  package let name: String
  /// The end that the table is named after.
  package let owner: End
  /// The other end; for a relationship that is its own inverse, the owner with the columns swapped.
  package let inverse: End

  /// Whether the relationship is its own inverse, so that each pair is stored twice, once in each direction.
  package var isReflexive: Bool {
    owner.entityIndex == inverse.entityIndex && owner.relationship == inverse.relationship
  }

  /// The join tables of a model, one for each pair of inverse to-many relationships.
  ///
  /// A table is named `Z_<number><RELATIONSHIP>` after the end with the entity that comes first by name, ignoring case.
  /// If both ends belong to one entity, it is the end with the later name, as in the one fresh store examined
  /// (`Z_2BLOCKING` with `Z_2BLOCKEDBY`).
  ///
  /// - Parameters:
  ///   - hierarchy: The model's entities.
  ///   - numbers: The store's numbers for the entities; by default, those of a new store.
  /// - Returns: The tables in the order of the entities that they are named after.
  package static func tables(in hierarchy: EntityHierarchy, numbers: [Int]? = nil) -> [JoinTable] {
    let numbers = numbers ?? hierarchy.numbers
    var names = ColumnNames()
    var tables: [JoinTable] = []
    for (index, entity) in hierarchy.entities.enumerated() {
      for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) where relationship.isToMany {
        guard let destination = hierarchy.index(of: relationship.destinationEntityName),
          let inverse = relationship.inverseName.flatMap({ hierarchy.relationship(named: $0, of: destination) }),
          inverse.relationship.isToMany
        else { continue }
        let other = hierarchy.entities[destination]
        let isOwner =
          index == destination
          ? relationship.name >= inverse.relationship.name
          : (entity.name.lowercased(), entity.name) < (other.name.lowercased(), other.name)
        if isOwner {
          tables.append(
            JoinTable(
              relationship, of: index, to: destination, inverse: inverse.relationship, numbers: numbers, names: &names))
        }
      }
    }
    return tables
  }

  private init(
    _ relationship: RelationshipDescription, of index: Int, to destination: Int, inverse: RelationshipDescription,
    numbers: [Int], names: inout ColumnNames
  ) {
    name = names.add("Z_\(numbers[index])\(relationship.name.uppercased())")
    var columns = ColumnNames()
    let isReflexive = index == destination && relationship.name == inverse.name
    let back = columns.add(isReflexive ? "REFLEXIVE" : "Z_\(numbers[index])\(inverse.name.uppercased())")
    let forth = columns.add("Z_\(numbers[destination])\(relationship.name.uppercased())")
    owner = End(
      entityIndex: index, relationship: relationship.name, column: forth,
      orderColumn: relationship.isOrdered ? "Z_FOK_\(forth.dropFirst(2))" : nil)
    self.inverse = End(
      entityIndex: destination, relationship: inverse.name, column: back,
      orderColumn: inverse.isOrdered && !isReflexive ? "Z_FOK_\(back.dropFirst(2))" : nil)
  }

  /// The key columns, in the table's order.
  package var keyColumns: [String] { isReflexive ? [owner.column, inverse.column] : [inverse.column, owner.column] }

  package var orderColumns: [String] { [inverse.orderColumn, owner.orderColumn].compactMap(\.self) }
}
