// Rows as consecutive bytes, for passing them from the thread that prepares them to the one that stores them.
internal import SQLiteDriver

/// A buffer of rows.
///
/// Each value has its kind, followed by 8 bytes for a number or a length, followed by the bytes of text or a blob.
///
/// It keeps its memory when it is emptied, and grows for rows that do not fit. The two threads of an insert hand it
/// over through the ring of an ``InsertThread``; it belongs to one of them at a time.
struct PackedRows: RowDestination {
  private enum Kind: UInt8 {
    case null, integer, real, text, blob
  }

  private struct Contents {
    var start: UnsafeMutableRawPointer
    var capacity: Int
    var count = 0
    var rows = 0
  }

  /// A buffer is handed over at this size, once its last group of rows is complete.
  static let usualBytes = 16 << 10
  /// It is handed over at this size in any case, so that long rows take no more memory than this and one row.
  static let mostBytes = 256 << 10

  // Behind a pointer, because each access to a class property would be checked for exclusivity.
  private let contents: UnsafeMutablePointer<Contents>

  init() {
    contents = .allocate(capacity: 1)
    contents.initialize(
      to: Contents(
        start: .allocate(byteCount: PackedRows.usualBytes, alignment: 8), capacity: PackedRows.usualBytes))
  }

  /// Frees the memory; do not use the buffer afterwards.
  func deallocate() {
    contents.pointee.start.deallocate()
    contents.deallocate()
  }

  // MARK: - Packing

  /// The number of rows.
  var rows: Int { contents.pointee.rows }

  func removeAll() {
    contents.pointee.count = 0
    contents.pointee.rows = 0
  }

  /// Removes the last rows if they do not form a whole group.
  func removeIncompleteGroup() { contents.pointee.rows -= contents.pointee.rows % RowInserter.rowsInGroup }

  /// Ends a row.
  ///
  /// - Returns: Whether the buffer is full.
  @inline(__always)
  func endRow() -> Bool {
    contents.pointee.rows += 1
    let count = contents.pointee.count
    guard count >= PackedRows.usualBytes else { return false }
    return contents.pointee.rows % RowInserter.rowsInGroup == 0 || count >= PackedRows.mostBytes
  }

  @inline(__always)
  func bind(_ value: Int64, at index: Int) { append(.integer, value) }

  @inline(__always)
  func bind(_ value: Double, at index: Int) { append(.real, Int64(bitPattern: value.bitPattern)) }

  @inline(__always)
  func bindNull(at index: Int) { append(.null, 0) }

  @inline(__always)
  func bind(text: String, at index: Int) {
    var text = text
    text.withUTF8 { append(.text, UnsafeRawBufferPointer($0)) }
  }

  func bind(blob: UnsafeRawBufferPointer, at index: Int) { append(.blob, blob) }

  private static let headBytes = 1 + MemoryLayout<Int64>.size

  @inline(__always)
  private func append(_ kind: Kind, _ bits: Int64) {
    reserve(PackedRows.headBytes)
    let place = contents.pointee.start + contents.pointee.count
    place.storeBytes(of: kind.rawValue, as: UInt8.self)
    (place + 1).storeBytes(of: bits, as: Int64.self)
    contents.pointee.count += PackedRows.headBytes
  }

  @inline(__always)
  private func append(_ kind: Kind, _ bytes: UnsafeRawBufferPointer) {
    reserve(PackedRows.headBytes + bytes.count)
    append(kind, Int64(bytes.count))
    if let start = bytes.baseAddress {
      (contents.pointee.start + contents.pointee.count).copyMemory(from: start, byteCount: bytes.count)
    }
    contents.pointee.count += bytes.count
  }

  @inline(__always)
  private func reserve(_ bytes: Int) {
    if contents.pointee.capacity - contents.pointee.count < bytes { grow(by: bytes) }
  }

  @inline(never)
  private func grow(by bytes: Int) {
    let count = contents.pointee.count
    let capacity = max(contents.pointee.capacity * 3 / 2, count + bytes)
    let start = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    start.copyMemory(from: contents.pointee.start, byteCount: count)
    contents.pointee.start.deallocate()
    contents.pointee.start = start
    contents.pointee.capacity = capacity
  }

  // MARK: - Binding

  /// Binds the values from `offset` on without copying them: the buffer must not change until the statement has run.
  ///
  /// - Parameters:
  ///   - offset: The offset of the first value.
  ///   - statement: The statement to bind them to.
  ///   - position: The first parameter.
  ///   - width: The number of parameters.
  /// - Returns: The offset of the next row.
  /// - Throws: SQLite's error.
  @inline(__always)
  func bind(
    from offset: Int, to statement: Statement, at position: Int, width: Int
  ) throws(SQLiteError) -> Int {
    var place = UnsafeRawPointer(contents.pointee.start + offset)
    for index in position..<position + width {
      let bits = (place + 1).loadUnaligned(as: Int64.self)
      let kind = Kind(rawValue: place.load(as: UInt8.self)) ?? .null
      place += PackedRows.headBytes
      switch kind {
      case .null: try statement.bindNull(at: index)
      case .integer: try statement.bind(bits, at: index)
      case .real: try statement.bind(Double(bitPattern: UInt64(bitPattern: bits)), at: index)
      case .text, .blob:
        let bytes = UnsafeRawBufferPointer(start: place, count: Int(bits))
        place += bytes.count
        if kind == .text {
          try statement.bind(staticText: bytes.assumingMemoryBound(to: UInt8.self), at: index)
        } else {
          try statement.bind(staticBlob: bytes, at: index)
        }
      }
    }
    return place - UnsafeRawPointer(contents.pointee.start)
  }
}
