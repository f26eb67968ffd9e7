// Reads attributes and relationships from the archive of a model.
internal import CoreDataModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension ArchivedModel {
  // The bits of an attribute's flags.
  static let hasMaximum: Int64 = 1
  static let hasMinimum: Int64 = 2
  private static let isStoredExternally: Int64 = 4
  static let isPreservedInHistory: Int64 = 16

  /// The attribute; `nil`, with a remark, if this library does not support its type.
  mutating func attribute(
    _ property: KeyedArchive.Object, named name: String, of entity: String
  ) throws(MalformedContent) -> AttributeDescription? {
    let position = "\(entity).\(name)"
    let code = property.values["NSAttributeType"]?.integer ?? 0
    guard let type = AttributeType(coreDataCode: code) else {
      draft.remark("\(position) is of \(AttributeType.description(ofCoreDataCode: code)): it is left out.")
      return nil
    }
    let flags = property.values["NSFlagsKey"]?.integer ?? 0
    if flags & ArchivedModel.isStoredExternally != 0 { draft.remarkExternalStorage(of: position) }
    let defaultValue = defaultValue(property, of: type, position)
    let rules = try validationRules(property, of: type, position) + bounds(property, flags, of: type)
    return AttributeDescription(
      name, type, isOptional: property.values["NSIsOptional"]?.boolean ?? false, defaultValue: defaultValue,
      isTransient: property.values["NSIsTransient"]?.boolean ?? false,
      validationRules: try draft.kept(rules, of: type, defaultValue: defaultValue, position),
      preservesValueInHistoryOnDeletion: flags & ArchivedModel.isPreservedInHistory != 0,
      derivationExpression: derivation(property, position),
      renamingIdentifier: otherName(property.values["NSRenamingIdentifier"], than: name),
      versionHashModifier: archive.string(property.values["NSVersionHashModifier"]))
  }

  private mutating func defaultValue(
    _ property: KeyedArchive.Object, of type: AttributeType, _ position: String
  ) -> AttributeValue {
    if let value = archive.attributeValue(property.values["NSDefaultValue"], of: type) { return value }
    draft.remark("The default of \(position) is not \(type.expectation) that can be read: there is none here.")
    return .null
  }

  /// Bounds that are archived as numbers instead of predicates.
  private func bounds(_ property: KeyedArchive.Object, _ flags: Int64, of type: AttributeType) -> [ValidationRule] {
    let minimum = flags & ArchivedModel.hasMinimum == 0 ? nil : property.values["NSMinValueName"]
    let maximum = flags & ArchivedModel.hasMaximum == 0 ? nil : property.values["NSMaxValueName"]
    if minimum == nil, maximum == nil { return [] }
    if type == .string || type == .binary {
      return [.length(minimum: minimum.flatMap(\.count), maximum: maximum.flatMap(\.count))]
    }
    return [.range(minimum: minimum.flatMap { bound($0, type) }, maximum: maximum.flatMap { bound($0, type) })]
  }

  private func bound(_ number: PropertyList, _ type: AttributeType) -> AttributeValue? {
    if type == .date { return number.real.map { .date(Date(timeIntervalSinceReferenceDate: $0)) } }
    return archive.attributeValue(number, of: type)
  }

  private mutating func derivation(_ property: KeyedArchive.Object, _ position: String) -> String? {
    guard property.isKind(of: "NSDerivedAttributeDescription") else { return nil }
    var expression = ArchivedExpression(archive)
    if let text = expression.text(property.values["NSDerivationExpression"]) { return text }
    draft.remark("What \(position) is derived from cannot be read: it is an ordinary attribute here.")
    return nil
  }

  // MARK: - Relationships

  func relationship(
    _ property: KeyedArchive.Object, named name: String, of entity: String
  ) throws(MalformedContent) -> RelationshipDescription {
    let destination =
      archive.object(property.values["NSDestinationEntity"]).flatMap { archive.string($0.values["NSEntityName"]) }
      ?? archive.string(property.values["_NSDestinationEntityName"])
    guard let destination else {
      throw MalformedContent(
        found: "an archive in which the relationship \(entity).\(name) leads nowhere", expected: "a destination")
    }
    let inverse =
      archive.object(property.values["NSInverseRelationship"]).flatMap { archive.string($0.values["NSPropertyName"]) }
      ?? archive.string(property.values["_NSInverseRelationshipName"])
    // A missing or negative maximum means no limit.
    let maximum = property.values["NSMaxCount"]?.count ?? 0
    let minimum = property.values["NSMinCount"]?.count ?? 0
    return RelationshipDescription(
      name, to: try ModelDraft.checked(destination), inverse: try inverse.map(ModelDraft.checked),
      isToMany: maximum != 1,
      isOrdered: property.values["NSIsOrdered"]?.boolean ?? false,
      isOptional: property.values["NSIsOptional"]?.boolean ?? false, minimumCount: minimum, maximumCount: maximum,
      deleteRule: DeleteRule(coreDataCode: property.values["NSDeleteRule"]?.integer ?? 1),
      renamingIdentifier: otherName(property.values["NSRenamingIdentifier"], than: name),
      versionHashModifier: archive.string(property.values["NSVersionHashModifier"]))
  }
}

extension PropertyList {
  /// A count; 0 for a negative number.
  fileprivate var count: Int? { integer.flatMap { Int(exactly: max(0, $0)) } }
}

extension AttributeType {
  /// The type for Core Data's number (`NSAttributeType`).
  init?(coreDataCode code: Int64) {
    guard let type = AttributeType.allCases.first(where: { $0.coreDataCode == code }) else { return nil }
    self = type
  }

  /// Core Data's number for the type.
  var coreDataCode: Int64 {
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
    case .binary: 1000
    case .uuid: 1100
    case .uri: 1200
    case .transformable: 1800
    }
  }

  /// What any other number means.
  fileprivate static func description(ofCoreDataCode code: Int64) -> String {
    switch code {
    case 0: "no defined type"
    case 2000: "the type objectID"
    case 2100: "a composite type"
    default: "the type \(code), which is not known"
    }
  }
}

extension DeleteRule {
  /// The rule for Core Data's number (`NSDeleteRule`); unknown numbers give the default rule.
  fileprivate init(coreDataCode code: Int64) {
    switch code {
    case 0: self = .noAction
    case 2: self = .cascade
    case 3: self = .deny
    default: self = .nullify
    }
  }
}
