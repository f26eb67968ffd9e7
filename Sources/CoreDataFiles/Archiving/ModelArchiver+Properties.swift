// Archives attributes and relationships with their derivations and rules.
internal import CoreDataModel

extension ModelArchiver {
  /// Fills a property's place with the values that every property has, and its special ones.
  private mutating func fill(
    _ name: String, _ renamingIdentifier: String?, _ hashModifier: String?, in entity: EntityDescription,
    _ classNames: [String], _ values: [String: PropertyList]
  ) {
    guard let place = properties["\(entity.name).\(name)"] else { return }
    let common: [String: PropertyList] = [
      "NSPropertyName": writer.add(.string(name)), "NSEntity": self.place(entity.name),
      "NSRenamingIdentifier": writer.add(.string(renamingIdentifier ?? name)),
      "NSVersionHashModifier": self.place(ofText: hashModifier),
    ]
    writer.fill(place, classNames + ["NSPropertyDescription", "NSObject"], common.merging(values) { $1 })
  }

  mutating func fill(_ attribute: AttributeDescription, in entity: EntityDescription) {
    var flags: Int64 = attribute.preservesValueInHistoryOnDeletion ? ArchivedModel.isPreservedInHistory : 0
    var values: [String: PropertyList] = [
      "NSAttributeType": .integer(attribute.type.coreDataCode), "NSValueTransformerName": writer.nothing,
      "NSDefaultValue": writer.archived(attribute.defaultValue),
    ]
    var predicates: [PropertyList] = []
    for rule in attribute.validationRules {
      switch rule {
      case .range(let minimum, let maximum):
        if let minimum {
          flags |= ArchivedModel.hasMinimum
          values["NSMinValueName"] = writer.bound(minimum)
        }
        if let maximum {
          flags |= ArchivedModel.hasMaximum
          values["NSMaxValueName"] = writer.bound(maximum)
        }
      case .length(let minimum, let maximum):
        let bounds = [(3 as Int64, minimum), (1, maximum)].compactMap { code, bound in
          bound.map { comparison(code, writer.add(.integer(Int64($0))), "length") }
        }
        predicates.append(
          writer.add(
            ["NSCompoundPredicate", "NSPredicate", "NSObject"],
            ["NSCompoundPredicateType": .integer(1), "NSSubpredicates": writer.array(bounds)]))
      case .pattern(let pattern): predicates.append(comparison(6, writer.add(.string(pattern)), nil))
      }
    }
    values["NSFlagsKey"] = .integer(flags)
    if !predicates.isEmpty { values["NSValidationPredicates"] = writer.array(predicates) }
    if attribute.isOptional { values["NSIsOptional"] = .boolean(true) }
    if attribute.isTransient { values["NSIsTransient"] = .boolean(true) }
    var classNames = ["NSAttributeDescription"]
    if let derivation = attribute.derivationExpression {
      values["NSDerivationExpression"] = archived(derivation: derivation)
      values["NSIsReadOnly"] = .boolean(true)
      classNames.insert("NSDerivedAttributeDescription", at: 0)
    }
    fill(
      attribute.name, attribute.renamingIdentifier, attribute.versionHashModifier, in: entity, classNames, values)
  }

  mutating func fill(_ relationship: RelationshipDescription, in entity: EntityDescription) {
    let destination = relationship.destinationEntityName
    var values: [String: PropertyList] = [
      "NSDestinationEntity": place(destination), "_NSDestinationEntityName": writer.add(.string(destination)),
      "NSDeleteRule": .integer(relationship.deleteRule.coreDataCode),
      "NSMinCount": .integer(Int64(relationship.minimumCount)),
      "NSMaxCount": .integer(Int64(relationship.maximumCount)),
      "NSInverseRelationship": relationship.inverseName.flatMap { properties["\(destination).\($0)"] }
        ?? writer.nothing,
      "_NSInverseRelationshipName": place(ofText: relationship.inverseName),
    ]
    if relationship.isOptional { values["NSIsOptional"] = .boolean(true) }
    // The key only exists if it is true.
    if relationship.isOrdered { values["NSIsOrdered"] = .boolean(true) }
    fill(
      relationship.name, relationship.renamingIdentifier, relationship.versionHashModifier, in: entity,
      ["NSRelationshipDescription"], values)
  }

  // MARK: - Expressions

  private mutating func keyPath(_ path: String) -> PropertyList {
    let specifier = writer.add(
      ["NSKeyPathSpecifierExpression", "NSExpression", "NSObject"],
      ["NSExpressionType": .integer(10), "NSKeyPath": writer.add(.string(path))])
    return writer.add(
      ["NSKeyPathExpression", "NSFunctionExpression", "NSExpression", "NSObject"],
      [
        "NSOperand": this(), "NSSelectorName": writer.add(.string("valueForKey:")), "NSExpressionType": .integer(3),
        "NSArguments": writer.array([specifier]),
      ])
  }

  private mutating func this() -> PropertyList {
    writer.add(["NSSelfExpression", "NSExpression", "NSObject"], ["NSExpressionType": .integer(1)])
  }

  /// A comparison of the value, or of the values at a key path from it, with a constant.
  private mutating func comparison(_ code: Int64, _ constant: PropertyList, _ path: String?) -> PropertyList {
    writer.add(
      ["NSComparisonPredicate", "NSPredicate", "NSObject"],
      [
        "NSLeftExpression": path.map { keyPath($0) } ?? this(),
        "NSRightExpression": writer.add(
          ["NSConstantValueExpression", "NSExpression", "NSObject"], ["NSConstantValue": constant]),
        "NSPredicateOperator": writer.add(
          ["NSComparisonPredicateOperator", "NSPredicateOperator", "NSObject"], ["NSOperatorType": .integer(code)]),
      ])
  }

  /// A key path; a count of objects, `pages.@count`; or a function, `canonical:(title)`.
  private mutating func archived(derivation text: String) -> PropertyList {
    if text.hasSuffix(".@count") { return function("count:", [keyPath(String(text.dropLast(7)))]) }
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else { return keyPath(text) }
    let argument = text[text.index(after: open)...].dropLast()
    return function(String(text[..<open]), argument.isEmpty ? [] : [keyPath(String(argument))])
  }

  private mutating func function(_ name: String, _ arguments: [PropertyList]) -> PropertyList {
    writer.add(
      ["NSFunctionExpression", "NSExpression", "NSObject"],
      [
        "NSOperand": writer.add(
          ["NSConstantValueExpression", "NSExpression", "NSObject"],
          ["NSConstantValueClassName": writer.add(.string("_NSPredicateUtilities"))]),
        "NSSelectorName": writer.add(.string(name)), "NSExpressionType": .integer(4),
        "NSArguments": writer.array(arguments),
      ])
  }
}

extension DeleteRule {
  /// Core Data's number for the rule (`NSDeleteRule`).
  fileprivate var coreDataCode: Int64 {
    switch self {
    case .noAction: 0
    case .nullify: 1
    case .cascade: 2
    case .deny: 3
    }
  }
}
