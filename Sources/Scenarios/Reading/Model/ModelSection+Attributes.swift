// The attributes of an entity: types, defaults and validation rules.
import CoreDataModel

extension ModelSection {
  /// Core Data's types that this library does not support, with alternatives.
  private static let unsupportedTypes = [
    "derived": "an attribute of the result's type, which the program keeps right",
    "composite": "an attribute for each part",
    "external_binary": "binary, which is kept in the store's file",
  ]
  /// The names that SQL, Core Data and other languages have for supported types.
  private static let typesElsewhere: [String: AttributeType] = [
    "text": .string, "varchar": .string, "char": .string, "str": .string, "bool": .boolean, "integer": .int64,
    "int": .int64, "long": .int64, "bigint": .int64, "short": .int16, "smallint": .int16, "integer16": .int16,
    "integer32": .int32, "integer64": .int64, "real": .double, "numeric": .decimal, "number": .double,
    "datetime": .date, "timestamp": .date, "time": .date, "blob": .binary, "data": .binary, "bytes": .binary,
    "guid": .uuid, "url": .uri,
  ]
  /// Keys of Core Data's attributes that this library does not support, with alternatives.
  private static let unsupportedKeys = [
    "external_storage": "binary data that is kept in the store's file",
    "derivation": "an attribute that the program keeps right",
    "transformer": "type: transformable, with values that are bytes already",
  ]

  /// Reads an attribute; also returns the position of its type.
  func readAttribute(_ node: YAMLNode, named name: String) -> (AttributeDescription, SourceLocation)? {
    guard case .mapping = node.content else {
      let isType = node.text.map { AttributeType(rawValue: $0) != nil } ?? false
      diagnose(
        node.place, found: node.kind, expected: "a mapping such as {type: string, optional: true}",
        suggestion: isType ? "{type: \(node.text ?? "")}" : nil)
      return nil
    }
    guard let section = section(node, .attribute, unsupported: ModelSection.unsupportedKeys),
      let typeNode = required("type", in: section, example: "type: string"), let type = attributeType(typeNode)
    else { return nil }
    var attribute = AttributeDescription(name, type)
    attribute.isOptional = section["optional"].map { isTrue($0) } ?? false
    attribute.isTransient = section["transient"].map { isTrue($0) } ?? false
    attribute.renamingIdentifier = section["renamed_from"].flatMap { text($0, expected: "the name that it had") }
    attribute.validationRules = rules(section, of: type)
    if let node = section["default"] {
      attribute.defaultValue = value(node, of: type, what: "a default")
      for rule in compiledRules(of: attribute) {
        guard let breach = breach(of: [rule], by: attribute.defaultValue, type, at: node.place) else { continue }
        diagnose(node.place, found: "the default \(breach.found)", expected: breach.expected)
      }
    }
    return (attribute, typeNode.place)
  }

  private func attributeType(_ node: YAMLNode) -> AttributeType? {
    guard let word = text(node, expected: "a type") else { return nil }
    if let type = AttributeType(rawValue: word) { return type }
    if let instead = ModelSection.unsupportedTypes[word.lowercased()] {
      diagnose(node.place, found: "the attribute type \(shown(word)), which is not supported", expected: instead)
    } else {
      let types = AttributeType.allCases.map(\.rawValue)
      diagnose(
        node.place, found: "the type \(shown(word))", expected: "one of " + types.joined(separator: ", "),
        suggestion: ModelSection.typesElsewhere[word.lowercased()]?.rawValue ?? nearest(to: word, among: types))
    }
    return nil
  }

  private func rules(_ section: Section, of type: AttributeType) -> [ValidationRule] {
    var rules: [ValidationRule] = []
    if let place = (section["max"] ?? section["min"])?.place {
      let earlierErrors = diagnostics.count
      // If the type has no order, skip its bounds: the type itself has been reported.
      let minimum = type.hasRange ? section["min"].map { value($0, of: type, what: "a minimum") } : nil
      let maximum = type.hasRange ? section["max"].map { value($0, of: type, what: "a maximum") } : nil
      let rule = ValidationRule.range(minimum: minimum?.nonNull, maximum: maximum?.nonNull)
      if diagnostics.count == earlierErrors { check(rule, of: type, at: place) }
      rules.append(rule)
    }
    if let place = (section["max_length"] ?? section["min_length"])?.place {
      let earlierErrors = diagnostics.count
      let rule = ValidationRule.length(
        minimum: section["min_length"].flatMap { count($0, of: .lengths) },
        maximum: section["max_length"].flatMap { count($0, of: .lengths) })
      if diagnostics.count == earlierErrors { check(rule, of: type, at: place) }
      rules.append(rule)
    }
    if let node = section["pattern"], let pattern = text(node, expected: "a regular expression") {
      rules.append(.pattern(pattern))
      check(.pattern(pattern), of: type, at: node.place)
    }
    return rules
  }

  private func check(_ rule: ValidationRule, of type: AttributeType, at place: SourceLocation) {
    if let problem = rule.problem(for: type) { diagnose(place, found: problem.found, expected: problem.expected) }
  }
}

extension AttributeValue {
  /// `nil` for null.
  fileprivate var nonNull: AttributeValue? { isNull ? nil : self }
}
