// A Core Data store as a source. Its rows are read by ordinary fetches, column by column, with their relationships.
import BatchmarkEngine
import CoreDataFiles
internal import CoreDataModel
import ObjectGraph

/// A Core Data store on disk; its rows will be stored again.
struct StoreSource {
  let path: String
  /// The model for reading the store.
  let model: ManagedObjectModel
  /// The requested entities, in the order of their numbers.
  let entities: [StoredEntity]

  /// Reads every row of the entities, and the relationships between these rows.
  ///
  /// O(rows): all values are kept in memory, like those of a feed. The store's files are not changed.
  ///
  /// - Throws: ``SourceError`` if the file cannot be read as a store of the model, or if a row lacks a required value.
  func rows() throws(SourceError) -> SourceRows {
    do {
      let file = try StoreFile(path: path, model: RecoveredModel(model: model, origin: .modelFile))
      let rows = try rows(of: file.coordinator)
      try file.close()
      guard rows.count > 0 else {
        throw SourceError(
          source: path, found: "no row of \(entities.map(\.name).joined(separator: ", "))",
          expected: "a store with at least one row")
      }
      return rows
    } catch let error as SourceError {
      throw error
    } catch let error as CoreDataFileError {
      throw SourceError(error)
    } catch {
      throw SourceError(source: path, found: "\(error)", expected: "a store whose rows can be read")
    }
  }

  private func rows(of coordinator: PersistentStoreCoordinator) throws -> SourceRows {
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator)
    return try context.performAndWait {
      var reading = StoreReading(path: path, model: model, entities: entities)
      for table in entities.indices { try reading.readRows(ofTable: table, in: context) }
      for table in entities.indices { try reading.readRelationships(ofTable: table, in: context) }
      return SourceRows(tables: reading.tables, relationships: OneToOne.matched(reading.relationships))
    }
  }
}

/// The data read from a store so far.
private struct StoreReading {
  let path: String
  let model: ManagedObjectModel
  let entities: [StoredEntity]
  private(set) var tables: [ColumnarRows] = []
  private(set) var relationships: [RelatedRows] = []
  /// The row of each object; empty if no entity has relationships.
  private var positions: [ManagedObjectID: (table: Int, row: Int)] = [:]
  private let hasRelationships: Bool

  init(path: String, model: ManagedObjectModel, entities: [StoredEntity]) {
    self.path = path
    self.model = model
    self.entities = entities
    hasRelationships = entities.contains { !$0.relationships.isEmpty }
  }

  /// The objects of exactly this entity, in the order of their keys.
  private func objects(of entity: StoredEntity, in context: ManagedObjectContext) throws -> FetchResults<ManagedObject>
  {
    var request = FetchRequest(entityName: entity.name)
    request.includesSubentities = false
    return try context.fetch(request)
  }

  mutating func readRows(ofTable table: Int, in context: ManagedObjectContext) throws {
    let entity = entities[table]
    var builders = entity.attributes.map { ColumnBuilder($0) }
    var count = 0
    for object in try objects(of: entity, in: context) {
      do throws(FieldMismatch) {
        for index in builders.indices { try builders[index].append(object[builders[index].attribute.name]) }
      } catch {
        let name = object.objectID.uriRepresentation().split(separator: "/").suffix(2).joined(separator: "/")
        throw SourceError(source: path, place: .object(name), found: error.found, expected: error.expected)
      }
      if hasRelationships { positions[object.objectID] = (table, count) }
      count += 1
    }
    tables.append(
      ColumnarRows(
        entityName: entity.name, attributes: entity.attributes, columns: builders.map(\.column), count: count))
    context.reset()
  }

