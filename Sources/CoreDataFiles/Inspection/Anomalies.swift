// Reports anomalies of a store; the parts in other files find them, and share the wording here.
internal import ObjectGraph
internal import SQLiteDriver

/// Finds content that Core Data would not write, or that may surprise a reader of the file.
///
/// Each anomaly is a sentence, without any values of rows.
struct Anomalies {
  let store: InspectedStore
  /// The figures gathered so far.
  let inspection: StoreInspection
  let metadata: MetadataState
  /// The problems that SQLite's own check of the file found.
  let complaints: [String]
  /// The number of rows of each table, by the model's table name and the number in `Z_ENT`.
  let rows: [String: [Int64: Int64]]
  /// The size of a rollback journal beside the file; `nil` without one.
  let journalBytes: Int64?

  /// All anomalies: of the file, its bookkeeping, its tables, its keys.
  func all() throws(SQLiteError) -> [String] {
    try ofFile() + ofBookkeeping() + ofEntities() + ofTables() + ofIndexes() + ofTriggers() + ofKeys() + ofLinks()
      + ofHistory()
  }

  var tables: StoreTables { store.tables }

  /// `1 row`, `2 rows`, `3,000 rows`.
  func counted(_ count: some BinaryInteger, _ noun: String) -> String {
    var digits = ""
    for (position, digit) in "\(count)".reversed().enumerated() {
      if position > 0, position.isMultiple(of: 3) { digits.append(",") }
      digits.append(digit)
    }
    return "\(String(digits.reversed())) \(noun)\(count == 1 ? "" : "s")"
  }

  /// `is` or `are`, `has` or `have`, depending on the count.
  func verb(_ count: some BinaryInteger, _ one: String, _ more: String) -> String { count == 1 ? one : more }

  /// `a`, `a and b`, `a, b and c`; only the first ten of many.
  func list(_ items: [String]) -> String {
    let most = 10
    if items.count > most { return "\(items.prefix(most).joined(separator: ", ")) and \(items.count - most) more" }
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " and " + last
  }
}
