// What the calls of a metered file mean: transfers, frames of the write-ahead log, checkpoints.
internal import CSQLite
internal import Synchronization

extension MeteredFile {
  func countRead(_ code: Int32, count: Int32) {
    meterState.withLock {
      $0.add(to: database) {
        $0[kind].reads += 1
        if code == SQLITE_OK { $0[kind].bytesRead += Int64(count) }
      }
    }
  }

  mutating func countWrite(_ code: Int32, count: Int32, offset: Int64) {
    guard code == SQLITE_OK else {
      meterState.withLock { $0.add(to: database) { $0[kind].writes += 1 } }
      return
    }
    if let pages = checkpointedPages { checkpointedPages = pages + 1 }
    let page = kind == .wal ? log.read(count: Int64(count), offset: offset) : nil
    meterState.withLock {
      $0.add(to: database) {
        $0[kind].writes += 1
        $0[kind].bytesWritten += Int64(count)
        switch page {
        case .appended: $0.walFrames += 1
        case .overwritten: $0.walOverwrites += 1
        case nil: break
        }
      }
      if kind == .wal { $0.extendWAL(to: offset + Int64(count), of: database) }
    }
  }

  func countTruncate(_ code: Int32, size: Int64) {
    meterState.withLock {
      $0.add(to: database) { $0[kind].truncates += 1 }
      if kind == .wal && code == SQLITE_OK { $0.setWALSize(size, of: database) }
    }
  }

  func countSync() {
    meterState.withLock { $0.add(to: database) { $0[kind].syncs += 1 } }
  }

  /// Notes the beginning and the end of a checkpoint, of which SQLite tells the database file.
  ///
  /// The pages written between are what it moved. It tells of the end even when a page could not be written.
  mutating func noteControl(_ operation: Int32) {
    switch operation {
    case SQLITE_FCNTL_CKPT_START:
      checkpointedPages = 0
    case SQLITE_FCNTL_CKPT_DONE:
      guard let pages = checkpointedPages else { return }
      checkpointedPages = nil
      guard pages > 0 else { return }
      meterState.withLock {
        $0.add(to: database) {
          $0.checkpoints += 1
          $0.checkpointedPages += pages
        }
      }
    default: break
    }
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
  enum Page { case appended, overwritten }

  private static let headerSize: Int64 = 24
  /// The short writes that directly follow each other, which may add up to a frame header; empty after its page.
  private var header: Range<Int64> = 0..<0
  /// Where the last page, or its first part, ended.
  private var pageEnd: Int64 = -1

  /// Takes note of a write; answers what page it begins, if it does.
  mutating func read(count: Int64, offset: Int64) -> Page? {
    let end = offset + count
    if count <= WALWriteReader.headerSize {
      let joined = header.upperBound == offset && end - header.lowerBound <= WALWriteReader.headerSize
      header = (joined ? header.lowerBound : offset)..<end
      return nil
    }
    defer {
      header = 0..<0
      pageEnd = end
    }
    // The log's own header, which is longer than a frame's.
    if offset == 0 { return nil }
    if offset == header.upperBound && Int64(header.count) == WALWriteReader.headerSize { return .appended }
    return offset == pageEnd ? nil : .overwritten
  }
}
