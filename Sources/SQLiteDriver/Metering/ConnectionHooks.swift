// The hooks that every connection gets as it opens: finished statements, and changed rows of a watched table.
internal import CSQLite
internal import Synchronization

enum ConnectionHooks {
  /// Has every later connection of the process hooked; answers SQLite's result code.
  static func install() -> Int32 {
    sqlite3_shim_auto_extension { connection, _, _ in
      guard let connection else { return SQLITE_OK }
      let path = sqlite3_db_filename(connection, "main").map { String(cString: $0) } ?? ""
      let context = meterState.withLock { $0.number(of: path) }.context
      sqlite3_trace_v2(connection, UInt32(SQLITE_TRACE_PROFILE), ConnectionHooks.countStatement, context)
      sqlite3_update_hook(connection, ConnectionHooks.countChangedRow, context)
      return SQLITE_OK
    }
  }

  /// A statement finished: its steps are those since its counter was last read.
  private static let countStatement:
    @convention(c) (UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32 = {
      _, context, statement, _ in
      guard let statement else { return 0 }
      let steps = sqlite3_stmt_status(OpaquePointer(statement), SQLITE_STMTSTATUS_VM_STEP, 1)
      meterState.withLock {
        $0.add(to: DatabaseNumber(context: context)) {
          $0.statements += 1
          // SQLite counts without a sign and answers with one.
          $0.vmSteps += Int64(UInt32(bitPattern: steps))
        }
      }
      return 0
    }

  private static let countChangedRow:
    @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, Int64) -> Void = {
      context, _, _, table, _ in
      meterState.withLock {
        // Comparing names touches no connection, so that it may be done under the lock.
        guard $0.growth.isWatching, sqlite3_stricmp(table, $0.growth.table) == 0 else { return }
        $0.countChangedRow(in: DatabaseNumber(context: context))
      }
    }
}
