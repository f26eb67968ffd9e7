// Reading a store back as a plain SQLite file, past every engine, to see what is really there.
public import BatchmarkEngine
public import ObjectGraph
internal import SQLiteDriver

extension StoredContents {
  /// Reads every row of the entity from a closed store, with what it is linked to, and checks the file's integrity.
  ///
  /// - Throws: ``VerificationError/notIntact(_:)`` when `PRAGMA integrity_check` complains, or what SQLite says when
  ///   the file cannot be read.
  public init(readingStoreAt path: String, entity: EntityDescription, links: [LinkColumns] = []) throws {
    let connection = try Connection(path: path, access: .readOnly)
    let complaints = try connection.integrityCheck()
    if !complaints.isEmpty { throw VerificationError.notIntact(complaints) }
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
    try connection.close()
    self.init(
      rows: rows, contentHash: hash.description,
      nulls: Dictionary(uniqueKeysWithValues: zip(attributes.map(\.name), nulls).filter { $0.1 > 0 }),
      versions: Dictionary(uniqueKeysWithValues: versions.map { (Int($0), $1) }), databaseBytes: pages * pageSize,
      versionedHash: versioned.description)
    if !stored.isEmpty { self.links = stored }
  }
}

/// A store that is not what it should be.
public enum VerificationError: Error, Sendable, CustomStringConvertible {
  /// What `PRAGMA integrity_check` said.
  case notIntact([String])
  /// The rows in the store are not those of the source.
  case wrongContents(foundRows: Int, foundHash: String, expectedRows: Int, expectedHash: String)
  /// The store is right, and the observer that was told of its changes has other rows.
  case observerDiffers(foundRows: Int, foundHash: String, expectedRows: Int, expectedHash: String)
  /// The store is right, and the fetch gave other rows, or other values.
  case fetchDiffers(foundRows: Int, foundHash: String, expectedRows: Int, expectedHash: String)
  /// The rows have the right values, but not the right versions: how many rows have each.
  case wrongVersions(found: [Int: Int], expected: [Int: Int])
  /// The rows have the right values, but are linked to other objects than the source says, or such objects are missing.
  ///
  /// Nothing is found in contents that were read without links.
  case wrongLinks(found: StoredLinks?, expected: StoredLinks)

  public var description: String {
    switch self {
    case .notIntact(let complaints): "the store is damaged: " + complaints.prefix(3).joined(separator: "; ")
    case .wrongContents(let foundRows, let foundHash, let expectedRows, let expectedHash):
      foundRows == expectedRows
        ? "the store holds \(foundRows) rows, as it should, but other values: content hash \(foundHash), expected "
          + expectedHash
        : "the store holds \(foundRows) rows; expected \(expectedRows)"
    case .observerDiffers(let foundRows, let foundHash, let expectedRows, let expectedHash):
      foundRows == expectedRows
        ? "after the merge the observing context has \(foundRows) rows, as it should, but other values than the store: "
          + "content hash \(foundHash), expected \(expectedHash)"
        : "after the merge the observing context has \(foundRows) rows; expected \(expectedRows), as the store has"
    case .fetchDiffers(let foundRows, let foundHash, let expectedRows, let expectedHash):
      foundRows == expectedRows
        ? "the fetch gave \(foundRows) rows, as it should, but other values than are stored: content hash \(foundHash), "
          + "expected \(expectedHash)"
        : "the fetch gave \(foundRows) rows; expected \(expectedRows)"
    case .wrongVersions(let found, let expected):
      "the store holds the right values, but versions (Z_OPT) were raised on other rows than those changed: found "
        + "\(VerificationError.list(found)); expected \(VerificationError.list(expected))"
    case .wrongLinks(let found, let expected): VerificationError.difference(found, expected)
    }
  }

  private static func difference(_ found: StoredLinks?, _ expected: StoredLinks) -> String {
    let start = "the store holds the right rows, but "
    guard let found, found.linkedRows == expected.linkedRows else {
      return start
        + "\(found?.linkedRows ?? 0) of them are linked by '\(expected.relationship)'; expected \(expected.linkedRows)"
    }
    if found.objects != expected.objects || found.objectsHash != expected.objectsHash {
      return start
        + "'\(expected.relationship)' leads to other objects than the source names: found \(found.objects), hash "
        + "\(found.objectsHash); expected \(expected.objects), hash \(expected.objectsHash)"
    }
    return start
      + "some are linked by '\(expected.relationship)' to the wrong object: link hash \(found.hash), expected "
      + expected.hash
  }

  private static func list(_ versions: [Int: Int]) -> String {
    versions.sorted { $0.key < $1.key }.map { "version \($0.key) on \($0.value) rows" }.joined(separator: ", ")
  }
}
