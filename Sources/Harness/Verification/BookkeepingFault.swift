// Faults in a store's bookkeeping that keep Core Data from opening it: entity numbers, versions, keys, and metadata.
internal import CoreDataFiles
internal import CoreDataModel
internal import Foundation
internal import ObjectGraph
internal import SQLiteDriver

/// The first mistake in a store's bookkeeping of its rows, apart from their values.
package enum BookkeepingFault: Sendable, Hashable, CustomStringConvertible {
  /// A row has a wrong entity number, `nil` for NULL. `expected` has the numbers that rows of the table may have, with
  /// their entities.
  case entityNumber(StoredRow, found: Int64?, expected: [Int64: String])
  /// A row has a wrong version (`Z_OPT`); `nil` for NULL.
  case version(StoredRow, found: Int64?)
  case key(StoredRow)
  /// `Z_PRIMARYKEY` has a smaller last key for the entity than there are rows with.
  case keyCount(entity: String, found: Int64?, largestKey: StoredRow)
  /// An entity's row in `Z_PRIMARYKEY` differs, such as `Z_ENT 2, Z_SUPER 0`; `nil` for none.
  case entityRow(entity: String, found: String?, expected: String?)
  case metadataRows(found: Int64)
  /// `Z_VERSION` differs, which Core Data has written as 1 since 2005; `nil` for NULL.
  case metadataVersion(found: Int64?, expected: Int64)
  /// `Z_UUID` is invalid.
  case identifier(found: String?)
  /// An entity's version hash in `Z_METADATA` is wrong, or missing.
  case versionHash(entity: String, isThere: Bool)

  package var description: String {
    switch self {
    case .entityNumber(let row, let found, let expected):
      let numbers = expected.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
      return "\(row): found the entity number (Z_ENT) \(BookkeepingFault.text(found)); expected "
        + (numbers.isEmpty ? "no row, since the scenario stores none there" : numbers.joined(separator: " or "))
    case .version(let row, let found):
      return "\(row): found the version (Z_OPT) \(BookkeepingFault.text(found)); expected at least 1"
    case .key(let row): return "\(row): found a key that is not positive; expected keys from 1 on"
    case .keyCount(let entity, let found, let largestKey):
      return "\(largestKey): found Z_MAX \(BookkeepingFault.text(found)) for \(entity) in Z_PRIMARYKEY; expected at "
        + "least \(largestKey.key), the largest key"
    case .entityRow(let entity, let found, let expected):
      return "found \(found ?? "no row") for \(entity) in Z_PRIMARYKEY; expected \(expected ?? "no row")"
    case .metadataRows(let found):
      return "found \(found == 0 ? "no row" : "\(found) rows") in Z_METADATA; expected one, with the model's version "
        + "hashes"
    case .metadataVersion(let found, let expected):
      return "found Z_VERSION \(BookkeepingFault.text(found)) in Z_METADATA; expected \(expected)"
    case .identifier(let found):
      return "found \(found.map { "'\($0)'" } ?? "NULL") as the store's UUID (Z_UUID); expected a UUID of its own"
    case .versionHash(let entity, let isThere):
      return "found \(isThere ? "another" : "no") version hash of \(entity) in Z_METADATA; expected the model's"
    }
  }

  private static func text(_ number: Int64?) -> String { number.map(String.init) ?? "NULL" }
}

/// Checks a store's bookkeeping of its rows.
struct BookkeepingCheck {
  /// The store.
  let connection: Connection
  /// A new store of the same model, without rows.
  let reference: Connection
  let model: ManagedObjectModel
  /// The names of the entities with rows that the scenario stores.
  let stored: Set<String>

