// Makes rows from a profile, with the same numbers, lengths, differences and relationships as the measured ones.
import BatchmarkEngine
import CoreDataModel

extension SyntheticSource {
  /// Makes the rows of entities, and the relationships between them.
  ///
  /// Values of one length are equally frequent, and attributes and relationships are independent of each other.
  /// O(values).
  ///
  /// - Throws: ``SourceError`` if there are not enough unique values or different pairs.
  func rows(of entities: [StoredEntity], model: ManagedObjectModel) throws(SourceError) -> SourceRows {
    var columns = SyntheticColumns(self, entities)
    var tables: [ColumnarRows] = []
    for entity in entities { tables.append(try columns.table(of: entity)) }
    var links = SyntheticLinks(self, tables, model)
    for table in tables.indices { try links.makeLinks(ofTable: table) }
    for table in tables.indices { links.drawLinks(ofTable: table) }
    return SourceRows(
      tables: tables,
      relationships: zip(tables.indices, entities).flatMap { table, entity in
        links.relatedRows(ofTable: table, entity.relationships.map(\.name))
      })
  }

  /// Checks that there are enough different values, and that listed values can be stored.
  ///
  /// It makes no rows. O(values of the profile).
  ///
  /// - Throws: ``SourceError``, as ``rows(of:model:)`` does.
  func check(_ entities: [StoredEntity]) throws(SourceError) {
    var columns = SyntheticColumns(self, entities)
    for entity in entities { try columns.check(entity) }
  }

  /// The profile of an entity's rows, multiplied by the scale; empty for an entity without a profile.
  ///
  /// If values are unique, alone or together with others, their number grows too.
  func entity(_ name: String, unique: [[String]] = []) -> DataProfile.Entity {
    guard var entity = profile.entities.first(where: { $0.name == name }) else {
      return DataProfile.Entity(name: name, rows: 0)
    }
    let rows = entity.rows
    entity.rows *= scale
    for index in entity.attributes.indices {
      let attribute = entity.attributes[index]
      if attribute.distinct == attribute.lengths.count || unique.contains(where: { $0.contains(attribute.name) }) {
        entity.attributes[index].distinct *= scale
      }
      entity.attributes[index].nulls *= scale
      entity.attributes[index].lengths = attribute.lengths.scaled(by: scale)
    }
    for index in entity.relationships.indices {
      entity.relationships[index].perRow = entity.relationships[index].perRow.scaled(by: scale)
      entity.relationships[index].perDestination = entity.relationships[index].perDestination.scaled(by: scale)
    }
    for index in entity.recipes.indices { entity.recipes[index] = entity.recipes[index].scaled(by: scale, of: rows) }
    for index in entity.links.indices {
      entity.links[index].nulls = entity.links[index].nulls.scaled(by: scale, of: rows)
    }
    return entity
  }
}

extension SourceError {
  /// An error for synthetic data that cannot be made.
  init(making what: String, found: String, expected: String) {
    self.init(source: "the synthetic data of \(what)", found: found, expected: expected)
  }
}

/// Makes distinct pairs.
///
/// Each source in turn takes the destinations with the most pairs left, which succeeds if a solution exists (Gale, "A
/// theorem on flows in networks", 1957; Ryser, 1957). O(pairs + sources × the most pairs of a destination).
///
/// - Returns: The pairs, by source; `nil` if there is no solution.
func distinctPairs(perSource: [Int], perDestination: [Int]) -> [(source: Int, destination: Int)]? {
  /// The destinations by the number of pairs they still need.
  var waiting: [[Int]] = Array(repeating: [], count: (perDestination.max() ?? 0) + 1)
  for (destination, count) in perDestination.enumerated() { waiting[count].append(destination) }
  var pairs: [(source: Int, destination: Int)] = []
  pairs.reserveCapacity(perSource.reduce(0, +))
  var highest = waiting.count - 1
  for (source, count) in perSource.enumerated() {
    while highest > 0, waiting[highest].isEmpty { highest -= 1 }
    var level = highest
    var taken: [(destination: Int, level: Int)] = []
    while taken.count < count {
      while level > 0, waiting[level].isEmpty { level -= 1 }
      guard level > 0, let destination = waiting[level].popLast() else { return nil }
      taken.append((destination, level))
    }
    for (destination, level) in taken {
      pairs.append((source, destination))
      waiting[level - 1].append(destination)
    }
  }
  return pairs
}
