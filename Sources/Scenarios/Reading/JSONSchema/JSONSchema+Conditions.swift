// Conditional schemas: conditions on the keys of a mapping, and what must hold if they are met.

extension JSONSchema {
  /// A schema that no value matches.
  package static var nothing: JSONSchema {
    var schema = JSONSchema()
    schema.noneOf = [JSONSchema()]
    return schema
  }

  /// Matches any mapping with these keys, and every value that is not a mapping.
  package static func with(_ keys: String...) -> JSONSchema {
    var schema = JSONSchema()
    schema.required = keys
    return schema
  }

  /// Matches anything if those of its keys that have schemas here match them.
  package static func holding(_ properties: [String: JSONSchema], required: [String] = []) -> JSONSchema {
    var schema = JSONSchema()
    (schema.properties, schema.required) = (properties, required)
    return schema
  }

  /// Matches anything without these keys.
  package static func without(_ keys: [String]) -> JSONSchema {
    .holding(Dictionary(uniqueKeysWithValues: keys.map { ($0, nothing) }))
  }

  /// Adds a schema that must hold if another schema does, in addition to the existing ones.
  package mutating func require(_ consequence: JSONSchema, where condition: JSONSchema) {
    conditions.append(Condition(condition: condition, consequence: consequence))
  }

  /// Matches a list with items that all match, and every value that is not a list.
  static func items(_ item: JSONSchema) -> JSONSchema {
    var schema = JSONSchema()
    schema.items = [item]
    return schema
  }

  static func not(_ other: JSONSchema) -> JSONSchema {
    var schema = JSONSchema()
    schema.noneOf = [other]
    return schema
  }

  static func all(_ schemas: [JSONSchema]) -> JSONSchema {
    var schema = JSONSchema()
    schema.allOf = schemas
    return schema
  }

  /// Matches a file with this kind of source.
  static func source(_ name: String, _ settings: JSONSchema = JSONSchema()) -> JSONSchema {
    .holding(["source": .holding([name: settings], required: [name])], required: ["source"])
  }

  /// Matches a file that sweeps a key.
  static func sweeping(_ key: String) -> JSONSchema { .holding(["sweep": .with(key)], required: ["sweep"]) }

  /// Matches values with this distribution.
  static func distribution(_ shape: String) -> JSONSchema {
    .holding(["distribution": .words([shape])], required: ["distribution"])
  }

  /// Matches true, in YAML 1.1 and 1.2.
  static var isTrue: JSONSchema {
    var truth = JSONSchema()
    truth.constant = true
    return .anyOf([truth, .words(["true"])])
  }
}
