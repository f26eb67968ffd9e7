// The part of JSON Schema that is needed to describe files: https://json-schema.org/draft/2020-12.

/// The allowed values in JSON, or in YAML read as JSON.
package struct JSONSchema: Sendable, Hashable {
  package enum ValueType: String, Encodable, Sendable {
    case object, array, string, number, integer, boolean, null
  }

  /// What other keys may have as values.
  package indirect enum Others: Sendable, Hashable {
    case none
    case all(JSONSchema)
  }

  /// A schema that must hold if another one does.
  package struct Condition: Sendable, Hashable {
    package var condition: JSONSchema
    package var consequence: JSONSchema
  }

  package var title: String?
  package var description: String?
  /// The allowed types; empty for any type.
  package var types: [ValueType] = []
  package var words: [String] = []
  package var numbers: [Int] = []
  package var pattern: String?
  package var minimum: Int?
  package var maximum: Int?
  /// The exclusive lower bound of a number.
  package var lowerLimit: Int?
  package var properties: [String: JSONSchema] = [:]
  package var required: [String] = []
  package var others: Others?
  package var keyPattern: String?
  /// Schemas for the values of keys that match a pattern, by the pattern.
  package var keyPatterns: [String: JSONSchema] = [:]
  package var leastKeys: Int?
  package var mostKeys: Int?
  /// Keys that require other keys.
  package var needs: [String: [String]] = [:]
  /// The schema of the items of a list.
  package var items: [JSONSchema] = []
  package var leastItems: Int?
  package var mostItems: Int?
  /// Whether no two items are the same.
  package var isUnique = false
  /// The only allowed Boolean value.
  package var constant: Bool?
  /// Schemas that must all fail.
  package var noneOf: [JSONSchema] = []
  /// Schemas where at least one must hold.
  package var anyOf: [JSONSchema] = []
  /// Schemas where exactly one must hold.
  package var oneOf: [JSONSchema] = []
  package var conditions: [Condition] = []
  /// Schemas that must all hold.
  package var allOf: [JSONSchema] = []
  /// The name of a definition to use instead of other properties.
  package var reference: String?
  /// The definitions that references refer to, at the top of a file.
  package var definitions: [String: JSONSchema] = [:]
  /// Whether it is the schema at the top of a file.
  package var isRoot = false

  package init(_ types: ValueType...) { self.types = types }

  package static func anyOf(_ schemas: [JSONSchema]) -> JSONSchema {
    if let only = schemas.first, schemas.count == 1 { return only }
    var schema = JSONSchema()
    schema.anyOf = schemas
    return schema
  }

  package static func words(_ words: [String]) -> JSONSchema {
    var schema = JSONSchema(.string)
    schema.words = words
    return schema
  }

  package static func text(matching pattern: String) -> JSONSchema {
    var schema = JSONSchema(.string)
    schema.pattern = pattern
    return schema
  }

  package static func integers(_ range: ClosedRange<Int>) -> JSONSchema {
    var schema = JSONSchema(.integer)
    (schema.minimum, schema.maximum) = (range.lowerBound, range.upperBound)
    return schema
  }

  package static func list(of items: JSONSchema, least: Int? = nil) -> JSONSchema {
    var schema = JSONSchema(.array)
    schema.items = [items]
    schema.leastItems = least
    return schema
  }

  /// A mapping with only these keys.
  package static func mapping(_ properties: [String: JSONSchema], required: [String] = []) -> JSONSchema {
    var schema = JSONSchema(.object)
    schema.properties = properties
    schema.required = required
    schema.others = Others.none
    return schema
  }

  /// A mapping with keys that match the pattern.
  package static func mapping(to value: JSONSchema, keys: String, least: Int? = nil) -> JSONSchema {
    var schema = JSONSchema(.object)
    schema.others = .all(value)
    schema.keyPattern = keys
    schema.leastKeys = least
    return schema
  }

  package func described(_ description: String) -> JSONSchema {
    var schema = self
    schema.description = description
    return schema
  }
}

extension JSONSchema: Encodable {
  private enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case title, description, type, words = "enum", pattern, minimum, maximum, properties, required
    case lowerLimit = "exclusiveMinimum"
    case others = "additionalProperties"
    case names = "propertyNames"
    case keyPatterns = "patternProperties"
    case leastKeys = "minProperties"
    case mostKeys = "maxProperties"
    case needs = "dependentRequired"
    case items
    case leastItems = "minItems"
    case mostItems = "maxItems"
    case isUnique = "uniqueItems"
    case constant = "const"
    case anyOf, oneOf, allOf, not
    case reference = "$ref"
    case definitions = "$defs"
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if isRoot { try container.encode("https://json-schema.org/draft/2020-12/schema", forKey: .schema) }
    try container.encodeIfPresent(title, forKey: .title)
    try container.encodeIfPresent(description, forKey: .description)
    if types.count == 1 { try container.encode(types[0], forKey: .type) }
    if types.count > 1 { try container.encode(types, forKey: .type) }
    if !words.isEmpty { try container.encode(words, forKey: .words) }
    if !numbers.isEmpty { try container.encode(numbers, forKey: .words) }
    try container.encodeIfPresent(pattern, forKey: .pattern)
    try container.encodeIfPresent(minimum, forKey: .minimum)
    try container.encodeIfPresent(maximum, forKey: .maximum)
    try container.encodeIfPresent(lowerLimit, forKey: .lowerLimit)
    if !properties.isEmpty { try container.encode(properties, forKey: .properties) }
    if !required.isEmpty { try container.encode(required, forKey: .required) }
    switch others {
    case Others.none?: try container.encode(false, forKey: .others)
    case .all(let schema)?: try container.encode(schema, forKey: .others)
    case nil: break
    }
    if let keyPattern {
      var names = JSONSchema()
      names.pattern = keyPattern
      try container.encode(names, forKey: .names)
    }
    if !keyPatterns.isEmpty { try container.encode(keyPatterns, forKey: .keyPatterns) }
    try container.encodeIfPresent(leastKeys, forKey: .leastKeys)
    try container.encodeIfPresent(mostKeys, forKey: .mostKeys)
    if !needs.isEmpty { try container.encode(needs, forKey: .needs) }
    try container.encodeIfPresent(items.first, forKey: .items)
    try container.encodeIfPresent(leastItems, forKey: .leastItems)
    try container.encodeIfPresent(mostItems, forKey: .mostItems)
    if isUnique { try container.encode(true, forKey: .isUnique) }
    try container.encodeIfPresent(constant, forKey: .constant)
    if noneOf.count == 1 { try container.encode(noneOf[0], forKey: .not) }
    if noneOf.count > 1 { try container.encode(JSONSchema.anyOf(noneOf), forKey: .not) }
    if !anyOf.isEmpty { try container.encode(anyOf, forKey: .anyOf) }
    if !oneOf.isEmpty { try container.encode(oneOf, forKey: .oneOf) }
    if !conditions.isEmpty || !allOf.isEmpty {
      var all = container.nestedUnkeyedContainer(forKey: .allOf)
      for condition in conditions { try all.encode(condition) }
      for schema in allOf { try all.encode(schema) }
    }
    if let reference { try container.encode("#/$defs/" + reference, forKey: .reference) }
    if !definitions.isEmpty { try container.encode(definitions, forKey: .definitions) }
  }
}

extension JSONSchema.Condition: Encodable {
  private enum CodingKeys: String, CodingKey {
    case condition = "if"
    case consequence = "then"
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(condition, forKey: .condition)
    try container.encode(consequence, forKey: .consequence)
  }
}
