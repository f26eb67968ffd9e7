// CSV as RFC 4180 has it: a header, CRLF after every record, quotes where a field needs them.

/// A column: its name and where its field comes from, side by side, so that header and records cannot drift apart.
struct CSVColumn<Record> {
  let name: String
  /// The field; nil and the empty string are both an empty field.
  let field: (Record) -> String?

  init(_ name: String, _ field: @escaping (Record) -> String?) {
    self.name = name
    self.field = field
  }
}

/// Writes CSV.
enum CSV {
  /// The header and one line a record, each ended by CRLF.
  static func render<Record>(_ columns: [CSVColumn<Record>], _ records: [Record]) -> String {
    var text = line(columns.map(\.name))
    for record in records { text += line(columns.map { $0.field(record) ?? "" }) }
    return text
  }

  /// Seconds, to the microsecond.
  static func seconds(_ value: Double?) -> String? { number(value, decimals: 6) }

  /// A number with so many decimals; nil, and so an empty field, for what is absent or not finite.
  static func number(_ value: Double?, decimals: Int) -> String? {
    value.flatMap { $0.isFinite ? Digits.fixed($0, decimals: decimals) : nil }
  }

  private static func line(_ fields: [String]) -> String {
    fields.map(quoted).joined(separator: ",") + "\r\n"
  }

  /// Bytes and not characters are looked at: CRLF is one character to Swift.
  private static func quoted(_ field: String) -> String {
    let special: [UInt8] = [0x2C, 0x22, 0x0D, 0x0A]
    guard field.utf8.contains(where: special.contains) else { return field }
    var text = "\""
    for scalar in field.unicodeScalars {
      if scalar == "\"" { text.unicodeScalars.append(scalar) }
      text.unicodeScalars.append(scalar)
    }
    return text + "\""
  }
}
