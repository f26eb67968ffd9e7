// The rows that must be stored, one by one: what a store is searched with when its contents are not what they should be.
internal import BatchmarkEngine
internal import CoreDataModel
internal import ObjectGraph
internal import Scenarios

/// The rows of one entity that a correct engine leaves.
struct ExpectedRows {
  struct Row {
    /// The row of the source, from 0.
    let sourceRow: Int
    let version: Int
    /// Whether the change updates or fetches the row.
    let isMeant: Bool
    /// Whether its values are those of the update.
    let isChanged: Bool
    /// Whether the update sets it to what it held, so that an engine may leave it alone.
    let isSame: Bool
    /// What lies above it, where rows are trees.
    var parent = ExpectedTrees.Parent.nothing
  }

  let entityName: String
  let attributes: [AttributeDescription]
  let reader: SourceRowReader
  private(set) var rows: [Row] = []
  /// How many rows the change updates, deletes, takes out of a relationship or fetches.
  private(set) var changedRows = 0
  /// The first row of the source that is deleted while the row above it stays, where rows are trees.
  private(set) var rowBelowKept: Int?
  /// How the rows are related; nil where they are no trees.
  private(set) var trees: ExpectedTrees?
  private let replacements: [Int: StoredValue]

  /// Plays the rows against the entity's uniqueness constraints, as often as they are ingested, and then the operation.
  ///
  /// O(rows × attributes).
  init(
    of source: ColumnarRows, entity: EntityDescription, policy: MergePolicy, repeats: Int = 1,
    operation: Operation = .insert, trees: ExpectedTrees? = nil
  ) {
    entityName = entity.name
    self.trees = trees
    attributes = source.attributes
    reader = SourceRowReader(source)
    replacements = reader.replacements(operation.assignments)
    let test = operation.condition.map { ConditionTest($0, attributes: source.attributes) }
    for stored in reader.stored(under: entity.uniquenessConstraints, policy: policy, repeats: repeats) {
      let isMeant = operation != .insert && test?.holds { reader.value($0, stored.row) } != false
      if case .delete = operation, self.trees?.goes(stored.row, isMeant: isMeant) ?? isMeant {
        changedRows += 1
        if rowBelowKept == nil, self.trees?.keepsParent(stored.row) == true { rowBelowKept = stored.row }
        continue
      }
      let isEmptied = self.trees.map { $0.relationship.rule == .nullify && $0.losesParent(stored.row) } ?? false
      if isMeant || isEmptied { changedRows += 1 }
      let isChanged = isMeant && operation.kind == .update
      let isSame = isChanged && replacements.allSatisfy { reader.value($0, stored.row) == $1 }
      rows.append(
        Row(
          sourceRow: stored.row, version: stored.version + (isChanged || isEmptied ? 1 : 0), isMeant: isMeant,
          isChanged: isChanged, isSame: isSame))
    }
    guard let trees = self.trees else { return }
    // Only now is it known which rows go, whatever their order.
    for index in rows.indices { rows[index].parent = trees.parent(of: rows[index].sourceRow) }
  }

  /// Every row of the source, once.
  init(of source: ColumnarRows) {
    entityName = source.entityName
    attributes = source.attributes
    reader = SourceRowReader(source)
    replacements = [:]
    rows = (0..<source.count).map { Row(sourceRow: $0, version: 1, isMeant: false, isChanged: false, isSame: false) }
  }

  /// Covers a row's values.
  func hash(_ row: Row) -> RowHash { reader.hash(row.sourceRow, replacing: row.isChanged ? replacements : [:]) }

  /// Which row lies above which; nil where the rows are no trees.
  var treeLinks: StoredLinks? {
    guard let trees else { return nil }
    var tally = RelationTally(entityName: entityName, relationship: trees.relationship.parent.name)
    for row in rows {
      switch row.parent {
      case .nothing: continue
      case .gone: tally.add(RelationTally.Pair(source: hash(row), destination: .gone))
      case .row(let parent):
        tally.add(RelationTally.Pair(source: hash(row), destination: reader.hash(parent, replacing: [:])))
      }
    }
    return tally.links
  }

  /// The stored value of an attribute, by its position among ``attributes``.
  func value(_ attribute: Int, of row: Row) -> StoredValue {
    if row.isChanged, let value = replacements[attribute] { return value }
    return reader.value(attribute, row.sourceRow)
  }
}
