// The plan of a migration: the statements that turn the file of one model into the file of another.
internal import CoreDataModel

/// The statements that migrate a store's file, in order.
///
/// Creating the plan writes nothing.
struct MigrationPlan {
  /// A rule that the rows must follow after the statements have run.
  struct Check {
    let entity: String
    let property: String?
    /// Counts the rows that break the rule.
    let sql: String
    let found: String
    let expected: String
  }

  /// An index that is created last, because rows may violate its uniqueness.
  struct UniqueIndex {
    let entity: String
    let constraint: [String]
    let sql: String
  }

  let matching: ModelMatching
  let file: SourceFile
  let schema: StoreSchema
  let tables: [TableMigration]
  private(set) var statements: [String] = []
  /// The tables with rows to copy, by their names in the file, with the statements that copy them.
  private(set) var copies: [(source: String, statement: Int)] = []
  /// Whether copies count their rows while they run.
  private let countsRows: Bool
  private(set) var uniqueIndexes: [UniqueIndex] = []
  private(set) var checks: [Check] = []
  /// Temporary names of tables in the file, until nothing reads them any longer.
  private(set) var parked: [String: String] = [:]
  /// The new names of tables in the file that are renamed.
  private var renamed: [String: String] = [:]
  /// What remains in the file afterwards that the destination does not have.
  private(set) var removals = DeferredRemovals()

  /// - Parameters:
  ///   - matching: How the source model maps to the destination.
  ///   - file: The store's file.
  ///   - schema: The schema that the file must have.
  ///   - pending: What an earlier migration has left in the file.
  ///   - defers: Whether tables and columns that the destination does not have may stay in the file.
  ///   - countsRows: Whether copies call a function for each row.
  init(
    _ matching: ModelMatching, file: SourceFile, schema: StoreSchema, pending: DeferredRemovals = DeferredRemovals(),
    defers: Bool = false, countsRows: Bool = false
  ) {
    self.countsRows = countsRows
    self.matching = matching
    self.file = file
    self.schema = schema
    let held = schema.model.tables.filter { schema.entities.contains($0.root) }
    let origins = held.map { table in
      matching.destination.model.hierarchy.family(of: table.root).compactMap { matching.sources[$0] }.first
        .flatMap(file.table(of:))
    }
    tables = held.enumerated().map { index, table in
      let removed = file.model.layouts.filter {
        matching.destinations[$0.index] == nil && file.numbers[$0.index] != 0
          && file.table(of: $0.index) == origins[index]
      }
      return TableMigration(
        table, matching: matching, file: file,
        isSplit: origins[index] != nil && origins.filter { $0 == origins[index] }.count > 1,
        removedNumbers: removed.map { file.numbers[$0.index] },
        pending: origins[index].flatMap { pending.columns[$0] } ?? [], defers: defers)
    }
    let joins = joinMigrations
    for trigger in file.triggers { statements.append("DROP TRIGGER \(trigger.name.quotedForSQL)") }
    keepRemovals(joins, pending, defers: defers)
    dropChangedIndexes(joins, besides: removals.tables.union(pending.tables))
    park(joins)
    for table in tables { make(table) }
    for join in joins { make(join) }
    for table in tables { repairRelationships(of: table) }
    for join in joins { removeLostPairs(join) }
    for name in parked.values.sorted() { statements.append("DROP TABLE \(name)") }
    makeIndexes(joins)
    deriveValues()
    keepTriggers()
    renumberPrimaryKeys()
  }

  mutating func add(_ sql: String) { statements.append(sql) }

  /// Adds a copy of a table's rows.
  mutating func add(copyOf source: String, _ sql: (_ key: String) -> String) {
    copies.append((source, statements.count))
    statements.append(sql(countsRows ? "\(MigrationPlan.counter)(Z_PK)" : "Z_PK"))
  }

  mutating func add(_ check: Check) { checks.append(check) }
  mutating func add(_ index: UniqueIndex) { uniqueIndexes.append(index) }