  /// Reads the relationships that the table's rows store in a column or a join table, including inherited ones.
  ///
  /// It skips dangling keys, and keys of rows of other entities.
  mutating func readRelationships(ofTable table: Int, in context: ManagedObjectContext) throws {
    let descriptions = model.relationships(of: entities[table].name)
    let stored = entities[table].relationships
    guard !stored.isEmpty else { return }
    let objects = try objects(of: entities[table], in: context)
    for relationship in stored {
      guard let description = descriptions.first(where: { $0.name == relationship.name }) else { continue }
      let inverse = description.inverseName.flatMap { name in
        model.relationships(of: description.destinationEntityName).first { $0.name == name }
      }
      var inversePositions = InversePositions(inverse)
      var pairs: [RelatedRows.Pair] = []
      for (row, object) in objects.enumerated() {
        let wanted = try object.objectIDs(forRelationshipNamed: description.name).compactMap { objectID in
          positions[objectID].map { (objectID, $0) }
        }
        for (position, (objectID, destination)) in wanted.enumerated() {
          let inversePosition = try inversePositions.position(
            of: object.objectID, amongObjectsOf: objectID, in: context, counting: { positions[$0] != nil })
          pairs.append(
            RelatedRows.Pair(
              row: row, destinationTable: destination.table, destinationRow: destination.row,
              position: description.isOrdered ? position : 0, inversePosition: inversePosition))
        }
      }
      relationships.append(
        RelatedRows(table: table, relationship: description, inverse: inverse, pairs: pairs))
    }
    context.reset()
  }
}

/// The positions of objects in an ordered relationship.
private struct InversePositions {
  private let name: String?
  private var positions: [ManagedObjectID: [ManagedObjectID: Int]] = [:]

  /// If the inverse has no order, every position is 0.
  init(_ inverse: RelationshipDescription?) { name = inverse?.isOrdered == true ? inverse?.name : nil }

  /// The position of an object among the owner's objects that are read.
  mutating func position(
    of objectID: ManagedObjectID, amongObjectsOf owner: ManagedObjectID, in context: ManagedObjectContext,
    counting counts: (ManagedObjectID) -> Bool
  ) throws -> Int {
    guard let name else { return 0 }
    if let known = positions[owner] { return known[objectID] ?? 0 }
    let fellows = try context.object(with: owner).objectIDs(forRelationshipNamed: name).filter(counts)
    let known = Dictionary(zip(fellows, fellows.indices), uniquingKeysWith: { first, _ in first })
    positions[owner] = known
    return known[objectID] ?? 0
  }
}

extension SourceError {
  init(_ error: CoreDataFileError) {
    switch error {
    case .unreadable(let path, let reason):
      self.init(
        source: path, found: reason, expected: "a store that Core Data wrote and that can be read", isUnreadable: true)
    case .invalid(let path, let found, let expected): self.init(source: path, found: found, expected: expected)
    case .damaged(let path, let found):
      self.init(source: path, found: found, expected: CoreDataFileError.wholeStore)
    }
  }
}

/// The pairs of one-to-one relationships, each at both ends, as for objects.
enum OneToOne {
  /// A row, by its table and its index there.
  private struct Row: Hashable {
    let table: Int
    let row: Int
  }

  /// The same relationships, where every one-to-one relationship has a pair if either end refers to the other.
  ///
  /// If several rows refer to the same row, the first one gets it. O(pairs).
  static func matched(_ relationships: [RelatedRows]) -> [RelatedRows] {
    var partners: [String: [Row: Row]] = [:]
    for related in relationships {
      guard let ends = ends(of: related) else { continue }
      for pair in related.pairs {
        let (row, other) = (
          Row(table: related.table, row: pair.row), Row(table: pair.destinationTable, row: pair.destinationRow)
        )
        guard partners[ends.there]?[row] == nil, partners[ends.back]?[other] == nil else { continue }
        partners[ends.there, default: [:]][row] = other
        partners[ends.back, default: [:]][other] = row
      }
    }
    return relationships.map { related in
      guard let ends = ends(of: related) else { return related }
      let pairs = (partners[ends.there] ?? [:]).filter { $0.key.table == related.table }
        .sorted { $0.key.row < $1.key.row }
        .map { RelatedRows.Pair(row: $0.key.row, destinationTable: $0.value.table, destinationRow: $0.value.row) }
      return RelatedRows(
        table: related.table, relationship: related.relationship, inverse: related.inverse, pairs: pairs)
    }
  }

  /// Names for both ends of a one-to-one relationship, from either side; `nil` for any other relationship.
  private static func ends(of related: RelatedRows) -> (there: String, back: String)? {
    guard !related.relationship.isToMany, let inverse = related.inverse, !inverse.isToMany else { return nil }
    let there = "\(related.relationship.name)>\(related.relationship.destinationEntityName)"
    let back = "\(inverse.name)>\(inverse.destinationEntityName)"
    return ("\(there)|\(back)", "\(back)|\(there)")
  }
}
