// One store of the floor: an INSERT, bound straight from the columns and stepped for every row.
internal import ObjectGraph
internal import SQLiteDriver
internal import Scenarios
internal import Workloads

/// A session of the `sqlite` engine.
final class SQLiteSession: EngineSession {
  private let connection: Connection
  private let insert: Statement
  private let entity: EntityDescription
  private let entityNumber: Int64

  init(_ setup: StoreSetup, entity: EntityDescription) throws {
    self.entity = entity
    connection = try Connection(path: setup.path, access: .readWrite)
    for pragma in setup.pragmas where pragma.name != "page_size" && pragma.name != "auto_vacuum" {
      _ = try connection.setPragma(pragma.name, to: pragma.value)
    }
    entityNumber = try connection.scalar("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity.name)'") ?? 0
    // The store was closed once, which removed its WAL; a write that changes nothing makes it again before ingest.
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX")
    insert = try connection.prepare(
      SQLiteSession.insertSQL(entity, entityNumber: entityNumber, policy: setup.mergePolicy))
  }

  func ingest(_ rows: ColumnarRows) throws {
    try connection.begin(.immediate)
    do {
      var key = try connection.scalar("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(entityNumber)") ?? 0
      let fields = zip(rows.attributes, rows.columns).map { BoundColumn($1, $0) }
      for row in 0..<rows.count {
        key += 1
        try insert.bind(key, at: 1)
        for index in fields.indices { try fields[index].bind(row, to: insert, at: index + 2) }
        try insert.run()
      }
      try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(key) WHERE Z_ENT = \(entityNumber)")
      try connection.commit()
    } catch {
      connection.rollback()
      throw error
    }
  }

  func checkpoint() throws {
    let result = try connection.checkpoint(.truncate)
    if result.isBusy { throw EngineError.checkpointIncomplete }
  }

  func pragma(_ name: String) throws -> String? { try connection.pragma(name) }

  func close() throws { try connection.close() }

  /// The INSERT, with the clause the merge policy asks for where values must be unique.
  static func insertSQL(_ entity: EntityDescription, entityNumber: Int64, policy: MergePolicy) -> String {
    let columns = entity.attributes.map(\.columnName)
    var sql =
      "INSERT INTO \(entity.tableName) (Z_PK, Z_ENT, Z_OPT, \(columns.joined(separator: ", "))) VALUES (?, "
      + "\(entityNumber), 1, \(columns.map { _ in "?" }.joined(separator: ", ")))"
    for constraint in entity.uniquenessConstraints {
      let unique = constraint.compactMap { entity.attribute(named: $0)?.columnName }
      sql += " ON CONFLICT (\(unique.joined(separator: ", "))) DO "
      switch policy.mergeType {
      case .error, .storeTrump, .rollback: sql += "NOTHING"
      case .objectTrump, .overwrite:
        let others = columns.filter { !unique.contains($0) }.map { ", \($0) = excluded.\($0)" }
        sql += "UPDATE SET Z_OPT = Z_OPT + 1\(others.joined())"
      }
    }
    return sql
  }
}

/// A column as it is bound: its bytes or numbers, and the default for rows that have none.
private enum BoundColumn {
  case integers(NumberColumn<Int64>, default: Int64?)
  case reals(NumberColumn<Double>, default: Double?)
  /// Rounded to single precision, as a float attribute is stored.
  case floats(NumberColumn<Double>, default: Double?)
  case text(BytesColumn, default: String?)
  case blobs(BytesColumn, default: [UInt8]?)

  init(_ column: Column, _ attribute: AttributeDescription) {
    let fallback = StoredValue(attribute.defaultValue, type: attribute.type)
    switch column {
    case .integers(let numbers): self = .integers(numbers, default: fallback.integer)
    case .reals(let numbers):
      self =
        attribute.type == .float ? .floats(numbers, default: fallback.real) : .reals(numbers, default: fallback.real)
    case .text(let bytes): self = .text(bytes, default: fallback.text)
    case .blobs(let bytes): self = .blobs(bytes, default: fallback.blob)
    }
  }

  @inline(__always)
  func bind(_ row: Int, to statement: Statement, at index: Int) throws(SQLiteError) {
    switch self {
    case .text(let column, let fallback):
      if let bytes = column[row] {
        try statement.bind(staticText: bytes, at: index)
      } else if let fallback {
        try statement.bind(text: fallback, at: index)
      } else {
        try statement.bindNull(at: index)
      }
    case .reals(let column, let fallback):
      if let number = column[row] ?? fallback {
        try statement.bind(number, at: index)
      } else {
        try statement.bindNull(at: index)
      }
    case .integers(let column, let fallback):
      if let number = column[row] ?? fallback {
        try statement.bind(number, at: index)
      } else {
        try statement.bindNull(at: index)
      }
    case .floats(let column, let fallback):
      if let number = column[row] ?? fallback {
        try statement.bind(Double(Float(number)), at: index)
      } else {
        try statement.bindNull(at: index)
      }
    case .blobs(let column, let fallback):
      if let bytes = column[row] {
        try statement.bind(staticBlob: UnsafeRawBufferPointer(bytes), at: index)
      } else if let fallback {
        let result = fallback.withUnsafeBytes { bytes in
          Result { () throws(SQLiteError) in try statement.bind(blob: bytes, at: index) }
        }
        try result.get()
      } else {
        try statement.bindNull(at: index)
      }
    }
  }
}
