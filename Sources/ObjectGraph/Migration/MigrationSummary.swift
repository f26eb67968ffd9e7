// What a migration does, noted for who wants to know.
internal import Synchronization

/// The parts of a migration, as it runs them.
package struct MigrationSummary: Sendable {
  /// The entities and properties of the source, and what becomes of them.
  package let mapping: MappingModel
  package let statements: [String]
  /// Tables of the store, and whether their rows are copied; the others stay as they are but for added columns.
  package let tables: [(name: String, isCopied: Bool)]

  init(_ plan: MigrationPlan) {
    mapping = MappingModel(plan.matching)
    statements = plan.statements + plan.uniqueIndexes.map(\.sql)
    let copied = Set(plan.copiedTables)
    tables = plan.tables.filter { $0.origin != nil }.map { ($0.name, copied.contains($0.name)) }
  }
}

/// Where the migration of a store is noted when it is opened; two are equal only if they are one.
package final class MigrationLog: Sendable, Hashable {
  private let noted = Mutex<MigrationSummary?>(nil)

  package init() {}

  /// The migration that ran last; nil where none did.
  package var summary: MigrationSummary? { noted.withLock { $0 } }

  func note(_ summary: MigrationSummary) { noted.withLock { $0 = summary } }

  package static func == (one: MigrationLog, other: MigrationLog) -> Bool { one === other }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
