// One side of a comparison in SQL, with what is known about it.
internal import CoreDataModel

struct SQLOperand {
  var sql: SQLFragment
  /// Nil for null.
  var kind: ValueKind?
  /// Whose key it is, for objects.
  var entity: String?
  /// The value, for constants.
  var constant: AttributeValue?
  /// A given object, whose key is looked up once its table is known.
  var objectID: ManagedObjectID?
  /// The number of the entity whose name it is.
  var entityNumber: SQLFragment?
  /// Whether it is a row's own key and not a column that names another row.
  var isRowKey = false
  /// Whether the column may hold whole decimals as integers, whose division would cut off.
  var isDecimal = false

  var isNull: Bool { constant?.isNull ?? false }

  /// As a term of arithmetic.
  var number: SQLFragment { isDecimal ? "CAST(\(sql) AS REAL)" : sql }

  static func constant(_ value: AttributeValue) -> SQLOperand {
    let comparable = ComparableValue(value)
    if comparable.isNull { return SQLOperand(sql: "NULL", kind: nil, constant: .null) }
    return SQLOperand(sql: "\(bind: value)", kind: comparable.kind, constant: value)
  }

  /// Without what the options leave out; constants are folded here, once, and not for every row.
  func folded(_ options: ComparisonOptions) -> SQLOperand {
    guard kind == .text, !options.isEmpty else { return self }
    if case .string(let text) = constant { return .constant(.string(text.folded(options))) }
    var operand = self
    operand.sql = "\(raw: PredicateFunctions.fold)(\(sql), \(raw: "\(options.rawValue)"))"
    return operand
  }
}
