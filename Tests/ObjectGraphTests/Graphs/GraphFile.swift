// Compares the store's file, read with plain SQL, with the saved state of the model.
import CoreDataModel
import ObjectGraph
import ObjectGraphFixtures
import SQLiteDriver

/// The rows as they are on disk.
final class GraphFile {
  private let connection: Connection
  private let model: ManagedObjectModel
  /// The key and version of each record's row now, and before.
  private(set) var rows: [Int: Row] = [:]
  private var previous: [Int: Row] = [:]

  struct Row: Equatable {
    let entity: String
    let key: Int64
    let version: Int64
  }

  init(_ stack: TestStack) throws {
    connection = try Connection(path: stack.path, access: .readOnly)
    model = stack.coordinator.managedObjectModel
  }

  /// Reads everything and compares it.
  func compare(with state: GraphState) throws {
    previous = rows
    rows = [:]
    var found = GraphState()
    let entities = try entityNumbers()
    for entity in GraphSchema.entityNames where GraphSchema.root(entity) == entity {
      try readRows(of: entity, entities, into: &found)
    }
    try readLinks(entities, into: &found)
    try readPairs(into: &found)
    for id in Set(found.records.keys).union(state.records.keys).sorted() where found.records[id] != state.records[id] {
      throw GraphMismatch(
        "record \(id) in the file is \(show(found.records[id])), expected \(show(state.records[id]))")
    }
    if found.pairs != state.pairs {
      let wrong = found.pairs.symmetricDifference(state.pairs).sorted()
      throw GraphMismatch("the file and the model do not agree on the pairs \(wrong)")
    }
    for id in state.pages.keys.sorted() where found.pages[id] ?? [] != state.pages[id] ?? [] {
      throw GraphMismatch(
        "pages of \(id) in the file are \(found.pages[id] ?? []), expected \(state.pages[id] ?? [])")
    }
  }

  private func show(_ record: GraphRecord?) -> String {
    record.map { "\($0.entity) \($0.values.sorted { $0.key < $1.key }) \($0.links.sorted { $0.key < $1.key })" }
      ?? "missing"
  }

  /// Compares versions with a save's notification: those of updated rows increased by one, new rows have 1, and others
  /// are unchanged.
  ///
  /// Records that had to be stored with changes were written.
  func compare(_ news: ContextNotification, _ changed: Set<Int>, _ ids: [ManagedObjectID: Int]) throws {
    let raised = rows.filter { row in previous[row.key].map { $0.version != row.value.version } ?? false }
    for (id, row) in raised where previous[id]?.version != row.version - 1 {
      throw GraphMismatch("the version of \(id) went from \(previous[id]?.version ?? 0) to \(row.version)")
    }
    func match(_ told: [ManagedObjectID], _ found: some Sequence<Int>, _ what: String) throws {
      let told = told.map { ids[$0] ?? -1 }.sorted()
      if told != found.sorted() { throw GraphMismatch("\(what): told of \(told), in the file \(found.sorted())") }
    }
    let new = rows.filter { previous[$0.key] == nil }
    try match(news.updated, raised.keys, "updated rows")
    try match(news.inserted, new.keys, "inserted rows")
    try match(news.deleted, previous.keys.filter { rows[$0] == nil }, "deleted rows")
    for (id, row) in new where row.version != 1 { throw GraphMismatch("the new \(id) has version \(row.version)") }
    let missed = changed.filter { rows[$0] != nil && raised[$0] == nil && new[$0] == nil }
    if !missed.isEmpty { throw GraphMismatch("\(missed.sorted()) were changed, and their versions are as before") }
  }

  func id(of objectID: ManagedObjectID) throws -> Int? {
    guard let table = model.tableName(of: objectID.entityName),
      let key = Int64(objectID.uriRepresentation().split(separator: "/p").last ?? "")
    else { return nil }
    let statement = try connection.prepare("SELECT ZID FROM \(table) WHERE Z_PK = \(key)")
    return try statement.step() ? Int(statement.int64(0)) : nil
  }

  // MARK: Reading

  private func each(_ sql: String, _ body: (Statement) throws -> Void) throws {
    let statement = try connection.prepare(sql)
    while try statement.step() { try body(statement) }
  }

  private func entityNumbers() throws -> [Int64: String] {
    var names: [Int64: String] = [:]
    try each("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY") { names[$0.int64(0)] = $0.string(1) }
    return names
  }

