// Where a store keeps a relationship that a fetch follows, for hand-written SQL.
public import CoreDataModel

/// A relationship on a query's path, with its tables and columns.
///
/// ```swift
/// for step in try setup.relationships(on: ["tracks", "artist"]) { print(step.destination.tableName) }
/// ```
public struct FollowedRelationship: Sendable, Hashable {
  /// Where the keys are stored.
  public enum Storage: Sendable, Hashable {
    /// In a column of the source rows.
    case key(column: String)
    /// In a column of the destination rows.
    case inverseKey(column: String)
    /// In a join table.
    case join(table: String, sourceColumn: String, destinationColumn: String)
  }

  /// The relationship's name in the model.
  public let name: String
  /// Whether a row may have several destinations.
  public let isToMany: Bool
  /// Where the store keeps it.
  public let storage: Storage
  /// The entity of the destination rows.
  public let destination: StoredEntity
  /// The columns of the destination's attributes, in the order of hashing.
  public let columns: [Column]

  /// An attribute of the destination.
  public struct Column: Sendable, Hashable {
    public let attribute: String
    public let type: AttributeType
    public let name: String
  }
}

extension StoreSetup {
  /// The relationships on a path from the fetched entity.
  ///
  /// - Throws: ``EngineError/unknownPath(_:)`` if the model has no such path, or its entity shares its table with
  ///   others.
  public func relationships(on path: [String]) throws(EngineError) -> [FollowedRelationship] {
    var found: [FollowedRelationship] = []
    var source = entityName
    for name in path {
      guard let relationship = model.relationships(of: source).first(where: { $0.name == name }),
        let from = model.storedEntities.first(where: { $0.name == source }),
        let to = model.storedEntities.first(where: { $0.name == relationship.destinationEntityName }),
        !to.sharesTable, let storage = FollowedRelationship.storage(of: relationship, from: from, to: to)
      else { throw .unknownPath(path.joined(separator: ".")) }
      found.append(
        FollowedRelationship(
          name: name, isToMany: relationship.isToMany, storage: storage, destination: to,
          columns: zip(to.attributes, to.columnNames).map { attribute, column in
            FollowedRelationship.Column(attribute: attribute.name, type: attribute.type, name: column)
          }.sorted { $0.attribute < $1.attribute }))
      source = to.name
    }
    return found
  }
}

extension FollowedRelationship {
  fileprivate static func storage(
    of relationship: RelationshipDescription, from source: StoredEntity, to destination: StoredEntity
  ) -> Storage? {
    if let own = source.relationships.first(where: { $0.name == relationship.name }) {
      return switch own.storage {
      case .key(let column): .key(column: column)
      case .join(let table, let source, let destination):
        .join(table: table, sourceColumn: source, destinationColumn: destination)
      }
    }
    guard let inverse = destination.relationships.first(where: { $0.name == relationship.inverseName }) else {
      return nil
    }
    return switch inverse.storage {
    case .key(let column): .inverseKey(column: column)
    case .join(let table, let source, let destination):
      .join(table: table, sourceColumn: destination, destinationColumn: source)
    }
  }
}
