// To-one relationships in a row's columns: the key, the entity number next to it, and the position in the inverse.
internal import CoreDataModel
internal import SQLiteDriver

/// How a save stores the references of its rows.
///
/// The keys of new rows are known before the first of them is stored, so that rows can refer to each other in any
/// order.
struct StoredReferences {
  /// The store's number of each entity of the model.
  private let entityNumbers: [Int]
  /// The keys of the save's own new rows, by their temporary keys.
  var keys: [Int64: Int64] = [:]
  /// The entities of stored rows that replace new ones of other entities, by the new ones' temporary keys.
  var entities: [Int64: Int32] = [:]

  init(_ entityNumbers: [Int]) { self.entityNumbers = entityNumbers }

  /// The key of the reference's row; `nil` for a new object that is not saved.
  func key(_ reference: ObjectReference) -> Int64? { reference.key < 0 ? keys[reference.key] : reference.key }

  /// The store's entity number for the reference's row.
  func entityNumber(_ reference: ObjectReference) -> Int64? {
    let index = Int(entities[reference.key] ?? reference.entityIndex)
    return entityNumbers.indices.contains(index) ? Int64(entityNumbers[index]) : nil
  }
}

extension RowDestination {
  /// Binds the part of a value that one column of the row stores.
  func bind(
    _ value: AttributeValue, as role: TableColumn.Role, at index: Int, _ references: StoredReferences
  ) throws(SQLiteError) {
    guard role != .value else { return try bind(value, at: index) }
    guard let reference = value.reference, let key = references.key(reference) else { return try bindNull(at: index) }
    switch role {
    case .destinationKey: try bind(key, at: index)
    case .destinationEntity: try bind(optional: references.entityNumber(reference), at: index)
    case .order: try bind(optional: reference.order == 0 ? nil : Int64(reference.order), at: index)
    case .value: break
    }
  }
}

/// The columns of a statement that have a slot's value.
struct SlotColumns {
  /// The value or key; `nil` for a transient attribute.
  let value: Int?
  let destinationEntity: Int?
  let order: Int?

  /// The closure returns the statement's column for a name.
  init(_ slot: PropertySlot, _ column: (String) -> Int?) {
    value = slot.columnName.flatMap(column)
    destinationEntity = slot.toOne?.entityColumn.flatMap(column)
    order = slot.toOne?.orderColumn.flatMap(column)
  }
}

extension Statement {
  /// The reference in the columns of a to-one relationship; null if there is none.
  func reference(_ toOne: ToOneLayout, _ columns: SlotColumns, _ entityIndexes: [Int: Int]) -> AttributeValue {
    guard let keyColumn = columns.value, !isNull(keyColumn) else { return .null }
    // Keys start at 1. Any other key, in a file of another program, refers to no row.
    let key = int64(keyColumn)
    if key < 1 { return .null }
    let entityIndex = columns.destinationEntity.flatMap { entityIndexes[Int(int64($0))] } ?? toOne.destinationIndex
    let order = columns.order.map { Int32(clamping: int64($0)) } ?? 0
    return .reference(
      ObjectReference(key: key, entityIndex: Int32(entityIndex), order: order))
  }
}
