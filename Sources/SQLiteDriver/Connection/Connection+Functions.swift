// Functions of this package that SQL can call.
internal import CSQLite

/// The result of a function.
///
/// ```swift
/// try connection.createFunction("half", argumentCount: 1) { arguments in
///   arguments.isNull(0) ? .null : .real(arguments.double(0) / 2)
/// }
/// try connection.scalar("SELECT half(9) * 10")  // 45
/// ```
public enum FunctionResult: Sendable, Hashable {
  case null
  case integer(Int64)
  /// NaN becomes NULL.
  case real(Double)
  case text(String)
  case blob([UInt8])
}

/// The arguments of one call of a function; do not keep them beyond the call.
///
/// An argument that is out of range is NULL.
///
/// ```swift
/// try connection.createFunction("total", argumentCount: nil) { arguments in
///   var total: Int64 = 0
///   for index in 0..<arguments.count { total += arguments.int64(index) }
///   return .integer(total)
/// }
/// try connection.scalar("SELECT total(1, 2, 3)")  // 6
/// ```
public struct FunctionArguments: ~Copyable {
  private let values: UnsafeMutableBufferPointer<OpaquePointer?>

  fileprivate init(_ values: UnsafeMutablePointer<OpaquePointer?>?, count: Int32) {
    self.values = UnsafeMutableBufferPointer(start: values, count: values == nil ? 0 : Int(count))
  }

  /// How many arguments the call has.
  public var count: Int { values.count }

  /// The type of the argument, counted from 0, before any conversion.
  public func type(_ index: Int) -> ValueType {
    value(index).map { ValueType(code: sqlite3_value_type($0)) } ?? .null
  }

  public func isNull(_ index: Int) -> Bool { type(index) == .null }

  /// The argument as an integer, converted by SQLite's rules; 0 for NULL.
  public func int64(_ index: Int) -> Int64 { value(index).map { sqlite3_value_int64($0) } ?? 0 }

  /// The argument as a floating-point number, converted by SQLite's rules; 0 for NULL.
  public func double(_ index: Int) -> Double { value(index).map { sqlite3_value_double($0) } ?? 0 }

  /// The argument's text in UTF-8 without a copy, `nil` for NULL; valid during the call.
  public func utf8(_ index: Int) -> UnsafeBufferPointer<UInt8>? {
    // Ask for the text before its length: converting to text may change the length.
    guard let value = value(index), let text = sqlite3_value_text(value) else { return nil }
    return UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
  }

  /// The argument as text; `nil` for NULL.
  ///
  /// Bytes that are not UTF-8 become replacement characters.
  public func string(_ index: Int) -> String? {
    utf8(index).map { String(decoding: $0, as: UTF8.self) }
  }

  private func value(_ index: Int) -> OpaquePointer? { values.indices.contains(index) ? values[index] : nil }
}

extension Connection {
  /// Creates a function that statements of this connection can call.
  ///
  /// The function must return the same result for the same arguments, because SQLite may call it only once for
  /// constants. It is called on the connection's thread and must not use the connection. It replaces an earlier
  /// function with the same name and number of arguments, and is released when the connection closes.
  ///
  /// ```swift
  /// try connection.createFunction("shout", argumentCount: 1) { arguments in
  ///   arguments.string(0).map { .text($0.uppercased()) } ?? .null
  /// }
  /// try connection.execute("UPDATE quake SET place = shout(place)")
  /// ```
  ///
  /// - Parameters:
  ///   - name: At most 255 bytes of UTF-8; case does not matter.
  ///   - argumentCount: How many arguments it takes; `nil` for any number.
  ///   - body: Computes the result. If it throws, the statement fails with the description of the error.
  /// - Throws: ``ResultCode/misuse`` for an invalid name or count or a closed connection; ``ResultCode/busy`` if a
  ///   running statement prevents replacing the function.
  public func createFunction(
    _ name: String, argumentCount: Int?, _ body: @escaping (borrowing FunctionArguments) throws -> FunctionResult
  ) throws(SQLiteError) {
    let handle = try openHandle()
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw SQLiteError(
        extendedCode: .misuse, message: "expected a function's name, found \(name.debugDescription)", path: path)
    }
    let function = Unmanaged.passRetained(ScalarFunction(body)).toOpaque()
    // SQLite releases the function itself, even on failure.
    let code = sqlite3_create_function_v2(
      handle, name, Int32(clamping: argumentCount ?? -1), SQLITE_UTF8 | SQLITE_DETERMINISTIC, function,
      { context, count, values in
        guard let context, let function = sqlite3_user_data(context) else { return }
        let scalar = Unmanaged<ScalarFunction>.fromOpaque(function).takeUnretainedValue()
        scalar.call(FunctionArguments(values, count: count), answering: context)
      }, nil, nil, { if let function = $0 { Unmanaged<ScalarFunction>.fromOpaque(function).release() } })
    guard code == SQLITE_OK else { throw failure(code) }
  }
}

extension Connection {
  /// Disables all triggers for statements of this connection.
  ///
  /// - Throws: ``ResultCode/misuse`` for a closed connection.
  package func disableTriggers() throws(SQLiteError) {
    let code = sqlite3_shim_disable_triggers(try openHandle())
    guard code == SQLITE_OK else { throw failure(code) }
  }
}

/// A box for a function's body, so that SQLite can keep a pointer to it.
private final class ScalarFunction {
  private let body: (borrowing FunctionArguments) throws -> FunctionResult

  init(_ body: @escaping (borrowing FunctionArguments) throws -> FunctionResult) { self.body = body }

  func call(_ arguments: borrowing FunctionArguments, answering context: OpaquePointer) {
    do {
      switch try body(arguments) {
      case .null: sqlite3_result_null(context)
      case .integer(let value): sqlite3_result_int64(context, value)
      case .real(let value): sqlite3_result_double(context, value)
      case .text(var text):
        text.withUTF8 { sqlite3_shim_result_transient_text(context, $0.baseAddress, UInt64($0.count)) }
      case .blob(let bytes):
        bytes.withUnsafeBytes { bytes in
          // A null address would make the result NULL.
          if bytes.isEmpty { return sqlite3_result_zeroblob(context, 0) }
          sqlite3_shim_result_transient_blob(context, bytes.baseAddress, UInt64(bytes.count))
        }
      }
    } catch {
      sqlite3_result_error(context, "\(error)", -1)
    }
  }
}
