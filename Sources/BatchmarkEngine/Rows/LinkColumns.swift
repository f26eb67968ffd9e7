// Where a store keeps the links of rows, for hand-written SQL.
public import CoreDataModel

/// The tables and columns of a link.
///
/// ```swift
/// for columns in try setup.linkColumns {
///   let sql = "SELECT Z_PK FROM \(columns.destinationTable) WHERE \(columns.destinationName) = ?"
/// }
/// ```
public struct LinkColumns: Sendable, Hashable {
  public let link: Link
  /// The column of the keys, in the table of the rows.
  public let key: String
  /// The column with the name of a row's destination, in the same table.
  public let name: String
  /// The table of the linked objects, with their keys in `Z_PK`.
  public let destinationTable: String
  /// The column of their names.
  public let destinationName: String

  /// Finds the columns.
  ///
  /// - Throws: ``EngineError/unknownLink(_:)`` if the model has no such relationship or attribute.
  public init(_ link: Link, of entityName: String, in model: ManagedObjectModel) throws(EngineError) {
    guard let key = model.columnName(of: link.relationship, in: entityName),
      let name = model.columnName(of: link.attribute, in: entityName),
      let table = model.tableName(of: link.destinationEntityName),
      let destinationName = model.columnName(of: link.destinationAttribute, in: link.destinationEntityName)
    else { throw .unknownLink(link) }
    self.link = link
    self.key = key
    self.name = name
    destinationTable = table
    self.destinationName = destinationName
  }
}

extension StoreSetup {
  /// Where the store keeps the links of its rows.
  ///
  /// - Throws: The errors of ``LinkColumns/init(_:of:in:)``.
  public var linkColumns: [LinkColumns] {
    get throws(EngineError) {
      try links.map { (link) throws(EngineError) in try LinkColumns(link, of: entityName, in: model) }
    }
  }
}

/// The column of the relationship that forms trees.
///
/// ```swift
/// if let tree = setup.treeColumn, tree.rule == .cascade {
///   let sql = try "DELETE FROM \(setup.entity.tableName) WHERE \(tree.key) = ?"
/// }
/// ```
public struct TreeColumn: Sendable, Hashable {
  public let relationship: TreeRelationship
  /// The column of the keys, in the table of the rows; NULL for a root.
  public let key: String

  /// What happens to the children of a deleted row.
  public var rule: DeleteRule { relationship.rule }
}

extension StoreSetup {
  /// Where the store keeps the parents of its rows; `nil` for rows that are not trees.
  public var treeColumn: TreeColumn? {
    guard let tree, let key = model.columnName(of: tree.parent.name, in: entityName) else { return nil }
    return TreeColumn(relationship: tree, key: key)
  }
}
