// Reading a store back as a plain SQLite file, past every engine, to see what is really there.
package import BatchmarkEngine
package import CoreDataModel
internal import SQLiteDriver

extension StoredContents {
  /// Reads every row of the entity from a closed store, with what it is linked to, and checks the file's integrity.
  ///
  /// - Throws: ``VerificationError/notIntact(_:)`` when `PRAGMA integrity_check` complains, or what SQLite says when
  ///   the file cannot be read.
  package init(readingStoreAt path: String, entity: EntityDescription, links: [LinkColumns] = []) throws {
    let connection = try Connection(path: path, access: .readOnly)
    let complaints = try connection.integrityCheck()
    if !complaints.isEmpty { throw VerificationError.notIntact(complaints) }
    try self.init(reading: connection, entity: entity, links: links)
    try connection.close()
  }

  /// Reads every row of the entity, with what it is linked to, as the connection sees them.
  init(reading connection: Connection, entity: EntityDescription, links: [LinkColumns]) throws {
    let attributes = entity.attributes.sorted { $0.name < $1.name }
    let columns = attributes.map(\.columnName).joined(separator: ", ")
    let statement = try connection.prepare("SELECT Z_OPT, \(columns) FROM \(entity.tableName)")
    var hash = ContentHash(entityName: entity.name)
    var versioned = hash
    var rows = 0
    var nulls = [Int](repeating: 0, count: attributes.count)
    var versions: [Int64: Int] = [:]
    while try statement.step() {
      var row = RowHash()
      for (index, attribute) in attributes.enumerated() {
        if !row.add(index + 1, of: statement, as: attribute.type.storageClass) { nulls[index] += 1 }
      }
      hash.add(row)
      rows += 1
      row.add(statement.int64(0))
      versioned.add(row)
      versions[statement.int64(0), default: 0] += 1
    }
    let stored = try links.map { try StoredLinks(reading: $0, of: entity, over: connection) }
    let pages = try connection.scalar("PRAGMA page_count") ?? 0
    let pageSize = try connection.scalar("PRAGMA page_size") ?? 0
    self.init(
      rows: rows, contentHash: hash.description,
      nulls: Dictionary(uniqueKeysWithValues: zip(attributes.map(\.name), nulls).filter { $0.1 > 0 }),
      versions: Dictionary(uniqueKeysWithValues: versions.map { (Int($0), $1) }), databaseBytes: pages * pageSize,
      versionedHash: versioned.description)
    if !stored.isEmpty { self.links = stored }
  }
}
