// What a deferred migration has left in a store's file: tables and columns that the model no longer has.
internal import CoreDataModel

/// Tables and columns that remain to be removed.
struct DeferredRemovals: Equatable {
  private(set) var tables: Set<String> = []
  /// Columns by table.
  private(set) var columns: [String: Set<String>] = [:]

  /// Core Data's entry in a store's metadata, which is true while there is anything to remove.
  static let key = "NSPersistentStoreDeferredLightweightMigrationOptionKey"
  /// What to remove: `TABLE`, or `TABLE.COLUMN`.
  static let listKey = "_ObjectGraphDeferredRemovals"

  init() {}

  init(_ metadata: [String: MetadataValue]) {
    guard case .array(let elements)? = metadata[DeferredRemovals.listKey] else { return }
    for name in elements.compactMap(\.string) {
      let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
      if parts.count == 2 { addColumns([parts[1]], of: parts[0]) } else { tables.insert(name) }
    }
  }

  var isEmpty: Bool { tables.isEmpty && columns.isEmpty }

  /// The tables to remove or to remove columns from, in order.
  var affectedTables: [String] { tables.union(columns.keys).sorted() }

  mutating func addTable(_ name: String) { tables.insert(name) }

  mutating func addColumns(_ names: some Sequence<String>, of table: String) {
    let all = (columns[table] ?? []).union(names)
    if !all.isEmpty { columns[table] = all }
  }

  mutating func remove(_ table: String) {
    tables.remove(table)
    columns[table] = nil
  }

  /// The metadata with this as what remains to be removed.
  func noted(in metadata: [String: MetadataValue]) -> [String: MetadataValue] {
    var metadata = metadata
    metadata[DeferredRemovals.key] = isEmpty ? nil : .boolean(true)
    let names =
      tables.sorted()
      + columns.sorted { $0.key < $1.key }.flatMap { table, names in
        names.sorted().map { "\(table).\($0)" }
      }
    metadata[DeferredRemovals.listKey] = isEmpty ? nil : .array(names.map { .string($0) })
    return metadata
  }
}
