// The rows of a batch update or delete, as SQL.
internal import CoreDataModel
internal import SQLiteDriver

/// Rows in one hierarchy's table: those of some entities that match a predicate, within an offset and limit, or those
/// with keys in a list.
struct SelectedRows {
  let layout: EntityLayout
  /// The condition after `WHERE`, for a table with the alias ``SQLCondition/rootAlias``; empty for every row of the
  /// table.
  let condition: SQLFragment
  private let joins: String
  private let ordering: SQLFragment
  private let window: Window

  /// `nil` if no entity can have rows.
  ///
  /// - Throws: ``ObjectGraphError/predicate(_:)``.
  init?(_ fetch: StoreFetch, store: SQLiteStore) throws(ObjectGraphError) {
    if fetch.family.isEmpty { return nil }
    layout = fetch.layout
    window = fetch.window
    // Without a window, the order does not matter.
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

  /// Selects the rows with these keys, of one entity.
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

  /// A condition for rows of the requested entities; empty if the table has no others.
  private static func entities(_ fetch: StoreFetch, _ store: SQLiteStore) -> SQLFragment {
    if !fetch.layout.sharesTable || (fetch.includesSubentities && fetch.layout.index == fetch.layout.rootIndex) {
      return ""
    }
    let numbers = fetch.family.map { "\(store.reader.entityNumber(of: $0))" }.joined(separator: ", ")
    return "\(raw: SQLCondition.rootAlias).Z_ENT IN (\(raw: numbers))"
  }

  /// Whether ``condition`` alone selects the rows, so that no statement has to read their keys first.
  var isPlain: Bool { joins.isEmpty && window == .all }

  /// What follows `DELETE FROM` or `UPDATE`.
  var table: String { "\(layout.tableName) AS \(SQLCondition.rootAlias)" }

  /// ` WHERE …` with a leading space, for a statement that changes the table.
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
  /// Combines both conditions; an empty one matches every row.
  fileprivate func and(_ other: SQLFragment) -> SQLFragment {
    sql.isEmpty ? other : other.sql.isEmpty ? self : "\(self) AND \(other)"
  }
}

extension StoreWriter {
  /// Runs a statement that changes rows of an entity's table.
  ///
  /// - Returns: How many rows it changed and, if requested, their IDs.
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
    // SQLite returns them in no particular order.
    objectIDs.sort { $0.key < $1.key }
    return (count, objectIDs)
  }
}
