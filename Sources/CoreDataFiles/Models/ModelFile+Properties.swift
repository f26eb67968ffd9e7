// Reads attributes and relationships from the XML of a model file.
internal import CoreDataModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension ModelFile {
  private static let types: [String: AttributeType] = [
    "Integer 16": .int16, "Integer 32": .int32, "Integer 64": .int64, "Decimal": .decimal, "Double": .double,
    "Float": .float, "String": .string, "Boolean": .boolean, "Date": .date, "Binary": .binary, "UUID": .uuid,
    "URI": .uri, "Transformable": .transformable,
  ]

  private static let deleteRules: [String: DeleteRule] = [
    "Nullify": .nullify, "Cascade": .cascade, "Deny": .deny, "No Action": .noAction,
  ]

  /// The attribute; `nil`, with a remark, if this library does not support its type.
  mutating func attribute(
    _ element: ModelElement, named name: String, of entity: String
  ) throws(MalformedContent) -> AttributeDescription? {
    let position = "\(entity).\(name)"
    guard let type = element["attributeType"].flatMap({ ModelFile.types[$0] }) else {
      let found = element["attributeType"].map { "the type \($0.debugDescription)" } ?? "no defined type"
      draft.remark("\(position) is of \(found): it is left out.")
      return nil
    }
    if element.isSet("allowsExternalBinaryDataStorage") { draft.remarkExternalStorage(of: position) }
    let defaultValue = defaultValue(element, of: type, position)
    let rules = validationRules(element, of: type, position)
    return AttributeDescription(
      name, type, isOptional: element.isSet("optional"), defaultValue: defaultValue,
      isTransient: element.isSet("transient"),
      validationRules: try draft.kept(rules, of: type, defaultValue: defaultValue, position),
      preservesValueInHistoryOnDeletion: element.isSet("preserveAfterDeletion"),
      derivationExpression: element.isSet("derived") ? element["derivationExpression"] : nil,
      renamingIdentifier: otherName(element, than: name), versionHashModifier: element["versionHashModifier"])
  }

  private mutating func defaultValue(
    _ element: ModelElement, of type: AttributeType, _ position: String
  ) -> AttributeValue {
    guard let text = type == .date ? element["defaultDateTimeInterval"] : element["defaultValueString"] else {
      return .null
    }
    if let value = AttributeValue(modelText: text, type) { return value }
    draft.remark(
      "The default of \(position) is \(text.debugDescription) and not \(type.expectation): there is none here.")
    return .null
  }

  /// The bounds for the attribute's type, and the pattern for text.
  private mutating func validationRules(
    _ element: ModelElement, of type: AttributeType, _ position: String
  ) -> [ValidationRule] {
    var rules: [ValidationRule] = []
    let names = type == .date ? ["minDateTimeInterval", "maxDateTimeInterval"] : ["minValueString", "maxValueString"]
    let bounds = names.map { element[$0] }
    if type.hasRange {
      let values = bounds.map { bound in bound.flatMap { AttributeValue(modelText: $0, type) } }
      if values[0] != nil || values[1] != nil { rules.append(.range(minimum: values[0], maximum: values[1])) }
      remarkLost(bounds, values.map { $0 != nil }, position)
    } else {
      let values = bounds.map { $0.flatMap(Int.init) }
      if values[0] != nil || values[1] != nil { rules.append(.length(minimum: values[0], maximum: values[1])) }
      remarkLost(bounds, values.map { $0 != nil }, position)
    }
    if let pattern = element["regularExpressionString"] { rules.append(.pattern(pattern)) }
    return rules
  }

  private mutating func remarkLost(_ bounds: [String?], _ areRead: [Bool], _ position: String) {
    for (bound, isRead) in zip(bounds, areRead) where !isRead {
      if let bound {
        draft.remark("The bound \(bound.debugDescription) of \(position) is no value of its type: it is left out.")
      }
    }
  }

  // MARK: - Relationships

  /// The relationship; `nil`, with a remark, if it has no destination or nothing of it is stored.
  mutating func relationship(
    _ element: ModelElement, named name: String, of entity: String
  ) -> RelationshipDescription? {
    let position = "\(entity).\(name)"
    if element.isSet("transient") {
      draft.remarkTransientRelationship(position)
      return nil
    }
    guard let destination = element["destinationEntity"] else {
      draft.remark("\(position) leads to no entity: it is left out.")
      return nil
    }
    let rule = element["deletionRule"] ?? "Nullify"
    if ModelFile.deleteRules[rule] == nil {
      draft.remark("\(position) has the deletion rule \(rule.debugDescription), which is not known: it nullifies here.")
    }
    let isToMany = element.isSet("toMany")
    let maximum = element["maxCount"].flatMap(Int.init)
    return RelationshipDescription(
      name, to: destination, inverse: element["inverseName"], isToMany: isToMany,
      isOrdered: isToMany && element.isSet("ordered"), isOptional: element.isSet("optional"),
      minimumCount: element["minCount"].flatMap(Int.init) ?? 0, maximumCount: isToMany ? maximum ?? 0 : 1,
      deleteRule: ModelFile.deleteRules[rule] ?? .nullify, renamingIdentifier: otherName(element, than: name),
      versionHashModifier: element["versionHashModifier"])
  }
}

extension AttributeValue {
  /// Parses a value from a model file; `nil` if the text is not a value of the type.
  fileprivate init?(modelText text: String, _ type: AttributeType) {
    let value: AttributeValue? =
      switch type {
      case .int16, .int32, .int64: Int64(text).map { .integer($0) }
      case .boolean: ["YES": true, "NO": false, "1": true, "0": false][text].map { .boolean($0) }
      case .float, .double: Double(text).map { .real($0) }
      case .decimal: Decimal(string: text).map { .decimal($0) }
      case .date: Double(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
      case .string: .string(text)
      case .uuid: UUID(uuidString: text).map { .uuid($0) }
      case .uri: URL(string: text).map { .uri($0) }
      case .binary, .transformable: nil
      }
    guard let conformed = value?.conformed(to: type) else { return nil }
    self = conformed
  }
}
