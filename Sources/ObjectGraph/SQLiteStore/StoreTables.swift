// The present tables of a store's file, and the rows that number its entities.
package import CoreDataModel
package import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The ordinary tables of a file with their columns, excluding views and virtual tables.
package struct StoreTables: Sendable {
  /// A column with its declaration.
  package struct Column: Sendable, Hashable {
    package let name: String
    package let declaredType: String
  }

  /// The columns by table, in their order.
  package let columns: [String: [Column]]

  package init(_ connection: Connection) throws(SQLiteError) {
    let statement = try connection.prepare(
      """
      SELECT m.name, c.name, c.type FROM sqlite_master m JOIN pragma_table_info(m.name) c \
      WHERE m.type = 'table' AND m.rootpage > 0 ORDER BY m.rowid, c.cid
      """, isPersistent: false)
    var columns: [String: [Column]] = [:]
    while try statement.step() {
      columns[statement.string(0) ?? "", default: []]
        .append(Column(name: statement.string(1) ?? "", declaredType: statement.string(2) ?? ""))
    }
    self.columns = columns
  }

  package func contains(_ table: String) -> Bool { columns[table] != nil }

  package func column(_ name: String, of table: String) -> Column? { columns[table]?.first { $0.name == name } }

  /// Whether the file has the bookkeeping tables that identify a Core Data store.
  package var isStore: Bool { contains("Z_PRIMARYKEY") && contains("Z_METADATA") }

  /// The columns that every entity table has besides those of its properties.
  static let systemColumns = ["Z_PK", "Z_ENT", "Z_OPT"]

  /// A row's version, incremented; after the largest integer it wraps around instead of becoming floating point.
  static let nextVersion = "Z_OPT + 1 & 0x7fffffffffffffff"

  /// Why a file without these tables is refused.
  static let noStore = "it has no Z_PRIMARYKEY and Z_METADATA, so it is no Core Data store"
}

/// The entities of a store with its own numbers.
package struct FileEntities: Sendable {
  package struct Entity: Sendable, Hashable {
    package let number: Int
    package let name: String
    /// The super-entity's number; 0 for a root.
    package let parent: Int
  }

  /// In the order of their numbers, without history's and other entities that no model declares.
  package let entities: [Entity]

  /// History's entities have numbers from 16001 on, those of mirroring from 17001.
  private static let modelNumbers = 1...16_000

  package init(_ connection: Connection) throws(SQLiteError) {
    let statement = try connection.prepare(
      "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT", isPersistent: false)
    var entities: [Entity] = []
    while try statement.step() {
      guard let number = Int(exactly: statement.int64(0)), FileEntities.modelNumbers.contains(number) else { continue }
      entities.append(
        Entity(number: number, name: statement.string(1) ?? "", parent: Int(clamping: statement.int64(2))))
    }
    self.entities = entities
  }

  /// The store's number of each entity of a model, by its index; 0 for an entity that the store does not have.
  ///
  /// Names come first. `Z_NAME` can lag behind a migration that renamed an entity; then the renaming identifier is
  /// used. Finally, if the metadata says that the store has exactly this model's entities, the only unused number under
  /// the same super-entity belongs to the only remaining entity.
  ///
  /// - Parameters:
  ///   - hierarchy: The model's entities.
  ///   - metadataNames: The names of the entities in the store's metadata.
  /// - Returns: The numbers in the order of the model's entities.
  package func numbers(of hierarchy: EntityHierarchy, metadataNames: Set<String>) -> [Int] {
    let byName = Dictionary(entities.map { ($0.name, $0.number) }) { first, _ in first }
    var numbers = hierarchy.entities.map { byName[$0.name] ?? 0 }
    for (index, entity) in hierarchy.entities.enumerated() where numbers[index] == 0 {
      if let identifier = entity.renamingIdentifier, let number = byName[identifier], !numbers.contains(number) {
        numbers[index] = number
      }
    }
    let left = entities.filter { !numbers.contains($0.number) }
    let missing = numbers.indices.filter { numbers[$0] == 0 }
    if left.count == 1, missing.count == 1, metadataNames == Set(hierarchy.entities.map(\.name)) {
      let parent = hierarchy.parents[missing[0]].map { numbers[$0] } ?? 0
      if left[0].parent == parent { numbers[missing[0]] = left[0].number }
    }
    return numbers
  }
}

extension Connection {
  /// Disables the file's triggers if it has those with which Core Data updates derived attributes.
  ///
  /// They call functions that only Core Data has; saves store the values themselves.
  func leaveDerivedAttributesToSaves() throws(SQLiteError) {
    let count = try scalar(
      "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND instr(sql, 'NSCoreData') > 0")
    if count ?? 0 > 0 { try disableTriggers() }
  }
}

extension String {
  /// A name, quoted for SQL.
  package var quotedForSQL: String {
    reduce(into: "\"") { quoted, character in quoted += character == "\"" ? "\"\"" : String(character) } + "\""
  }
}
