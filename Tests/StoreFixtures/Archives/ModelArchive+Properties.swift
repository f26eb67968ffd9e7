// Attributes, relationships and fetched properties in the archive of a model.
internal import CoreDataFiles
internal import CoreDataModel
internal import Foundation

extension ModelArchive {
  // The bits of an attribute's flags.
  private static let hasMaximum: Int64 = 1
  private static let hasMinimum: Int64 = 2
  private static let isPreservedInHistory: Int64 = 16

  /// Fills in a property: the values that every property has, and its own.
  private mutating func fill(
    _ name: String, _ renamingIdentifier: String?, in entity: EntityDescription, _ classNames: [String],
    _ values: [String: PropertyList]
  ) {
    guard let place = properties["\(entity.name).\(name)"] else { return }
    let common: [String: PropertyList] = [
      "NSPropertyName": writer.add(.string(name)), "NSEntity": self.place(entity.name),
      "NSRenamingIdentifier": writer.add(.string(renamingIdentifier ?? name)),
    ]
    writer.fill(place, classNames + ["NSPropertyDescription", "NSObject"], common.merging(values) { $1 })
  }

  mutating func fill(
    _ attribute: AttributeDescription, declaredBy owner: EntityDescription, in entity: EntityDescription
  ) {
    let name = "\(owner.name).\(attribute.name)"
    var flags: Int64 = attribute.preservesValueInHistoryOnDeletion ? ModelArchive.isPreservedInHistory : 0
    var values: [String: PropertyList] = [
      "NSAttributeType": .integer(attribute.type.coreDataCode), "NSValueTransformerName": writer.nothing,
      "NSDefaultValue": model.foreignDefaults.contains(name)
        ? writer.add(["Application.Cover", "NSObject"], ["text": writer.add(.string("default"))])
        : archived(attribute.defaultValue),
    ]
    var predicates = model.foreignRules.contains(name) ? [comparison(99, writer.add(.string("word")), nil)] : []
    for rule in attribute.validationRules {
      switch rule {
      case .range(let minimum, let maximum):
        if let minimum {
          flags |= ModelArchive.hasMinimum
          values["NSMinValueName"] = archived(minimum)
        }
        if let maximum {
          flags |= ModelArchive.hasMaximum
          values["NSMaxValueName"] = archived(maximum)
        }
      case .length(let minimum, let maximum):
        let bounds = [(3 as Int64, minimum), (1, maximum)].compactMap { code, bound in
          bound.map { comparison(code, writer.add(.integer(Int64($0))), "length") }
        }
        predicates.insert(
          writer.add(
            ["NSCompoundPredicate", "NSPredicate", "NSObject"],
            ["NSCompoundPredicateType": .integer(1), "NSSubpredicates": writer.array(bounds)]), at: 0)
      case .pattern(let pattern): predicates.append(comparison(6, writer.add(.string(pattern)), nil))
      }
    }
    values["NSFlagsKey"] = .integer(flags)
    if !predicates.isEmpty { values["NSValidationPredicates"] = writer.array(predicates) }
    if attribute.isOptional { values["NSIsOptional"] = .boolean(true) }
    if attribute.isTransient { values["NSIsTransient"] = .boolean(true) }
    if model.hasOldIndexes,
      owner.fetchIndexes.contains(where: { $0.elements.map(\.propertyName) == [attribute.name] })
    {
      values["NSIsIndexed"] = .boolean(true)
    }
    var classNames = ["NSAttributeDescription"]
    if let derivation = attribute.derivationExpression {
      values["NSDerivationExpression"] = archived(derivation: derivation)
      values["NSIsReadOnly"] = .boolean(true)
      classNames.insert("NSDerivedAttributeDescription", at: 0)
    }
    fill(attribute.name, attribute.renamingIdentifier, in: entity, classNames, values)
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
      "_NSInverseRelationshipName": relationship.inverseName.map { writer.add(.string($0)) } ?? writer.nothing,
    ]
    if relationship.isOptional { values["NSIsOptional"] = .boolean(true) }
    // The key only exists if it is true.
    if relationship.isOrdered { values["NSIsOrdered"] = .boolean(true) }
    fill(relationship.name, relationship.renamingIdentifier, in: entity, ["NSRelationshipDescription"], values)
  }

  mutating func fillFetchedProperty(_ name: String, in entity: EntityDescription) {
    fill(
      name, nil, in: entity, ["NSFetchedPropertyDescription"],
      ["NSIsOptional": .boolean(true), "NSIsTransient": .boolean(true), "NSIsReadOnly": .boolean(true)])
  }

  // MARK: - Values and expressions

  private mutating func archived(_ value: AttributeValue) -> PropertyList {
    switch value {
    case .integer(let number): writer.add(.integer(number))
    case .boolean(let flag): writer.add(.boolean(flag))
    case .real(let number): writer.add(.real(number))
    case .string(let text): writer.add(.string(text))
    case .date(let date):
      writer.add(["NSDate", "NSObject"], ["NS.time": .real(date.timeIntervalSinceReferenceDate)])
    // No fixture has a default of any other type.
    default: writer.nothing
    }
  }

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

  /// A comparison of the value, or of the value at a path, with a constant.
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

  /// A path, or the number of objects at one: `pages.@count`.
  private mutating func archived(derivation text: String) -> PropertyList {
    guard text.hasSuffix(".@count") else { return keyPath(text) }
    let path = keyPath(String(text.dropLast(7)))
    return writer.add(
      ["NSFunctionExpression", "NSExpression", "NSObject"],
      [
        "NSOperand": writer.add(
          ["NSConstantValueExpression", "NSExpression", "NSObject"],
          ["NSConstantValueClassName": writer.add(.string("_NSPredicateUtilities"))]),
        "NSSelectorName": writer.add(.string("count:")), "NSExpressionType": .integer(4),
        "NSArguments": writer.array([path]),
      ])
  }
}

extension AttributeType {
  /// The numbers of NSAttributeType.
  fileprivate var coreDataCode: Int64 {
    switch self {
    case .int16: 100
    case .int32: 200
    case .int64: 300
    case .decimal: 400
    case .double: 500
    case .float: 600
    case .string: 700
    case .boolean: 800
    case .date: 900
    case .binary: 1_000
    case .uuid: 1_100
    case .uri: 1_200
    case .transformable: 1_800
    }
  }
}

extension DeleteRule {
  /// The numbers of NSDeleteRule.
  fileprivate var coreDataCode: Int64 {
    switch self {
    case .noAction: 0
    case .nullify: 1
    case .cascade: 2
    case .deny: 3
    }
  }
}
