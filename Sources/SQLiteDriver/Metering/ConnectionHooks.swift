// The hooks that every connection gets as it opens: finished statements, page caches, and changed rows of a watched
// table.
internal import CSQLite
internal import Synchronization

enum ConnectionHooks {
  /// Hooks every later connection of the process; returns SQLite's result code.
  static func install() -> Int32 {
    sqlite3_shim_auto_extension { connection, _, _ in
      guard let connection else { return SQLITE_OK }
      let path = sqlite3_db_filename(connection, "main").map { String(cString: $0) } ?? ""
      let address = Int(bitPattern: connection)
      let isMetered = ConnectionHooks.isMetered(connection)
      let context = meterState.withLock { $0.open(connection: address, path: path, isMetered: isMetered) }.context
      ConnectionHooks.watchEnd(of: connection)
      let events = UInt32(SQLITE_TRACE_PROFILE | SQLITE_TRACE_CLOSE)
      sqlite3_trace_v2(connection, events, ConnectionHooks.hear, context)
      sqlite3_update_hook(connection, ConnectionHooks.countChangedRow, context)
      return SQLITE_OK
    }
  }

  /// Excludes the connection from all counters.
  static func remove(from connection: OpaquePointer?) {
    sqlite3_trace_v2(connection, 0, nil, nil)
    sqlite3_update_hook(connection, nil, nil)
    let address = Int(bitPattern: connection)
    meterState.withLock { $0.disregard(connection: address) }
  }

  /// A statement finished, or the connection is about to close.
  private static let hear:
    @convention(c) (UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32 = {
      event, context, subject, _ in
      guard let subject else { return 0 }
      let database = DatabaseNumber(context: context)
      if Int32(event) == SQLITE_TRACE_CLOSE {
        countPages(of: OpaquePointer(subject), in: database)
        let address = Int(bitPattern: subject)
        meterState.withLock { $0.noteEnd(of: address) }
      } else {
        countStatement(OpaquePointer(subject), in: database)
      }
      return 0
    }

  /// Its steps are those since its counters were last read.
  private static func countStatement(_ statement: OpaquePointer, in database: DatabaseNumber) {
    // SQLite counts without a sign and answers with one.
    func read(_ counter: Int32) -> Int64 {
      Int64(UInt32(bitPattern: sqlite3_stmt_status(statement, counter, 1)))
    }
    let steps = read(SQLITE_STMTSTATUS_VM_STEP)
    let sorts = read(SQLITE_STMTSTATUS_SORT)
    let fullScanSteps = read(SQLITE_STMTSTATUS_FULLSCAN_STEP)
    let automaticIndexRows = read(SQLITE_STMTSTATUS_AUTOINDEX)
    let repreparations = read(SQLITE_STMTSTATUS_REPREPARE)
    meterState.withLock {
      $0.add(to: database) {
        $0.statements += 1
        $0.vmSteps += steps
        $0.sorts += sorts
        $0.fullScanSteps += fullScanSteps
        $0.fullScans += fullScanSteps > 0 ? 1 : 0
        $0.automaticIndexRows += automaticIndexRows
        $0.repreparations += repreparations
      }
    }
    if let connection = sqlite3_db_handle(statement) { countPages(of: connection, in: database) }
  }

  private static func countPages(of connection: OpaquePointer, in database: DatabaseNumber) {
    let reading = PageCacheReading(of: connection)
    let address = Int(bitPattern: connection)
    meterState.withLock { $0.count(reading, of: address, in: database) }
  }

  private static let countChangedRow:
    @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, Int64) -> Void = {
      context, _, _, table, _ in
      meterState.withLock {
        // Comparing names touches no connection, so that it may be done under the lock.
        guard $0.growth.watches(table) else { return }
        $0.countChangedRow(in: DatabaseNumber(context: context))
      }
    }
}
