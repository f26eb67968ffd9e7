// Reads back a store with rows of several entities as a plain SQLite file, without any engine.
internal import BatchmarkEngine
package import CoreDataModel
package import SQLiteDriver

extension StoredContents {
  /// Reads every row of the entities and, if requested, their relationships, as the connection sees them.
  ///
  /// Rows of other entities count as unexpected. O(rows) time and, with relationships, memory.
  package init(reading connection: Connection, entities: [StoredEntity], relationshipsToo: Bool) throws {
    var reading = GraphReading(connection, keepsRows: relationshipsToo)
    for entity in entities { try reading.readRows(of: entity) }
    var rows = 0
    for table in Set(entities.map(\.tableName)).sorted() {
      rows += Int(try connection.scalar("SELECT count(*) FROM \(table)") ?? 0)
    }
    let links = relationshipsToo ? try entities.flatMap { try reading.links(of: $0) } : []
    let pages = try connection.scalar("PRAGMA page_count") ?? 0
    let pageSize = try connection.scalar("PRAGMA page_size") ?? 0
    self.init(
      rows: rows, contentHash: reading.contents.description, nulls: reading.nulls, versions: reading.versions,
      databaseBytes: pages * pageSize, versionedHash: reading.versioned.description)
    if relationshipsToo { self.links = links }
  }
}

/// What has been read from a store.
private struct GraphReading {
  let connection: Connection
  /// Whether rows are remembered by key, so that references to them can be followed.
  let keepsRows: Bool
  private(set) var contents = ContentHash.nothing
  private(set) var versioned = ContentHash.nothing
  /// The number of rows with a null value, by entity and attribute.
  private(set) var nulls: [String: Int] = [:]
  private var versionTally = VersionTally()
  var versions: [Int: Int] { versionTally.counts }
  /// By table and key.
  private var rows: [String: [Int64: (entity: String, hash: RowHash)]] = [:]

  init(_ connection: Connection, keepsRows: Bool) {
    self.connection = connection
    self.keepsRows = keepsRows
  }

  mutating func readRows(of entity: StoredEntity) throws {
    let order = entity.attributes.indices.sorted { entity.attributes[$0].name < entity.attributes[$1].name }
    let columns = order.map { ", \(entity.columnNames[$0])" }.joined()
    // Reading descriptions in the row loop would copy them.
    let classes = order.map { entity.attributes[$0].type.storageClass }
    var nullRows = [Int](repeating: 0, count: order.count)
    let remembered = keepsRows ? entity.tableName : nil
    let statement = try connection.prepare(
      "SELECT Z_PK, Z_OPT\(columns) FROM \(entity.tableName) WHERE Z_ENT = \(connection.number(of: entity.name))")
    var hash = ContentHash(entityName: entity.name)
    var versionedHash = hash
    while try statement.step() {
      var row = RowHash()
      for index in classes.indices where !row.add(index + 2, of: statement, as: classes[index]) { nullRows[index] += 1 }
      hash.add(row)
      if let remembered { rows[remembered, default: [:]][statement.int64(0)] = (entity.name, row) }
      let version = statement.int64(1)
      row.add(version)
      versionedHash.add(row)
      versionTally.add(version)
    }
    for (index, position) in order.enumerated() where nullRows[index] > 0 {
      nulls["\(entity.name).\(entity.attributes[position].name)"] = nullRows[index]
    }
    contents.add(hash)
    versioned.add(versionedHash)
  }

  /// Follows the relationships of the entity's own rows.
  func links(of entity: StoredEntity) throws -> [StoredLinks] {
    try entity.relationships.map { try links(of: $0, from: entity) }
  }

  /// Adds up every pair of rows that both exist, with their positions in ordered relationships.
  private func links(of relationship: StoredRelationship, from entity: StoredEntity) throws -> StoredLinks {
    let order = relationship.orderColumn ?? "NULL"
    let inverseOrder = relationship.inverseOrderColumn ?? "NULL"
    let sql =
      switch relationship.storage {
      case .key(let column):
        "SELECT Z_PK, \(column), \(order), \(inverseOrder) FROM \(entity.tableName) WHERE \(column) NOT NULL"
      case .join(let table, let source, let destination):
        "SELECT \(source), \(destination), \(order), \(inverseOrder) FROM \(table)"
      }
    let statement = try connection.prepare("\(sql) ORDER BY 1, 3, 2")
    // Rows of other entities may be related to the same object and have positions among its related rows.
    var found: [LinkedPair] = []
    var last: (source: Int64, position: Int)?
    while try statement.step() {
      guard let source = rows[entity.tableName]?[statement.int64(0)],
        let destination = rows[relationship.destinationTableName]?[statement.int64(1)]
      else { continue }
      var pair = LinkedPair(
        source: source.hash, destination: destination.hash, isOwn: source.entity == entity.name,
        destinationKey: statement.int64(1), inverseOrder: statement.int64(3))
      if relationship.orderColumn != nil {
        pair.position = last.map { $0.source == statement.int64(0) ? $0.position + 1 : 0 } ?? 0
        last = (statement.int64(0), pair.position)
      }
      found.append(pair)
    }
    if relationship.inverseOrderColumn != nil {
      found.sort { ($0.destinationKey, $0.inverseOrder) < ($1.destinationKey, $1.inverseOrder) }
      for index in found.indices.dropFirst() where found[index].destinationKey == found[index - 1].destinationKey {
        found[index].inversePosition = found[index - 1].inversePosition + 1
      }
    }
    var tally = LinkTally(relationship.name, of: entity.name)
    for pair in found where pair.isOwn {
      tally.add(
        from: pair.source, to: pair.destination, position: pair.position, inversePosition: pair.inversePosition)
    }
    return tally.links
  }
}

/// Two related rows, each with its position among those of the other.
private struct LinkedPair {
  let source: RowHash
  let destination: RowHash
  /// Whether the source belongs to the entity with the relationship to read.
  let isOwn: Bool
  let destinationKey: Int64
  let inverseOrder: Int64
  var position = 0
  var inversePosition = 0
}

extension Connection {
  /// The store's number for an entity; 0 if it has none.
  fileprivate func number(of entity: String) throws(SQLiteError) -> Int64 {
    try scalar("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)'") ?? 0
  }
}
