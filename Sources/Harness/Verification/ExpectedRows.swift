// The rows that must be stored, one by one. A store's attributes, relationships and trees are checked against them, and
// they help to find the row that is wrong.
package import BatchmarkEngine
package import CoreDataModel
package import ObjectGraph
internal import Scenarios

/// The rows of one entity that a correct engine leaves.
package struct ExpectedRows {
  struct Row {
    /// The index of the source row, from 0.
    let sourceRow: Int
    let version: Int
    /// Whether the change updates or fetches the row.
    var isMeant: Bool
    /// Whether the update sets its values.
    let isChanged: Bool
    /// Whether the update leaves its values the same, so that an engine need not write it.
    let isSame: Bool
  }

  let entityName: String
  let attributes: [AttributeDescription]
  let reader: SourceRowReader
  private(set) var rows: [Row] = []
  /// How many rows the change updates, deletes, unlinks or fetches.
  package private(set) var changedRows = 0
  /// The first row of the source that is deleted while its parent stays, for trees.
  private(set) var rowBelowKept: Int?
  /// Whether the change is a fetch.
  let areFetched: Bool
  /// The rows that a fetch reads, as positions in ``rows``, in the fetch's order; `nil` if it has no order.
  private(set) var fetchedOrder: [Int]?
  /// Whether rows keep the key of a deleted parent.
  let keepsKeysOfDeleted: Bool
  /// What the selected rows are grouped by; `nil` without groups.
  let grouping: RowGrouping?
  /// The relationships to follow from the selected rows.
  let path: [String]
  private let replacements: [Int: StoredValue]
  /// The parent of each source row, and which rows are deleted; both are empty if rows are not trees.
  private var parents: [Int?] = []
  private var isDeleted: [Bool] = []

  /// Applies the entity's uniqueness constraints to the rows, once for each time they are ingested, and then the
  /// operation.
  ///
  /// O(rows × attributes).
  ///
  /// If the policy lets the new row win, the later row replaces the earlier one; otherwise the earlier row stays.
  ///
  /// - Parameters:
  ///   - table: The rows of the source.
  ///   - entity: Their entity; `nil` for one without uniqueness constraints.
  ///   - policy: Which of two rows with the same unique values wins.
  ///   - repeats: How often the rows are ingested.
  ///   - operation: The operation on the stored rows.
  ///   - tree: How rows are related, if they are trees.
  ///   - pairs: The parent of each row, if rows are trees; every row comes after its parent.
  package init(
    of table: ColumnarRows, entity: EntityDescription? = nil, policy: MergePolicy = .error, repeats: Int = 1,
    operation: Operation = .insert, tree: TreeRelationship? = nil, parents pairs: [RelatedRows.Pair] = []
  ) {
    entityName = table.entityName
    attributes = table.attributes
    reader = SourceRowReader(table)
    replacements = reader.replacements(operation.assignments)
    areFetched = operation.kind == .fetch
    keepsKeysOfDeleted = tree?.rule == .noAction
    (grouping, path) = (operation.query.grouping, operation.query.path)
    if tree != nil {
      parents = Array(repeating: nil, count: table.count)
      for pair in pairs { parents[pair.row] = pair.destinationRow }
      isDeleted = Array(repeating: false, count: table.count)
    }
    let test = operation.condition.map { ConditionTest($0, attributes: table.attributes) }
    for stored in reader.stored(under: entity?.uniquenessConstraints ?? [], policy: policy, repeats: repeats) {
      let isMeant = operation != .insert && test?.holds { reader.value($0, stored.row) } != false
      let parent = tree == nil ? nil : parents[stored.row]
      // The parent comes before this row, so it is already known whether it is deleted.
      let losesParent = parent.map { isDeleted[$0] } ?? false
      if operation.kind == .delete, isMeant || tree?.rule == .cascade && losesParent {
        changedRows += 1
        if tree != nil { isDeleted[stored.row] = true }
        if rowBelowKept == nil, parent != nil, !losesParent { rowBelowKept = stored.row }
        continue
      }
      let isEmptied = tree?.rule == .nullify && losesParent
      if isMeant || isEmptied { changedRows += 1 }
      let isChanged = isMeant && operation.kind == .update
      let isSame = isChanged && replacements.allSatisfy { reader.value($0, stored.row).equals($1) }
      rows.append(
        Row(
          sourceRow: stored.row, version: stored.version + (isChanged || isEmptied ? 1 : 0), isMeant: isMeant,
          isChanged: isChanged, isSame: isSame))
    }
    if areFetched { choose(operation.query) }
  }

  /// Orders the rows that a fetch selects, and drops those before its offset and after its limit.
  private mutating func choose(_ query: FetchQuery) {
    guard let name = query.order, let column = attributes.firstIndex(where: { $0.name == name }) else { return }
    var meant = rows.indices.filter { rows[$0].isMeant }
    meant.sort { one, two in
      let (one, two) = (reader.value(column, rows[one].sourceRow), reader.value(column, rows[two].sourceRow))
      return (query.isAscending ? one.precedes(two) : two.precedes(one)) ?? false
    }
    fetchedOrder = Array(meant.dropFirst(query.offset).prefix(query.limit ?? Int.max))
    for row in meant { rows[row].isMeant = false }
    for row in fetchedOrder ?? [] { rows[row].isMeant = true }
    changedRows = fetchedOrder?.count ?? changedRows
  }

  /// The rows of each entity that a scenario stores, in the order of the source's tables.
  ///
  /// - Parameters:
  ///   - source: The rows of its source.
  ///   - scenario: The scenario that stores them.
  ///   - repeats: How often they have been ingested; `nil` for the number in the scenario.
  /// - Returns: One for each table of the source; where it has none, one without rows.
  package static func all(of source: SourceRows, in scenario: Scenario, repeats: Int? = nil) -> [ExpectedRows] {
    if scenario.isReplay {
      return source.tables.map { table in
        let isFetched = scenario.followsRelationships && table.entityName == scenario.entityName
        return ExpectedRows(of: table, operation: isFetched ? scenario.operation : .insert)
      }
    }
    let table =
      source.tables.first ?? ColumnarRows(entityName: scenario.entityName, attributes: [], columns: [], count: 0)
    return [
      ExpectedRows(
        of: table, entity: scenario.entity, policy: scenario.mergePolicy ?? .error,
        repeats: repeats ?? scenario.repeats, operation: scenario.operation, tree: scenario.tree,
        parents: source.relationships.first?.pairs ?? [])
    ]
  }

  /// A hash of a row's values.
  func hash(_ row: Row) -> RowHash { reader.hash(row.sourceRow, replacing: row.isChanged ? replacements : [:]) }

  /// The stored value of an attribute, by its position among ``attributes``.
  func value(_ attribute: Int, of row: Row) -> StoredValue {
    if row.isChanged, let value = replacements[attribute] { return value }
    return reader.value(attribute, row.sourceRow)
  }

  /// The source row of the row's parent; `nil` for none.
  func parent(of row: Row) -> (sourceRow: Int, isDeleted: Bool)? {
    guard !parents.isEmpty, let parent = parents[row.sourceRow] else { return nil }
    return isDeleted[parent] && !keepsKeysOfDeleted ? nil : (parent, isDeleted[parent])
  }
}
