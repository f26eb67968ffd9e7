// Checks whether a store was created with the model that will write to it.
internal import CoreDataModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An entity that differs between a store and the model.
///
/// ```swift
/// do {
///   try container.loadPersistentStores()
/// } catch .incompatibleModel(_, let entities) {
///   for difference in entities { print("\(difference.entity) was \(difference.found), is \(difference.expected)") }
/// }
/// ```
public struct EntityDifference: Sendable, Hashable, CustomStringConvertible {
  /// The name of the entity, which the store or the model may lack.
  public let entity: String
  /// What the store has instead.
  public let found: String
  /// What the model has.
  public let expected: String

  /// Creates a difference, for comparisons outside this library.
  ///
  /// ```swift
  /// EntityDifference(entity: "Quake", found: "no depth", expected: "a depth").description
  /// // "Quake: found no depth; expected a depth"
  /// ```
  public init(entity: String, found: String, expected: String) {
    self.entity = entity
    self.found = found
    self.expected = expected
  }

  public var description: String { "\(entity): found \(found); expected \(expected)" }
}

/// Compares a model with the model that a store was created with.
///
/// If this library wrote the store, version hashes decide. Core Data's hashes cannot be computed here, and a store may
/// have none: then entities, tables, columns and uniqueness constraints are compared, which do not show whether a
/// property is optional.
struct ModelComparison {
  let model: CompiledModel
  let schema: StoreSchema
  let file: StoreTables
  let entities: FileEntities
  let metadata: StoredMetadata
  /// The names of all indexes of the file.
  let indexes: [String]
  /// Whether to ignore differences that only show in hashes.
  let ignoresHashes: Bool

  private var held: [EntityLayout] { model.layouts.filter { schema.entities.contains($0.index) } }

  /// The entities that differ, by name; empty if the store may be written with the model.
  var differences: [EntityDifference] {
    let hashes = metadata.versionHashes
    let known = hashes.isEmpty ? Set(entities.entities.map(\.name)) : Set(hashes.keys)
    let own = metadata.hasOwnVersionHashes && !ignoresHashes ? hashes : [:]
    var differences: [EntityDifference] = []
    for layout in held {
      let name = layout.entity.name
      if !known.contains(name) {
        differences.append(.init(entity: name, found: "no such entity in the store", expected: "the model's entity"))
      } else if let hash = own[name] {
        if hash != layout.entity.versionHash { differences.append(difference(of: layout, hash: hash)) }
      } else if let difference = difference(of: layout) {
        differences.append(difference)
      }
    }
    let names = Set(held.map(\.entity.name))
    differences += known.subtracting(names).map {
      EntityDifference(entity: $0, found: "an entity of the store", expected: "none of the name, as in the model")
    }
    return differences.sorted { $0.entity < $1.entity }
  }

  /// The difference of an entity with another hash.
  private func difference(of layout: EntityLayout, hash: Data) -> EntityDifference {
    difference(of: layout, isKnownToDiffer: true)
      ?? EntityDifference(
        entity: layout.entity.name, found: "the version hash \(hash.shortHex)",
        expected: "\(layout.entity.versionHash.shortHex); tables and columns agree, so a property is optional on one "
          + "side alone, or the super-entity, abstractness, a destination, an inverse or a count is another")
  }

  /// How the tables and indexes of an entity differ from the model; `nil` if they match.
  ///
  /// A column that belongs to no entity of the model is reported for the root, or for each entity that is known to
  /// differ, because the table does not show which entity it belonged to.
  private func difference(of layout: EntityLayout, isKnownToDiffer: Bool = false) -> EntityDifference? {
    // The comparison of tables reports a missing table.
    guard let stored = file.columns[layout.tableName],
      let table = model.tables.first(where: { $0.name == layout.tableName })
    else { return nil }
    let types = Dictionary(stored.map { ($0.name, $0.declaredType) }) { first, _ in first }
    let own = table.columns.filter { $0.entityIndex == layout.index }
    let missing = own.filter { types[$0.name] == nil }.map { "the column \($0.name)" }
    let retyped = own.filter { types[$0.name] != nil && types[$0.name] != $0.declaredType }
    let known = Set(table.columns.map(\.name) + StoreTables.systemColumns)
    let others =
      layout.index == layout.rootIndex || isKnownToDiffer ? stored.filter { !known.contains($0.name) } : []
    let constraints = schema.uniquenessDifferences(of: layout, indexes: indexes)
    let (missingTables, otherTables) = joinTables(of: layout)
    let found =
      others.map { "the column \($0.name) \($0.declaredType)" }
      + retyped.map { "the column \($0.name) \(types[$0.name] ?? "")" }
      + constraints.others.map { "the uniqueness constraint \($0)" } + otherTables
    let expected =
      missing + retyped.map { "\($0.name) \($0.declaredType)" }
      + constraints.missing.map { "the uniqueness constraint \($0)" } + missingTables
    if found.isEmpty && expected.isEmpty { return nil }
    return EntityDifference(
      entity: layout.entity.name, found: found.isEmpty ? "none of it" : found.joined(separator: ", "),
      expected: expected.isEmpty ? "none of it, as in the model" : expected.joined(separator: ", "))
  }

  /// The join tables named after the entity that exist only in the model, and those that exist only in the store.
  private func joinTables(of layout: EntityLayout) -> (missing: [String], others: [String]) {
    let wanted = model.joinTables.filter { schema.entities.contains($0) }
    let missing = wanted.filter { $0.owner.entityIndex == layout.index && !file.contains($0.name) }.map(\.name)
    guard let number = entities.entities.first(where: { $0.name == layout.entity.name })?.number else {
      return (missing.map { "the join table \($0)" }, [])
    }
    let others = file.columns.keys.sorted().filter { name in
      name.hasPrefix("Z_\(number)") && name.dropFirst("Z_\(number)".count).first?.isNumber == false
        && !wanted.contains { $0.name == name }
    }
    return (missing.map { "the join table \($0)" }, others.map { "the join table \($0)" })
  }
}

extension Data {
  /// The first four bytes, in hexadecimal digits.
  fileprivate var shortHex: String {
    prefix(4).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined() + "…"
  }
}
