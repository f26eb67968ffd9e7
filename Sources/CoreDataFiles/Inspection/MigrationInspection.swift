// Tries on a copy what opening a store with a model would do.
internal import CoreDataModel
internal import ObjectGraph
internal import SQLiteDriver
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What opening a store with a model would do: nothing, a migration, or an error.
///
/// ```swift
/// let model = try RecoveredModel(modelFileAt: "MyApp.xcdatamodeld")
/// let inspection = try MigrationInspection(of: "MyApp.sqlite", against: model)
/// if inspection.outcome == .refused { print(inspection.problems) }
/// ```
public struct MigrationInspection: Sendable, Hashable, Codable {
  /// What would happen.
  ///
  /// ```swift
  /// let model = try RecoveredModel(modelFileAt: "MyApp.xcdatamodeld")
  /// let inspection = try MigrationInspection(of: "MyApp.sqlite", against: model)
  /// print(inspection.outcome == .unchanged)
  /// ```
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// The store already has the model.
    case unchanged
    /// It would be migrated, and then open.
    case migrated
    /// It could not be opened.
    case refused
  }

  /// A table that stays or is copied.
  public struct Table: Sendable, Hashable, Codable {
    /// Its name in the file.
    public var name: String
    /// Its rows after the migration.
    public var rows: Int64
    /// Whether its rows are rewritten; if so, their number determines the time.
    public var isCopied: Bool
  }

  /// An entity that changes.
  public struct Change: Sendable, Hashable, Codable {
    /// Its name in the model; `nil` if it is removed.
    public var entity: String?
    /// Its name in the store; `nil` if it is added.
    public var source: String?
    /// Its objects in the store, including those of sub-entities.
    public var objects: Int64
    /// Properties that are added.
    public var added: [String]
    /// Properties that are renamed, with their old names.
    public var renamed: [String: String]
    /// What is lost.
    public var lost: [Loss]
  }

  /// A property that loses its values.
  public struct Loss: Sendable, Hashable, Codable {
    /// Its name in the store.
    public var property: String
    /// The number of objects with a value; `nil` for a relationship, because links are not counted.
    public var values: Int64?
  }

  /// The version of the encoded form; readers of other versions cannot read it.
  public static let currentSchemaVersion = 1

  /// The version in which the inspection was encoded.
  public var schemaVersion = MigrationInspection.currentSchemaVersion
  /// The file's name without its folder.
  public var file: String
  public var outcome: Outcome
  /// Why the store cannot be opened, in whole sentences.
  public var problems: [String] = []
  /// Entities that are added, removed or changed.
  public var changes: [Change] = []
  /// Tables of the store with rows of its entities.
  public var tables: [Table] = []
  /// The statements of the migration, in order.
  public var statements: [String] = []
  /// Seconds that the migration of the copy took; `nil` if nothing was migrated.
  public var seconds: Double?
  /// The size of the file before, in bytes.
  public var bytesBefore: Int64
  /// The size of the file after, in bytes; `nil` if nothing was migrated.
  public var bytesAfter: Int64?

  /// Copies the store into a separate folder and opens the copy with the model.
  ///
  /// The store does not change.
  ///
  /// It needs space in the folder for temporary files: the store's size, and for a while twice that.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - model: The model to open it with.
  ///   - modelFiles: Model files with earlier versions, for stores without a copy of their model.
  /// - Throws: ``CoreDataFileError`` for a file that is not a store or cannot be read or copied.
  public init(
    of path: String, against model: RecoveredModel, modelFiles: [String] = []
  ) throws(CoreDataFileError) {
    file = String(path.split(separator: "/").last ?? "")
    let before = try StoreInspection(of: path)
    let real = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    let copy = try StoreCopy(of: real, logs: StoreCopy.logs(beside: real), named: path)
    bytesBefore = MigrationInspection.bytes(of: copy.file)
    outcome = .unchanged
    let log = MigrationLog()
    let start = MonotonicClock.now()
    do throws(ObjectGraphError) {
      try MigrationInspection.open(copy.file, model.model, modelFiles, log)
    } catch {
      outcome = .refused
      problems = MigrationInspection.sentences(error, path: copy.file, named: file)
      return
    }
    guard let summary = log.summary else { return }
    outcome = .migrated
    seconds = Double(MonotonicClock.now() - start) / 1e9
    bytesAfter = MigrationInspection.bytes(of: copy.file)
    statements = summary.statements
    do throws(SQLiteError) {
      let connection = try Connection(path: copy.file, access: .readOnly)
      for table in summary.tables {
        let rows = try connection.scalar("SELECT count(*) FROM \(table.name.quotedForSQL)") ?? 0
        tables.append(Table(name: table.name, rows: rows, isCopied: table.isCopied))
      }
      try connection.close()
    } catch {
      throw CoreDataFileError(error, path: path)
    }
    changes = summary.mapping.entityMappings.compactMap { Change($0, summary, in: before) }
  }

  private static func open(
    _ path: String, _ model: ManagedObjectModel, _ modelFiles: [String], _ log: MigrationLog
  ) throws(ObjectGraphError) {
    var description = PersistentStoreDescription(path: path)
    description.sourceModelProvider = StoredModelProvider(modelFiles: modelFiles)
    description.migrationLog = log
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(description)
    try coordinator.close()
  }

  private static func bytes(of path: String) -> Int64 {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? Int).map { Int64($0) } ?? (attributes?[.size] as? UInt64).map { Int64(clamping: $0) }
      ?? 0
  }

  /// Why a store cannot be opened, one sentence each.
  ///
  /// The copy has the same name as the store.
  private static func sentences(_ error: ObjectGraphError, path: String, named name: String) -> [String] {
    if case .mappingNotInferred(let problems) = error { return problems.map(\.description) }
    return ["\(error)".replacing(path, with: name)]
  }
}

extension MigrationInspection.Change {
  /// `nil` for an entity that does not change.
  fileprivate init?(_ mapping: EntityMapping, _ summary: MigrationSummary, in store: StoreInspection) {
    guard mapping.mappingType != .copy else { return nil }
    let entity = store.entities.first { $0.name == mapping.sourceEntityName }
    self.entity = mapping.destinationEntityName
    source = mapping.sourceEntityName
    objects = entity?.rowsWithSubentities ?? 0
    let properties = mapping.attributeMappings + mapping.relationshipMappings
    added = mapping.mappingType == .add ? [] : properties.filter { $0.sourceName == nil }.map(\.name)
    renamed = Dictionary(
      properties.compactMap { property in
        property.sourceName.flatMap { $0 == property.name ? nil : (property.name, $0) }
      }, uniquingKeysWith: { first, _ in first })
    let all = objects
    lost = (mapping.sourceEntityName.flatMap { summary.losses[$0] } ?? []).map { loss in
      // Compare columns: if the model comes from the tables, attributes are named after their columns.
      let attribute = loss.column.flatMap { column in entity?.attributes.first { $0.column == column } }
      return MigrationInspection.Loss(property: loss.property, values: attribute.map { all - ($0.nulls ?? all) })
    }
  }
}
