// Schemas that say when something holds: what a mapping has or lacks, and what follows from it.

extension JSONSchema {
  /// What no value is.
  package static var nothing: JSONSchema {
    var schema = JSONSchema()
    schema.noneOf = [JSONSchema()]
    return schema
  }

  /// Anything with these keys; a value that is not a mapping matches too.
  package static func with(_ keys: String...) -> JSONSchema {
    var schema = JSONSchema()
    schema.required = keys
    return schema
  }

  /// Anything whose keys, if present, match these schemas.
  package static func holding(_ properties: [String: JSONSchema], required: [String] = []) -> JSONSchema {
    var schema = JSONSchema()
    (schema.properties, schema.required) = (properties, required)
    return schema
  }

  /// Anything without these keys.
  package static func without(_ keys: [String]) -> JSONSchema {
    .holding(Dictionary(uniqueKeysWithValues: keys.map { ($0, nothing) }))
  }

  /// What holds where another schema does, beside what holds already.
  package mutating func require(_ consequence: JSONSchema, where condition: JSONSchema) {
    conditions.append(Condition(condition: condition, consequence: consequence))
  }

  /// Whose items, if it is a list, are all of this kind.
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

  /// A file whose source is of a kind.
  static func source(_ name: String, _ settings: JSONSchema = JSONSchema()) -> JSONSchema {
    .holding(["source": .holding([name: settings], required: [name])], required: ["source"])
  }

  /// A file that sweeps a key.
  static func sweeping(_ key: String) -> JSONSchema { .holding(["sweep": .with(key)], required: ["sweep"]) }

  /// Values of a distribution.
  static func distribution(_ shape: String) -> JSONSchema {
    .holding(["distribution": .words([shape])], required: ["distribution"])
  }

  /// True, in either reading of YAML.
  static var isTrue: JSONSchema {
    var truth = JSONSchema()
    truth.constant = true
    return .anyOf([truth, .words(["true"])])
  }
}
