// A session in which a program reads rows. It reports their number and a hash, which are compared with earlier reads of
// the harness.
internal import BatchmarkEngine
internal import CoreDataModel
internal import Foundation
internal import SQLiteDriver

/// A fetch over a program.
///
/// The program's answer is compared with the result of plain SQL. The session reports the rows of plain SQL, which the
/// harness compares with the source, as for every engine.
final class ProgramFetchSession: ProgramSession, FetchSession {
  let program: OpenProgram
  private var right: (rows: FetchedRows, checksum: UInt32)

  init(_ program: OpenProgram) {
    self.program = program
    right = (FetchedRows(of: program.entity), ProgramChecksum().value)
  }

  func prepare(_ query: FetchQuery) throws {
    let entity = program.entity
    let connection = try Connection(path: program.setup.path, access: .readOnly)
    let stored = try connection.scalar("SELECT count(*) FROM \(entity.tableName)") ?? 0
    right = try read(query, over: connection)
    try connection.close()
    let table = ProgramOpening.Entity(entity, FetchSQL.attributes(of: entity), rows: Int(stored))
    try program.open(ProgramFetch(query, of: entity), in: table, copyStore)
  }

  /// The rows of the query, and their checksum.
  private func read(_ query: FetchQuery, over connection: Connection) throws -> (FetchedRows, UInt32) {
    let entity = program.entity
    let sql = FetchSQL(FetchSQL.columns(of: entity), query, of: entity)
    let select = try connection.prepare(sql.text)
    try select.bind(sql.values)
    let classes = FetchSQL.attributes(of: entity).map(\.type.storageClass)
    var rows = FetchedRows(of: entity)
    var checksum = ProgramChecksum()
    while try select.step() {
      var hash = RowHash()
      // The key and the version come first.
      for column in 0..<2 { checksum.add(column, of: select, as: .integer) }
      for (index, storage) in classes.enumerated() {
        checksum.add(index + 2, of: select, as: storage)
        hash.add(index + 2, of: select, as: storage)
      }
      rows.add(hash)
    }
    return (rows, checksum.value)
  }

  func fetch(_ query: FetchQuery, into rows: inout FetchedRows) throws {
    try program.go(expecting: right.rows.rows, "the rows that it was to read")
  }

  /// Requests the hash only now, so that hashing is not part of the measured time.
  func workHasEnded(_ fetched: inout FetchedRows) throws {
    let found = try program.conversation.ask(.hash, for: ProgramHashed.self).hashed
    guard found == Int64(right.checksum) else {
      throw program.conversation.failed(.hash(found: found, expected: right.checksum))
    }
    fetched = right.rows
  }
}

extension ProgramSession {
  /// Copies the store, for the program's warm-up.
  func copyStore(_ setup: StoreSetup) throws {
    try FileManager.default.copyItem(atPath: program.setup.path, toPath: setup.path)
  }
}

/// CRC-32, as in zlib, gzip and PNG, of values in their order.
///
/// Most languages have it in a library, and need only ten lines to hash their values. Each value is a letter for its
/// storage class, the value and a line feed: `I` or `R` with the 8 bytes of an integer or a real in big-endian order,
/// `T` with a text, `B` with the bytes of a blob, and `N` alone for NULL.
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

  /// The effect of each byte on an empty state.
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { state, _ in state & 1 == 0 ? state >> 1 : (state >> 1) ^ 0xEDB8_8320 }
  }
}
