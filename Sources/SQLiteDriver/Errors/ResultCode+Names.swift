// The names of SQLite's result codes, for messages.

extension ResultCode: CustomStringConvertible {
  /// The code's name in SQLite.
  ///
  /// For an unknown code, its number, after the name of its primary code if that is known.
  ///
  /// ```swift
  /// ResultCode.constraintUnique.name      // "SQLITE_CONSTRAINT_UNIQUE"
  /// ResultCode(rawValue: 200).name        // "SQLite code 200"
  /// ```
  public var name: String {
    if let name = ResultCode.names[rawValue] { return name }
    return self == primary ? "SQLite code \(rawValue)" : "\(primary.name), extended code \(rawValue)"
  }

  public var description: String { name }

  /// Names by number: https://www.sqlite.org/rescode.html, up to SQLite 3.40.
  private static let names: [Int32: String] = {
    var names = primaryNames
    for (primary, details) in extendedNames {
      guard let prefix = names[primary] else { continue }
      for (position, detail) in details.enumerated() where !detail.isEmpty {
        names[primary | Int32(position + 1) << 8] = "\(prefix)_\(detail)"
      }
    }
    return names
  }()

  private static let primaryNames: [Int32: String] = [
    0: "SQLITE_OK", 1: "SQLITE_ERROR", 2: "SQLITE_INTERNAL", 3: "SQLITE_PERM", 4: "SQLITE_ABORT", 5: "SQLITE_BUSY",
    6: "SQLITE_LOCKED", 7: "SQLITE_NOMEM", 8: "SQLITE_READONLY", 9: "SQLITE_INTERRUPT", 10: "SQLITE_IOERR",
    11: "SQLITE_CORRUPT", 12: "SQLITE_NOTFOUND", 13: "SQLITE_FULL", 14: "SQLITE_CANTOPEN", 15: "SQLITE_PROTOCOL",
    16: "SQLITE_EMPTY", 17: "SQLITE_SCHEMA", 18: "SQLITE_TOOBIG", 19: "SQLITE_CONSTRAINT", 20: "SQLITE_MISMATCH",
    21: "SQLITE_MISUSE", 22: "SQLITE_NOLFS", 23: "SQLITE_AUTH", 24: "SQLITE_FORMAT", 25: "SQLITE_RANGE",
    26: "SQLITE_NOTADB", 27: "SQLITE_NOTICE", 28: "SQLITE_WARNING", 100: "SQLITE_ROW", 101: "SQLITE_DONE",
  ]

  /// Extended names by primary code, in the order of their numbers from 1; an empty string marks an unused number.
  private static let extendedNames: [Int32: [String]] = [
    1: ["MISSING_COLLSEQ", "RETRY", "SNAPSHOT"],
    4: ["", "ROLLBACK"],
    5: ["RECOVERY", "SNAPSHOT", "TIMEOUT"],
    6: ["SHAREDCACHE", "VTAB"],
    8: ["RECOVERY", "CANTLOCK", "ROLLBACK", "DBMOVED", "CANTINIT", "DIRECTORY"],
    10: [
      "READ", "SHORT_READ", "WRITE", "FSYNC", "DIR_FSYNC", "TRUNCATE", "FSTAT", "UNLOCK", "RDLOCK", "DELETE",
      "BLOCKED", "NOMEM", "ACCESS", "CHECKRESERVEDLOCK", "LOCK", "CLOSE", "DIR_CLOSE", "SHMOPEN", "SHMSIZE",
      "SHMLOCK", "SHMMAP", "SEEK", "DELETE_NOENT", "MMAP", "GETTEMPPATH", "CONVPATH", "VNODE", "AUTH",
      "BEGIN_ATOMIC", "COMMIT_ATOMIC", "ROLLBACK_ATOMIC", "DATA", "CORRUPTFS",
    ],
    11: ["VTAB", "SEQUENCE", "INDEX"],
    14: ["NOTEMPDIR", "ISDIR", "FULLPATH", "CONVPATH", "DIRTYWAL", "SYMLINK"],
    19: [
      "CHECK", "COMMITHOOK", "FOREIGNKEY", "FUNCTION", "NOTNULL", "PRIMARYKEY", "TRIGGER", "UNIQUE", "VTAB", "ROWID",
      "PINNED", "DATATYPE",
    ],
    23: ["USER"],
    27: ["RECOVER_WAL", "RECOVER_ROLLBACK"],
    28: ["AUTOINDEX"],
  ]
}
