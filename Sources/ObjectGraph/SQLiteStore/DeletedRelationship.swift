// The relationships of deleted rows, and the joins that follow them.
internal import CoreDataModel

/// A relationship of deleted rows.
struct DeletedRelationship {
  enum Storage {
    /// The deleted row contains the key.
    case ownKey(table: String, column: String)
    case inverseKey(String)
    case join(ToManyLayout.JoinEnds)
  }

  /// A key of the deleted row in the other row.
  struct Inverse {
    let name: String
    let isOptional: Bool
    let keyColumn: String
    let entityColumn: String?
    let orderColumn: String?
  }

  let name: String
  let rule: DeleteRule
  let sourceRoot: Int
  let destination: EntityLayout
  let storage: Storage
  /// `nil` if no key refers back.
  let inverse: Inverse?

  /// All relationships of a hierarchy, each once.
  static func all(of root: EntityLayout, _ model: CompiledModel) -> [DeletedRelationship] {
    model.layouts[root.family].flatMap { layout in
      layout.slots.compactMap { slot in
        slot.toOne.flatMap { $0.entityIndex == layout.index ? DeletedRelationship($0, of: root, model) : nil }
      }
        + layout.toManyRelationships.filter { $0.entityIndex == layout.index }.map {
          DeletedRelationship($0, of: root, model)
        }
    }
  }

  private init(_ toOne: ToOneLayout, of root: EntityLayout, _ model: CompiledModel) {
    name = toOne.relationship.name
    rule = toOne.relationship.deleteRule
    sourceRoot = root.index
    let destination = model.layouts[toOne.destinationIndex]
    self.destination = destination
    storage = .ownKey(table: root.tableName, column: toOne.keyColumn)
    inverse = toOne.inverse.flatMap { inverse in
      guard let slot = destination.slot(named: inverse.name), let back = destination.slots[slot].toOne else {
        return nil
      }
      return Inverse(
        name: inverse.name, isOptional: inverse.isOptional, keyColumn: back.keyColumn, entityColumn: back.entityColumn,
        orderColumn: back.orderColumn)
    }
  }

  private init(_ toMany: ToManyLayout, of root: EntityLayout, _ model: CompiledModel) {
    name = toMany.relationship.name
    rule = toMany.relationship.deleteRule
    sourceRoot = root.index
    destination = model.layouts[toMany.destinationIndex]
    switch toMany.storage {
    case .inverseKey(let key):
      storage = .inverseKey(key.keyColumn)
      inverse = Inverse(
        name: toMany.inverse.name, isOptional: toMany.inverse.isOptional, keyColumn: key.keyColumn,
        entityColumn: key.entityColumn, orderColumn: key.orderColumn)
    case .join(let ends):
      storage = .join(ends)
      inverse = nil
    }
  }

  /// Joins a row's key with the rows at the other end, which get the alias `d`.
  ///
  /// It skips keys without a row.
  func joins(source: String) -> String {
    let table = destination.tableName
    switch storage {
    case .ownKey(let own, let column):
      return "CROSS JOIN \(own) s ON s.Z_PK = \(source) CROSS JOIN \(table) d ON d.Z_PK = s.\(column)"
    case .inverseKey(let column): return "CROSS JOIN \(table) d ON d.\(column) = \(source)"
    case .join(let ends):
      return "CROSS JOIN \(ends.table) j ON j.\(ends.sourceColumn) = \(source) "
        + "CROSS JOIN \(table) d ON d.Z_PK = j.\(ends.destinationColumn)"
    }
  }

  /// Counts the rows at the other end that are not deleted.
  func countOfSurvivors(_ list: String) -> String {
    "SELECT count(DISTINCT d.Z_PK) FROM \(list) g \(joins(source: "g.Z_PK")) WHERE g.ROOT = \(sourceRoot) "
      + "AND d.Z_PK NOT IN (SELECT Z_PK FROM \(list) WHERE ROOT = \(destination.rootIndex))"
  }
}
