// A connection whose COMMIT or ROLLBACK fails, like without memory to prepare it.
import CSQLite

@testable import SQLiteDriver

extension Connection {
  /// Makes SQLite refuse every COMMIT or every ROLLBACK of the connection; with nil it refuses nothing.
  func refuse(_ statement: StaticString?) {
    guard let statement else {
      sqlite3_set_authorizer(handle, nil, nil)
      return
    }
    // This also makes SQLite prepare its statements again.
    sqlite3_set_authorizer(
      handle,
      { refused, action, detail, _, _, _ in
        guard action == SQLITE_TRANSACTION, let refused, let detail else { return SQLITE_OK }
        return String(cString: refused.assumingMemoryBound(to: CChar.self)) == String(cString: detail)
          ? SQLITE_DENY : SQLITE_OK
      }, UnsafeMutableRawPointer(mutating: statement.utf8Start))
  }
}
