// The part of an inspection about entities, their properties and join tables.
public import CoreDataModel

extension StoreInspection {
  /// An entity and the number of its rows.
  ///
  /// ```swift
  /// let empty = inspection.entities.filter { !$0.isAbstract && $0.rowsWithSubentities == 0 }
  /// print("without rows: \(empty.map(\.name))")
  /// ```
  public struct Entity: Sendable, Hashable, Codable {
    public var name: String
    /// The number in the store, which may differ from the model's; `nil` if the store does not know the entity.
    public var number: Int?
    /// Its super-entity; `nil` for a root.
    public var superentity: String?
    public var isAbstract: Bool
    /// The table of its rows; `nil` if the file has none.
    public var table: String?
    /// Rows of the entity itself.
    public var rows: Int64
    /// Rows of the entity and all of its descendants.
    public var rowsWithSubentities: Int64
    /// The largest assigned key, which a root counts for its whole hierarchy; `nil` for other entities.
    public var lastKey: Int64?
    /// The entity's own attributes, by name.
    public var attributes: [Attribute]
    /// The entity's own relationships, by name.
    public var relationships: [Relationship]
  }

  /// An attribute, over the rows of its entity and all of its descendants.
  ///
  /// ```swift
  /// for attribute in inspection.entities.flatMap(\.attributes) where attribute.nullShare == 1 {
  ///   print("\(attribute.name) is never set")
  /// }
  /// ```
  public struct Attribute: Sendable, Hashable, Codable {
    public var name: String
    public var type: AttributeType
    public var isOptional: Bool
    /// The expression that the value is derived from; `nil` for an ordinary attribute.
    public var derivation: String?
    /// `nil` for a transient attribute or if the file has no such column.
    public var column: String?
    /// Rows without a value; `nil` without a column.
    public var nulls: Int64?
    /// The share of rows without a value, from 0 to 1; `nil` without rows.
    public var nullShare: Double?
    /// A summary of the values; `nil` unless requested.
    public var values: Values?
  }

  /// A relationship, over the rows of its entity and all of its descendants.
  ///
  /// ```swift
  /// for relationship in inspection.entities.flatMap(\.relationships) {
  ///   print(relationship.name, relationship.linked ?? 0, relationship.links ?? 0)
  /// }
  /// ```
  public struct Relationship: Sendable, Hashable, Codable {
    public var name: String
    public var destination: String
    public var isToMany: Bool
    public var isOrdered: Bool
    public var isOptional: Bool
    public var inverse: String?
    public var deleteRule: DeleteRule
    /// The column of a to-one relationship's key, the destination's column that refers back, or the join table's
    /// column; `nil` if the file has no such column.
    public var column: String?
    /// Rows with at least one related row; `nil` without a column.
    public var linked: Int64?
    /// The share of rows with at least one related row, from 0 to 1; `nil` without rows.
    public var linkedShare: Double?
    /// Pairs of related rows.
    public var links: Int64?
  }

  /// The table of a many-to-many relationship.
  ///
  /// ```swift
  /// for table in inspection.joinTables {
  ///   print("\(table.ends) in \(table.name): \(table.rows) pairs")
  /// }
  /// ```
  public struct JoinTable: Sendable, Hashable, Codable {
    public var name: String
    /// The relationship at each end, as `Entity.relationship`.
    public var ends: [String]
    public var rows: Int64
  }

  /// The values of an attribute: content of the store's rows.
  ///
  /// ```swift
  /// let inspection = try StoreInspection(of: "MyApp.sqlite", withValues: true)
  /// for attribute in inspection.entities[0].attributes { print(attribute.name, attribute.values?.distinct ?? 0) }
  /// ```
  public struct Values: Sendable, Hashable, Codable {
    /// A value and how many rows have it.
    public struct Frequency: Sendable, Hashable, Codable {
      public var value: String
      public var rows: Int64
    }

    /// How many different values there are.
    public var distinct: Int64
    /// For numbers and dates.
    public var least: String?
    public var greatest: String?
    /// Characters of text, bytes of binary data.
    public var shortest: Int64?
    public var longest: Int64?
    /// The most frequent values that more than one row has; long text is shortened.
    ///
    /// Empty for binary data.
    public var mostFrequent: [Frequency]
  }
}
