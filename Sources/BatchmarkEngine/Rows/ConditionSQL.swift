// A condition as hand-written SQL.
package import CoreDataModel
internal import ObjectGraph
package import SQLiteDriver

/// The expression after WHERE, and its parameters.
package struct ConditionSQL {
  package private(set) var sql = ""
  package private(set) var parameters: [StoredValue] = []
  /// The prefix of each column's name.
  private let qualifier: String

  /// A condition on rows of an entity.
  ///
  /// - Parameters:
  ///   - condition: The condition on the rows.
  ///   - entity: The entity with the attributes in the condition.
  ///   - table: The name of the entity's table in a statement with several tables; `nil` if the statement has only one.
  package init(_ condition: RowCondition, entity: EntityDescription, table: String? = nil) {
    qualifier = table.map { "\($0)." } ?? ""
    sql = term(condition, entity)
  }

  private mutating func term(_ condition: RowCondition, _ entity: EntityDescription) -> String {
    switch condition {
    case .comparison(let name, let comparison, let values):
      guard let attribute = entity.attribute(named: name) else { return "0" }
      let column = qualifier + attribute.columnName
      // A list may have any number of values, and comparing them one by one makes an expression that is too deep for
      // SQLite. IN does not find null, so IS must.
      if comparison == .isIn {
        let known = values.filter { !$0.isNull }
        parameters += known.map { StoredValue($0, type: attribute.type) }
        let list = comparison.sql(column, values: known.count)
        return known.count == values.count ? list : "\(list) OR \(column) IS NULL"
      }
      parameters += values.map { StoredValue($0, type: attribute.type) }
      return comparison.sql(column, values: values.count)
    case .constant(let value): return value ? "1" : "0"
    case .and(let terms):
      return terms.isEmpty ? "1" : terms.map { "(\(term($0, entity)))" }.joined(separator: " AND ")
    case .or(let terms):
      return terms.isEmpty ? "0" : terms.map { "(\(term($0, entity)))" }.joined(separator: " OR ")
    // Unknown in SQL is false in a condition, so its opposite is true.
    case .not(let inner): return "(\(term(inner, entity))) IS NOT TRUE"
    }
  }
}

extension ComparisonOperator {
  fileprivate func sql(_ column: String, values: Int) -> String {
    switch self {
    // Unlike = and <>, these also compare nulls.
    case .equal: "\(column) IS ?"
    case .notEqual: "\(column) IS NOT ?"
    case .less, .lessOrEqual, .greater, .greaterOrEqual: "\(column) \(rawValue) ?"
    case .isIn: "\(column) IN (\(Array(repeating: "?", count: values).joined(separator: ", ")))"
    case .between: "\(column) BETWEEN ? AND ?"
    case .beginsWith: "instr(\(column), ?) = 1"
    case .contains: "instr(\(column), ?) > 0"
    // Conditions never have these.
    case .endsWith, .like, .matches: "0"
    }
  }
}

extension Statement {
  /// Binds values to consecutive parameters, starting with `first`.
  package func bind(_ values: [StoredValue], from first: Int = 1) throws(SQLiteError) {
    for (index, value) in values.enumerated() { try bind(value, at: first + index) }
  }

  /// Binds a value to a parameter, counted from 1.
  package func bind(_ value: StoredValue, at index: Int) throws(SQLiteError) {
    if let integer = value.integer {
      try bind(integer, at: index)
    } else if let real = value.real {
      try bind(real, at: index)
    } else if let text = value.text {
      try bind(text: text, at: index)
    } else if let blob = value.blob {
      let result = blob.withUnsafeBytes { bytes in
        Result { () throws(SQLiteError) in try bind(blob: bytes, at: index) }
      }
      try result.get()
    } else {
      try bindNull(at: index)
    }
  }
}
