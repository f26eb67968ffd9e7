// The table of an entity hierarchy: its columns, their names and their order.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A column of an entity table, after `Z_PK`, `Z_ENT` and `Z_OPT`.
package struct TableColumn: Hashable, Sendable {
  /// The role of a column for its property.
  package enum Role: Hashable, Sendable {
    /// An attribute's value.
    case value
    /// The key of a to-one relationship's destination.
    case destinationKey
    /// The destination's entity number, if the destination entity has sub-entities.
    case destinationEntity
    /// The object's position in the inverse relationship, if that is ordered.
    case order

    /// Whether the column is the property's own, not a companion.
    package var isProperty: Bool { self == .value || self == .destinationKey }
  }

  package let name: String
  package let declaredType: String
  /// The entity that declares the property.
  package let entityIndex: Int
  package let property: String
  package let role: Role
  /// Columns of a block are adjacent; blocks are in ascending order.
  package let block: Int
}

/// The table of a root entity and all of its descendants.
package struct EntityTable: Sendable {
  /// The root's index in the model.
  package let root: Int
  package let name: String
  /// The order of a fresh Core Data store: by block, within it by entity number, and for each entity first the
  /// attributes by name, then the to-one relationships by name.
  package let columns: [TableColumn]

  /// The table in a store with these entity numbers; by default, in a new store.
  package init(root: Int, in hierarchy: EntityHierarchy, numbers: [Int]? = nil) {
    let numbers = numbers ?? hierarchy.numbers
    self.root = root
    name = hierarchy.entities[root].tableName
    var names = ColumnNames()
    var columns: [TableColumn] = []
    for index in hierarchy.family(of: root).sorted(by: { numbers[$0] < numbers[$1] }) {
      let entity = hierarchy.entities[index]
      for attribute in entity.attributes.sorted(by: { $0.name < $1.name }) where !attribute.isTransient {
        columns.append(
          TableColumn(
            name: names.add(attribute.columnName), declaredType: attribute.type.declaredType, entityIndex: index,
            property: attribute.name, role: .value, block: attribute.type.columnBlock))
      }
      for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) where !relationship.isToMany {
        columns += EntityTable.columns(of: relationship, of: index, in: hierarchy, numbers, &names)
      }
    }
    let blocks = Dictionary(grouping: columns, by: \.block)
    self.columns = blocks.keys.sorted().flatMap { blocks[$0] ?? [] }
  }

  /// A to-one relationship's key, followed by the companions that it needs.
  private static func columns(
    of relationship: RelationshipDescription, of index: Int, in hierarchy: EntityHierarchy, _ numbers: [Int],
    _ names: inout ColumnNames
  ) -> [TableColumn] {
    let key = names.add("Z" + relationship.name.uppercased())
    let stem = key.dropFirst()
    let destination = hierarchy.index(of: relationship.destinationEntityName)
    var columns: [(name: String, role: TableColumn.Role)] = [(key, .destinationKey)]
    if let destination, hierarchy.hasSubentities(destination) {
      columns.append(("Z\(numbers[destination])_\(stem)", .destinationEntity))
    }
    if let destination, let inverse = relationship.inverseName,
      hierarchy.relationship(named: inverse, of: destination)?.relationship.isOrdered == true
    {
      columns.append(("Z_FOK_\(stem)", .order))
    }
    return columns.map { column in
      TableColumn(
        name: column.name, declaredType: "INTEGER", entityIndex: index, property: relationship.name, role: column.role,
        block: 0)
    }
  }

  /// The column with this role for a property.
  package func column(_ role: TableColumn.Role, of property: String, declaredBy entityIndex: Int) -> String? {
    columns.first { $0.property == property && $0.entityIndex == entityIndex && $0.role == role }?.name
  }
}

/// The names in use: a duplicate gets the first number that makes it unique, as in Core Data's stores (`ZTITLE`,
/// `ZTITLE1`, `ZTITLE2`).
struct ColumnNames {
  private var taken: Set<String> = []

  package mutating func add(_ name: String) -> String {
    var free = name
    var number = 0
    while !taken.insert(free).inserted {
      number += 1
      free = "\(name)\(number)"
    }
    return free
  }
}

extension AttributeType {
  /// The block of columns for the type, in the order of fresh Core Data stores: integers; dates and floating point
  /// mixed; decimals; strings; URIs; UUIDs; transformables; binary data.
  fileprivate var columnBlock: Int {
    switch self {
    case .int16, .int32, .int64, .boolean: 0
    case .date, .float, .double: 1
    case .decimal: 2
    case .string: 3
    case .uri: 4
    case .uuid: 5
    case .transformable: 6
    case .binary: 7
    }
  }
}
