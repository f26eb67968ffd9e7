// Evaluates expressions and paths in memory.
internal import CoreDataModel

/// The evaluated object, and the current elements of the enclosing subqueries.
struct PredicateScope {
  let subject: any PredicateSubject
  var variables: [String: any PredicateSubject] = [:]

  func start(of path: FetchPath) throws(FetchPredicateError) -> any PredicateSubject {
    guard let variable = path.variable else { return subject }
    guard let element = variables[variable] else { throw .unknownVariable(variable) }
    return element
  }
}

extension PredicateEvaluator {
  /// The single value of an expression.
  func value(_ expression: FetchExpression, _ scope: PredicateScope) throws -> ComparableValue {
    switch expression {
    case .constant(let value): return ComparableValue(value)
    case .object(let objectID): return .object(objectID)
    case .list: throw expression.misplacedList
    case .path(let path): return try value(of: path, scope)
    case .arithmetic(let left, let operation, let right):
      guard let result = operation(try value(left, scope), try value(right, scope)) else {
        throw expression.notNumbers
      }
      return result
    case .negation(let operand):
      guard let result = ArithmeticOperator.subtract(.integer(0), try value(operand, scope)) else {
        throw expression.notNumbers
      }
      return result
    case .function(let function, let operand):
      let value = try value(operand, scope)
      guard let result = function(value) else {
        try expression.check(value.kind, for: function)
        return .null
      }
      return result
    case .now: return .date(now)
    case .aggregate(let function, let path): return try aggregate(function, path, scope)
    case .subqueryCount(let collection, let variable, let predicate):
      var inner = scope
      var count: Int64 = 0
      for element in try objects(at: collection, scope) {
        inner.variables[variable] = element
        if try holds(predicate, inner) { count += 1 }
      }
      return .integer(count)
    }
  }

  /// The end of a path through to-one relationships.
  enum PathDestination {
    case one(ComparableValue)
    /// Nothing, because a relationship along the path is null.
    case nothing
    /// The path contains a to-many relationship.
    case many
  }

  func destination(of path: FetchPath, _ scope: PredicateScope) throws -> PathDestination {
    var subject = try scope.start(of: path)
    for index in path.keys.indices {
      switch try subject.value(atStep: index, of: path) {
      case .attribute(let value): return .one(try path.value(of: ComparableValue(value), at: index))
      case .object(let object):
        guard let object else { return index == path.keys.count - 1 ? .one(.null) : .nothing }
        subject = object
      case .objects: return .many
      }
    }
    return .one(.object(subject.predicateObjectID))
  }

  /// The value of a path that only follows to-one relationships.
  func value(of path: FetchPath, _ scope: PredicateScope) throws -> ComparableValue {
    switch try destination(of: path, scope) {
    case .one(let value): return value
    case .nothing: return .null
    case .many: throw path.needsModifier
    }
  }

  /// The values of a path through at least one to-many relationship; empty if a relationship before the last one is
  /// null.
  func values(of path: FetchPath, _ scope: PredicateScope) throws -> [ComparableValue] {
    var subjects = [try scope.start(of: path)]
    var isThroughToMany = false
    var isBroken = false
    var isAttribute = false
    for index in path.keys.indices {
      var next: [any PredicateSubject] = []
      var values: [ComparableValue] = []
      for subject in subjects {
        switch try subject.value(atStep: index, of: path) {
        case .attribute(let value):
          values.append(try path.value(of: ComparableValue(value), at: index))
          isAttribute = true
        case .object(let object):
          if let object { next.append(object) }
          isBroken = isBroken || object == nil
          values.append(object.map { .object($0.predicateObjectID) } ?? .null)
        case .objects(let objects):
          isThroughToMany = true
          next += objects
          values += objects.map { .object($0.predicateObjectID) }
        }
      }
      if isAttribute || index == path.keys.count - 1 {
        // If nothing was reached, the type of the rest of the path is unknown.
        guard isThroughToMany || isBroken else { throw path.needsToMany }
        return isThroughToMany ? values : []
      }
      subjects = next
    }
    throw path.needsToMany
  }

