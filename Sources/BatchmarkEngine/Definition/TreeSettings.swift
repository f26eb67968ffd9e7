// Rows that form trees through a relationship of an entity to itself: a scenario's settings, and the relationship in
// the model.
public import CoreDataModel

/// A scenario's settings for rows that form trees.
package struct TreeSettings: Sendable, Hashable {
  /// The total number of rows: whole trees, and a last one that may be incomplete; at least those of one tree.
  package var rows: Int
  /// The number of levels below a root, at least 1.
  package var levels: Int
  /// The number of children of each row above the last level, at least 1.
  package var fanOut: Int
  package var seed: UInt64

  package init(rows: Int, levels: Int, fanOut: Int, seed: UInt64 = 42) {
    self.rows = rows
    self.levels = levels
    self.fanOut = fanOut
    self.seed = seed
  }

  /// The index of the first row of each level of a complete tree, from the root's on, followed by its number of rows.
  ///
  /// A number that is too large is `Int.max`.
  package var levelStarts: [Int] {
    var starts = [0]
    var width = 1
    for _ in 0...levels {
      let (next, isTooMany) = (starts.last ?? 0).addingReportingOverflow(width)
      starts.append(isTooMany ? .max : next)
      let (wider, isTooWide) = width.multipliedReportingOverflow(by: fanOut)
      width = isTooWide ? .max : wider
    }
    return starts
  }

  /// The rows of a complete tree: `1 + fanOut + fanOut² + …`, one term for each level.
  package var rowsPerTree: Int { levelStarts.last ?? 1 }
}

/// How an entity's rows form trees: a to-one relationship to itself, with both ends.
public struct TreeRelationship: Sendable, Hashable {
  /// From a row to its parent.
  public var parent: RelationshipDescription
  /// From a row to its children.
  ///
  /// Its delete rule determines what happens to them when the row is deleted.
  public var children: RelationshipDescription

  /// What happens to the children of a deleted row.
  public var rule: DeleteRule { children.deleteRule }
}

extension EntityDescription {
  /// Every to-one relationship of the entity to itself with a to-many inverse.
  package var treeRelationships: [TreeRelationship] {
    relationships.compactMap { parent in
      guard !parent.isToMany, parent.destinationEntityName == name,
        let children = relationships.first(where: { $0.name == parent.inverseName && $0.isToMany })
      else { return nil }
      return TreeRelationship(parent: parent, children: children)
    }
  }
}

extension Scenario {
  /// How the rows are related if they are trees; `nil` for any other source.
  package var tree: TreeRelationship? {
    if case .trees = source { entity?.treeRelationships.first } else { nil }
  }
}
