// An attribute of an entity: its name, type, whether it may be absent, its default, and the rules its values keep.

/// Describes one attribute of an entity.
///
/// ```swift
/// let code = AttributeDescription("code", .string, validationRules: [.length(minimum: 4, maximum: 20)])
/// let magnitude = AttributeDescription("magnitude", .double, isOptional: true)
/// let status = AttributeDescription("status", .string, defaultValue: "automatic")
/// ```
public struct AttributeDescription: Sendable, Hashable {
  /// The key of the value: ASCII letters, digits and underscores, a letter first.
  public var name: String
  /// What values it holds, and how they are stored.
  public var type: AttributeType
  /// Whether the attribute may be absent when its object is saved.
  public var isOptional: Bool
  /// The value a new object starts with; `.null` for none.
  public var defaultValue: AttributeValue
  /// Whether the attribute lives in objects alone: it has no column, and neither a request nor an index can name it.
  public var isTransient: Bool
  /// What a value must be to be saved; a null breaks no rule.
  public var validationRules: [ValidationRule]
  /// Whether persistent history keeps the value when an object is deleted, as `PersistentHistoryChange.tombstone`.
  public var preservesValueInHistoryOnDeletion: Bool
  /// What the value is derived from, as a model file writes it (`pages.@count`, `author.name`, `now()`); nil for a value
  /// that is set.
  public var derivationExpression: String?
  /// The name by which an earlier or later version of the model knows the attribute; nil where it was never renamed.
  public var renamingIdentifier: String?
  /// Text that changes the entity's version hash, so that a store made without it counts as one of another model; nil for
  /// none.
  ///
  /// For changes that the shape does not show, such as another meaning of the bytes.
  public var versionHashModifier: String?

  /// Describes an attribute; without further arguments it is required and starts without a value.
  ///
  /// ```swift
  /// let updatedAt = AttributeDescription("updatedAt", .date, isOptional: true, derivationExpression: "now()")
  /// let email = AttributeDescription("email", .string, preservesValueInHistoryOnDeletion: true)
  /// ```
  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = false, defaultValue: AttributeValue = .null,
    isTransient: Bool = false, validationRules: [ValidationRule] = [], preservesValueInHistoryOnDeletion: Bool = false,
    derivationExpression: String? = nil, renamingIdentifier: String? = nil, versionHashModifier: String? = nil
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.isTransient = isTransient
    self.validationRules = validationRules
    self.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
    self.derivationExpression = derivationExpression
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
  }

  /// The attribute's column in a store, as Core Data spells it: `Z` and the name in upper case.
  ///
  /// Where several entities of one hierarchy, or names that differ in case alone, meet in one table, the later ones
  /// have a number after it: ``ManagedObjectModel/columnName(of:in:)`` knows.
  ///
  /// ```swift
  /// let magnitude = AttributeDescription("magnitude", .double)
  /// magnitude.columnName  // "ZMAGNITUDE"
  /// ```
  public var columnName: String { "Z" + name.uppercased() }
}
