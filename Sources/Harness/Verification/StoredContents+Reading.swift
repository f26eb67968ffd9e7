// Reads a store back as a plain SQLite file, without any engine, to see what is really in it.
package import BatchmarkEngine
package import CoreDataModel
package import SQLiteDriver

extension StoredContents {
  /// Reads every row of the entity with its links, as the connection sees them.
  package init(reading connection: Connection, entity: EntityDescription, links: [LinkColumns]) throws {
    let attributes = entity.attributes.sorted { $0.name < $1.name }
    let columns = attributes.map(\.columnName).joined(separator: ", ")
    // Reading descriptions in the row loop would copy them.
    let classes = attributes.map(\.type.storageClass)
    let statement = try connection.prepare("SELECT Z_OPT, \(columns) FROM \(entity.tableName)")
    var hash = ContentHash(entityName: entity.name)
    var versioned = hash
    var rows = 0
    var nulls = [Int](repeating: 0, count: attributes.count)
    var versions = VersionTally()
    while try statement.step() {
      var row = RowHash()
      for index in classes.indices where !row.add(index + 1, of: statement, as: classes[index]) { nulls[index] += 1 }
      hash.add(row)
      rows += 1
      let version = statement.int64(0)
      row.add(version)
      versioned.add(row)
      versions.add(version)
    }
    let stored = try links.map { try StoredLinks(reading: $0, of: entity, over: connection) }
    let pages = try connection.scalar("PRAGMA page_count") ?? 0
    let pageSize = try connection.scalar("PRAGMA page_size") ?? 0
    self.init(
      rows: rows, contentHash: hash.description,
      nulls: Dictionary(uniqueKeysWithValues: zip(attributes.map(\.name), nulls).filter { $0.1 > 0 }),
      versions: versions.counts, databaseBytes: pages * pageSize,
      versionedHash: versioned.description)
    if !stored.isEmpty { self.links = stored }
  }
}

/// The number of rows with each version.
///
/// It is fast for consecutive rows with the same version, the usual case.
struct VersionTally {
  private var last: Int64 = 0
  private var rowsOfLast = 0
  private var others: [Int: Int] = [:]

  mutating func add(_ version: Int64) {
    if version != last {
      count()
      last = version
    }
    rowsOfLast += 1
  }

  var counts: [Int: Int] {
    var all = self
    all.count()
    return all.others
  }

  private mutating func count() {
    if rowsOfLast > 0 { others[Int(last), default: 0] += rowsOfLast }
    rowsOfLast = 0
  }
}
