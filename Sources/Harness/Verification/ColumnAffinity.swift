// How SQLite converts a value for a column, and so how a correct value can be stored.
internal import SQLiteDriver

/// The affinity of a column, and with it the storage classes that `typeof` may return for a correct value.
///
/// The rules are SQLite's (https://www.sqlite.org/datatype3.html, sections 3 and 3.1). An engine binds an attribute's
/// value as its own class (`AttributeType.storageClass`). The column then converts it:
///
/// | declared type | attributes | affinity | a right value is stored as |
/// |---|---|---|---|
/// | INTEGER | integers, booleans, keys | INTEGER | integer; a real that is whole becomes one |
/// | FLOAT | float, double | REAL | real; an integer becomes one (SQLite may keep 1.0 in fewer bytes, and still says real) |
/// | TIMESTAMP, DECIMAL | date, decimal | NUMERIC | integer where the number is whole and below 2^63, else real |
/// | VARCHAR | string, URI | TEXT | text; a number becomes one |
/// | BLOB | binary, UUID, transformable | BLOB | blob |
///
/// A blob is never converted, and neither is text that is not a number: in any column they keep the class they were
/// bound as.
enum ColumnAffinity: Sendable, Hashable {
  case integer, real, numeric, text, blob

  /// Finds the affinity by the words of a declared type, in SQLite's order.
  init(declaredType: String) {
    let type = declaredType.uppercased()
    func has(_ words: String...) -> Bool { words.contains { type.contains($0) } }
    self =
      if has("INT") {
        .integer
      } else if has("CHAR", "CLOB", "TEXT") {
        .text
      } else if has("BLOB") || type.isEmpty {
        .blob
      } else if has("REAL", "FLOA", "DOUB") {
        .real
      } else {
        .numeric
      }
  }

  /// What `typeof` may return for a correct value that is not null.
  var storageClasses: [String] {
    switch self {
    case .integer: ["integer"]
    case .real: ["real"]
    case .numeric: ["real", "integer"]
    case .text: ["text"]
    case .blob: ["blob"]
    }
  }

  /// SQL that is true for a value of another class; NULL has no class.
  ///
  /// An integer that equals no double cannot be a date or a decimal.
  func violation(by column: String) -> String {
    let classes = (storageClasses + ["null"]).map { "'\($0)'" }.joined(separator: ", ")
    let violation = "typeof(\(column)) NOT IN (\(classes))"
    guard self == .numeric else { return violation }
    return "\(violation) OR typeof(\(column)) = 'integer' AND CAST(CAST(\(column) AS REAL) AS INTEGER) <> \(column)"
  }
}

/// A value stored with another class than its column gives values.
package struct MisfiledValue: Sendable, Hashable, CustomStringConvertible {
  package var row: StoredRow
  /// The attribute, or the column if it belongs to no attribute.
  package var property: String
  /// What `typeof` returned.
  package var found: String
  /// What `typeof` may return for values of the column.
  package var expected: [String]

  package init(row: StoredRow, property: String, found: String, expected: [String]) {
    self.row = row
    self.property = property
    self.found = found
    self.expected = expected
  }

  package var description: String {
    "\(row): found \(property) stored as \(found); expected "
      + (expected.contains(found) ? "a number that a double can be" : expected.joined(separator: " or "))
  }
}

extension Connection {
  /// The first value in a table, in key order, with a storage class that its column never gives a correct value.
  ///
  /// One pass over the table.
  func misfiledValue(
    in table: StoreLayout.Table, entityName: String?, attributeNames: [String: String]
  ) throws(SQLiteError) -> MisfiledValue? {
    let affinities = table.columns.map { ColumnAffinity(declaredType: $0.declaredType) }
    let cases = zip(table.columns.indices, affinities).map { index, affinity in
      "WHEN \(affinity.violation(by: table.columns[index].name)) THEN \(index)"
    }
    let statement = try prepare(
      "SELECT rowid, CASE \(cases.joined(separator: " ")) END AS wrong FROM \(table.name) WHERE wrong NOT NULL "
        + "ORDER BY rowid LIMIT 1", isPersistent: false)
    guard try statement.step() else { return nil }
    let (key, index) = (statement.int64(0), Int(statement.int64(1)))
    statement.reset()
    let name = table.columns[index].name
    let answer = try prepare("SELECT typeof(\(name)) FROM \(table.name) WHERE rowid = \(key)", isPersistent: false)
    defer { answer.reset() }
    _ = try answer.step()
    return MisfiledValue(
      row: StoredRow(table: entityName ?? table.name, key: key), property: attributeNames[name] ?? name,
      found: answer.text(0), expected: affinities[index].storageClasses)
  }
}
