// Where a write-ahead log stands: its generation, and the transaction that is being added to it.

/// What is known of one database's log, from the writes to it and the locks around them.
///
/// Frames are numbered from 1 in each generation.
struct LogPosition {
  /// The sequence number of the present generation; nil where there is none that was seen to begin.
  private var sequence: UInt32?
  private var pageSize: Int64?
  /// The frame before the first of the running transaction; nil until it appends one.
  private var base: Int64?
  private var lastCommit: Int64 = 0
  private var hasCommitted = false

  /// Takes note of a log's header; answers whether a generation begins.
  ///
  /// A header is written again when the transaction that wrote it was rolled back.
  mutating func begin(_ header: WALWrite.Header) -> Bool {
    let isNew = header.sequence != sequence
    sequence = header.sequence
    pageSize = header.pageSize
    base = 0
    return isNew
  }

  /// The bytes of a frame whose page, or the first part of one, was written.
  func frameBytes(ofPage bytes: Int64) -> Int64 { WALWrite.frameHeaderSize + (pageSize ?? bytes) }

  /// Takes note of an appended page; answers how many frames its transaction added, when it is the last of one.
  mutating func append(offset: Int64, bytes: Int64, isCommit: Bool) -> Int64? {
    let frame = WALWrite.frame(ofPageAt: offset, pageSize: pageSize ?? bytes)
    let base = base ?? frame - 1
    self.base = base
    guard isCommit else { return nil }
    // In exclusive locking mode no lock shows where the next transaction begins.
    self.base = frame
    lastCommit = frame
    hasCommitted = true
    return frame - base
  }

  /// A transaction that writes begins; another process may have added frames since the last.
  mutating func takeWriteLock() {
    base = nil
    hasCommitted = false
  }

  /// A transaction that writes is over; answers how many frames are not in the database yet, when it was committed.
  mutating func releaseWriteLock(checkpointedFrames: Int64) -> Int64? {
    defer { hasCommitted = false }
    return hasCommitted ? lastCommit - checkpointedFrames : nil
  }

  /// The log's file is gone.
  mutating func remove() { self = LogPosition() }
}
