// The rows that a batch update or delete is about, as SQL.
internal import CoreDataModel
internal import SQLiteDriver

/// Rows of one hierarchy's table: those of some entities that a predicate matches, within a window, or those of a list
/// of keys.
struct SelectedRows {
  let layout: EntityLayout
  /// Behind `WHERE`, with the table under ``SQLCondition/rootAlias``; empty for every row of the table.
  let condition: SQLFragment
  private let joins: String
  private let ordering: SQLFragment
  private let window: Window

  /// Nil when there is no entity that could have rows.
  ///
  /// - Throws: ``ObjectGraphError/predicate(_:)``.
  init?(_ fetch: StoreFetch, store: SQLiteStore) throws(ObjectGraphError) {
    if fetch.family.isEmpty { return nil }
    layout = fetch.layout
    window = fetch.window
    // Without a window an order changes nothing.
    let descriptors = window == .all ? [] : fetch.sortDescriptors
    do {
      let predicate = fetch.predicate ?? .constant(true)
      let whole = try SQLCondition(
        predicate, sortedBy: descriptors, entity: layout.entity.name, schema: store.reader.schema)
      let plain = try SQLCondition(predicate, entity: layout.entity.name, schema: store.reader.schema)
      joins = whole.joins
      var ordering = SQLFragment(whole.ordering)
      ordering.parameters = Array(whole.parameters.dropFirst(plain.parameters.count))
      self.ordering = ordering
      var own = SQLFragment(fetch.predicate == nil ? "" : "(\(whole.condition))")
      own.parameters = Array(whole.parameters.prefix(plain.parameters.count))
      condition = SelectedRows.entities(fetch, store).and(own)
    } catch {
      throw .predicate(error)
    }
  }

  /// The rows of the keys, of one entity.
  init(keys: [Int64], of layout: EntityLayout, store: SQLiteStore) {
    self.layout = layout
    joins = ""
    ordering = ""
    window = .all
    let alias = SQLCondition.rootAlias
    let number = "\(store.reader.entityNumber(of: layout))"
    let entity: SQLFragment = layout.sharesTable ? "\(raw: alias).Z_ENT = \(raw: number)" : ""
    let list: SQLFragment = "\(raw: alias).Z_PK IN (SELECT value FROM json_each(\(bind: .string(keys.jsonArray))))"
    condition = entity.and(list)
  }

  /// A condition that only rows of the wanted entities keep; empty where the table has no others.
  private static func entities(_ fetch: StoreFetch, _ store: SQLiteStore) -> SQLFragment {
    if !fetch.layout.sharesTable || (fetch.includesSubentities && fetch.layout.index == fetch.layout.rootIndex) {
      return ""
    }
    let numbers = fetch.family.map { "\(store.reader.entityNumber(of: $0))" }.joined(separator: ", ")
    return "\(raw: SQLCondition.rootAlias).Z_ENT IN (\(raw: numbers))"
  }

  /// Whether ``condition`` alone selects the rows, so that no statement has to read their keys first.
  var isPlain: Bool { joins.isEmpty && window == .all }

  /// What follows `DELETE FROM` or, with more between them, `UPDATE`.
  var table: String { "\(layout.tableName) AS \(SQLCondition.rootAlias)" }

  /// ` WHERE …`, with a blank before it, of a statement that changes the table.
  var whereClause: SQLFragment {
    if !isPlain { return " WHERE Z_PK IN (\(keys))" }
    return condition.sql.isEmpty ? "" : " WHERE \(condition)"
  }

  /// The SELECT of the rows' keys.
  var keys: SQLFragment {
    let alias = SQLCondition.rootAlias
    var select: SQLFragment = "SELECT \(raw: alias).Z_PK FROM \(raw: layout.tableName) \(raw: alias + joins)"
    if !condition.sql.isEmpty { select = "\(select) WHERE \(condition)" }
    if window == .all { return select }
    let order: SQLFragment = ordering.sql.isEmpty ? "" : "\(ordering), "
    return """
      \(select) ORDER BY \(order)\(raw: alias).Z_PK \
      LIMIT \(raw: "\(window.limit == 0 ? -1 : window.limit)") OFFSET \(raw: "\(window.offset)")
      """
  }
}

extension SQLFragment {
  /// Both conditions; an empty one matches every row.
  fileprivate func and(_ other: SQLFragment) -> SQLFragment {
    sql.isEmpty ? other : other.sql.isEmpty ? self : "\(self) AND \(other)"
  }
}

extension StoreWriter {
  /// Runs a statement that changes rows of an entity's table.
  ///
  /// - Returns: How many, and which if wanted.
  func change(
    _ fragment: SQLFragment, namesRows: Bool
  ) throws(SQLiteError) -> (count: Int, objectIDs: [ManagedObjectID]) {
    let statement = try prepare(namesRows ? "\(fragment) RETURNING Z_PK, Z_ENT" : fragment)
    defer { statement.reset() }
    guard namesRows else {
      try statement.run()
      return (connection.changes, [])
    }
    var objectIDs: [ManagedObjectID] = []
    var count = 0
    while try statement.step() {
      count += 1
      guard let entity = entityIndexes[Int(statement.int64(1))] else { continue }
      objectIDs.append(ManagedObjectID(store: identity, entityIndex: Int32(entity), key: statement.int64(0)))
    }
    // SQLite gives them in no order.
    objectIDs.sort { $0.key < $1.key }
    return (count, objectIDs)
  }
}
