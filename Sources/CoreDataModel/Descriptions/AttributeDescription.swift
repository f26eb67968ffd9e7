// An attribute of an entity: its name, type, default value, optionality and validation rules.

/// Describes one attribute of an entity.
///
/// ```swift
/// let code = AttributeDescription("code", .string, validationRules: [.length(minimum: 4, maximum: 20)])
/// let magnitude = AttributeDescription("magnitude", .double, isOptional: true)
/// let status = AttributeDescription("status", .string, defaultValue: "automatic")
/// ```
public struct AttributeDescription: Sendable, Hashable {
  /// The key of the value: ASCII letters, digits and underscores, starting with a letter.
  public var name: String
  /// The type of the values, which decides how they are stored.
  public var type: AttributeType
  /// Whether an object can be saved without a value.
  public var isOptional: Bool
  /// The value that a new object starts with; `.null` for none.
  public var defaultValue: AttributeValue
  /// Whether the attribute exists only in objects: it has no column, and no request or index can name it.
  public var isTransient: Bool
  /// The conditions for saving a value; null meets all of them.
  public var validationRules: [ValidationRule]
  /// Whether persistent history keeps the value when an object is deleted, as `PersistentHistoryChange.tombstone`.
  public var preservesValueInHistoryOnDeletion: Bool
  /// The expression that the value is derived from, as in a model file (`pages.@count`, `author.name`, `now()`); `nil`
  /// for an ordinary attribute.
  public var derivationExpression: String?
  /// The attribute's name in an earlier or later version of the model; `nil` if it was never renamed.
  public var renamingIdentifier: String?
  /// Text that changes the entity's version hash, so that stores made without it belong to another version of the
  /// model; `nil` for none.
  ///
  /// Use it for changes that the description does not show, such as a new meaning of the bytes.
  public var versionHashModifier: String?

  /// Describes an attribute; by default it is required and has no default value.
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

  /// The attribute's column in a store, as Core Data names it: `Z` and the name in uppercase.
  ///
  /// If several attributes of a hierarchy would get the same column, the later ones have a number appended. To get
  /// their names, use ``ManagedObjectModel/columnName(of:in:)``.
  ///
  /// ```swift
  /// let magnitude = AttributeDescription("magnitude", .double)
  /// magnitude.columnName  // "ZMAGNITUDE"
  /// ```
  public var columnName: String { "Z" + name.uppercased() }
}
