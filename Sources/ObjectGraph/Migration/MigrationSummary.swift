// A record of what a migration does, for callers that request it.
internal import CoreDataModel
internal import Support
internal import Synchronization

/// The parts of a migration.
package struct MigrationSummary: Sendable {
  /// The entities and properties of the source, and what happens to them.
  package let mapping: MappingModel
  package let statements: [String]
  /// The properties that are lost, by the source entity that declares them.
  package let losses: [String: [Loss]]
  /// Tables of the store, and whether their rows are copied.
  ///
  /// Tables that are not copied only get added columns.
  package let tables: [(name: String, isCopied: Bool)]

  /// A property that is lost, with its column; `nil` for a relationship without one.
  package struct Loss: Sendable {
    package let property: String
    package let column: String?
  }

  init(_ plan: MigrationPlan) {
    mapping = MappingModel(plan.matching)
    losses = Dictionary(
      mapping.entityMappings.compactMap { mapping in
        plan.file.model.layouts.first { $0.entity.name == mapping.sourceEntityName }.map { layout in
          let removed = Set(mapping.removedProperties)
          let attributes = layout.entity.attributes.map(\.name).filter(removed.contains).map {
            Loss(property: $0, column: plan.file.column(.value, of: $0, declaredBy: layout.index))
          }
          let relationships = layout.entity.relationships.map(\.name).filter(removed.contains)
          return (layout.entity.name, attributes + relationships.map { Loss(property: $0, column: nil) })
        }
      }, uniquingKeysWith: { first, _ in first })
    statements = plan.statements + plan.uniqueIndexes.map(\.sql)
    let copied = Set(plan.copiedTables)
    tables = plan.tables.filter { $0.origin != nil }.map { ($0.name, copied.contains($0.name)) }
  }
}

/// Records the migration of a store that is being opened.
///
/// Two logs are equal only if they are identical.
package final class MigrationLog: Sendable, Hashable {
  private let noted = Mutex<MigrationSummary?>(nil)

  package init() {}

  /// The migration that ran last; `nil` if none did.
  package var summary: MigrationSummary? { noted.withLock { $0 } }

  func note(_ summary: MigrationSummary) { noted.withLock { $0 = summary } }

  package static func == (one: MigrationLog, other: MigrationLog) -> Bool { one === other }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
