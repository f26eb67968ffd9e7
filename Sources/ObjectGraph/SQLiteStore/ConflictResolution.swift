// What to do if a row's unique values are taken, with the row and with the stored row that has them.
internal import CoreDataModel

/// What an insert does with a row if its unique values are taken.
enum ConflictResolution: Hashable {
  /// The insert fails.
  case fail
  /// The stored row stays.
  case keepStored
  /// The new row's values overwrite the stored row, and its version is incremented.
  case overwriteStored

  /// The resolution of a batch insert.
  ///
  /// Like Core Data, it silently skips such rows under the error policy.
  init(batchInsertUnder policy: MergePolicy) {
    switch policy.mergeType {
    case .objectTrump, .overwrite: self = .overwriteStored
    case .error, .storeTrump, .rollback: self = .keepStored
    }
  }

  /// The resolution of a save.
  init(saveUnder policy: MergePolicy) {
    switch policy.mergeType {
    case .objectTrump, .overwrite: self = .overwriteStored
    case .storeTrump, .rollback: self = .keepStored
    case .error: self = .fail
    }
  }
}

/// The part of a stored row that is overwritten.
enum OverwriteScope: Equatable {
  /// All columns.
  case row
  /// All attributes; relationships stay as they are.
  case attributes
  /// Only these attributes.
  case slots(SlotMask)
}

extension EntityLayout {
  /// The slots that an upsert overwrites in a stored row.
  func overwrittenSlots(_ scope: OverwriteScope) -> SlotMask {
    var mask = SlotMask()
    // With several constraints, it is unknown which one the row violates.
    let own = constraints.count == 1 ? constraints[0] : []
    for slot in columnOrder where !own.contains(slot) {
      switch scope {
      case .row: mask.insert(slot)
      case .attributes: if slots[slot].toOne == nil { mask.insert(slot) }
      case .slots(let given): if given.contains(slot) { mask.insert(slot) }
      }
    }
    return mask
  }
}
