// Converts a predicate to a condition on the rows of one entity, or reports why that is not possible.
import BatchmarkEngine
internal import Foundation
import CoreDataModel
import ObjectGraph

/// A part of a predicate that a condition cannot have.
struct ConditionMismatch: Error {
  let found: String
  let expected: String
  var suggestion: String?
  /// The missing attribute.
  var attribute: String?
}

/// Turns predicates into conditions on one entity's rows.
struct ConditionReading {
  let entity: EntityDescription

  func condition(_ predicate: FetchPredicate) throws -> RowCondition {
    switch predicate.form {
    case .constant(let value): .constant(value)
    case .and(let terms): .and(try terms.map(condition))
    case .or(let terms): .or(try terms.map(condition))
    case .not(let term): .not(try condition(term))
    case .comparison(let comparison): try condition(comparison)
    }
  }

  private func condition(_ comparison: FetchPredicate.Comparison) throws -> RowCondition {
    let part = "'\(comparison)'"
    guard comparison.modifier == .direct, comparison.options.isEmpty,
      RowCondition.operators.contains(comparison.comparisonOperator)
    else {
      throw ConditionMismatch(
        found: "the comparison \(part) in the predicate",
        expected: "one by " + RowCondition.operators.map(\.rawValue).joined(separator: ", ") + ", without [c] or [d]")
    }
    let sides = "an attribute of \(entity.name) on one side and a value on the other"
    switch (comparison.left, comparison.right) {
    case (.path(let path), let right):
      guard let values = ConditionReading.constants(right) else {
        throw ConditionMismatch(found: "the comparison \(part) in the predicate", expected: sides)
      }
      return try condition(path, comparison.comparisonOperator, values, part: part)
    case (.constant(let value), .path(let path)):
      guard let mirrored = comparison.comparisonOperator.mirrored else { fallthrough }
      return try condition(path, mirrored, [value], part: part)
    default:
      throw ConditionMismatch(found: "the comparison \(part) in the predicate", expected: sides)
    }
  }

  private func condition(
    _ path: FetchPath, _ comparison: ComparisonOperator, _ values: [AttributeValue], part: String
  ) throws -> RowCondition {
    guard path.variable == nil, path.keys.count == 1, let attribute = entity.attribute(named: path.keys[0]) else {
      let names = entity.attributes.map(\.name)
      throw ConditionMismatch(
        found: "the key '\(path)' in the predicate", expected: "one of " + names.joined(separator: ", "),
        suggestion: nearestWord(to: "\(path)", among: names), attribute: "\(path)")
    }
    let isOrdering = [.less, .lessOrEqual, .greater, .greaterOrEqual, .between].contains(comparison)
    if isOrdering && !attribute.type.hasRange && attribute.type != .string {
      throw ConditionMismatch(
        found: "the comparison \(part) in the predicate",
        expected: "=, != or IN for the \(attribute.type.rawValue) \(attribute.name)")
    }
    if [.beginsWith, .contains].contains(comparison) && attribute.type != .string {
      throw ConditionMismatch(
        found: "the comparison \(part) in the predicate",
        expected: "an attribute that is a string; \(attribute.name) is of type \(attribute.type.rawValue)")
    }
    let takesNull = [.equal, .notEqual, .isIn].contains(comparison)
    return .comparison(
      attribute: attribute.name, comparison,
      try values.map { try value($0, for: attribute, takesNull: takesNull, part: part) })
  }

  /// The value as one of the attribute's own type.
  ///
  /// Types without a notation in predicates are read from text.
  private func value(
    _ value: AttributeValue, for attribute: AttributeDescription, takesNull: Bool, part: String
  ) throws -> AttributeValue {
    if value.isNull && takesNull { return .null }
    let type = attribute.type
    let typed: AttributeValue? =
      switch (value, type) {
      case (.string(let text), .string): .string(text)
      case (.string(let text), .date), (.string(let text), .uuid), (.string(let text), .uri),
        (.string(let text), .binary), (.string(let text), .transformable):
        AttributeValue(text: text, type: type)
      case (.integer(let number), _) where type.isNumber: AttributeValue(text: "\(number)", type: type)
      case (.real(let number), .double), (.real(let number), .float), (.real(let number), .decimal):
        AttributeValue(text: "\(number)", type: type)
      case (.boolean(let flag), .boolean): .boolean(flag)
      default: nil
      }
    // A float is stored rounded, so compare it with the rounded value.
    if case .real(let number)? = typed, type == .float { return .real(Double(Float(number))) }
    if let typed { return typed }
    throw ConditionMismatch(
      found: "\(FetchExpression.constant(value)) for the attribute \(attribute.name) in \(part)",
      expected: AttributeValue.textForm(of: type) + (type.isWrittenAsText ? ", in quotes" : ""))
  }

  /// The values of a constant, or of a list of constants; `nil` for anything else.
  private static func constants(_ expression: FetchExpression) -> [AttributeValue]? {
    switch expression {
    case .constant(let value): return [value]
    case .list(let elements):
      let values = elements.compactMap { element -> AttributeValue? in
        if case .constant(let value) = element { value } else { nil }
      }
      return values.count == elements.count ? values : nil
    default: return nil
    }
  }
}

extension ComparisonOperator {
  /// The comparison with its sides exchanged; `nil` if the sides are of different kinds.
  fileprivate var mirrored: ComparisonOperator? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .isIn, .between, .beginsWith, .endsWith, .contains, .like, .matches: nil
    }
  }
}

extension AttributeType {
  fileprivate var isNumber: Bool {
    switch self {
    case .int16, .int32, .int64, .float, .double, .decimal: true
    case .boolean, .date, .string, .binary, .uuid, .uri, .transformable: false
    }
  }

  /// Whether predicates contain its values as text.
  fileprivate var isWrittenAsText: Bool { !isNumber && self != .boolean }
}

/// Reads a predicate.
struct WhereSection: NodeReading {
  let diagnostics: Diagnostics

  /// Reads a predicate on the entity's attributes.
  func read(_ node: YAMLNode, on entity: EntityReading) -> RowCondition? {
    guard let format = text(node, expected: "a predicate, such as magnitude >= 5") else { return nil }
    do {
      return try ConditionReading(entity: entity.description).condition(try FetchPredicate(format: format))
    } catch let error as ConditionMismatch {
      // If the attribute has a mistake, it has been reported already.
      if let name = error.attribute, entity.attributeNames.contains(name) { return nil }
      diagnose(node.place, found: error.found, expected: error.expected, suggestion: error.suggestion)
    } catch let error as FetchPredicateError {
      diagnose(node.place, error)
    } catch {
      diagnose(node.place, found: "\(error)", expected: "a predicate")
    }
    return nil
  }

  private func diagnose(_ place: SourceLocation, _ error: FetchPredicateError) {
    switch error {
    case .syntax(_, let column, let found, let expected, let suggestion):
      diagnose(
        place, found: "\(found) at character \(column) of the predicate", expected: expected, suggestion: suggestion)
    default:
      diagnose(place, found: "a predicate that cannot be read (\(error))", expected: "one such as magnitude >= 5")
    }
  }
}
