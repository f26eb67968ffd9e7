// What is to become of trees when rows of them are deleted: worked out from the rows above each row and the delete rule.
internal import BatchmarkEngine
internal import CoreDataModel
internal import Scenarios

/// The rows above each row of a source, and which rows go.
struct ExpectedTrees {
  /// What a stored row has above it.
  enum Parent: Hashable {
    /// A row of the source.
    case row(Int)
    /// The key of a row that is not there any more.
    case gone
    case nothing
  }

  let relationship: TreeRelationship
  private let parents: [Int?]
  private var isGone: [Bool]

  /// Nil for rows that are no trees.
  init?(_ source: SourceRows, _ relationship: TreeRelationship?) {
    guard let relationship, let table = source.tables.first, let related = source.relationships.first else {
      return nil
    }
    self.relationship = relationship
    var parents = [Int?](repeating: nil, count: table.count)
    for pair in related.pairs { parents[pair.row] = pair.destinationRow }
    self.parents = parents
    isGone = [Bool](repeating: false, count: table.count)
  }

  /// Whether a row goes: where the deletion is meant for it, or for a row above it that takes it along; asked of one row
  /// after the other, because the row above another comes before it.
  mutating func goes(_ row: Int, isMeant: Bool) -> Bool {
    isGone[row] = isMeant || (relationship.rule == .cascade && losesParent(row))
    return isGone[row]
  }

  /// Whether the row above goes.
  func losesParent(_ row: Int) -> Bool { parents[row].map { isGone[$0] } ?? false }

  /// Whether the row lies below one that stays.
  func keepsParent(_ row: Int) -> Bool { parents[row].map { !isGone[$0] } ?? false }

  /// What a row that stays has above it in the end.
  func parent(of row: Int) -> Parent {
    guard let parent = parents[row] else { return .nothing }
    if !isGone[parent] { return .row(parent) }
    return relationship.rule == .noAction ? .gone : .nothing
  }
}

extension RowHash {
  /// Stands for a row that is not there any more.
  static let gone: RowHash = {
    var hash = RowHash()
    hash.addNull()
    return hash
  }()
}
