// Telling frames from the writes to a log, also where SQLite splits a write around a sync.
import Testing

@testable import SQLiteDriver

@Suite("A4 · reading writes to the log", .tags(.a4))
struct WALWriteReaderTests {
  /// Appended and overwritten pages in a sequence of writes, each a byte count and an offset.
  private func count(_ writes: [(count: Int64, offset: Int64)]) -> [Int] {
    var reader = WALWriteReader()
    var counts = [0, 0]
    for write in writes {
      switch reader.read(count: write.count, offset: write.offset) {
      case .appended: counts[0] += 1
      case .overwritten: counts[1] += 1
      case nil: break
      }
    }
    return counts
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
}
