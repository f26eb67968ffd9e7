// The expected result of a dictionary fetch, computed in memory in the simplest way.
import Foundation

@testable import CoreDataModel
@testable import ObjectGraph

/// A fetch of dictionaries, evaluated on the world's objects.
struct DictionaryReference {
  /// A row of the result: its objects and its values.
  private struct Row {
    let objects: [WorldObject]
    let groups: [ComparableValue]
    var values: [AttributeValue] = []
  }

  let request: FetchRequest<ManagedObject>
  let store: WorldStore
  private let evaluator = PredicateEvaluator(.constant(true))

  init(request: FetchRequest<ManagedObject>, store: WorldStore) {
    self.request = request
    self.store = store
  }

  private var expressions: [(name: String, expression: FetchExpression)] {
    request.propertiesToFetch.map { property in
      switch property {
      case .property(let name): (name, .path(FetchPath(name)))
      case .expression(let description): (description.name, description.expression)
      }
    }
  }

  func rows() throws -> [[AttributeValue]] {
    let filter = PredicateEvaluator(request.predicate ?? .constant(true))
    let objects = try (store.objects[request.entityName] ?? []).filter { try filter.evaluate($0) }
    var rows = try grouped(objects)
    if let having = request.havingPredicate {
      rows = try rows.filter { row in
        // A group without rows would have no object to evaluate; groups of attributes always have some.
        guard let first = row.objects.first else { return false }
        return try replaced(having, row).evaluate(with: first)
      }
    }
    rows = try rows.map { row in
      var row = row
      row.values = try expressions.map { try value($0.expression, row).attribute }
      return row
    }
    if request.returnsDistinctResults { rows = distinct(rows) }
    let keyed = try rows.map { row in (row: row, keys: try sortKeys(of: row)) }
    let sorted = keyed.sorted { left, right in
      for (index, key) in left.keys.enumerated() {
        let isAscending = index >= request.sortDescriptors.count || request.sortDescriptors[index].isAscending
        switch order(key, right.keys[index]) {
        case .equal: continue
        case .less: return isAscending
        case .greater: return !isAscending
        }
      }
      return false
    }
    return sorted[request.window.range(in: sorted.count)].map(\.row.values)
  }

  private func grouped(_ objects: [WorldObject]) throws -> [Row] {
    if request.propertiesToGroupBy.isEmpty {
      let isAggregated = expressions.contains { $0.expression.aggregatesRows(of: request.entityName, store.world) }
      return isAggregated ? [Row(objects: objects, groups: [])] : objects.map { Row(objects: [$0], groups: []) }
    }
    var rows: [(groups: [ComparableValue], objects: [WorldObject])] = []
    for object in objects {
      let groups = try request.propertiesToGroupBy.map { try value(of: $0, object) }
      if let index = rows.firstIndex(where: { zip($0.groups, groups).allSatisfy { $0.equals($1) } }) {
        rows[index].objects.append(object)
      } else {
        rows.append((groups, [object]))
      }
    }
    return rows.map { Row(objects: $0.objects, groups: $0.groups) }
  }

  private func distinct(_ rows: [Row]) -> [Row] {
    var kept: [Row] = []
    for row in rows
    where !kept.contains(where: {
      zip($0.values, row.values).allSatisfy { ComparableValue($0).equals(ComparableValue($1)) }
    }) {
      kept.append(row)
    }
    return kept
  }

  private func sortKeys(of row: Row) throws -> [ComparableValue] {
    let asked = try request.sortDescriptors.map { descriptor in
      let name = descriptor.path.keys.joined(separator: ".")
      let named = expressions.first { $0.name == name }?.expression ?? .path(descriptor.path)
      return try value(named, row).folded(descriptor.options).sortKey(descriptor.selector.order)
    }
    if request.returnsDistinctResults { return asked + row.values.map { ComparableValue($0) } }
    return asked + (row.groups.isEmpty ? [.integer(row.objects.first?.predicateObjectID.key ?? 0)] : row.groups)
  }

  private func order(_ left: ComparableValue, _ right: ComparableValue) -> ValueOrder {
    switch (left.isNull, right.isNull) {
    case (true, true): .equal
    case (true, false): .less
    case (false, true): .greater
    case (false, false): keyOrder(left, right)
    }
  }

  /// Grouping objects are in the order of their keys.
  private func keyOrder(_ left: ComparableValue, _ right: ComparableValue) -> ValueOrder {
    if case .object(let left) = left, case .object(let right) = right { return ValueOrder(left.key, right.key) }
    return left.order(to: right) ?? .equal
  }

  private func value(of name: String, _ object: WorldObject) throws -> ComparableValue {
    try evaluator.value(of: FetchPath(name), PredicateScope(subject: object))
  }

  /// An expression's value for a row; aggregates use the row's objects.
  private func value(_ expression: FetchExpression, _ row: Row) throws -> ComparableValue {
    switch expression {
    case .aggregate(let function, let path) where expression.aggregatesRows(of: request.entityName, store.world):
      if function == .count, path.keys.isEmpty { return .integer(Int64(row.objects.count)) }
      let values = try row.objects.map { try evaluator.value(of: path, PredicateScope(subject: $0)) }
      return function(values.filter { !$0.isNull }) ?? .null
    case .arithmetic(let left, let operation, let right):
      return operation(try value(left, row), try value(right, row)) ?? .null
    case .negation(let operand):
      return ArithmeticOperator.subtract(.integer(0), try value(operand, row)) ?? .null
    case .function(let function, let argument): return function(try value(argument, row)) ?? .null
    case .constant(let value): return ComparableValue(value)
    default:
      guard let first = row.objects.first else { return .null }
      return try evaluator.value(expression, PredicateScope(subject: first))
    }
  }

  /// The predicate with constants in place of values of the row's group.
  private func replaced(_ predicate: FetchPredicate, _ row: Row) throws -> FetchPredicate {
    switch predicate.form {
    case .constant: return predicate
    case .and(let terms): return .and(try terms.map { try replaced($0, row) })
    case .or(let terms): return .or(try terms.map { try replaced($0, row) })
    case .not(let term): return .not(try replaced(term, row))
    case .comparison(var comparison):
      comparison.left = try replaced(comparison.left, row)
      comparison.right = try replaced(comparison.right, row)
      return .comparison(comparison)
    }
  }

  private func replaced(_ expression: FetchExpression, _ row: Row) throws -> FetchExpression {
    switch expression {
    case .list(let elements): return .list(try elements.map { try replaced($0, row) })
    case .path(let path):
      if let named = expressions.first(where: { $0.name == path.variable }) {
        return .constant(try value(named.expression, row).attribute)
      }
      return expression
    case .aggregate, .arithmetic, .negation, .function: return .constant(try value(expression, row).attribute)
    default: return expression
    }
  }
}

extension ComparableValue {
  /// The value as an attribute of the simplest type for it.
  var attribute: AttributeValue {
    switch self {
    case .null, .object: .null
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .date(let value): .date(Date(timeIntervalSinceReferenceDate: value))
    case .text(let value): .string(value)
    case .uri(let value): URL(string: value).map { .uri($0) } ?? .null
    case .binary(let value): .binary(value)
    case .uuid(let value): .uuid(value)
    }
  }
}
