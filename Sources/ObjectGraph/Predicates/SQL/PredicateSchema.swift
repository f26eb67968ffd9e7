// The information about a store that generating SQL requires.
internal import CoreDataModel

/// The tables of a model's entities.
protocol PredicateSchema {
  func tableName(of entity: String) -> String

  /// `nil` if the entity has no such property.
  func property(_ name: String, of entity: String) -> SchemaProperty?

  /// Whether the entity has a transient property with this name.
  func isTransient(_ name: String, of entity: String) -> Bool

  /// The names of the entity's properties, for messages.
  func propertyNames(of entity: String) -> [String]

  /// The names of an entity and its sub-entities, or of all entities for `nil`, with their numbers in `Z_ENT`; below 1
  /// for an entity that the store does not have.
  func entityNumbers(of entity: String?) -> [(name: String, number: Int)]

  /// The key of an object in the entity's table; `nil` for an object of another entity or store, or one that was never
  /// saved.
  func primaryKey(of objectID: ManagedObjectID, in entity: String) -> Int64?
}

extension PredicateSchema {
  func isTransient(_ name: String, of entity: String) -> Bool { false }

  /// The properties along a path, up to the first that does not exist.
  func properties(along path: FetchPath, from entity: String) -> [SchemaProperty] {
    var properties: [SchemaProperty] = []
    var entity: String? = entity
    for key in path.keys {
      guard let source = entity, let property = property(key, of: source) else { break }
      properties.append(property)
      entity = property.destination
    }
    return properties
  }

  /// Whether a path has a to-many relationship.
  func isThroughToMany(_ path: FetchPath, from entity: String) -> Bool {
    properties(along: path, from: entity).contains { if case .toMany = $0 { true } else { false } }
  }

  /// The path to the object if the given path ends in `objectID`; otherwise the given path.
  func withoutObjectID(_ path: FetchPath, from entity: String) -> FetchPath {
    guard path.keys.last == FetchPath.objectIDKey, end(of: path, from: entity) == nil else { return path }
    var object = path
    object.keys.removeLast()
    return object.keys.isEmpty || end(of: object, from: entity)?.destination != nil ? object : path
  }

  /// The path to the object if the given path ends in its entity; otherwise `nil`.
  func withoutEntity(_ path: FetchPath, from entity: String) -> FetchPath? {
    guard let object = path.withoutEntity else { return nil }
    let properties = properties(along: path, from: entity)
    guard properties.count == object.keys.count else { return nil }
    return properties.isEmpty || properties.last?.destination != nil ? object : nil
  }

  /// The end of a path; `nil` if a property on the way does not exist.
  func end(of path: FetchPath, from entity: String) -> SchemaProperty? {
    let properties = properties(along: path, from: entity)
    return properties.count == path.keys.count ? properties.last : nil
  }
}

/// Where a property is stored.
enum SchemaProperty: Sendable, Hashable {
  case attribute(column: String, type: AttributeType)
  /// A column with the key of the destination.
  case toOne(column: String, destination: String)
  case toMany(destination: String, storage: ToManyStorage)

  /// A relationship's destination entity; `nil` for an attribute.
  var destination: String? {
    switch self {
    case .attribute: nil
    case .toOne(_, let destination), .toMany(let destination, _): destination
    }
  }
}

/// How a to-many relationship is stored.
enum ToManyStorage: Sendable, Hashable {
  /// The destination's table has a column with the key of the source.
  case inverseColumn(String)
  /// A join table has a column for each side.
  case joinTable(String, sourceColumn: String, destinationColumn: String)
}
