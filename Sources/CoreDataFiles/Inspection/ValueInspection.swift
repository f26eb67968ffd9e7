// Summarizes the values of an attribute: the only part of an inspection that reveals the content of rows.
internal import CoreDataModel
internal import SQLiteDriver

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Inspects the values of one attribute, over the rows of its entity and all of its descendants.
struct ValueInspection {
  private static let frequentValues = 5
  /// How many characters of a text to show.
  private static let shownCharacters = 40

  private let connection: Connection
  private let type: AttributeType
  private let column: String
  /// The `FROM` and `WHERE` clauses.
  private let rows: String

  /// `table` and `column` are the file's names.
  init(_ store: InspectedStore, _ entityIndex: Int, table: String, column: String, type: AttributeType) {
    connection = store.connection
    self.type = type
    self.column = column.sqlName
    rows = "FROM \(table.sqlName) WHERE \(store.isOfFamily(entityIndex))"
  }

  func values() throws(SQLiteError) -> StoreInspection.Values {
    let statement = try connection.prepare(
      "SELECT count(DISTINCT \(column)), min(\(column)), max(\(column)) \(rows)", isPersistent: false)
    _ = try statement.step()
    let hasRange = type.hasRange && !statement.isNull(1)
    var values = StoreInspection.Values(
      distinct: statement.int64(0), least: hasRange ? shown(statement, 1) : nil,
      greatest: hasRange ? shown(statement, 2) : nil, mostFrequent: [])
    statement.reset()
    if type.hasLength {
      let lengths = try connection.integers(
        "SELECT min(length(\(column))), max(length(\(column))), count(\(column)) \(rows)")
      if lengths.count == 3, lengths[2] > 0 { (values.shortest, values.longest) = (lengths[0], lengths[1]) }
    }
    if !type.isOpaque { values.mostFrequent = try mostFrequent() }
    return values
  }

  private func mostFrequent() throws(SQLiteError) -> [StoreInspection.Values.Frequency] {
    let statement = try connection.prepare(
      """
      SELECT \(column), count(*) \(rows) AND \(column) NOT NULL GROUP BY 1 HAVING count(*) > 1
      ORDER BY 2 DESC, 1 LIMIT \(ValueInspection.frequentValues)
      """, isPersistent: false)
    var values: [StoreInspection.Values.Frequency] = []
    while try statement.step() {
      values.append(StoreInspection.Values.Frequency(value: shown(statement, 0), rows: statement.int64(1)))
    }
    return values
  }

  /// The value formatted for its type; as stored if it has another type.
  private func shown(_ statement: Statement, _ index: Int) -> String {
    switch (type, statement.columnType(index)) {
    case (.boolean, .integer) where (0...1).contains(statement.int64(index)):
      return statement.int64(index) == 1 ? "true" : "false"
    case (.date, .integer), (.date, .real):
      return ValueInspection.time(statement.double(index)) ?? "\(statement.double(index)) s after 2001-01-01"
    case (_, .integer): return "\(statement.int64(index))"
    case (_, .real): return "\(statement.double(index))"
    case (.uuid, .blob):
      guard let bytes = statement.bytes(index), bytes.count == 16 else { return "not 16 bytes" }
      let digits = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
      let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
      return groups.joined(separator: "-")
    case (_, .blob): return "binary data"
    case (_, .null): return ""
    case (_, .text):
      let text = statement.string(index) ?? ""
      let start = text.prefix(ValueInspection.shownCharacters)
      return start.endIndex == text.endIndex ? text : start + "…"
    }
  }

  /// A time as Core Data stores it, as ISO 8601 in UTC to the second; `nil` outside the years 1 to 9999.
  static func time(_ secondsSince2001: Double) -> String? {
    guard (-63_000_000_000...252_000_000_000).contains(secondsSince2001) else { return nil }
    return Date(timeIntervalSinceReferenceDate: secondsSince2001.rounded(.down)).formatted(.iso8601)
  }
}

extension AttributeType {
  fileprivate var hasLength: Bool {
    switch self {
    case .string, .uri, .binary, .transformable: true
    case .int16, .int32, .int64, .boolean, .float, .double, .decimal, .date, .uuid: false
    }
  }

  /// Whether a value consists of bytes that only the application can interpret.
  fileprivate var isOpaque: Bool { self == .binary || self == .transformable }
}
