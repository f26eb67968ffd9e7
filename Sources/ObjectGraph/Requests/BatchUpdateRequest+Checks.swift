// Checks which values a batch update may set, and which conditions it may use.
internal import CoreDataModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An attribute and its new value, checked against each other.
struct BatchAssignment: Sendable {
  enum Value: Sendable {
    /// A value converted to the attribute's type.
    case constant(AttributeValue)
    case computed(FetchExpression)
  }

  let slot: Int
  let column: String
  let value: Value
}

extension BatchUpdateRequest {
  /// The attributes in name order.
  ///
  /// - Throws: ``ObjectGraphError/unknownAttribute(entity:key:expected:row:)``,
  ///   ``ObjectGraphError/relationshipInBatch(entity:key:row:)``, ``ObjectGraphError/wrongType(entity:key:found:expected:row:)``,
  ///   ``ObjectGraphError/missingValue(entity:key:row:)``, ``ObjectGraphError/invalidBatch(entity:found:expected:)``.
  func assignments(_ layout: EntityLayout) throws(ObjectGraphError) -> [BatchAssignment] {
    if propertiesToUpdate.isEmpty {
      throw layout.invalidBatch("no propertiesToUpdate", "an attribute at least, with its new value")
    }
    if let predicate, let path = predicate.joinedPath(layout) {
      throw layout.invalidBatch(
        "'\(path)' in the predicate of an update, which follows a relationship",
        "attributes of \(layout.entity.name), and to-one relationships compared with objects")
    }
    var assignments: [BatchAssignment] = []
    for (key, expression) in propertiesToUpdate.sorted(by: { $0.key < $1.key }) {
      let slot = try layout.batchSlot(key)
      let attribute = layout.attributes[slot]
      let value: BatchAssignment.Value
      if case .constant(let constant) = expression {
        guard let conformed = constant.conformed(to: attribute.type) else {
          throw layout.wrongType(constant, slot: slot)
        }
        if conformed.isStoredAsNull, !layout.slots[slot].isOptional {
          throw .missingValue(entity: layout.entity.name, key: key, row: nil)
        }
        value = .constant(conformed)
      } else {
        let result = try layout.batchType(of: expression, for: key)
        if let result, !result.fits(attribute.type) {
          throw .wrongType(
            entity: layout.entity.name, key: key, found: "\(expression), which is \(result.rawValue)",
            expected: attribute.type.expectation, row: nil)
        }
        value = .computed(expression)
      }
      assignments.append(BatchAssignment(slot: slot, column: layout.columnName(of: slot), value: value))
    }
    return assignments
  }
}

/// The type of an expression over a row's own attributes.
private enum BatchValueType: String {
  case integer = "an integer"
  case real = "a number with a fraction"
  case flag = "a boolean"
  case date = "a date"
  case text = "text"
  case uri = "a URI"
  case binary = "binary data"
  case uuid = "a UUID"

  init(_ type: AttributeType) {
    switch type {
    case .int16, .int32, .int64: self = .integer
    case .float, .double, .decimal: self = .real
    case .boolean: self = .flag
    case .date: self = .date
    case .string: self = .text
    case .uri: self = .uri
    case .binary, .transformable: self = .binary
    case .uuid: self = .uuid
    }
  }

  var isNumber: Bool { self == .integer || self == .real }

  /// Integers convert to floating point if necessary, but never the other way round.
  func fits(_ type: AttributeType) -> Bool {
    let wanted = BatchValueType(type)
    return self == wanted || (self == .integer && wanted == .real)
  }
}

extension EntityLayout {
  func invalidBatch(_ found: String, _ expected: String) -> ObjectGraphError {
    .invalidBatch(entity: entity.name, found: found, expected: expected)
  }

  /// The slot of a stored attribute.
  fileprivate func batchSlot(_ key: String) throws(ObjectGraphError) -> Int {
    if isRelationship(key) { throw .relationshipInBatch(entity: entity.name, key: key, row: nil) }
    guard let slot = slot(named: key) else { throw unknownAttribute(key) }
    if slots[slot].isTransient {
      throw invalidBatch("the transient attribute '\(key)'", "an attribute that is stored")
    }
    return slot
  }