  /// The first fault; `nil` if there is none.
  func firstFault() throws -> BookkeepingFault? {
    if let fault = try entityRowFault() ?? metadataFault() { return fault }
    let numbers = try entityRows(connection).mapValues(\.number)
    let entities = model.storedEntities
    for table in Set(entities.map(\.tableName)).sorted() {
      let own = entities.filter { $0.tableName == table }
      if let fault = try rowFault(in: table, of: own, numbers) { return fault }
      guard let root = own.first?.rootName else { continue }
      let largest = try connection.scalar("SELECT max(Z_PK) FROM \(table)") ?? 0
      let counted = try connection.scalar("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = '\(root)'")
      if largest > counted ?? 0 {
        return .keyCount(
          entity: root, found: counted, largestKey: StoredRow(table: own.count == 1 ? root : table, key: largest))
      }
    }
    return nil
  }

  /// Looks for a row with a wrong entity, version or key, in one pass over the table.
  private func rowFault(
    in table: String, of entities: [StoredEntity], _ numbers: [String: Int64]
  ) throws -> BookkeepingFault? {
    let right = entities.filter { stored.contains($0.name) }
    let allowed = Dictionary(
      right.compactMap { entity in numbers[entity.name].map { ($0, entity.name) } }, uniquingKeysWith: { $1 })
    let list = allowed.keys.sorted().map(String.init).joined(separator: ", ")
    let statement = try connection.prepare(
      "SELECT Z_PK, Z_ENT, Z_OPT FROM \(table) WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(list)) OR Z_OPT IS NULL "
        + "OR Z_OPT < 1 OR Z_PK < 1 ORDER BY Z_PK LIMIT 1", isPersistent: false)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    let row = StoredRow(
      table: entities.count == 1 ? entities[0].name : table, key: statement.int64(0))
    if row.key < 1 { return .key(row) }
    let number = statement.isNull(1) ? nil : statement.int64(1)
    guard let number, allowed[number] != nil else { return .entityNumber(row, found: number, expected: allowed) }
    return .version(row, found: statement.isNull(2) ? nil : statement.int64(2))
  }

  /// The numbers of an entity and its super-entity.
  private struct EntityRow: Hashable, CustomStringConvertible {
    let number: Int64
    let superentity: Int64

    var description: String { "Z_ENT \(number), Z_SUPER \(superentity)" }
  }

  private func entityRows(_ connection: Connection) throws -> [String: EntityRow] {
    let statement = try connection.prepare(
      "SELECT Z_NAME, Z_ENT, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT", isPersistent: false)
    var rows: [String: EntityRow] = [:]
    while try statement.step() {
      rows[statement.text(0)] = EntityRow(number: statement.int64(1), superentity: statement.int64(2))
    }
    return rows
  }

  private func entityRowFault() throws -> BookkeepingFault? {
    let (found, expected) = (try entityRows(connection), try entityRows(reference))
    let name = Set(found.keys).union(expected.keys).sorted().first { name in
      // History's entities are only numbered from the first change on.
      found[name] != expected[name] && (found[name] != nil || model[name] != nil)
    }
    return name.map {
      .entityRow(entity: $0, found: found[$0]?.description, expected: expected[$0]?.description)
    }
  }

  private func metadataFault() throws -> BookkeepingFault? {
    let rows = try connection.scalar("SELECT count(*) FROM Z_METADATA") ?? 0
    guard rows == 1 else { return .metadataRows(found: rows) }
    let version = "SELECT Z_VERSION FROM Z_METADATA"
    let (own, usual) = (try connection.scalar(version), try reference.scalar(version) ?? 1)
    if own != usual { return .metadataVersion(found: own, expected: usual) }
    let statement = try connection.prepare("SELECT Z_UUID FROM Z_METADATA", isPersistent: false)
    let identifier = try statement.step() ? statement.string(0) : nil
    statement.reset()
    if identifier.flatMap(UUID.init(uuidString:)) == nil { return .identifier(found: identifier) }
    let (found, expected) = (try StoreFileMetadata(connection), try StoreFileMetadata(reference))
    let name = expected.entityHashes.keys.sorted().first { found.entityHashes[$0] != expected.entityHashes[$0] }
    return name.map { .versionHash(entity: $0, isThere: found.entityHashes[$0] != nil) }
  }
}
