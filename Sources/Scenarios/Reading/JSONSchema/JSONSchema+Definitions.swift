// Shortens schemas: large parts that occur repeatedly are defined once under `$defs`.

extension JSONSchema {
  /// The same schema, with large repeated parts moved to definitions.
  ///
  /// A definition is named after the key where the part first occurs, with a number if several parts share a key.
  package func withDefinitions() -> JSONSchema {
    var repetitions = Repetitions()
    repetitions.count(self)
    var definitions = Definitions(repeated: repetitions.repeated)
    var schema = definitions.replacingChildren(of: self, under: "value")
    schema.definitions = definitions.schemas
    return schema
  }

  /// The number of its words and parts.
  fileprivate var weight: Int {
    1 + words.count + (keyPattern?.utf8.count ?? 0) / 10 + children.reduce(0) { $0 + $1.weight }
  }

  fileprivate var children: [JSONSchema] {
    var found = Array(properties.values)
    found += keyPatterns.values
    found += items + anyOf + oneOf
    if case .all(let schema)? = others { found.append(schema) }
    return found
  }

  /// Finds the parts that occur more than once.
  private struct Repetitions {
    private var met: Set<JSONSchema> = []
    private(set) var repeated: Set<JSONSchema> = []

    mutating func count(_ schema: JSONSchema) {
      // A part that occurs only inside of a repeated part is defined with it.
      guard met.insert(schema).inserted else {
        if schema.weight >= 8 { repeated.insert(schema) }
        return
      }
      for child in schema.children { count(child) }
    }
  }

  /// Names for the repeated parts.
  private struct Definitions {
    let repeated: Set<JSONSchema>
    private(set) var schemas: [String: JSONSchema] = [:]
    private var names: [JSONSchema: String] = [:]

    init(repeated: Set<JSONSchema>) { self.repeated = repeated }

    mutating func replacing(_ schema: JSONSchema, under key: String) -> JSONSchema {
      guard repeated.contains(schema) else { return replacingChildren(of: schema, under: key) }
      var reference = JSONSchema()
      if let name = names[schema] {
        reference.reference = name
        return reference
      }
      let used = Set(names.values)
      let name = ([key] + (2...(used.count + 2)).map { "\(key)\($0)" }).first { !used.contains($0) } ?? key
      names[schema] = name
      schemas[name] = replacingChildren(of: schema, under: key)
      reference.reference = name
      return reference
    }

    mutating func replacingChildren(of schema: JSONSchema, under key: String) -> JSONSchema {
      var schema = schema
      for (key, value) in schema.properties.sorted(by: { $0.key < $1.key }) {
        schema.properties[key] = replacing(value, under: key)
      }
      for (pattern, value) in schema.keyPatterns.sorted(by: { $0.key < $1.key }) {
        schema.keyPatterns[pattern] = replacing(value, under: key)
      }
      for index in schema.items.indices { schema.items[index] = replacing(schema.items[index], under: key) }
      for index in schema.anyOf.indices { schema.anyOf[index] = replacing(schema.anyOf[index], under: key) }
      for index in schema.oneOf.indices { schema.oneOf[index] = replacing(schema.oneOf[index], under: key) }
      if case .all(let value)? = schema.others { schema.others = .all(replacing(value, under: key)) }
      return schema
    }
  }
}
