// Telling frames from the writes to a log, also where SQLite splits a write around a sync.
import MissionTags
import Testing

@testable import SQLiteDriver

@Suite("A4 · reading writes to the log", .tags(.a4))
struct WALWriteReaderTests {
  /// What a sequence of writes of zeroes means, each a byte count and an offset.
  private func meanings(_ writes: [(count: Int64, offset: Int64)]) -> [WALWrite] {
    var reader = WALWriteReader()
    return writes.compactMap { write in
      [UInt8](repeating: 0, count: Int(write.count)).withUnsafeBytes { reader.read($0, offset: write.offset) }
    }
  }

  /// Appended and overwritten pages among them.
  private func count(_ writes: [(count: Int64, offset: Int64)]) -> [Int] {
    let meanings = meanings(writes)
    return [meanings.count { $0 == .appended(isCommit: false) }, meanings.count { $0 == .overwritten }]
  }

  @Test("A frame is a header followed by its page")
  func frames() {
    #expect(count([(32, 0), (24, 32), (4_096, 56), (24, 4_152), (4_096, 4_176)]) == [2, 0])
    #expect(count([(32, 0)]) == [0, 0])
  }

  @Test("A page without a header is an overwritten one; headers without pages renew checksums")
  func overwriting() {
    let frames: [(Int64, Int64)] = [
      (32, 0), (24, 32), (4_096, 56), (24, 4_152), (4_096, 4_176), (24, 8_272), (4_096, 8_296),
    ]
    #expect(count(frames + [(4_096, 56), (24, 32), (24, 4_152), (24, 8_272)]) == [3, 1])
    #expect(count(frames + [(4_096, 4_176), (4_096, 56)]) == [3, 2])
    #expect(count(frames + [(4_096, 8_296), (4_096, 8_296)]) == [3, 2], "the frame just written, too")
  }

  @Test("A header or a page that is split around a sync is still one")
  func split() {
    #expect(count([(32, 0), (24, 32), (100, 56), (3_996, 156), (24, 4_152), (4_096, 4_176)]) == [2, 0])
    #expect(count([(32, 0), (16, 32), (8, 48), (4_096, 56), (24, 4_152), (4_096, 4_176)]) == [2, 0])
    #expect(count([(32, 0), (24, 32), (4_080, 56), (16, 4_136), (24, 4_152), (4_096, 4_176)]) == [2, 0])
  }

  @Test("A log started afresh is read from its header on")
  func restart() {
    #expect(count([(32, 0), (24, 32), (512, 56), (32, 0), (24, 32), (512, 56)]) == [2, 0])
  }

  @Test("Headers add up to 24 bytes exactly")
  func wrongHeader() {
    #expect(count([(32, 0), (20, 32), (4_096, 52)]) == [0, 1])
  }

  @Test("A frame that says how large the database is ends a commit, also where its header is split")
  func commits() {
    var reader = WALWriteReader()
    func read(_ bytes: [UInt8], _ offset: Int64) -> WALWrite? {
      bytes.withUnsafeBytes { reader.read($0, offset: offset) }
    }
    let log: [UInt8] = [0x37, 0x7f, 0x06, 0x82, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 9] + Array(repeating: 7, count: 16)
    #expect(read(log, 0) == .header(WALWrite.Header(sequence: 9, pageSize: 512)))
    let page = [UInt8](repeating: 1, count: 512)
    // The page's number, then the size after the commit, then salts and checksums.
    func header(_ size: UInt8) -> [UInt8] { [0, 0, 0, 3, 0, 0, 0, size] + Array(repeating: 5, count: 16) }
    #expect(read(header(0), 32) == nil)
    #expect(read(page, 56) == .appended(isCommit: false))
    #expect(read(header(4), 568) == nil)
    #expect(read(page, 592) == .appended(isCommit: true))
    #expect(read(Array(header(4).prefix(6)), 1_104) == nil)
    #expect(read(Array(header(4).dropFirst(6)), 1_110) == nil)
    #expect(read(page, 1_128) == .appended(isCommit: true))
    #expect(read(header(4), 568) == nil, "checksums are renewed")
    #expect(read(header(0), 1_640) == nil)
    #expect(read(page, 1_664) == .appended(isCommit: false))
    #expect(WALWrite.frame(ofPageAt: 56, pageSize: 512) == 1)
    #expect(WALWrite.frame(ofPageAt: 1_664, pageSize: 512) == 4)
  }
}
