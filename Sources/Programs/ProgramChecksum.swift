// What programs and the harness compute of the values that a fetch reads, so that a faster wrong answer is a failure.
internal import CoreDataModel
internal import SQLiteDriver

/// CRC-32, as zlib, gzip and PNG have it, of values in their order.
///
/// A language has it in its library, and hashes the values that it holds in ten lines. A value is a letter for its storage
/// class, the value and a line feed: `I` or `R` and the 8 bytes of an integer or a real, the highest first, `T` and a text,
/// `B` and the bytes of a blob, `N` alone for NULL.
struct ProgramChecksum {
  private var state: UInt32 = .max

  var value: UInt32 { ~state }

  /// Adds a column of a statement's row.
  mutating func add(_ column: Int, of row: Statement, as storage: StorageClass) {
    if row.isNull(column) {
      add("N".utf8)
    } else {
      switch storage {
      case .integer: add("I".utf8, UInt64(bitPattern: row.int64(column)))
      case .real: add("R".utf8, row.double(column).bitPattern)
      case .text: add("T".utf8, row.bytes(column))
      case .blob: add("B".utf8, row.bytes(column))
      }
    }
    add("\n".utf8)
  }

  private mutating func add(_ letter: String.UTF8View, _ word: UInt64) {
    add(letter)
    withUnsafeBytes(of: word.bigEndian) { add($0) }
  }

  private mutating func add(_ letter: String.UTF8View, _ bytes: UnsafeRawBufferPointer?) {
    add(letter)
    if let bytes { add(bytes) }
  }

  private mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      state = ProgramChecksum.table[Int((state ^ UInt32(byte)) & 0xFF)] ^ (state >> 8)
    }
  }

  /// What each byte does to an empty state.
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { state, _ in state & 1 == 0 ? state >> 1 : (state >> 1) ^ 0xEDB8_8320 }
  }
}
