// Finds the wrong row among many, once a hash shows that there is one.
internal import Foundation
internal import BatchmarkEngine
internal import CoreDataModel
internal import SQLiteDriver

/// Searches a store for the first unexpected row.
///
/// It runs only on failure, and keeps 24 bytes per expected row: a hash, and how often it must still be found.
struct RowSearch {
  let expected: [ExpectedRows]
  let entities: [StoredEntity]
  /// Whether every row must have the right version as well.
  let versionsToo: Bool

  /// How many missing rows are compared, value by value, with an unexpected one.
  private static let mostCandidates = 10_000

  /// The first difference, in the order of entities and keys; `nil` if there is none.
  func firstDifference(_ connection: Connection) throws -> RowDifference? {
    for entity in entities {
      guard let rows = expected.first(where: { $0.entityName == entity.name }) else { continue }
      if let difference = try firstDifference(rows, of: entity, connection) { return difference }
    }
    return nil
  }

  private func firstDifference(
    _ rows: ExpectedRows, of entity: StoredEntity, _ connection: Connection
  ) throws -> RowDifference? {
    var open: [RowHash: Int32] = [:]
    open.reserveCapacity(rows.rows.count)
    for row in rows.rows { open[key(rows.hash(row), version: Int64(row.version)), default: 0] += 1 }
    let reader = try StoredRowReader(entity, connection)
    var stray: (row: StoredRow, values: [StoredValue], version: Int64)?
    while try reader.step() {
      let key = key(reader.hash, version: reader.version)
      if let count = open[key], count > 0 {
        open[key] = count - 1
      } else if stray == nil {
        stray = (StoredRow(table: entity.name, key: reader.key), reader.values, reader.version)
      }
    }
    let missing = self.missing(rows, &open)
    if let stray { return difference(of: stray, from: missing, in: rows, entity) }
    return missing.first.map { row in
      .missing(
        entity: entity.name, sourceRow: row.sourceRow + 1,
        rows.attributes.indices.map { .init(rows.attributes[$0].name, rows.value($0, of: row).shown) })
    }
  }

  private func key(_ hash: RowHash, version: Int64) -> RowHash {
    guard versionsToo else { return hash }
    var hash = hash
    hash.add(version)
    return hash
  }

  /// The expected rows that were not found in the store.
  private func missing(_ rows: ExpectedRows, _ open: inout [RowHash: Int32]) -> [ExpectedRows.Row] {
    var missing: [ExpectedRows.Row] = []
    for row in rows.rows where missing.count < RowSearch.mostCandidates {
      let key = key(rows.hash(row), version: Int64(row.version))
      guard let count = open[key], count > 0 else { continue }
      open[key] = count - 1
      missing.append(row)
    }
    return missing
  }

  /// Compares the row with the missing one that has the most values in common with it.
  private func difference(
    of stray: (row: StoredRow, values: [StoredValue], version: Int64), from missing: [ExpectedRows.Row],
    in rows: ExpectedRows, _ entity: StoredEntity
  ) -> RowDifference {
    // The source may have its attributes in another order.
    let positions = rows.attributes.map { attribute in entity.attributes.firstIndex { $0.name == attribute.name } }
    let found = positions.map { $0.map { stray.values[$0].identity } }
    func differing(_ row: ExpectedRows.Row) -> [Int] {
      found.indices.filter { rows.value($0, of: row).identity != found[$0] }
    }
    let nearest = missing.map { (row: $0, differing: differing($0)) }.min { $0.differing.count < $1.differing.count }
    let isLike = nearest.map { $0.differing.count < found.count || missing.count == 1 } ?? false
    guard isLike, let nearest else {
      return .unexpected(
        stray.row, zip(entity.attributes, stray.values).map { .init($0.name, $1.shown) })
    }
    var (wrong, right) = ([RowDifference.Field](), [RowDifference.Field]())
    for index in nearest.differing {
      let name = rows.attributes[index].name
      wrong.append(.init(name, positions[index].map { stray.values[$0].shown } ?? "NULL"))
      right.append(.init(name, rows.value(index, of: nearest.row).shown))
    }
    if versionsToo, stray.version != nearest.row.version {
      wrong.append(.init("Z_OPT", "\(stray.version)"))
      right.append(.init("Z_OPT", "\(nearest.row.version)"))
    }
    return .differs(stray.row, found: wrong, expected: right)
  }
}

/// Reads an entity's own rows in the order of their keys.
private final class StoredRowReader {
  private let entity: StoredEntity
  private let statement: Statement
  /// Columns sorted by attribute name, which is the order of hashing.
  private let order: [Int]

  init(_ entity: StoredEntity, _ connection: Connection) throws(SQLiteError) {
    self.entity = entity
    order = entity.attributes.indices.sorted { entity.attributes[$0].name < entity.attributes[$1].name }
    let columns = entity.columnNames.map { ", \($0)" }.joined()
    statement = try connection.prepare(
      "SELECT Z_PK, Z_OPT\(columns) FROM \(entity.tableName) WHERE Z_ENT = "
        + "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity.name)') ORDER BY Z_PK", isPersistent: false)
  }

  func step() throws(SQLiteError) -> Bool { try statement.step() }

  var key: Int64 { statement.int64(0) }

  var version: Int64 { statement.int64(1) }

  var hash: RowHash {
    var row = RowHash()
    for position in order {
      _ = row.add(position + 2, of: statement, as: entity.attributes[position].type.storageClass)
    }
    return row
  }

  /// The values in the order of the entity's attributes.
  var values: [StoredValue] {
    entity.attributes.indices.map { index in
      let column = index + 2
      if statement.isNull(column) { return StoredValue(.null, type: .string) }
      return switch entity.attributes[index].type.storageClass {
      case .integer: StoredValue(.integer(statement.int64(column)), type: .int64)
      case .real: StoredValue(.real(statement.double(column)), type: .double)
      case .text: StoredValue(.string(statement.text(column)), type: .string)
      case .blob: StoredValue(.binary(Data(statement.bytes(column) ?? .init(start: nil, count: 0))), type: .binary)
      }
    }
  }
}

/// A row, by its table or entity and its key.
package struct StoredRow: Sendable, Hashable, CustomStringConvertible {
  /// The entity; or the table, if its rows belong to several entities or to none.
  package var table: String
  /// The value of `Z_PK`.
  package var key: Int64

  package init(table: String, key: Int64) {
    self.table = table
    self.key = key
  }

  /// `row Z_PK 7 of Quake`.
  package var description: String { "row Z_PK \(key) of \(table)" }
}
