// CSV according to RFC 4180: a header, CRLF after every record, quotes if a field needs them. No field is a formula or
// has a second line.

/// A column: its name and the source of its field, defined together so that header and records cannot diverge.
struct CSVColumn<Record> {
  let name: String
  /// The field; both `nil` and the empty string give an empty field.
  let field: (Record) -> String?

  init(_ name: String, _ field: @escaping (Record) -> String?) {
    self.name = name
    self.field = field
  }
}

/// Writes CSV.
enum CSV {
  /// The header and one line per record, each ending with CRLF.
  static func render<Record>(_ columns: [CSVColumn<Record>], _ records: some Sequence<Record>) -> String {
    var text = ""
    func add(_ field: (CSVColumn<Record>) -> String?) {
      for (index, column) in columns.enumerated() {
        if index > 0 { text += "," }
        if let field = field(column), !field.isEmpty { text += quoted(field) }
      }
      text += "\r\n"
    }
    add(\.name)
    for record in records { add { $0.field(record) } }
    return text
  }

  /// Seconds, to the nanosecond.
  static func seconds(_ value: Double?) -> String? { number(value, decimals: 9) }

  /// A number with this many decimals; `nil`, and so an empty field, if it is absent or not finite.
  static func number(_ value: Double?, decimals: Int) -> String? {
    value.flatMap { $0.isFinite ? Digits.fixed($0, decimals: decimals) : nil }
  }

  /// A number with this many decimals, or more if it needs them for three significant digits.
  static func significant(_ value: Double?, decimals: Int) -> String? {
    value.flatMap { number($0, decimals: max(decimals, Digits.decimals(showing: 3, of: $0))) }
  }

  /// Adds an apostrophe and quotes to a field that a spreadsheet would run, as OWASP recommends
  /// (https://owasp.org/www-community/attacks/CSV_Injection).
  ///
  /// Numbers stay unchanged.
  private static func quoted(_ field: String) -> String {
    let field = field.onOneLine
    let first = field.unicodeScalars.first { $0 != " " }
    let isFormula = first.map { "=+-@".unicodeScalars.contains($0) } == true && !isNumber(field)
    guard isFormula || field.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }) else {
      return field
    }
    return "\"" + (isFormula ? "'" : "") + field.replacing("\"", with: "\"\"") + "\""
  }

  private static func isNumber(_ field: String) -> Bool {
    Double(field) != nil && field.utf8.allSatisfy { "0123456789.+-eE".utf8.contains($0) }
  }
}
