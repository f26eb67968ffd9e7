// Rows that form trees of an entity related to itself: a scenario's settings, and how the model relates them.
public import CoreDataModel

/// A scenario's settings for rows that form trees.
package struct TreeSettings: Sendable, Hashable {
  /// Rows in all: whole trees, and one that ends where the rows do; at least those of one tree.
  package var rows: Int
  /// How many levels lie below a root; at least 1.
  package var levels: Int
  /// How many children each row has that is not on the last level; at least 1.
  package var fanOut: Int
  package var seed: UInt64

  package init(rows: Int, levels: Int, fanOut: Int, seed: UInt64 = 42) {
    self.rows = rows
    self.levels = levels
    self.fanOut = fanOut
    self.seed = seed
  }

  /// The row of a whole tree at which each level begins, the root's first, and last the number of its rows.
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

  /// The rows of a whole tree: `1 + fanOut + fanOut² + …`, a power for each level.
  package var rowsPerTree: Int { levelStarts.last ?? 1 }
}

/// How an entity relates its rows to trees: a to-one relationship to itself, seen from both ends.
public struct TreeRelationship: Sendable, Hashable {
  /// From a row to the one above it.
  public var parent: RelationshipDescription
  /// From a row to those right below it; its delete rule decides what happens to them when the row is deleted.
  public var children: RelationshipDescription

  /// What happens to the rows below one that is deleted.
  public var rule: DeleteRule { children.deleteRule }
}

extension EntityDescription {
  /// Every to-one relationship of the entity to itself whose inverse is to-many.
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
  /// How the rows are related where they are trees; nil for those of any other source.
  package var tree: TreeRelationship? {
    if case .trees = source { entity?.treeRelationships.first } else { nil }
  }
}
