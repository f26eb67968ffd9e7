// Runs a prepared statement.
internal import CSQLite

/// A prepared statement, which can be bound, stepped and reset many times.
///
/// Parameters count from 1 and columns from 0, as in SQLite. A statement keeps its connection alive and belongs to the
/// same thread. Binding and stepping allocate nothing once the statement's buffers are large enough for its values.
///
/// ```swift
/// let query = try connection.prepare("SELECT code, magnitude FROM quake WHERE magnitude > ?")
/// try query.bind(4.5, at: 1)
/// while try query.step() { print(query.string(0) ?? "", query.double(1)) }
/// ```
public final class Statement {
  /// The statement's text as it was passed in.
  public let sql: String
  /// The number of parameters, which is the largest index that can be bound.
  public let parameterCount: Int

  let connection: Connection
  // Exclusivity is unchecked, because every step and every column read uses these. A statement stays on one thread, and
  // no access lasts longer than a read or a write, so accesses cannot overlap.
  /// `nil` once the connection is closed; SQLite then returns misuse for a step or a binding.
  @exclusivity(unchecked) private(set) var handle: OpaquePointer?
  /// Whether the statement was stepped and not reset since; its bindings cannot change then.
  @exclusivity(unchecked) private(set) var isActive = false
  /// How often SQLite has prepared the statement again.
  @exclusivity(unchecked) private var preparations: Int32 = 0
  let parameters: BoundParameters

  init(_ handle: OpaquePointer, sql: String, connection: Connection) {
    self.handle = handle
    self.sql = sql
    self.connection = connection
    parameterCount = Int(sqlite3_bind_parameter_count(handle))
    parameters = BoundParameters(count: parameterCount)
  }

  deinit {
    guard handle != nil else { return }
    connection.statements[ObjectIdentifier(self)] = nil
    finalize()
  }

  /// Steps to the next row.
  ///
  /// After the last row the next step starts again, as if the statement had been reset.
  ///
  /// ```swift
  /// let query = try connection.prepare("SELECT place FROM quake WHERE code = ?")
  /// try query.bind(text: "us1000ep7p", at: 1)
  /// let place = try query.step() ? query.string(0) : nil
  /// query.reset()
  /// ```
  ///
  /// - Returns: Whether there is a row to read.
  /// - Throws: The error; the statement has been reset.
  public func step() throws(SQLiteError) -> Bool {
    let code = sqlite3_step(handle)
    if !isActive { noteSchemaChange() }
    isActive = true
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw stepFailure(code)
  }

  /// Steps to the end, discarding rows, and resets.
  ///
  /// ```swift
  /// for code in ["us1000ep7p", "us1000ep5z"] {
  ///   try insert.bind(text: code, at: 1)
  ///   try insert.run()
  /// }
  /// ```
  ///
  /// - Throws: The error; the statement has been reset.
  public func run() throws(SQLiteError) {
    var code = sqlite3_step(handle)
    noteSchemaChange()
    while code == SQLITE_ROW { code = sqlite3_step(handle) }
    guard code == SQLITE_DONE else { throw stepFailure(code) }
    sqlite3_reset(handle)
    isActive = false
  }

  /// Notifies the connection when SQLite has prepared the statement again because the schema changed.
  @inline(__always)
  private func noteSchemaChange() {
    guard let handle else { return }
    let count = sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0)
    if count == preparations { return }
    preparations = count
    connection.schemaReloads += 1
  }

  /// Makes the statement ready to be bound and stepped again; keeps its bindings.
  ///
  /// ```swift
  /// if try query.step() { print(query.string(0) ?? "") }
  /// query.reset()  // ends the read, so that a checkpoint can empty the log
  /// ```
  public func reset() {
    sqlite3_reset(handle)
    isActive = false
  }

  /// Binds NULL to every parameter; does nothing between a step and the reset.
  ///
  /// ```swift
  /// insert.clearBindings()
  /// try insert.bind(text: "us1000ep7p", at: 1)  // everything else is NULL
  /// ```
  public func clearBindings() {
    guard let handle, !isActive else { return }
    sqlite3_clear_bindings(handle)
    parameters.clear()
  }

  /// Finalizes the statement.
  ///
  /// Every later use throws.
  func finalize() {
    sqlite3_finalize(handle)
    handle = nil
    isActive = false
  }

  /// The error for a result code, with the current bound values.
  @inline(never)
  func failure(_ code: Int32) -> SQLiteError {
    connection.failure(code, sql: sql, boundValues: parameters.descriptions())
  }

  /// The error of a step; call it before the reset, which would clear it.
  @inline(never)
  private func stepFailure(_ code: Int32) -> SQLiteError {
    let error = failure(code)
    reset()
    return error
  }
}

/// A statement belongs to its connection's thread.
@available(*, unavailable)
extension Statement: Sendable {}
