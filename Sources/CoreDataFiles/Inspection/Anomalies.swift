// What is odd about a store: the parts that look for it, and the words they have in common.
internal import ObjectGraph
internal import SQLiteDriver

/// Looks for what Core Data would not write, or what may surprise a reader of the file.
///
/// Each anomaly is a sentence.
///
/// The sentences contain no values of rows.
struct Anomalies {
  let store: InspectedStore
  /// What was gathered so far.
  let inspection: StoreInspection
  let metadata: MetadataState
  /// What SQLite's own check of the file complains about.
  let complaints: [String]
  /// Rows of each table, by the model's name of it and the number in `Z_ENT`.
  let rows: [String: [Int64: Int64]]
  /// The bytes of a rollback journal beside the file; nil without one.
  let journalBytes: Int64?

  /// All of them: of the file, its bookkeeping, its tables, its keys.
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

  /// `is` or `are`, `has` or `have`, by the count.
  func verb(_ count: some BinaryInteger, _ one: String, _ more: String) -> String { count == 1 ? one : more }

  /// `a`, `a and b`, `a, b and c`; of many, the first ten.
  func list(_ items: [String]) -> String {
    let most = 10
    if items.count > most { return "\(items.prefix(most).joined(separator: ", ")) and \(items.count - most) more" }
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " and " + last
  }
}
