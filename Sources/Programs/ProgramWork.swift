// The work of a program: the keys of `open` that belong to one operation.
internal import BatchmarkEngine
internal import CoreDataModel
internal import ObjectGraph

/// Storing the rows of a source.
struct ProgramInsertion: Encodable {
  var source: String
  /// Values of columns that are the same in every row.
  var constants: [String: Int64]
  var mergePolicy: String
  /// A statement that stores a row with the merge policy, for programs that use SQL.
  ///
  /// Its parameters are the key and the columns.
  var insert: String
  /// A first write that changes nothing.
  ///
  /// It must run before `ready`, so that it is not part of the measured time.
  var firstWrite: String

  private enum CodingKeys: String, CodingKey {
    case source, constants, insert
    case mergePolicy = "merge_policy"
    case firstWrite = "first_write"
  }
}

/// Reading every value of some rows.
struct ProgramFetch: Encodable {
  /// The condition on rows, for programs that make their own statements; `nil` for all rows.
  var condition: ProgramCondition?
  var order: Order
  var offset: Int
  /// `nil` for all rows.
  var limit: Int?
  /// The same as a statement, which selects the key, the version and the columns.
  var select: String
  /// The values of its parameters.
  var values: [ProgramValue]

  struct Order: Encodable {
    var column: String
    var descending: Bool
  }

  private enum CodingKeys: String, CodingKey {
    case order, offset, limit, select, values
    case condition = "where"
  }

  init(_ query: FetchQuery, of entity: EntityDescription) {
    let sql = FetchSQL(FetchSQL.columns(of: entity), query, of: entity)
    condition = query.condition.map { ProgramCondition($0, entity) }
    let column = query.order.flatMap { entity.attribute(named: $0)?.columnName }
    order = Order(column: column ?? "Z_PK", descending: column != nil && !query.isAscending)
    (offset, limit) = (query.offset, query.limit)
    (select, values) = (sql.text, sql.values.map(ProgramValue.init))
  }
}

/// Updating or deleting some rows.
struct ProgramChange: Encodable {
  /// The condition on rows, for programs that make their own statements; `nil` for all rows.
  var condition: ProgramCondition?
  /// The new values by column; `nil` for a deletion.
  var set: [String: ProgramValue]?
  /// A statement that reads the keys and versions of the rows, and the values of its parameters.
  var find: String
  var values: [ProgramValue]
  /// A statement that changes one row, with `set_values`, the key and, for a deletion, the version as parameters.
  var changeOne: String
  /// A statement that changes all rows, with `set_values` and `values` as parameters.
  var changeAll: String
  var setValues: [ProgramValue]

  private enum CodingKeys: String, CodingKey {
    case set, find, values
    case condition = "where"
    case changeOne = "change_one"
    case changeAll = "change_all"
    case setValues = "set_values"
  }

  init(_ change: ChangeSQL.Change, where condition: RowCondition?, of entity: EntityDescription) {
    let sql = ChangeSQL(change, where: condition, of: entity)
    self.condition = condition.map { ProgramCondition($0, entity) }
    (find, values) = (sql.find, sql.values.map(ProgramValue.init))
    (changeOne, changeAll) = (sql.byKey, sql.all)
    setValues = sql.assigned.map(ProgramValue.init)
    guard case .update(let assignments) = change else { return }
    set = [:]
    for assignment in assignments {
      guard let attribute = entity.attribute(named: assignment.attribute) else { continue }
      set?[attribute.columnName] = ProgramValue(StoredValue(assignment.value, type: attribute.type))
    }
  }
}

/// A condition on a row's columns, as a tree.
indirect enum ProgramCondition: Encodable {
  case comparison(column: String, String, [ProgramValue])
  case constant(Bool)
  case all([ProgramCondition])
  case any([ProgramCondition])
  case not(ProgramCondition)

  init(_ condition: RowCondition, _ entity: EntityDescription) {
    switch condition {
    case .comparison(let name, let comparison, let values):
      guard let attribute = entity.attribute(named: name) else {
        self = .constant(false)
        return
      }
      self = .comparison(
        column: attribute.columnName, comparison.rawValue,
        values.map { ProgramValue(StoredValue($0, type: attribute.type)) })
    case .constant(let value): self = .constant(value)
    case .and(let terms): self = .all(terms.map { ProgramCondition($0, entity) })
    case .or(let terms): self = .any(terms.map { ProgramCondition($0, entity) })
    case .not(let term): self = .not(ProgramCondition(term, entity))
    }
  }

  private enum CodingKeys: String, CodingKey { case column, comparison, values, constant, all, any, not }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .comparison(let column, let comparison, let values):
      try container.encode(column, forKey: .column)
      try container.encode(comparison, forKey: .comparison)
      try container.encode(values, forKey: .values)
    case .constant(let value): try container.encode(value, forKey: .constant)
    case .all(let terms): try container.encode(terms, forKey: .all)
    case .any(let terms): try container.encode(terms, forKey: .any)
    case .not(let term): try container.encode(term, forKey: .not)
    }
  }
}

/// A value in JSON: a number, a text, null, or a blob as `{"blob": "0a0b"}`.
struct ProgramValue: Encodable {
  let value: StoredValue

  init(_ value: StoredValue) { self.value = value }

  private enum CodingKeys: String, CodingKey { case blob }

  /// Two digits per byte.
  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  func encode(to encoder: any Encoder) throws {
    if let blob = value.blob {
      var container = encoder.container(keyedBy: CodingKeys.self)
      return try container.encode(ProgramValue.hexadecimal(blob), forKey: .blob)
    }
    var container = encoder.singleValueContainer()
    if let integer = value.integer {
      try container.encode(integer)
    } else if let real = value.real {
      try container.encode(real)
    } else if let text = value.text {
      try container.encode(text)
    } else {
      try container.encodeNil()
    }
  }
}
