// Where a store keeps which row of trees lies above which: for SQL that is written by hand.
public import CoreDataModel

/// The column of the relationship that makes trees of an entity's rows.
///
/// ```swift
/// if let tree = setup.treeColumn, tree.rule == .cascade {
///   let sql = try "DELETE FROM \(setup.entity.tableName) WHERE \(tree.key) = ?"
/// }
/// ```
public struct TreeColumn: Sendable, Hashable {
  public let relationship: TreeRelationship
  /// The column of the keys, in the table of the rows; NULL in that of a root.
  public let key: String

  /// What becomes of the rows below one that is deleted.
  public var rule: DeleteRule { relationship.rule }
}

extension StoreSetup {
  /// Where the store keeps what lies above its rows; nil for rows that are no trees.
  public var treeColumn: TreeColumn? {
    guard let tree, let key = model.columnName(of: tree.parent.name, in: entityName) else { return nil }
    return TreeColumn(relationship: tree, key: key)
  }
}
