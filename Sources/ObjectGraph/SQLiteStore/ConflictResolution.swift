// What happens to a row whose unique values are taken, and to the stored row that has them.
internal import CoreDataModel

/// What an insert does with a row whose unique values are taken.
enum ConflictResolution: Hashable {
  /// It fails.
  case fail
  /// The stored row stays.
  case keepStored
  /// The new row's values are written over the stored one, and its version is incremented.
  case overwriteStored

  /// What a batch insert does.
  ///
  /// Under the error policy Core Data skips such rows without a word.
  init(batchInsertUnder policy: MergePolicy) {
    switch policy.mergeType {
    case .objectTrump, .overwrite: self = .overwriteStored
    case .error, .storeTrump, .rollback: self = .keepStored
    }
  }

  /// What a save does.
  init(saveUnder policy: MergePolicy) {
    switch policy.mergeType {
    case .objectTrump, .overwrite: self = .overwriteStored
    case .storeTrump, .rollback: self = .keepStored
    case .error: self = .fail
    }
  }
}

/// What of a stored row is written over.
enum OverwriteScope: Equatable {
  /// All columns.
  case row
  /// The attributes; relationships stay as they are.
  case attributes
  /// These attributes.
  case slots(SlotMask)
}

extension EntityLayout {
  /// The slots that an upsert writes of a stored row.
  func overwrittenSlots(_ scope: OverwriteScope) -> SlotMask {
    var mask = SlotMask()
    // With several constraints it is unknown which one the row violates.
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
