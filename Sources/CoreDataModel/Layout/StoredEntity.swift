// Where a store of this library keeps an entity, for handwritten SQL.

/// An entity's table, number and columns, including inherited ones.
///
/// ```swift
/// if let quake = model.storedEntity(named: "Quake") {
///   let sql = "SELECT Z_PK, \(quake.columnNames.joined(separator: ", ")) FROM \(quake.tableName)"
/// }
/// ```
public struct StoredEntity: Sendable, Hashable {
  public let name: String
  /// The table of the hierarchy, which rows of other entities may share.
  public let tableName: String
  /// Whether rows of other entities are in the table.
  public let sharesTable: Bool
  /// The root of the hierarchy; `Z_PRIMARYKEY` counts keys under its name.
  public let rootName: String
  /// The attributes that have a column: first the entity's own in declaration order, then inherited ones by name.
  public let attributes: [AttributeDescription]
  /// The columns of the attributes.
  public let columnNames: [String]
  /// Attributes whose combined values are unique in the table, including inherited constraints.
  public let uniquenessConstraints: [[String]]
  /// The entity's relationships, including inherited ones, except those that are stored at their other end.
  public let relationships: [StoredRelationship]

  /// The column of an attribute.
  ///
  /// ```swift
  /// StoredEntity(EntityDescription("Quake", attributes: [AttributeDescription("code", .string)]))
  ///   .columnName(of: "code")  // "ZCODE"
  /// ```
  public func columnName(of attribute: String) -> String? {
    attributes.firstIndex { $0.name == attribute }.map { columnNames[$0] }
  }

  /// Describes an entity that forms a model of its own.
  ///
  /// ```swift
  /// let stored = StoredEntity(EntityDescription("Quake", uniquenessConstraints: [["code"]]))
  /// stored.tableName    // "ZQUAKE"
  /// stored.sharesTable  // false
  /// ```
  public init(_ entity: EntityDescription) {
    name = entity.name
    tableName = entity.tableName
    sharesTable = false
    rootName = entity.name
    attributes = entity.attributes.filter { !$0.isTransient }
    columnNames = attributes.map(\.columnName)
    uniquenessConstraints = entity.uniquenessConstraints
    relationships = []
  }

  package init(_ index: Int, of model: CompiledModel) {
    let hierarchy = model.model.hierarchy
    let entity = hierarchy.entities[index]
    let layout = model.layouts[index]
    let own = entity.attributes
    let inherited = hierarchy.attributes(of: index).filter { attribute in !own.contains { $0.name == attribute.name } }
    name = entity.name
    tableName = layout.tableName
    sharesTable = layout.sharesTable
    rootName = hierarchy.entities[layout.rootIndex].name
    attributes = (own + inherited).filter { !$0.isTransient }
    columnNames = attributes.map { attribute in
      layout.slot(named: attribute.name).map(layout.columnName(of:)) ?? attribute.columnName
    }
    uniquenessConstraints = hierarchy.lineage(of: index).flatMap { hierarchy.entities[$0].uniquenessConstraints }
    relationships = StoredRelationship.all(of: layout)
  }
}

/// How a store keeps a relationship; each pair of objects is stored once.
///
/// ```swift
/// for relationship in model.storedEntity(named: "Quake")?.relationships ?? [] {
///   switch relationship.storage {
///   case .key(let column): print("\(relationship.name) in \(column)")
///   case .join(let table, _, _): print("\(relationship.name) in the table \(table)")
///   }
/// }
/// ```
public struct StoredRelationship: Sendable, Hashable {
  /// Where the pairs are stored.
  public enum Storage: Sendable, Hashable {
    /// In a column of the declaring entity's table with the destination's key.
    case key(column: String)
    /// In a join table.
    case join(table: String, sourceColumn: String, destinationColumn: String)
  }

  public let name: String
  public let destinationName: String
  /// The table with the rows of the destination and its sub-entities.
  public let destinationTableName: String
  /// Where the keys are stored.
  public let storage: Storage
  /// The column next to the keys with the destination's entity number; `nil` if the destination has only one possible
  /// entity.
  public let destinationEntityColumn: String?
  /// The column next to the keys with the object's position in the inverse; `nil` if the inverse is not ordered.
  public let inverseOrderColumn: String?
  /// The column with the destination's position in this relationship; `nil` if it is not ordered.
  public let orderColumn: String?

  /// The ends that are stored: the to-one end of a one-to-many, the owner of a many-to-many's join table, and both ends
  /// of a one-to-one, since both have a column.
  package static func all(of layout: EntityLayout) -> [StoredRelationship] {
    let toOne = layout.slots.compactMap { slot -> StoredRelationship? in
      guard let toOne = slot.toOne else { return nil }
      return StoredRelationship(
        name: slot.name, destinationName: toOne.relationship.destinationEntityName,
        destinationTableName: toOne.destinationTable,
        storage: .key(column: toOne.keyColumn), destinationEntityColumn: toOne.entityColumn,
        inverseOrderColumn: toOne.orderColumn, orderColumn: nil)
    }
    let toMany = layout.toManyRelationships.compactMap { toMany -> StoredRelationship? in
      guard case .join(let ends) = toMany.storage, ends.isOwner else { return nil }
      return StoredRelationship(
        name: toMany.relationship.name, destinationName: toMany.relationship.destinationEntityName,
        destinationTableName: toMany.destinationTable,
        storage: .join(
          table: ends.table, sourceColumn: ends.sourceColumn, destinationColumn: ends.destinationColumn),
        destinationEntityColumn: nil,
        inverseOrderColumn: ends.inverseOrderColumn, orderColumn: ends.orderColumn)
    }
    return toOne + toMany
  }
}

extension ManagedObjectModel {
  /// All entities that can have rows, in the order of their numbers; O(properties of the model).
  ///
  /// ```swift
  /// for entity in model.storedEntities {
  ///   print(entity.name, entity.tableName, entity.columnNames)
  /// }
  /// ```
  public var storedEntities: [StoredEntity] {
    let compiled = CompiledModel(self)
    return compiled.layouts.filter { !$0.entity.isAbstract }.map { StoredEntity($0.index, of: compiled) }
  }

  /// Where a store keeps an entity; `nil` if there is no such entity.
  ///
  /// ```swift
  /// let quake = model.storedEntity(named: "Quake")
  /// quake?.columnName(of: "magnitude")  // "ZMAGNITUDE"
  /// ```
  public func storedEntity(named name: String) -> StoredEntity? {
    hierarchy.index(of: name).map { StoredEntity($0, of: CompiledModel(self)) }
  }
}
