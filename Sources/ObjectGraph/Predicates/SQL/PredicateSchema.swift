// What SQL generation must know of a store.

/// How the entities of a model lie in tables.
protocol PredicateSchema {
  func tableName(of entity: String) -> String

  /// Nil when the entity has no such property.
  func property(_ name: String, of entity: String) -> SchemaProperty?

  /// The names of the entity's properties, for messages.
  func propertyNames(of entity: String) -> [String]

  /// The key of an object in the entity's table; nil when it cannot be there, for it is another entity's, another
  /// store's, or was never saved.
  func primaryKey(of objectID: ManagedObjectID, in entity: String) -> Int64?
}

/// Where a property is stored.
enum SchemaProperty: Sendable, Hashable {
  case attribute(column: String, type: AttributeType)
  /// A column with the key of the destination.
  case toOne(column: String, destination: String)
  case toMany(destination: String, storage: ToManyStorage)
}

/// How a to-many relationship is stored.
enum ToManyStorage: Sendable, Hashable {
  /// The destination's table has a column with the key of the source.
  case inverseColumn(String)
  /// A table between both has a column for each.
  case joinTable(String, sourceColumn: String, destinationColumn: String)
}
