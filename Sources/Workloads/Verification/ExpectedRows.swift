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
  }

  let entityName: String
  let attributes: [AttributeDescription]
  let reader: SourceRowReader
  private(set) var rows: [Row] = []
  /// How many rows the change updates, deletes or fetches.
  private(set) var changedRows = 0
  private let replacements: [Int: StoredValue]

  /// Plays the rows against the entity's uniqueness constraints, as often as they are ingested, and then the operation.
  ///
  /// O(rows × attributes).
  init(
    of source: ColumnarRows, entity: EntityDescription, policy: MergePolicy, repeats: Int = 1,
    operation: Operation = .insert
  ) {
    entityName = entity.name
    attributes = source.attributes
    reader = SourceRowReader(source)
    replacements = reader.replacements(operation.assignments)
    let test = operation.condition.map { ConditionTest($0, attributes: source.attributes) }
    for stored in reader.stored(under: entity.uniquenessConstraints, policy: policy, repeats: repeats) {
      let isMeant = operation != .insert && test?.holds { reader.value($0, stored.row) } != false
      if isMeant {
        changedRows += 1
        if case .delete = operation { continue }
      }
      let isChanged = isMeant && operation.kind == .update
      let isSame = isChanged && replacements.allSatisfy { reader.value($0, stored.row) == $1 }
      rows.append(
        Row(
          sourceRow: stored.row, version: stored.version + (isChanged ? 1 : 0), isMeant: isMeant, isChanged: isChanged,
          isSame: isSame))
    }
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

  /// The stored value of an attribute, by its position among ``attributes``.
  func value(_ attribute: Int, of row: Row) -> StoredValue {
    if row.isChanged, let value = replacements[attribute] { return value }
    return reader.value(attribute, row.sourceRow)
  }
}
