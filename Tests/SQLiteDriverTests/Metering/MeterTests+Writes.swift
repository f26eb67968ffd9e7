// Distinguishes frames from other writes to a log, including writes that SQLite splits around a sync.
import CSQLite
import SQLiteDriver
import Testing

extension MeterTests {
  /// Writes go to the log's file like SQLite's, but with the contents of the test.
  @Suite("A4 · writes to the log")
  struct Writes {
    private let folder: TemporaryDirectory
    private let meter: SQLiteMeter
    private let connection: OpaquePointer
    private let log: UnsafeMutablePointer<sqlite3_file>
    private var counters: SQLiteCounters { meter.counters(of: folder.path()) }

    init() throws {
      folder = try TemporaryDirectory()
      meter = try AttachedMeter.meter
      var handle: OpaquePointer?
      #expect(sqlite3_open(folder.path(), &handle) == SQLITE_OK)
      connection = try #require(handle)
      let sql = "PRAGMA journal_mode = wal; PRAGMA locking_mode = exclusive; SELECT count(*) FROM sqlite_schema"
      #expect(sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK)
      var file: UnsafeMutablePointer<sqlite3_file>?
      #expect(sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK)
      log = try #require(file)
    }

    private func write(_ bytes: [UInt8], _ offset: Int64) throws {
      let write = try #require(log.pointee.pMethods?.pointee.xWrite)
      #expect(write(log, bytes, Int32(bytes.count), offset) == SQLITE_OK)
    }

    /// Appended and overwritten pages for writes of zeroes, each with a byte count and an offset.
    private func count(_ writes: [(count: Int, offset: Int64)]) throws -> [Int64] {
      let before = counters
      for (count, offset) in writes { try write([UInt8](repeating: 0, count: count), offset) }
      return [counters.walFrames - before.walFrames, counters.walOverwrites - before.walOverwrites]
    }

    @Test("A page without a header is an overwritten one; headers without pages only renew checksums")
    func overwriting() throws {
      defer { sqlite3_close(connection) }
      let frames: [(Int, Int64)] = [
        (32, 0), (24, 32), (4_096, 56), (24, 4_152), (4_096, 4_176), (24, 8_272), (4_096, 8_296),
      ]
      #expect(try count(frames + [(4_096, 56), (24, 32), (24, 4_152), (24, 8_272)]) == [3, 1])
      #expect(try count(frames + [(4_096, 4_176), (4_096, 56)]) == [3, 2])
      #expect(try count(frames + [(4_096, 8_296), (4_096, 8_296)]) == [3, 2], "the frame just written, too")
      #expect(
        try count([(32, 0), (24, 32), (512, 56), (32, 0), (24, 32), (512, 56)]) == [2, 0], "a log starts afresh")
    }

    @Test("A header or a page that is split by a sync counts once; headers add up to exactly 24 bytes")
    func split() throws {
      defer { sqlite3_close(connection) }
      #expect(try count([(32, 0), (24, 32), (100, 56), (3_996, 156), (24, 4_152), (4_096, 4_176)]) == [2, 0])
      #expect(try count([(32, 0), (16, 32), (8, 48), (4_096, 56), (24, 4_152), (4_096, 4_176)]) == [2, 0])
      #expect(try count([(32, 0), (24, 32), (4_080, 56), (16, 4_136), (24, 4_152), (4_096, 4_176)]) == [2, 0])
      #expect(try count([(32, 0), (20, 32), (4_096, 52)]) == [0, 1])
    }

    @Test("A frame with the database's size ends a commit, even if its header is split")
    func commits() throws {
      defer { sqlite3_close(connection) }
      let header: [UInt8] =
        [0x37, 0x7f, 0x06, 0x82, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 9] + Array(repeating: 7, count: 16)
      let page = [UInt8](repeating: 1, count: 512)
      // The number of the page, the size after the commit, then salts and checksums.
      func frame(_ size: UInt8) -> [UInt8] { [0, 0, 0, 3, 0, 0, 0, size] + Array(repeating: 5, count: 16) }
      let before = counters
      func counted() -> [Int64] {
        [counters.walFrames - before.walFrames, counters.walCommits - before.walCommits, counters.walCommitPeak]
      }
      meter.markPeak()
      try write(header, 0)
      #expect(counters.walRestarts == before.walRestarts + 1)
      try write(frame(0), 32)
      #expect(counted() == [0, 0, 0])
      try write(page, 56)
      #expect(counted() == [1, 0, 0])
      try write(frame(4), 568)
      try write(page, 592)
      #expect(counted() == [2, 1, 2], "both frames are of the first transaction")
      try write(Array(frame(4).prefix(6)), 1_104)
      try write(Array(frame(4).dropFirst(6)), 1_110)
      try write(page, 1_128)
      #expect(counted() == [3, 2, 2])
      try write(frame(4), 568)
      #expect(counted() == [3, 2, 2], "checksums are renewed")
      try write(frame(0), 1_640)
      try write(page, 1_664)
      #expect(counted() == [4, 2, 2])
      try write(header, 0)
      #expect(
        counters.walRestarts == before.walRestarts + 1, "the same header again is that of a transaction rolled back")
      #expect(counters.walBytesAppended - before.walBytesAppended == 2 * 32 + 4 * (24 + 512))
    }
  }
}
