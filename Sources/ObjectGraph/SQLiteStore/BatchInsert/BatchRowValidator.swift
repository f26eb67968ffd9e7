// What a row of a batch insert must keep before it is stored: required values, and rules where the request asks for them.
internal import CoreDataModel
internal import SQLiteDriver

/// Looks at the rows of one batch insert.
struct BatchRowValidator {
  /// Whether nothing but types and required values is looked at, whatever the row was given.
  let isPlain: Bool
  private let layout: EntityLayout
  private let validatesRules: Bool
  /// Whether a row that is written over a stored one may lack a required value, which stays as it is stored.
  private let keepsStoredValues: Bool
  private let writer: StoreWriter

  init(
    _ request: BatchInsertRequest, _ layout: EntityLayout, _ resolution: ConflictResolution, _ writer: StoreWriter
  ) {
    self.layout = layout
    self.writer = writer
    validatesRules = request.validatesRules
    keepsStoredValues = request.updatesSuppliedKeysOnly && resolution == .overwriteStored
    isPlain = !request.updatesSuppliedKeysOnly && !request.validatesRules
  }

  /// Refuses a row without a required value.
  @inline(__always)
  func check(_ row: RowSnapshot, number: Int) throws(ObjectGraphError) {
    for slot in layout.requiredAttributes where row[slot].isStoredAsNull { throw missing(slot, number) }
  }

  /// The same with rules, and with what the row was given.
  func check(_ row: RowSnapshot, given: SlotMask, number: Int) throws(ObjectGraphError) {
    for slot in layout.requiredAttributes where row[slot].isStoredAsNull {
      let meetsStored = keepsStoredValues && !given.contains(slot) ? try meetsOwnRow(row, number) : false
      if !meetsStored { throw missing(slot, number) }
    }
    guard validatesRules else { return }
    for (slot, rule) in layout.rules {
      guard let breach = rule.breach(by: row[slot]) else { continue }
      throw .brokenRule(
        breach.code, entity: layout.entity.name, key: layout.attributes[slot].name, found: breach.found,
        expected: breach.expected, row: number)
    }
  }

  /// Whether the row will be written over a stored one of its entity.
  private func meetsOwnRow(_ row: RowSnapshot, _ number: Int) throws(ObjectGraphError) -> Bool {
    try during("looking for the row that row \(number) is written over") { () throws(SQLiteError) in
      try writer.rowSharingUniqueValues(with: row, layout: layout)?.entityIndex == layout.index
    }
  }

  private func missing(_ slot: Int, _ number: Int) -> ObjectGraphError {
    .missingValue(entity: layout.entity.name, key: layout.attributes[slot].name, row: number)
  }
}
