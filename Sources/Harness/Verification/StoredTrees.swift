// Reads back the parents of a store's rows, and finds the first row with a wrong parent.
internal import BatchmarkEngine
internal import CoreDataModel
internal import SQLiteDriver

/// The rows of trees in a store.
struct StoredTrees {
  /// A row and the key of its parent.
  private struct Row {
    let key: Int64
    let parent: Int64?
    let hash: RowHash
  }

  private let entityName: String
  private let relationship: String
  /// Sorted by key.
  private var rows: [Row] = []
  private var hashes: [Int64: RowHash] = [:]

  /// Reads every row of the entity; O(rows) time and memory.
  init(reading connection: Connection, entity: EntityDescription, trees: TreeColumn) throws(SQLiteError) {
    entityName = entity.name
    relationship = trees.relationship.parent.name
    let attributes = entity.attributes.sorted { $0.name < $1.name }
    let columns = attributes.map { ", \($0.columnName)" }.joined()
    let statement = try connection.prepare(
      "SELECT Z_PK, \(trees.key)\(columns) FROM \(entity.tableName) ORDER BY Z_PK", isPersistent: false)
    while try statement.step() {
      var hash = RowHash()
      for (index, attribute) in attributes.enumerated() {
        _ = hash.add(index + 2, of: statement, as: attribute.type.storageClass)
      }
      let row = Row(key: statement.int64(0), parent: statement.isNull(1) ? nil : statement.int64(1), hash: hash)
      rows.append(row)
      hashes[row.key] = hash
    }
  }

  /// The parent of each row.
  ///
  /// A dangling key counts by its value.
  var links: StoredLinks {
    var tally = LinkTally(relationship, of: entityName)
    for row in rows {
      guard let parent = row.parent else { continue }
      tally.add(from: row.hash, to: hashes[parent] ?? .gone)
    }
    return tally.links
  }

  /// The first row with a wrong parent; rows are identified by their values.
  func firstDifference(from expected: ExpectedRows) -> RowDifference? {
    let right = Dictionary(expected.rows.map { (expected.hash($0), expected.parent(of: $0)) }) { first, _ in first }
    for row in rows {
      guard let parent = right[row.hash] else { continue }
      let found = row.parent.map { hashes[$0] ?? .gone }
      let hash = parent.map { $0.isDeleted ? .gone : expected.reader.hash($0.sourceRow, replacing: [:]) }
      if found == hash { continue }
      return .differs(
        StoredRow(table: entityName, key: row.key),
        found: [.init(relationship, shown(row.parent))], expected: [.init(relationship, shown(parent))])
    }
    return nil
  }

  private func shown(_ key: Int64?) -> String {
    guard let key else { return "NULL" }
    return "\(key)\(hashes[key] == nil ? ", which is the key of no row" : "")"
  }

  private func shown(_ parent: (sourceRow: Int, isDeleted: Bool)?) -> String {
    guard let parent else { return "NULL" }
    if parent.isDeleted { return "the key of a row that was deleted" }
    return "the key of row \(parent.sourceRow + 1) of the source"
  }
}
