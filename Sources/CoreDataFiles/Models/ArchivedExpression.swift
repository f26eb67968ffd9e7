// Reads archived expressions and predicates: derivations as text, and validation rules.
internal import CoreDataModel

struct ArchivedExpression {
  private static let longestPath = 1_000

  private let archive: KeyedArchive
  /// How many more expressions to read: a few archived objects can form an endless expression.
  private var left = 32

  init(_ archive: KeyedArchive) { self.archive = archive }

  /// A derivation in the syntax of a model file; `nil` for any other expression.
  mutating func text(_ value: PropertyList?) -> String? {
    left -= 1
    guard left >= 0, let expression = archive.object(value) else { return nil }
    if expression.isKind(of: "NSKeyPathExpression") || expression.className == "NSKeyPathSpecifierExpression" {
      return keyPath(expression)
    }
    guard expression.className == "NSFunctionExpression",
      let function = archive.string(expression.values["NSSelectorName"]),
      function.utf8.count <= ArchivedExpression.longestPath
    else { return nil }
    var arguments: [String] = []
    for argument in archive.elements(expression.values["NSArguments"]) ?? [] {
      guard let text = text(argument) else { return nil }
      arguments.append(text)
    }
    if function == "count:", arguments.count == 1 { return "\(arguments[0]).@count" }
    return "\(function)(\(arguments.joined(separator: ", ")))"
  }

  /// The key path of an expression that follows one from the object; `nil` for any other expression.
  func keyPath(_ expression: KeyedArchive.Object) -> String? {
    var specifier: KeyedArchive.Object? = expression
    if expression.isKind(of: "NSKeyPathExpression") {
      guard archive.object(expression.values["NSOperand"])?.isKind(of: "NSSelfExpression") == true,
        let arguments = archive.elements(expression.values["NSArguments"]), arguments.count == 1
      else { return nil }
      specifier = archive.object(arguments[0])
    }
    guard let path = archive.string(specifier?.values["NSKeyPath"]), path.utf8.count <= ArchivedExpression.longestPath
    else { return nil }
    return path
  }
}

extension ArchivedModel {
  /// The validation rules of an attribute; unknown rules become remarks.
  mutating func validationRules(
    _ property: KeyedArchive.Object, of type: AttributeType, _ position: String
  ) throws(MalformedContent) -> [ValidationRule] {
    var rules = ArchivedRules(archive, type)
    let predicates = archive.elements(property.values["NSValidationPredicates"]) ?? []
    try draft.count(parts: predicates.count)
    for predicate in predicates {
      if !rules.add(predicate) {
        draft.remark("A validation rule of \(position) is neither a range, a length nor a pattern: it is left out.")
      }
    }
    return rules.rules
  }
}

/// Converts archived predicates to rules.
private struct ArchivedRules {
  private let archive: KeyedArchive
  private let type: AttributeType
  private var range: (minimum: AttributeValue?, maximum: AttributeValue?)
  private var length: (minimum: Int?, maximum: Int?)
  private var patterns: [String] = []

  init(_ archive: KeyedArchive, _ type: AttributeType) {
    self.archive = archive
    self.type = type
  }

  var rules: [ValidationRule] {
    var rules: [ValidationRule] = []
    if range.minimum != nil || range.maximum != nil {
      rules.append(.range(minimum: range.minimum, maximum: range.maximum))
    }
    if length.minimum != nil || length.maximum != nil {
      rules.append(.length(minimum: length.minimum, maximum: length.maximum))
    }
    return rules + patterns.map { .pattern($0) }
  }

  /// Adds the rule of a predicate with all its subpredicates; false, and without any effect, if it is not one of our
  /// rules.
  mutating func add(_ predicate: PropertyList) -> Bool {
    var copy = self
    // A few archived objects can form an endless predicate.
    var left = 32
    guard copy.add(predicate, &left) else { return false }
    self = copy
    return true
  }

  private mutating func add(_ value: PropertyList, _ left: inout Int) -> Bool {
    left -= 1
    guard left >= 0, let predicate = archive.object(value) else { return false }
    if predicate.isKind(of: "NSCompoundPredicate") {
      guard predicate.values["NSCompoundPredicateType"]?.integer == 1,
        let parts = archive.elements(predicate.values["NSSubpredicates"])
      else { return false }
      for part in parts where !add(part, &left) { return false }
      return true
    }
    guard predicate.isKind(of: "NSComparisonPredicate"),
      let left = archive.object(predicate.values["NSLeftExpression"]),
      let right = archive.object(predicate.values["NSRightExpression"]),
      right.isKind(of: "NSConstantValueExpression"),
      let comparison = archive.object(predicate.values["NSPredicateOperator"]),
      let code = comparison.values["NSOperatorType"]?.integer
    else { return false }
    let constant = right.values["NSConstantValue"]
    if left.isKind(of: "NSSelfExpression") { return compareSelf(code, constant) }
    guard ArchivedExpression(archive).keyPath(left) == "length" else { return false }
    return compareLength(code, constant)
  }

  /// Core Data's operator numbers: 1 at most, 3 at least, 6 matches.
  private mutating func compareSelf(_ code: Int64, _ constant: PropertyList?) -> Bool {
    if code == 6 {
      guard type == .string, let pattern = archive.string(constant) else { return false }
      patterns.append(pattern)
      return true
    }
    guard type.hasRange, let bound = archive.attributeValue(constant, of: type), !bound.isNull else { return false }
    switch code {
    case 1 where range.maximum == nil: range.maximum = bound
    case 3 where range.minimum == nil: range.minimum = bound
    default: return false
    }
    return true
  }

  private mutating func compareLength(_ code: Int64, _ constant: PropertyList?) -> Bool {
    guard type == .string || type == .binary,
      let bound = archive.resolved(constant)?.integer.flatMap({ Int(exactly: $0) }), bound >= 0
    else { return false }
    switch code {
    case 1 where length.maximum == nil: length.maximum = bound
    case 3 where length.minimum == nil: length.minimum = bound
    default: return false
    }
    return true
  }
}
