// Persistent history after a migration: entity numbers, bitmaps of properties, preserved values, and the migration's
// transaction.
internal import CoreDataModel
internal import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Updates history in a migration, so that tokens stay valid and changes read as before.
struct HistoryMigration {
  let matching: ModelMatching
  let file: SourceFile

  /// The SQL function that translates a bitmap.
  private static let function = "objectgraph_migrated_columns"

  /// Core Data's author for the transaction of a migration.
  static let author = "com.apple.coredata.schemamigrator"

  func run(_ connection: Connection, sourceDigest: String?, isTracked: Bool) throws(SQLiteError) {
    if !file.hasHistory { return }
    for sql in tombstoneStatements { try connection.execute(sql) }
    for sql in numberStatements { try connection.execute(sql) }
    try translateColumns(connection)
    if isTracked && file.tables.contains("ATRANSACTIONSTRING") { try mark(connection, sourceDigest) }
  }

  // MARK: - Numbers

  /// Deletes changes of removed entities, because their numbers may belong to other entities now.
  private var numberStatements: [String] {
    let held = file.model.layouts.filter { file.numbers[$0.index] != 0 }
    let removed = held.filter { matching.destinations[$0.index] == nil }.map { "\(file.numbers[$0.index])" }
    let changed = held.compactMap { layout -> (Int, Int)? in
      guard let index = matching.destinations[layout.index] else { return nil }
      let number = file.numbers[layout.index]
      return number == index + 1 ? nil : (number, index + 1)
    }
    var statements: [String] = []
    if !removed.isEmpty {
      statements.append("DELETE FROM ACHANGE WHERE ZENTITY IN (\(removed.joined(separator: ", ")))")
    }
    if !changed.isEmpty {
      let cases = changed.map { "WHEN \($0) THEN \($1)" }.joined(separator: " ")
      let numbers = changed.map { "\($0.0)" }.joined(separator: ", ")
      statements.append("UPDATE ACHANGE SET ZENTITY = CASE ZENTITY \(cases) END WHERE ZENTITY IN (\(numbers))")
    }
    return statements
  }

  // MARK: - Properties

  private struct Translation {
    let old: HistoryColumns
    let new: HistoryColumns
    let layout: EntityLayout
    /// Destination names by source names.
    let names: [String: String]

    func translated(_ bitmap: UnsafeRawBufferPointer) -> [UInt8] {
      var changes = ChangedProperties()
      for name in old.names(in: bitmap).compactMap({ names[$0] }) {
        if let slot = layout.slot(named: name) { changes.slots.insert(slot) }
        if let index = layout.toManyIndex(named: name) { changes.toMany.insert(index) }
      }
      return new.bitmap(changes)
    }
  }

  /// The entities whose properties now have other positions, by their new numbers.
  private var translations: [Int64: Translation] {
    var translations: [Int64: Translation] = [:]
    for layout in matching.destination.layouts {
      guard let source = matching.sources[layout.index] else { continue }
      let properties = matching.properties[layout.index]
      let names = Dictionary(
        (properties.attributes.map { ($0.value, $0.key) } + properties.relationships.map { ($0.value, $0.key) })
      ) { first, _ in first }
      let (old, new) = (HistoryColumns(file.model.layouts[source]), HistoryColumns(layout))
      // Properties that were added after all others do not change positions.
      let mapped = old.positions.map { names[$0] }
      if new.positions.count >= mapped.count, zip(mapped, new.positions).allSatisfy({ $0 == $1 }) { continue }
      translations[Int64(layout.index + 1)] = Translation(old: old, new: new, layout: layout, names: names)
    }
    return translations
  }

  private func translateColumns(_ connection: Connection) throws(SQLiteError) {
    let translations = self.translations
    if translations.isEmpty { return }
    try connection.createFunction(HistoryMigration.function, argumentCount: 2) { arguments in
      guard let translation = translations[arguments.int64(0)], let bytes = arguments.utf8(1) else { return .null }
      return .blob(translation.translated(UnsafeRawBufferPointer(bytes)))
    }
    let numbers = translations.keys.sorted().map { "\($0)" }.joined(separator: ", ")
    try connection.execute(
      "UPDATE ACHANGE SET ZCOLUMNS = \(HistoryMigration.function)(ZENTITY, ZCOLUMNS) "
        + "WHERE ZCOLUMNS NOT NULL AND ZENTITY IN (\(numbers))")
  }

  /// Statements that move the preserved values of deleted objects to the positions where the destination reads them.
  private var tombstoneStatements: [String] {
    let columns = file.tables.columns["ACHANGE"] ?? []
    let existing = Set(columns.map(\.name))
    let wanted = (0..<HistorySchema(matching.destination).tombstones).map { "ZTOMBSTONE\($0)" }
    var statements = wanted.filter { !existing.contains($0) }.map { "ALTER TABLE ACHANGE ADD COLUMN \($0) BLOB" }
    for layout in matching.destination.layouts {
      guard let source = matching.sources[layout.index], file.numbers[source] != 0 else { continue }
      let old = file.model.layouts[source]
      let before = old.tombstoneSlots.map { old.slots[$0].name }
      let after = layout.tombstoneSlots.map { matching.properties[layout.index].attributes[layout.slots[$0].name] }
      if before.map(Optional.some) == after || before.isEmpty { continue }
      let values = (0..<max(before.count, after.count)).map { position in
        let origin = position < after.count ? after[position].flatMap { before.firstIndex(of: $0) } : nil
        return "ZTOMBSTONE\(position) = \(origin.map { "ZTOMBSTONE\($0)" } ?? "NULL")"
      }
      statements.append(
        "UPDATE ACHANGE SET \(values.joined(separator: ", ")) "
          + "WHERE ZENTITY = \(file.numbers[source]) AND ZCHANGETYPE = \(PersistentHistoryChangeType.delete.rawValue)")
    }
    return statements
  }

  // MARK: - The migration's own transaction

  /// Writes an empty transaction, which shows readers of history the migration.
  private func mark(_ connection: Connection, _ sourceDigest: String?) throws(SQLiteError) {
    let text =
      "\(HistoryMigration.author): lightweight migration from model with digest { \(sourceDigest ?? "unknown") }"
    let author = AttributeValue.string(text).literal
    let rows = HistoryEntity.allCases.map { "(\($0.rawValue), '\($0.name)', 0, 0)" }.joined(separator: ", ")
    try connection.execute(
      """
      INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES \(rows) ON CONFLICT (Z_ENT) DO NOTHING;
      UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_ENT = 16002;
      UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_ENT = 16003
        AND NOT EXISTS (SELECT 1 FROM ATRANSACTIONSTRING WHERE ZNAME = \(author));
      INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) SELECT Z_MAX, 16003, \(author) FROM Z_PRIMARYKEY
        WHERE Z_ENT = 16003 AND NOT EXISTS (SELECT 1 FROM ATRANSACTIONSTRING WHERE ZNAME = \(author));
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZTIMESTAMP)
        SELECT Z_MAX, 16002, (SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = \(author)),
          \(Date().timeIntervalSinceReferenceDate) FROM Z_PRIMARYKEY WHERE Z_ENT = 16002
      """)
  }
}
