// SQLite's result codes as a type for comparison and pattern matching.

/// A result code of SQLite, primary or extended.
///
/// An extended code carries its primary code in its low byte. As a pattern, a primary code matches all of its extended
/// codes.
///
/// ```swift
/// do {
///   try connection.execute("INSERT INTO quake (code) VALUES ('us1000ep7p')")
/// } catch ResultCode.constraintUnique {
///   print("the code is taken")
/// }
/// ```
public struct ResultCode: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Extended code number `detail` of a primary code.
  private init(_ primary: ResultCode, _ detail: Int32) { rawValue = primary.rawValue | detail << 8 }

  public static let ok = ResultCode(rawValue: 0)
  /// The statement is wrong, or the failure has no more specific code.
  public static let error = ResultCode(rawValue: 1)
  public static let `internal` = ResultCode(rawValue: 2)
  /// The file cannot be accessed as requested.
  public static let permission = ResultCode(rawValue: 3)
  public static let abort = ResultCode(rawValue: 4)
  /// Another connection holds a lock.
  public static let busy = ResultCode(rawValue: 5)
  /// A statement of the same connection holds a conflicting lock.
  public static let locked = ResultCode(rawValue: 6)
  public static let noMemory = ResultCode(rawValue: 7)
  /// The database cannot be written.
  public static let readOnly = ResultCode(rawValue: 8)
  /// ``Connection/interrupt()`` stopped the statement.
  public static let interrupt = ResultCode(rawValue: 9)
  /// The operating system could not read, write or sync; the extended code says which.
  public static let ioError = ResultCode(rawValue: 10)
  /// The file is damaged.
  public static let corrupt = ResultCode(rawValue: 11)
  public static let notFound = ResultCode(rawValue: 12)
  /// No space is left for the file.
  public static let full = ResultCode(rawValue: 13)
  /// The file cannot be opened or created.
  public static let cantOpen = ResultCode(rawValue: 14)
  public static let `protocol` = ResultCode(rawValue: 15)
  /// The schema kept changing while the statement was prepared.
  public static let schema = ResultCode(rawValue: 17)
  /// Text, a blob or a statement exceeds SQLite's limits.
  public static let tooBig = ResultCode(rawValue: 18)
  /// A constraint failed; the extended code says which.
  public static let constraint = ResultCode(rawValue: 19)
  /// The value has a type that the column does not accept, such as text for a row ID.
  public static let mismatch = ResultCode(rawValue: 20)
  /// A call that SQLite or this driver does not allow, such as any call after ``Connection/close()``.
  public static let misuse = ResultCode(rawValue: 21)
  public static let authorization = ResultCode(rawValue: 23)
  /// There is no parameter with that number.
  public static let range = ResultCode(rawValue: 25)
  /// The file is not a database.
  public static let notADatabase = ResultCode(rawValue: 26)
  /// A step found a row; not an error.
  public static let row = ResultCode(rawValue: 100)
  /// A step found no further row; not an error.
  public static let done = ResultCode(rawValue: 101)

  /// A `CHECK` constraint failed.
  public static let constraintCheck = ResultCode(.constraint, 1)
  /// A foreign key refers to a row that does not exist.
  public static let constraintForeignKey = ResultCode(.constraint, 3)
  /// A required column has no value.
  public static let constraintNotNull = ResultCode(.constraint, 5)
  /// The primary key is taken.
  public static let constraintPrimaryKey = ResultCode(.constraint, 6)
  /// A trigger raised an error.
  public static let constraintTrigger = ResultCode(.constraint, 7)
  /// The values of a unique index are taken.
  public static let constraintUnique = ResultCode(.constraint, 8)
  /// The row ID is taken.
  public static let constraintRowID = ResultCode(.constraint, 10)
  public static let constraintDataType = ResultCode(.constraint, 12)
  public static let abortRollback = ResultCode(.abort, 2)
  public static let busyRecovery = ResultCode(.busy, 1)
  /// A read transaction cannot start writing, because another connection has written since it began.
  public static let busySnapshot = ResultCode(.busy, 2)
  /// The file was moved, removed or replaced while it was open.
  public static let readOnlyMoved = ResultCode(.readOnly, 4)
  public static let ioErrorRead = ResultCode(.ioError, 1)
  public static let ioErrorShortRead = ResultCode(.ioError, 2)
  public static let ioErrorWrite = ResultCode(.ioError, 3)
  public static let ioErrorUnlock = ResultCode(.ioError, 8)

  /// The code without its extension.
  ///
  /// ```swift
  /// ResultCode.constraintUnique.primary == .constraint  // true
  /// ResultCode.busy.primary == .busy                    // true
  /// ```
  public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xff) }

  /// Whether `code` equals the pattern or, if the pattern is a primary code, is one of its extended codes.
  ///
  /// ```swift
  /// switch error.extendedCode {
  /// case .constraintUnique: print("taken")
  /// case .constraint: print("another constraint")
  /// default: throw error
  /// }
  /// ```
  public static func ~= (pattern: ResultCode, code: ResultCode) -> Bool {
    pattern == code || pattern == code.primary
  }

  /// Whether `error` is an ``SQLiteError`` with a matching code, as in `catch ResultCode.busy`.
  ///
  /// ```swift
  /// do {
  ///   try connection.begin(.immediate)
  /// } catch ResultCode.busy {
  ///   print("another process is writing")
  /// }
  /// ```
  public static func ~= (pattern: ResultCode, error: any Error) -> Bool {
    guard let error = error as? SQLiteError else { return false }
    return pattern ~= error.extendedCode
  }
}
