// The part of an inspection about entities, their properties and the tables between them.
public import CoreDataModel

extension StoreInspection {
  /// An entity and how much there is of it.
  ///
  /// ```swift
  /// let empty = inspection.entities.filter { !$0.isAbstract && $0.rowsWithSubentities == 0 }
  /// print("without rows: \(empty.map(\.name))")
  /// ```
  public struct Entity: Sendable, Hashable, Codable {
    public var name: String
    /// The number in the store, which may differ from the model's; nil if the store does not know the entity.
    public var number: Int?
    /// The entity that it inherits from; nil for a root.
    public var superentity: String?
    public var isAbstract: Bool
    /// The table of its rows; nil where the file lacks it.
    public var table: String?
    /// Rows of the entity itself.
    public var rows: Int64
    /// Rows of the entity and of all that inherit from it.
    public var rowsWithSubentities: Int64
    /// The largest key that was handed out, which is counted for a root and all that inherit from it; nil for others.
    public var lastKey: Int64?
    /// The entity's own, by name.
    public var attributes: [Attribute]
    /// The entity's own, by name.
    public var relationships: [Relationship]
  }

  /// An attribute, over the rows of its entity and of all that inherit from it.
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
    /// What the value is derived from; nil for a value that is set.
    public var derivation: String?
    /// Nil for a transient attribute and one whose column the file lacks.
    public var column: String?
    /// Rows without a value; nil without a column.
    public var nulls: Int64?
    /// The share of rows without a value, from 0 to 1; nil without rows.
    public var nullShare: Double?
    /// What the values are; nil unless asked for.
    public var values: Values?
  }

  /// A relationship, over the rows of its entity and of all that inherit from it.
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
    /// The column of a to-one relationship's key, the destination's column that leads back, or the join table's; nil
    /// where the file lacks it.
    public var column: String?
    /// Rows that are related to something; nil without a column.
    public var linked: Int64?
    /// The share of rows with at least one related row, from 0 to 1; `nil` without rows.
    public var linkedShare: Double?
    /// Pairs of a row and one it is related to.
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

    /// How many values differ from all others.
    public var distinct: Int64
    /// For numbers and dates.
    public var least: String?
    public var greatest: String?
    /// Characters of text, bytes of binary data.
    public var shortest: Int64?
    public var longest: Int64?
    /// The most frequent values that more than one row has, long text cut; none for binary data.
    public var mostFrequent: [Frequency]
  }
}