  private func readRows(of root: String, _ entities: [Int64: String], into state: inout GraphState) throws {
    let isItem = root == "Item"
    let sql = "SELECT Z_PK, Z_ENT, Z_OPT, ZID, ZNAME, ZVALUE\(isItem ? ", ZBONUS" : "") FROM Z\(root.uppercased())"
    var lastKey: Int64 = 0
    try each(sql) { row in
      let id = Int(row.int64(3))
      guard let entity = entities[row.int64(1)], GraphSchema.root(entity) == root else {
        throw GraphMismatch("the row of \(id) says it is of entity \(row.int64(1))")
      }
      func number(_ column: Int) -> AttributeValue { row.isNull(column) ? .null : .integer(row.int64(column)) }
      var record = GraphRecord(entity: entity, values: ["name": .string(row.string(4) ?? ""), "value": number(5)])
      if entity == "SpecialItem" { record.values["bonus"] = number(6) }
      if state.records.updateValue(record, forKey: id) != nil { throw GraphMismatch("two rows have the ID \(id)") }
      rows[id] = Row(entity: entity, key: row.int64(0), version: row.int64(2))
      if root == "Book" { state.pages[id] = [] }
      lastKey = max(lastKey, row.int64(0))
    }
    try each("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = '\(root)'") { row in
      if row.int64(0) < lastKey { throw GraphMismatch("Z_MAX of \(root) is \(row.int64(0)), a key is \(lastKey)") }
    }
  }

  /// The keys of to-one relationships, which must exist as rows, with those rows' entity numbers.
  private func readLinks(_ entities: [Int64: String], into state: inout GraphState) throws {
    let ids = Dictionary(grouping: rows, by: { GraphSchema.root($0.value.entity) })
      .mapValues { Dictionary(uniqueKeysWithValues: $0.map { ($0.value.key, $0.key) }) }
    for toOne in GraphSchema.toOnes {
      let column = "Z\(toOne.name.uppercased())"
      let number = toOne.destination == "Item" ? entities.first { $0.value == "Item" }.map { "Z\($0.key)_" } : nil
      let entity = number.map { $0 + toOne.name.uppercased() } ?? "NULL"
      let order = toOne.inverseIsOrdered ? "Z_FOK_\(toOne.name.uppercased())" : "Z_PK"
      try each(
        "SELECT ZID, \(column), \(entity) FROM Z\(toOne.source.uppercased()) WHERE \(column) IS NOT NULL"
          + " ORDER BY \(order), Z_PK"
      ) { row in
        let id = Int(row.int64(0))
        guard let target = ids[toOne.destination]?[row.int64(1)], let row2 = rows[target] else {
          throw GraphMismatch("\(toOne.name) of \(id) leads to the key \(row.int64(1)), where there is no row")
        }
        if !row.isNull(2), entities[row.int64(2)] != row2.entity {
          throw GraphMismatch("\(toOne.name) of \(id) says that \(target) is of entity \(row.int64(2))")
        }
        state.records[id]?.links[toOne.name] = target
        if toOne.inverseIsOrdered { state.pages[target, default: []].append(id) }
      }
    }
  }

  private func readPairs(into state: inout GraphState) throws {
    let query = { (table: String, first: String, second: String, other: String) in
      "SELECT a.ZID, b.ZID FROM \(table) j LEFT JOIN ZITEM a ON a.Z_PK = j.\(first)"
        + " LEFT JOIN \(other) b ON b.Z_PK = j.\(second)"
    }
    let names = [
      "tags": query("Z_3TAGS", "Z_3ITEMS", "Z_6TAGS", "ZTAG"),
      "friends": query("Z_3FRIENDS", "REFLEXIVE", "Z_3FRIENDS", "ZITEM"),
    ]
    for (name, sql) in names.sorted(by: { $0.key < $1.key }) {
      var directed: Set<GraphPair> = []
      try each(sql) { row in
        if row.isNull(0) || row.isNull(1) { throw GraphMismatch("a pair of \(name) names a row that is not there") }
        directed.insert(GraphPair(name: name, first: Int(row.int64(0)), second: Int(row.int64(1))))
      }
      if name == "friends" {
        for pair in directed.sorted()
        where !directed.contains(GraphPair(name: name, first: pair.second, second: pair.first)) {
          throw GraphMismatch("\(pair) is stored in one direction alone")
        }
        directed = directed.filter { $0.first <= $0.second }
      }
      state.pairs.formUnion(directed)
    }
  }
}
