// The bytes of a feed under construction: values of columns, and the quoting of the two formats.
internal import Analysis
internal import Foundation
internal import Harness
internal import BatchmarkEngine

/// A column of the rows, as a feed writes it.
struct FeedColumn {
  let column: Column
  let isDate: Bool

  enum Value {
    case text(UnsafeBufferPointer<UInt8>)
    case number(String)
    case time(FeedTime)
  }

  /// The value of a row; `nil` for null.
  func value(_ row: Int) -> Value? {
    switch column {
    case .integers(let numbers): numbers[row].map { .number(String($0)) }
    // The shortest decimal that is read back as the same number.
    case .reals(let numbers): numbers[row].map { isDate ? .time(FeedTime($0)) : .number("\($0)") }
    case .text(let bytes), .blobs(let bytes): bytes[row].map { .text($0) }
    }
  }
}

/// A feed under construction.
struct FeedBuffer {
  var bytes: [UInt8] = []

  mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Writes the bytes so far and starts over.
  mutating func flush(to file: FileHandle, _ path: String) throws(OutputError) {
    do {
      try file.write(contentsOf: Data(bytes))
    } catch {
      throw .unwritableFile(path: path, reason: OutputError.reason(error))
    }
    bytes.removeAll(keepingCapacity: true)
  }

  /// A CSV field (RFC 4180), quoted if it contains a special character.
  mutating func addCSV(_ text: UnsafeBufferPointer<UInt8>) {
    guard text.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ",") || $0 < 0x20 }) else {
      bytes.append(contentsOf: text)
      return
    }
    bytes.append(UInt8(ascii: "\""))
    for byte in text {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// A string of JSON (RFC 8259, section 7).
  mutating func addJSON(_ text: UnsafeBufferPointer<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20: add("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
