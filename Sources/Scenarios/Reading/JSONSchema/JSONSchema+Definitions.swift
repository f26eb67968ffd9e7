// Schemas in which the same thing is described once: what occurs again and again gets a name under `$defs`.

extension JSONSchema {
  /// The same schema, with what is large and occurs more than once described under a name.
  ///
  /// A name is that of the key where the thing is first met, with a number where several things have one key.
  package func withDefinitions() -> JSONSchema {
    var repetitions = Repetitions()
    repetitions.count(self)
    var definitions = Definitions(repeated: repetitions.repeated)
    var schema = definitions.replacingChildren(of: self, under: "value")
    schema.definitions = definitions.schemas
    return schema
  }

  /// How many words and parts it has.
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

  /// Which parts occur more than once.
  private struct Repetitions {
    private var met: Set<JSONSchema> = []
    private(set) var repeated: Set<JSONSchema> = []

    mutating func count(_ schema: JSONSchema) {
      // What occurs only inside of something repeated is described once with it.
      guard met.insert(schema).inserted else {
        if schema.weight >= 8 { repeated.insert(schema) }
        return
      }
      for child in schema.children { count(child) }
    }
  }

  /// Names for what is repeated.
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
