// Records of comma-separated values according to RFC 4180: quoted fields may contain commas, quotes and line ends.

/// A violation of CSV's grammar, with the line where its record begins.
struct CSVFault: Error {
  let line: Int
  let found: String
  let expected: String
}

/// Splits text into records.
///
/// Lines may end with CRLF or LF; the last one needs neither.
struct CSVScanner {
  private let bytes: ArraySlice<UInt8>
  /// The end of the text before trailing line ends.
  private let end: Int
  private var position: Int
  /// The line the scanner is on, counted from 1.
  private var line = 1
  /// The line where the last record began.
  private(set) var recordLine = 1
  private var recordStart: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    end = bytes.lastIndex { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }.map { $0 + 1 } ?? bytes.startIndex
    position = bytes.startIndex
    recordStart = bytes.startIndex
  }

  /// Reads the next record's fields, replacing those of the last one; false if only blank lines are left.
  mutating func nextRecord(into fields: inout [ArraySlice<UInt8>]) throws(CSVFault) -> Bool {
    fields.removeAll(keepingCapacity: true)
    guard position < end else { return false }
    (recordLine, recordStart) = (line, position)
    while true {
      fields.append(try nextField())
      guard position < bytes.endIndex, bytes[position] == UInt8(ascii: ",") else { break }
      position += 1
    }
    skipLineEnd()
    return true
  }

  /// Where a field of the last record begins: its line, and its column in characters.
  ///
  /// O(record), because it is only needed for errors.
  func position(ofField index: Int) -> (line: Int, column: Int) {
    var again = self
    (again.line, again.position) = (recordLine, recordStart)
    for _ in 0..<index {
      // Fields that were read before have no mistakes.
      _ = try? again.nextField()
      again.position = min(again.position + 1, bytes.endIndex)
    }
    let before = bytes[..<again.position]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.startIndex
    return (again.line, String(decoding: before[start...], as: UTF8.self).count + 1)
  }

  /// Reads up to a comma, a line end or the end.
  private mutating func nextField() throws(CSVFault) -> ArraySlice<UInt8> {
    if position < bytes.endIndex, bytes[position] == UInt8(ascii: "\"") { return try nextQuotedField() }
    let start = position
    while position < bytes.endIndex, !isFieldEnd {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        throw fault("a quote inside a field without quotes", "the whole field in quotes and the quote doubled")
      case UInt8(ascii: "\r"):
        throw fault("a carriage return inside a field without quotes", "a line feed after it")
      default:
        position += 1
      }
    }
    return bytes[start..<position]
  }

  private mutating func nextQuotedField() throws(CSVFault) -> ArraySlice<UInt8> {
    position += 1
    let start = position
    // Only fields with a doubled quote are copied; others are slices of the file.
    var unescaped: [UInt8] = []
    var copied = start
    while position < bytes.endIndex {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\n") { line += 1 }
      position += 1
      guard byte == UInt8(ascii: "\"") else { continue }
      if position < bytes.endIndex, bytes[position] == UInt8(ascii: "\"") {
        unescaped += bytes[copied..<position]
        position += 1
        copied = position
        continue
      }
      guard position == bytes.endIndex || isFieldEnd else {
        throw fault("text after a closing quote", "a comma or a line end")
      }
      let last = bytes[copied..<position - 1]
      if copied == start { return last }
      unescaped += last
      return unescaped[...]
    }
    throw fault("a quote that is never closed", "a closing quote before the end of the file")
  }

  /// Whether a field ends at the position, which is inside the text.
  private var isFieldEnd: Bool {
    switch bytes[position] {
    case UInt8(ascii: ","), UInt8(ascii: "\n"): true
    case UInt8(ascii: "\r"): position + 1 == bytes.endIndex || bytes[position + 1] == UInt8(ascii: "\n")
    default: false
    }
  }

  private mutating func skipLineEnd() {
    if position < bytes.endIndex, bytes[position] == UInt8(ascii: "\r") { position += 1 }
    if position < bytes.endIndex, bytes[position] == UInt8(ascii: "\n") { position += 1 }
    line += 1
  }

  private func fault(_ found: String, _ expected: String) -> CSVFault {
    CSVFault(line: recordLine, found: found, expected: expected)
  }
}
