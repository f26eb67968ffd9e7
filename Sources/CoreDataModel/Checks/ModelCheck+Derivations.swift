// Checks derivations: unsupported expressions, unknown names, mismatched types.

extension ModelCheck {
  mutating func checkDerivations(of index: Int) {
    let entity = hierarchy.entities[index]
    for attribute in entity.attributes {
      guard let text = attribute.derivationExpression else { continue }
      do throws(InvalidDefinition) {
        let result = try result(of: try DerivationExpression(text), in: index)
        if !result.fits(attribute.type) {
          throw InvalidDefinition("which gives \(result.description)", "one that gives \(attribute.type.expectation)")
        }
      } catch {
        note(
          entity, .derivation(ofAttribute: attribute.name), found: "\(text.debugDescription), \(error.found)",
          expected: error.expected)
      }
    }
  }

  /// The type of the derivation's result.
  private func result(
    of expression: DerivationExpression, in index: Int
  ) throws(InvalidDefinition) -> DerivationResult {
    switch expression {
    case .now: return .type(.date)
    case .count(let name):
      _ = try destination(ofToMany: name, in: index)
      return .integer
    case .aggregate(let aggregate, let relationship, let name):
      let destination = try destination(ofToMany: relationship, in: index)
      let result = DerivationResult.type(try attribute(named: name, in: destination).type)
      return try result.aggregated(by: aggregate)
    case .path(let names, let form):
      let type = try type(at: names, in: index)
      if let form, type != .string {
        throw InvalidDefinition("\(form.rawValue) of \(type.expectation)", "a string in it")
      }
      return .type(type)
    }
  }

  private func type(at names: [String], in index: Int) throws(InvalidDefinition) -> AttributeType {
    let entity = hierarchy.entities[index].name
    guard names.count <= 2 else {
      throw InvalidDefinition("a path of \(names.count) names", "an attribute, or one behind a to-one relationship")
    }
    if names.count == 1 { return try attribute(named: names[0], in: index).type }
    guard let (_, relationship) = hierarchy.relationship(named: names[0], of: index) else {
      throw InvalidDefinition("where \(names[0]) is no relationship of \(entity)", "a to-one relationship")
    }
    if relationship.isToMany {
      throw InvalidDefinition(
        "which follows the to-many relationship \(names[0])", "an aggregate, such as \(names[0]).\(names[1]).@sum")
    }
    guard let destination = hierarchy.index(of: relationship.destinationEntityName) else {
      throw InvalidDefinition(
        "which leads to \(relationship.destinationEntityName)", "a relationship to an entity of the model")
    }
    return try attribute(named: names[1], in: destination).type
  }

  private func destination(ofToMany name: String, in index: Int) throws(InvalidDefinition) -> Int {
    guard let (_, relationship) = hierarchy.relationship(named: name, of: index), relationship.isToMany,
      let destination = hierarchy.index(of: relationship.destinationEntityName)
    else {
      let entity = hierarchy.entities[index].name
      throw InvalidDefinition("where \(name) is no to-many relationship of \(entity)", "a to-many relationship")
    }
    return destination
  }

  private func attribute(named name: String, in index: Int) throws(InvalidDefinition) -> AttributeDescription {
    if let attribute = hierarchy.attributes(of: index).first(where: { $0.name == name }) { return attribute }
    let entity = hierarchy.entities[index].name
    let names = hierarchy.attributes(of: index).map(\.name).joined(separator: ", ")
    throw InvalidDefinition(
      "where \(name) is no attribute of \(entity)", names.isEmpty ? "an attribute" : "one of \(names)")
  }
}

/// The type of a derivation's result, as far as it decides which attributes can hold it.
private enum DerivationResult {
  case integer
  case real
  case decimal
  /// Text, dates, booleans and all other types that fit only themselves.
  case other(AttributeType)

  static func type(_ type: AttributeType) -> DerivationResult {
    switch type {
    case .int16, .int32, .int64: .integer
    case .float, .double: .real
    case .decimal: .decimal
    default: .other(type)
    }
  }

  func aggregated(by aggregate: Derivation.Aggregate) throws(InvalidDefinition) -> DerivationResult {
    switch (aggregate, self) {
    case (.minimum, .other(.transformable)), (.maximum, .other(.transformable)):
      throw InvalidDefinition(
        "@\(aggregate.rawValue) of \(description), which has no order", "numbers, dates, text, UUIDs or bytes")
    case (.minimum, _), (.maximum, _), (.sum, .integer), (_, .real), (_, .decimal): return self
    case (.sum, .other(.boolean)): return .integer
    case (.average, .integer), (.average, .other(.boolean)): return .real
    case (_, .other): throw InvalidDefinition("@\(aggregate.rawValue) of \(description)", "one of numbers")
    }
  }

  /// Integers convert to floating point and decimals, and floating point to decimals, but never the other way round.
  func fits(_ type: AttributeType) -> Bool {
    switch (self, DerivationResult.type(type)) {
    case (.integer, .integer), (.integer, .real), (.integer, .decimal), (.real, .real), (.real, .decimal),
      (.decimal, .decimal):
      true
    case (.other(let own), .other(let wanted)): own == wanted
    default: false
    }
  }

  var description: String {
    switch self {
    case .integer: "an integer"
    case .real: "a floating-point number"
    case .decimal: "a decimal"
    case .other(let type): type.expectation
    }
  }
}
