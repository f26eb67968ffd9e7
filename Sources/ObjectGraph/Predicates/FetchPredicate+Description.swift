// Writes predicates as formats: for messages, logs, and parsing them again.
internal import CoreDataModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension FetchPredicate: CustomStringConvertible {
  /// The predicate as a format, which can be parsed if its constants are numbers, booleans and text.
  ///
  /// ```swift
  /// let predicate = Quake.magnitude > 4.5 && Quake.place == nil
  /// predicate.description  // "magnitude > 4.5 AND place = NULL"
  /// ```
  public var description: String {
    var text = ""
    var compounds: [(connective: CompoundPredicate.Connective, termCount: Int, isEnclosed: Bool)] = []
    for step in PredicateWalk(self) {
      if step == .end {
        let compound = compounds.removeLast()
        if compound.termCount == 0 { text += FetchPredicate.word(compound.connective.holdsForNone) }
        if compound.isEnclosed { text += ")" }
        continue
      }
      if let compound = compounds.last {
        if compound.termCount > 0 { text += compound.connective.separator }
        compounds[compounds.count - 1].termCount += 1
      }
      switch step {
      case .constant(let value): text += FetchPredicate.word(value)
      case .comparison(let comparison): text += comparison.description
      case .begin(.not):
        text += "NOT "
        compounds.append((.not, 0, false))
      case .begin(let connective):
        if !compounds.isEmpty { text += "(" }
        compounds.append((connective, 0, !compounds.isEmpty))
      case .end: break
      }
    }
    return text
  }

  private static func word(_ value: Bool) -> String { value ? "TRUEPREDICATE" : "FALSEPREDICATE" }
}

extension CompoundPredicate.Connective {
  /// The text between two terms.
  fileprivate var separator: String { self == .and ? " AND " : " OR " }
}

extension FetchPredicate.Comparison: CustomStringConvertible {
  public var description: String {
    let before = modifier == .direct ? "" : modifier.rawValue + " "
    return "\(before)\(left) \(comparisonOperator.rawValue)\(options.suffix) \(right)"
  }
}

extension ComparisonOptions {
  /// `[cd]`, the suffix of an operator; empty for no options.
  var suffix: String { isEmpty ? "" : "[\(letters)]" }

  var letters: String {
    (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
  }
}

extension FetchExpression: CustomStringConvertible {
  public var description: String {
    switch self {
    case .constant(let value): value.predicateDescription
    case .object(let objectID): "\(objectID)"
    case .list(let elements): "{\(elements.map(\.description).joined(separator: ", "))}"
    case .path(let path): path.description
    case .arithmetic(let left, .modulus, let right): "\(ArithmeticOperator.modulus.rawValue)(\(left), \(right))"
    case .arithmetic(let left, let operation, let right):
      "(\(left.operand) \(operation.rawValue) \(right.operand))"
    case .negation(let expression): "(-(\(expression)))"
    case .function(let function, let operand): "\(function.rawValue)(\(operand))"
    case .now: "now()"
    case .aggregate(.count, let path): "\(path).@count"
    case .aggregate(let function, let path): "\(function.rawValue)(\(path))"
    case .subqueryCount(let collection, let variable, let predicate):
      "SUBQUERY(\(collection), $\(variable), \(predicate)).@count"
    }
  }
}

extension FetchExpression {
  /// The description as an operand; a number with a sign is put in parentheses, because the sign would otherwise belong
  /// to the term.
  fileprivate var operand: String {
    switch self {
    case .constant(.integer(..<0)), .constant(.real(..<0)): "(\(self))"
    default: description
    }
  }
}

extension FetchPath: CustomStringConvertible {
  public var description: String {
    let start = variable.map { ["$" + $0] } ?? (keys.isEmpty ? ["SELF"] : [])
    // A reserved word must only be marked at the start of a path.
    let first = start.isEmpty && ReservedWord(keys[0]) != nil ? ["#" + keys[0]] + keys.dropFirst() : keys[...]
    return (start + first).joined(separator: ".")
  }
}

extension AttributeValue {
  fileprivate var predicateDescription: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .boolean(let value): value ? "TRUE" : "FALSE"
    case .real(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .date(let value): value.shown
    case .string(let value): quoted(value)
    case .binary(let value): "(\(value.count) bytes)"
    case .uuid(let value): "\(value)"
    case .uri(let value): quoted(value.absoluteString)
    case .reference: "(an object)"
    }
  }

  private func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\" + String(scalar)
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
