// One side of a comparison in SQL, with what is known about it.
internal import CoreDataModel

struct SQLOperand {
  var sql: SQLFragment
  /// `nil` for null.
  var kind: ValueKind?
  /// The entity of the key, for objects.
  var entity: String?
  /// The value, for constants.
  var constant: AttributeValue?
  /// A given object; its key is looked up once its table is known.
  var objectID: ManagedObjectID?
  /// The number of the entity, for an entity's name.
  var entityNumber: SQLFragment?
  /// Whether it is a row's own key, not a column that refers to another row.
  var isRowKey = false
  /// Whether the column may store whole decimals as integers; dividing those would truncate.
  var isDecimal = false

  var isNull: Bool { constant?.isNull ?? false }

  /// The SQL for use in arithmetic.
  var number: SQLFragment { isDecimal ? "CAST(\(sql) AS REAL)" : sql }

  static func constant(_ value: AttributeValue) -> SQLOperand {
    let comparable = ComparableValue(value)
    if comparable.isNull { return SQLOperand(sql: "NULL", kind: nil, constant: .null) }
    return SQLOperand(sql: "\(bind: value)", kind: comparable.kind, constant: value)
  }

  /// The operand after folding; constants are folded here, once, instead of for every row.
  func folded(_ options: ComparisonOptions) -> SQLOperand {
    guard kind == .text, !options.isEmpty else { return self }
    if case .string(let text) = constant { return .constant(.string(text.folded(options))) }
    var operand = self
    operand.sql = "\(raw: PredicateFunctions.fold)(\(sql), \(raw: "\(options.rawValue)"))"
    return operand
  }
}
