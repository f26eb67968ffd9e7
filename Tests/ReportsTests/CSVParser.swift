// A reader for RFC 4180 that shares no code with the writer: the tests read back what was written.

/// Reads CSV strictly by the grammar of RFC 4180: CRLF ends every record, and quotes only enclose whole fields.
enum CSVParser {
  /// Every record as a list of fields; nil if the text is not RFC 4180.
  static func rows(_ text: String) -> [[String]]? {
    let bytes = Array(text.utf8)
    var rows: [[String]] = []
    var row: [String] = []
    var position = 0
    while position < bytes.count {
      var field: [UInt8] = []
      if bytes[position] == UInt8(ascii: "\"") {
        position += 1
        while true {
          guard position < bytes.count else { return nil }
          if bytes[position] != UInt8(ascii: "\"") {
            field.append(bytes[position])
            position += 1
          } else if position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "\"") {
            field.append(UInt8(ascii: "\""))
            position += 2
          } else {
            position += 1
            break
          }
        }
      } else {
        while position < bytes.count, ![0x2C, 0x0D, 0x0A, 0x22].contains(bytes[position]) {
          field.append(bytes[position])
          position += 1
        }
      }
      row.append(String(decoding: field, as: UTF8.self))
      guard position < bytes.count else { return nil }
      if bytes[position] == UInt8(ascii: ",") {
        position += 1
        // A comma before the end of the line means an empty last field.
        if position < bytes.count, bytes[position] == 0x0D { row.append("") } else { continue }
      }
      guard position + 1 < bytes.count, bytes[position] == 0x0D, bytes[position + 1] == 0x0A else { return nil }
      position += 2
      rows.append(row)
      row = []
    }
    return row.isEmpty ? rows : nil
  }

  /// Every record by column name; empty if the text is not RFC 4180 or a record's length differs from the header's.
  static func records(_ text: String) -> [[String: String]] {
    guard let rows = rows(text), let header = rows.first, rows.allSatisfy({ $0.count == header.count }) else {
      return []
    }
    return rows.dropFirst().map { row in Dictionary(zip(header, row)) { first, _ in first } }
  }
}
