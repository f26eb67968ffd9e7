// The taken unique values of a save under the error policy, with all objects that need them.
internal import CoreDataModel

/// The conflicts of one save over unique values: one for each constraint and its values.
struct ConstraintConflicts {
  private struct Values: Hashable {
    let root: Int
    let constraint: [String]
    let values: [AttributeValue]
  }

  /// The values, the row that has them, and the objects that could not be stored because of that.
  private struct Conflict {
    let values: Values
    let holder: ManagedObjectID
    var refused: [ManagedObjectID]
  }

  private let store: StoreIdentity
  private var conflicts: [Conflict] = []
  private var places: [Values: Int] = [:]

  init(_ store: StoreIdentity) { self.store = store }

  var isEmpty: Bool { conflicts.isEmpty }

  /// Records an object that has the unique values of a row, which was in the store before or was written by the same
  /// save.
  mutating func note(_ objectID: ManagedObjectID, _ row: RowSnapshot, _ layout: EntityLayout, _ taken: ConflictingRow) {
    let values = Values(
      root: layout.rootIndex, constraint: taken.constraint.map { layout.attributes[$0].name },
      values: taken.constraint.map { row[$0] })
    if let place = places[values] {
      conflicts[place].refused.append(objectID)
      return
    }
    places[values] = conflicts.count
    let holder = ManagedObjectID(
      store: store, entityIndex: Int32(taken.entityIndex ?? layout.index), key: taken.key)
    conflicts.append(Conflict(values: values, holder: holder, refused: [objectID]))
  }

  /// The conflicts for the user, in the order in which they were found.
  ///
  /// - Parameters:
  ///   - request: The save.
  ///   - keys: The keys of its new rows, if they were stored.
  /// - Returns: One conflict for each constraint and its values.
  func described(_ request: SaveChangesRequest, keys: InsertionKeys) -> [ConstraintConflict] {
    var inserted: [Int: [Int64: ManagedObjectID]] = [:]
    for (index, row) in request.insertions.enumerated() where keys[index] != 0 {
      inserted[row.layout.rootIndex, default: [:]][keys[index]] = request.objectID(of: row, in: store)
    }
    let updates = Dictionary(grouping: request.updates) { $0.objectID.key }
    return conflicts.map { conflict in
      let (values, key) = (conflict.values, conflict.holder.key)
      let update = updates[key]?.first {
        $0.layout.rootIndex == values.root && $0.sets(values.constraint, values.values)
      }
      let own = inserted[values.root]?[key] ?? update?.objectID
      return ConstraintConflict(
        constraint: values.constraint, constraintValues: values.values,
        databaseObjectID: own == nil ? conflict.holder : nil,
        conflictingObjectIDs: (own.map { [$0] } ?? []) + conflict.refused)
    }
  }
}

extension SaveChangesRequest {
  /// The ID under which the context knows a new row's object.
  func objectID(of row: ManagedObject, in store: StoreIdentity) -> ManagedObjectID {
    ManagedObjectID(
      store: row.hasPermanentKey ? store : temporaryIdentity, entityIndex: Int32(row.layout.index),
      key: row.temporaryKey)
  }
}

extension PendingRow {
  /// Whether the update sets these values, and changes at least one of them.
  fileprivate func sets(_ names: [String], _ values: [AttributeValue]) -> Bool {
    let slots = names.compactMap(layout.slot(named:))
    return slots.contains(where: changedSlots.contains) && slots.map { snapshot[$0] } == values
  }
}
