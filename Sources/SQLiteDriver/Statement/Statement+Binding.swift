// Binding values to parameters.
internal import CSQLite

// Every function here throws ``ResultCode/range`` for an index outside 1 to the number of parameters, and
// ``ResultCode/misuse`` between a step and the reset, or after the connection was closed.
extension Statement {
  /// Binds an integer.
  ///
  /// ```swift
  /// let query = try connection.prepare("SELECT code FROM quake WHERE id = ?")
  /// let id: Int64 = 4_711
  /// try query.bind(id, at: 1)
  /// ```
  public func bind(_ value: Int64, at index: Int) throws(SQLiteError) {
    let code = sqlite3_bind_int64(handle, Int32(clamping: index), value)
    guard code == SQLITE_OK else { throw failure(code) }
    parameters.note(BoundValue(type: .integer, bits: value), at: index)
  }

  /// Binds an integer.
  ///
  /// ```swift
  /// let query = try connection.prepare("SELECT code FROM quake LIMIT ?")
  /// try query.bind(10, at: 1)
  /// ```
  public func bind(_ value: Int, at index: Int) throws(SQLiteError) { try bind(Int64(value), at: index) }

  /// Binds a floating-point number; SQLite stores NaN as NULL.
  ///
  /// ```swift
  /// try insert.bind(text: "us1000ep7p", at: 1)
  /// try insert.bind(4.6, at: 2)
  /// ```
  public func bind(_ value: Double, at index: Int) throws(SQLiteError) {
    let code = sqlite3_bind_double(handle, Int32(clamping: index), value)
    guard code == SQLITE_OK else { throw failure(code) }
    parameters.note(BoundValue(type: .real, bits: Int64(bitPattern: value.bitPattern)), at: index)
  }

  /// Binds NULL.
  ///
  /// ```swift
  /// let magnitude: Double? = nil
  /// if let magnitude { try insert.bind(magnitude, at: 2) } else { try insert.bindNull(at: 2) }
  /// ```
  public func bindNull(at index: Int) throws(SQLiteError) {
    let code = sqlite3_bind_null(handle, Int32(clamping: index))
    guard code == SQLITE_OK else { throw failure(code) }
    parameters.note(BoundValue(type: .null), at: index)
  }