  /// `nil` for null, which every optional attribute accepts.
  fileprivate func batchType(
    of expression: FetchExpression, for key: String
  ) throws(ObjectGraphError) -> BatchValueType? {
    switch expression {
    case .constant(let value):
      switch value {
      case .null, .reference: return nil
      case .integer: return .integer
      case .boolean: return .flag
      case .real, .decimal: return .real
      case .date: return .date
      case .string: return .text
      case .binary: return .binary
      case .uuid: return .uuid
      case .uri: return .uri
      }
    case .path(let path):
      guard path.variable == nil, path.keys.count == 1 else {
        throw invalidBatch("'\(path)' in the new value of '\(key)'", "attributes of the row itself")
      }
      return BatchValueType(attributes[try batchSlot(path.keys[0])].type)
    case .arithmetic(let left, let operation, let right):
      let types = try [left, right].map { (side) throws(ObjectGraphError) in try number(side, in: expression, for: key)
      }
      if operation.isBitwise { return .integer }
      return operation == .power || types.contains(.real) ? .real : .integer
    case .negation(let operand): return try number(operand, in: expression, for: key)
    case .function(let function, let operand):
      guard function.isAboutText else {
        let type = try number(operand, in: expression, for: key)
        return function == .squareRoot ? .real : type
      }
      guard let type = try batchType(of: operand, for: key) else { return .text }
      if type == .text { return .text }
      throw .wrongType(
        entity: entity.name, key: key, found: "'\(expression)' with \(type.rawValue)",
        expected: "a function of text with text", row: nil)
    case .now: return .date
    case .object, .list, .aggregate, .subqueryCount:
      throw invalidBatch(
        "'\(expression)' as the new value of '\(key)'",
        "constants, attributes of the row itself, arithmetic, and functions of these")
    }
  }

  private func number(
    _ operand: FetchExpression, in expression: FetchExpression, for key: String
  ) throws(ObjectGraphError) -> BatchValueType {
    guard let type = try batchType(of: operand, for: key) else { return .integer }
    if type.isNumber { return type }
    throw .wrongType(
      entity: entity.name, key: key, found: "'\(expression)' with \(type.rawValue)",
      expected: "arithmetic and its functions with numbers",
      row: nil)
  }
}

extension FetchPredicate {
  /// A path that needs another row than the tested one.
  fileprivate func joinedPath(_ layout: EntityLayout) -> String? {
    for comparison in comparisons {
      if let path = comparison.left.joinedPath(layout) ?? comparison.right.joinedPath(layout) { return path }
    }
    return nil
  }
}

extension FetchExpression {
  fileprivate func joinedPath(_ layout: EntityLayout) -> String? {
    switch self {
    case .constant, .now, .object: nil
    case .path(let path): path.staysInRow(of: layout) ? nil : "\(path)"
    case .list(let expressions): expressions.lazy.compactMap { $0.joinedPath(layout) }.first
    case .arithmetic(let left, _, let right): left.joinedPath(layout) ?? right.joinedPath(layout)
    case .negation(let operand), .function(_, let operand): operand.joinedPath(layout)
    case .aggregate, .subqueryCount: "\(self)"
    }
  }
}

extension FetchPath {
  /// Whether it is a property of the row itself, the length of an attribute, or the ID of a to-one destination.
  fileprivate func staysInRow(of layout: EntityLayout) -> Bool {
    if keys.contains(where: { layout.toManyIndex(named: $0) != nil }) { return false }
    if keys.count < 2 || (withoutEntity?.keys.isEmpty == true && layout.slot(named: keys[0]) == nil) { return true }
    guard let slot = layout.slot(named: keys[0]) else { return false }
    return layout.isToOne(slot) ? keys.count == 2 && keys[1] == FetchPath.objectIDKey : asksLength(behind: 0)
  }
}