  /// The tables with rows to copy.
  var copiedTables: [String] { tables.filter { $0.origin != nil && !$0.isInPlace }.map(\.name) }

  /// A table of the file, by its name while the statements run.
  func current(_ name: String) -> String { parked[name] ?? renamed[name] ?? name.quotedForSQL }

  // MARK: - Removals that wait

  /// Decides which tables stay in the file although the destination does not have them, and drops those whose names it
  /// needs.
  private mutating func keepRemovals(_ joins: [JoinMigration], _ pending: DeferredRemovals, defers: Bool) {
    let wanted = Set(tables.map(\.name) + joins.map(\.table.name))
    for name in pending.tables.sorted() {
      if wanted.contains(name) { statements.append("DROP TABLE \(name.quotedForSQL)") } else { removals.addTable(name) }
    }
    let read = Set(tables.compactMap(\.origin) + joins.flatMap { $0.origins.map(\.table) })
    for name in fileTables where defers && !wanted.contains(name) && !read.contains(name) { removals.addTable(name) }
    for table in tables where table.isInPlace { removals.addColumns(table.deferredColumns, of: table.name) }
  }

  /// The tables of the source model, by their names in the file.
  private var fileTables: [String] {
    let entityTables = file.model.tables.filter { file.numbers[$0.root] != 0 || file.held.contains($0.root) }
    let joinTables = file.model.joinTables.filter { file.held.contains($0) }
    return (entityTables.map(\.name) + joinTables.map(\.name)).compactMap { file.names.tables[$0] }
  }

  // MARK: - Tables that wait

  /// Renames tables whose names are needed for others.
  private mutating func park(_ joins: [JoinMigration]) {
    let staying = Set(
      tables.filter { $0.isInPlace && $0.origin == $0.name }.map(\.name) + joins.filter(\.isUnchanged).map(\.table.name)
        + removals.tables)
    for name in fileTables where !staying.contains(name) && parked[name] == nil {
      let temporary = "Z_MIGRATION_\(parked.count + 1)"
      statements.append("ALTER TABLE \(name.quotedForSQL) RENAME TO \(temporary)")
      parked[name] = temporary
    }
  }

  /// Records that a table has its new name.
  mutating func unpark(_ name: String, as newName: String) {
    parked[name] = nil
    renamed[name] = newName
  }

  // MARK: - Bookkeeping

  /// Keeps Core Data's triggers for derived attributes if nothing that they use has changed.
  private mutating func keepTriggers() {
    let old = Set(file.names.tables.values).union(file.names.columns.values.flatMap(\.values))
    var now: Set<String> = Set(tables.filter { $0.origin == $0.name }.map(\.name))
    for table in tables where table.origin == table.name {
      for column in table.columns where Set(column.origins.values) == [column.column.name] {
        now.insert(column.column.name)
      }
    }
    for trigger in file.triggers {
      let names = Set(trigger.sql.sqlWords)
      if names.intersection(old).isSubset(of: now) { statements.append(trigger.sql) }
    }
  }

  /// Numbers entities as in a new store; each hierarchy continues its own count of keys.
  private mutating func renumberPrimaryKeys() {
    statements.append("UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT WHERE Z_ENT BETWEEN 1 AND 16000")
    for table in tables {
      let source = matching.destination.model.hierarchy.family(of: table.table.root).compactMap { matching.sources[$0] }
        .first
      for index in matching.destination.model.hierarchy.family(of: table.table.root) {
        let parent = matching.destination.model.hierarchy.parents[index].map { $0 + 1 } ?? 0
        let name = AttributeValue.string(matching.destination.layouts[index].entity.name).literal
        let last = source.map { file.numbers[file.model.layouts[$0].rootIndex] }
        let counted =
          index == table.table.root
          ? last.map { "coalesce((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = -\($0)), 0)" } ?? "0" : "0"
        statements.append(
          "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (\(index + 1), \(name), \(parent), \(counted))"
        )
      }
    }
    statements.append("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < 0")
  }
}
