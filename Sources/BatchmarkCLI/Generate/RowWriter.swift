// Writes rows of any entity as a feed, in CSV or JSON Lines, that the feed reader reads back as the same rows.
internal import Analysis
internal import CoreDataModel
internal import Foundation
internal import Harness
internal import BatchmarkEngine

/// Writes rows with their attributes' names as fields.
struct RowWriter {
  private let rows: ColumnarRows

  init(_ rows: ColumnarRows) { self.rows = rows }

  /// A value, as both formats write it.
  private enum Value {
    case text(UnsafeBufferPointer<UInt8>)
    /// ASCII that needs no escapes; in quotes if the format requires them.
    case word(String)
    /// A number or a Boolean.
    case bare(String)
  }

  /// Writes the whole feed, a megabyte at a time; O(rows) time, constant memory.
  ///
  /// Times are written to the millisecond. In CSV, an empty text and null look the same.
  ///
  /// - Throws: ``OutputError`` if the file cannot be written.
  func write(as format: FeedFormat, to file: FileHandle, path: String) throws(OutputError) {
    var buffer = FeedBuffer()
    let names = rows.attributes.map(\.name)
    if format == .csv { buffer.add(names.joined(separator: ",") + "\n") }
    for row in 0..<rows.count {
      if format == .jsonl { buffer.add("{") }
      for (index, name) in names.enumerated() {
        if index > 0 { buffer.add(",") }
        let value = value(of: rows.columns[index], rows.attributes[index].type, row)
        if format == .csv { addCSV(value, &buffer) } else { addJSON(name, value, &buffer) }
      }
      buffer.add(format == .jsonl ? "}\n" : "\n")
      if buffer.bytes.count > 1 << 20 { try buffer.flush(to: file, path) }
    }
    try buffer.flush(to: file, path)
  }

  private func addCSV(_ value: Value?, _ buffer: inout FeedBuffer) {
    switch value {
    case .text(let bytes): buffer.addCSV(bytes)
    case .word(let text), .bare(let text): buffer.add(text)
    // An empty line would not count as a row.
    case nil: if rows.attributes.count == 1 { buffer.add("\"\"") }
    }
  }

  /// A member of an object.
  ///
  /// Names of attributes need no escapes.
  private func addJSON(_ name: String, _ value: Value?, _ buffer: inout FeedBuffer) {
    buffer.add("\"\(name)\":")
    switch value {
    case .text(let bytes): buffer.addJSON(bytes)
    case .word(let text): buffer.add("\"\(text)\"")
    case .bare(let text): buffer.add(text)
    case nil: buffer.add("null")
    }
  }

  private func value(of column: Column, _ type: AttributeType, _ row: Int) -> Value? {
    switch column {
    case .integers(let numbers):
      numbers[row].map { .bare(type == .boolean ? ($0 == 1 ? "true" : "false") : String($0)) }
    // The shortest decimal that is read back as the same number.
    case .reals(let numbers): numbers[row].map { type == .date ? .word(FeedTime($0).iso8601) : .bare("\($0)") }
    case .text(let bytes): bytes[row].map { .text($0) }
    case .blobs(let bytes):
      bytes[row].map { .word(type == .uuid ? RowWriter.uuid($0) : Data($0).base64EncodedString()) }
    }
  }

  /// Sixteen bytes as `3E4666BF-D5E5-4AA7-B8CE-CEFE41C7568A`.
  private static func uuid(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    bytes.enumerated().map { index, byte in
      ([4, 6, 8, 10].contains(index) ? "-" : "") + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