  /// The objects at the end of a path that ends in a to-many relationship, or in the `objectID` of its objects.
  private func objects(at path: FetchPath, _ scope: PredicateScope) throws -> [any PredicateSubject] {
    var subjects = [try scope.start(of: path)]
    var isThroughToMany = false
    for (index, key) in path.keys.enumerated() {
      let isLast = index == path.keys.count - 1
      var next: [any PredicateSubject] = []
      for subject in subjects {
        switch try subject.value(atStep: index, of: path) {
        case .attribute: throw isLast ? path.needsToMany : path.stepBehindAttribute(key)
        case .object(let object):
          let isSubject = key == FetchPath.objectIDKey && object?.predicateObjectID == subject.predicateObjectID
          if isLast, !isSubject || !isThroughToMany { throw path.needsToMany }
          if let object { next.append(object) }
        case .objects(let objects):
          isThroughToMany = true
          next += objects
        }
      }
      subjects = next
    }
    if path.keys.isEmpty { throw path.needsToMany }
    return subjects
  }

  private func aggregate(
    _ function: AggregateFunction, _ path: FetchPath, _ scope: PredicateScope
  ) throws -> ComparableValue {
    if function == .count { return .integer(Int64(try objects(at: path, scope).count)) }
    let values = try values(of: path, scope).filter { !$0.isNull }
    for value in values {
      if let kind = value.kind { try function.check(kind, of: path) }
    }
    guard let result = function(values) else { throw FetchPredicateError.overflow(in: "\(function.rawValue)(\(path))") }
    return result
  }
}

extension AggregateFunction {
  /// Refuses sums of values that are not numbers, and the minimum of values without an order.
  func check(_ kind: ValueKind, of path: FetchPath) throws(FetchPredicateError) {
    switch self {
    case .count: return
    case .sum, .average:
      if kind == .number { return }
      throw .typeMismatch(
        in: "\(rawValue)(\(path))", found: kind.rawValue, expected: ValueKind.number.rawValue)
    case .minimum, .maximum:
      if kind != .object { return }
      throw .unsupported(in: "\(rawValue)(\(path))", reason: "objects have no order; name one of their attributes")
    }
  }
}

extension FetchExpression {
  var misplacedList: FetchPredicateError {
    .unsupported(in: "\(self)", reason: "a list is allowed only to the right of IN and BETWEEN")
  }

  var notNumbers: FetchPredicateError {
    .typeMismatch(in: "\(self)", found: "a value that is not a number", expected: ValueKind.number.rawValue)
  }
}

extension FetchPath {
  /// Whether the key, which is an attribute's, is only followed by `length`.
  func asksLength(behind index: Int) -> Bool { index == keys.count - 2 && keys[index + 1] == "length" }

  /// The value of the path if the key at the index is an attribute's with this value.
  fileprivate func value(of attribute: ComparableValue, at index: Int) throws(FetchPredicateError) -> ComparableValue {
    if index == keys.count - 1 { return attribute }
    guard asksLength(behind: index) else { throw stepBehindAttribute(keys[index]) }
    switch attribute {
    case .null: return .null
    case .text(let text): return .integer(Int64(text.utf16.count))
    case .binary(let data): return .integer(Int64(data.count))
    default: throw stepBehindAttribute(keys[index])
    }
  }

  var needsModifier: FetchPredicateError {
    .unsupported(
      in: "\(self)", reason: "the path goes through a to-many relationship; put ANY, ALL or NONE before it")
  }

  var needsToMany: FetchPredicateError {
    .unsupported(in: "\(self)", reason: "expected a path through a to-many relationship")
  }

  func stepBehindAttribute(_ key: String) -> FetchPredicateError {
    .unsupported(
      in: "\(self)", reason: "'\(key)' is an attribute, which has no properties but the length of text and binary data")
  }
}

extension PredicateSubject {
  /// The value of the property at an index of the path, or the object itself for a final `objectID`, or its entity.
  fileprivate func value(atStep index: Int, of path: FetchPath) throws -> PredicateValue {
    let key = path.keys[index]
    let isLast = index == path.keys.count - 1
    guard key == FetchPath.entityKey || (key == FetchPath.objectIDKey && isLast) else {
      return try predicateValue(forKey: key)
    }
    do {
      return try predicateValue(forKey: key)
    } catch let error as FetchPredicateError {
      guard case .unknownKey = error else { throw error }
      if key == FetchPath.objectIDKey { return .object(self) }
      guard path.withoutEntity?.keys.count == index else { throw error }
      let entity = EntitySubject(predicateObjectID: predicateObjectID)
      return isLast ? try entity.predicateValue(forKey: "name") : .object(entity)
    }
  }
}

/// The entity of an object.
private struct EntitySubject: PredicateSubject {
  let predicateObjectID: ManagedObjectID

  /// The entity's name, which is the only key.
  func predicateValue(forKey key: String) throws -> PredicateValue {
    .attribute(.string(predicateObjectID.entityName))
  }
}
