// What the writes to a write-ahead log are: its header, frames, pages written again.

/// A write to a log that means something.
enum WALWrite: Equatable {
  /// The log's own header: it begins or restarts.
  case header(Header)
  /// The page of a new frame, which ends a transaction or not.
  case appended(isCommit: Bool)
  /// A page without a frame of its own, over an earlier one.
  case overwritten

  struct Header: Equatable {
    var sequence: UInt32
    var pageSize: Int64
  }

  static let headerSize: Int64 = 32
  static let frameHeaderSize: Int64 = 24

  /// The number, from 1, of the frame whose page begins there.
  static func frame(ofPageAt offset: Int64, pageSize: Int64) -> Int64 {
    (offset - headerSize - frameHeaderSize) / (frameHeaderSize + pageSize) + 1
  }
}

/// Tells from the writes to a write-ahead log which of them are pages.
///
/// The log has a header of 32 bytes, then frames: a header of 24 bytes and a page. A new frame is a frame header
/// directly followed by its page. SQLite also writes pages without a header, over a frame of the same transaction
/// whose page changed again after the cache spilled it, and headers without a page, to renew the checksums of such
/// frames when the transaction commits. Either may be split in two where a sync has to come between.
/// See https://www.sqlite.org/fileformat2.html#the_write_ahead_log.
struct WALWriteReader {
  /// The short writes that directly follow each other, which may add up to a frame header; empty after its page.
  private var header: Range<Int64> = 0..<0
  /// Whether the frame header says how large the database is after the commit, as that of a commit's last frame does.
  private var isCommit = false
  /// Where the last page, or its first part, ended.
  private var pageEnd: Int64 = -1

  /// Takes note of a write; answers what it is, if it is the beginning of something.
  mutating func read(_ bytes: UnsafeRawBufferPointer, offset: Int64) -> WALWrite? {
    let end = offset + Int64(bytes.count)
    if bytes.count <= WALWrite.frameHeaderSize {
      let isJoined = header.upperBound == offset && end - header.lowerBound <= WALWrite.frameHeaderSize
      if !isJoined { isCommit = false }
      header = (isJoined ? header.lowerBound : offset)..<end
      // The size after the commit is at 4 to 7, and 0 in other frames.
      let first = Int(offset - header.lowerBound)
      for index in bytes.indices where (4..<8).contains(first + index) && bytes[index] != 0 { isCommit = true }
      return nil
    }
    defer {
      header = 0..<0
      pageEnd = end
    }
    // The log's own header, which is longer than a frame's.
    if offset == 0 {
      guard bytes.count >= WALWrite.headerSize else { return nil }
      return .header(
        WALWrite.Header(
          sequence: WALWriteReader.number(bytes, at: 12), pageSize: Int64(WALWriteReader.number(bytes, at: 8))))
    }
    if offset == header.upperBound && Int64(header.count) == WALWrite.frameHeaderSize {
      return .appended(isCommit: isCommit)
    }
    return offset == pageEnd ? nil : .overwritten
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
    UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}