  /// Binds a copy of the text, including any zero bytes; empty text is not NULL.
  ///
  /// ```swift
  /// try insert.bind(text: "us1000ep7p", at: 1)
  /// try insert.run()
  /// ```
  public func bind(text: String, at index: Int) throws(SQLiteError) {
    var text = text
    let code = text.withUTF8 { bindCopy(of: UnsafeRawBufferPointer($0), as: .text, at: index) }
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Binds a copy of the bytes; an empty buffer becomes a blob of length zero, not NULL.
  ///
  /// ```swift
  /// let bytes: [UInt8] = [0xCA, 0xFE]
  /// try bytes.withUnsafeBytes { try insert.bind(blob: $0, at: 1) }
  /// ```
  public func bind(blob: UnsafeRawBufferPointer, at index: Int) throws(SQLiteError) {
    let code = bindCopy(of: blob, as: .blob, at: index)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// The longest text or blob, in bytes, that the statement copies itself; SQLite copies longer ones.
  public static var largestKeptValue: Int { BoundParameters.largestBufferedValue }

  /// How many longer values were bound so far.
  public var longValuesBound: Int { parameters.largeValues }

  /// Binds the first parameters to the values of another statement's parameters, without copying them.
  ///
  /// The other statement owns the bytes of text and blobs until its parameters are bound again.
  ///
  /// ```swift
  /// let two = try connection.prepare("INSERT OR IGNORE INTO quake (code, magnitude) VALUES (?, ?), (?, ?)")
  /// try two.bind(from: insert, first: 1, count: 2)
  /// ```
  ///
  /// - Parameters:
  ///   - other: The statement that has the values, none of them longer than ``largestKeptValue``.
  ///   - first: The first parameter to take, from 1.
  ///   - count: How many to take.
  /// - Throws: ``ResultCode/range`` if either statement has too few parameters, ``ResultCode/tooBig`` for a longer
  ///   value.
  public func bind(from other: Statement, first: Int, count: Int) throws(SQLiteError) {
    guard first >= 1, count >= 0, first + count - 1 <= other.parameterCount else { throw failure(SQLITE_RANGE) }
    for index in 0..<count {
      let value = other.parameters[first + index]
      switch value.type {
      case .null: try bindNull(at: index + 1)
      case .integer: try bind(value.bits, at: index + 1)
      case .real: try bind(Double(bitPattern: UInt64(bitPattern: value.bits)), at: index + 1)
      case .text, .blob:
        guard value.isReadable else { throw failure(SQLITE_TOOBIG) }
        let bytes = UnsafeRawBufferPointer(
          start: UnsafeRawPointer(bitPattern: Int(value.bits)), count: Int(value.count))
        let code = bindStatic(bytes, as: value.type, at: index + 1)
        guard code == SQLITE_OK else { throw failure(code) }
      }
    }
  }

  /// Binds UTF-8 text without a copy; empty text is not NULL.
  ///
  /// The caller must keep the bytes alive and unchanged until the parameter is bound again, the bindings are cleared,
  /// or the statement is reset for the last time before that.
  ///
  /// ```swift
  /// let codes = Array("us1000ep7p".utf8)
  /// try codes.withUnsafeBufferPointer {
  ///   try insert.bind(staticText: $0, at: 1)
  ///   try insert.run()
  /// }
  /// ```
  public func bind(staticText text: UnsafeBufferPointer<UInt8>, at index: Int) throws(SQLiteError) {
    let code = bindStatic(UnsafeRawBufferPointer(text), as: .text, at: index)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Binds bytes without a copy; an empty buffer becomes a blob of length zero, not NULL.
  ///
  /// The caller must keep the bytes alive and unchanged until the parameter is bound again, the bindings are cleared,
  /// or the statement is reset for the last time before that.
  ///
  /// ```swift
  /// let bytes: [UInt8] = [0xCA, 0xFE]
  /// try bytes.withUnsafeBytes {
  ///   try insert.bind(staticBlob: $0, at: 1)
  ///   try insert.run()
  /// }
  /// ```
  public func bind(staticBlob blob: UnsafeRawBufferPointer, at index: Int) throws(SQLiteError) {
    let code = bindStatic(blob, as: .blob, at: index)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  private func bindCopy(of bytes: UnsafeRawBufferPointer, as type: ValueType, at index: Int) -> Int32 {
    // Check before copying: a running statement may still be reading the parameter's buffer.
    guard handle != nil, !isActive else { return SQLITE_MISUSE }
    guard index >= 1, index <= parameterCount else { return SQLITE_RANGE }
    if bytes.count > BoundParameters.largestBufferedValue { return bindLarge(bytes, as: type, at: index) }
    let buffer = parameters.buffer(at: index, size: bytes.count)
    if let start = bytes.baseAddress { buffer.copyMemory(from: start, byteCount: bytes.count) }
    return bindStatic(UnsafeRawBufferPointer(start: buffer, count: bytes.count), as: type, at: index)
  }

  @inline(__always)
  private func bindStatic(_ bytes: UnsafeRawBufferPointer, as type: ValueType, at index: Int) -> Int32 {
    // A null address would bind NULL.
    let empty: StaticString = ""
    let start = bytes.baseAddress ?? UnsafeRawPointer(empty.utf8Start)
    let code =
      if type == .text {
        sqlite3_bind_text64(
          handle, Int32(clamping: index), start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), nil,
          UInt8(SQLITE_UTF8))
      } else {
        sqlite3_bind_blob64(handle, Int32(clamping: index), start, UInt64(bytes.count), nil)
      }
    guard code == SQLITE_OK else { return code }
    let value = BoundValue(
      type: type, isReadable: true, count: UInt32(truncatingIfNeeded: bytes.count), bits: Int64(Int(bitPattern: start)))
    parameters.note(value, at: index)
    return SQLITE_OK
  }

  @inline(never)
  private func bindLarge(_ bytes: UnsafeRawBufferPointer, as type: ValueType, at index: Int) -> Int32 {
    let code =
      if type == .text {
        sqlite3_shim_bind_transient_text(handle, Int32(index), bytes.baseAddress, UInt64(bytes.count))
      } else {
        sqlite3_shim_bind_transient_blob(handle, Int32(index), bytes.baseAddress, UInt64(bytes.count))
      }
    guard code == SQLITE_OK else { return code }
    parameters.note(BoundValue(type: type, count: UInt32(truncatingIfNeeded: bytes.count)), at: index)
    parameters.largeValues += 1
    return SQLITE_OK
  }
}
