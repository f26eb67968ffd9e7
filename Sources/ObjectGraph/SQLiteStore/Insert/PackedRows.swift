// Rows as bytes, one behind the other, on their way from the thread that makes them to the one that stores them.
internal import SQLiteDriver

/// A buffer of rows: for each value its kind, and 8 bytes of number or length with the bytes of a text or blob behind it.
///
/// It keeps its memory when it is emptied, and grows for rows that are longer than it is.
///
/// The two threads of an insert hand it over through the ring of an ``InsertThread``; one of them has it at a time.
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

  /// A buffer is handed over when it has this many bytes, with the next whole group of rows.
  static let usualBytes = 16 << 10
  /// It is handed over whatever it has, so that long rows take no more memory than this and one of them.
  static let mostBytes = 256 << 10

  // Behind a pointer, because a property of a class would be checked for exclusive access value by value.
  private let contents: UnsafeMutablePointer<Contents>

  init() {
    contents = .allocate(capacity: 1)
    contents.initialize(
      to: Contents(
        start: .allocate(byteCount: PackedRows.usualBytes, alignment: 8), capacity: PackedRows.usualBytes))
  }

  /// Gives the memory back; the buffer is not to be used again.
  func deallocate() {
    contents.pointee.start.deallocate()
    contents.deallocate()
  }

  // MARK: - Packing

  /// How many rows it has.
  var rows: Int { contents.pointee.rows }

  func removeAll() {
    contents.pointee.count = 0
    contents.pointee.rows = 0
  }

  /// Takes away the last rows that make no whole group.
  func removeIncompleteGroup() { contents.pointee.rows -= contents.pointee.rows % RowInserter.rowsInGroup }

  /// A row is complete.
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

  /// Binds the values from `offset` on, without a copy: the buffer stays as it is until the statement has run.
  ///
  /// - Parameters:
  ///   - offset: Where the first of them is.
  ///   - statement: What they are bound to.
  ///   - position: The first parameter.
  ///   - width: How many there are.
  /// - Returns: Where the next row is.
  /// - Throws: What SQLite says.
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
