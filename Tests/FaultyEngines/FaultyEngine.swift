// An engine that fails in every possible way. Without a fault, plain SQLite does its work.
public import BatchmarkEngine
internal import CSQLite
import Engines
import Foundation
internal import SQLiteDriver
private import Synchronization

/// The `faulty` engine.
public struct FaultyEngine: Engine {
  enum Fault: String, CaseIterable {
    case none, crash, hang, error, noisy, slow
    case wrongRows = "wrong-rows"
    case exitsEarly = "exits-early"
    case crashOnce = "crash-once"
    case unlinked
    // Work that is delayed.
    case late
    case lateThread = "late-thread"
    // A store that is spoiled after the rows are stored.
    case textAsBlob = "text-as-blob"
    case realInInteger = "real-in-integer"
    case dateAsText = "date-as-text"
    case extraColumn = "extra-column"
    case extraTable = "extra-table"
    case missingIndex = "missing-index"
    case plainIndex = "plain-index"
    case wrongEntityNumber = "wrong-entity-number"
    case versionMissing = "version-missing"
    case negativeKey = "negative-key"
    case keyNotCounted = "key-not-counted"
    case metadataGone = "metadata-gone"
    case oneWrongRow = "one-wrong-row"
    case deletesJournal = "deletes-journal"
    case checkAdded = "check-added"
    case collateAdded = "collate-added"
    case wrongMetadataVersion = "wrong-metadata-version"
    case wrongIdentifier = "wrong-identifier"
    case otherAutoVacuum = "other-auto-vacuum"
    case rowWhileOpening = "row-while-opening"
    case otherVFS = "other-vfs"
    case attachedVFS = "attached-vfs"
    case ownTrace = "own-trace"
    case leftOpen = "left-open"
    // Faults that only the meter sees.
    case unsynced
    case forked
    case lateCheckpoint = "late-checkpoint"
    case mappedMemory = "mapped-memory"
    // Does additional work if the environment says so.
    case moreWork = "more-work"
  }

  /// The addresses of connections that are never closed.
  private static let connections = Mutex<[UInt]>([])

  public init() {}

  public var name: String { "faulty" }

  public var strategies: [Strategy] {
    Fault.allCases.map { fault in
      Strategy(
        fault.rawValue, summary: "plain SQLite, \(fault)", tradeoffs: ["reliability"], relationships: .withRows,
        .insert { setup, cell in
          var setup = setup
          if fault == .unlinked { setup.links = [] }
          FaultyEngine.prepare(fault, setup)
          let plain = Cell(scenario: cell.scenario, engine: "sqlite", strategy: "insert")
          guard case .insert(let open)? = SQLiteEngine().strategy(of: plain)?.opening else { throw Refusal() }
          let session = try open(setup, plain)
          if fault == .rowWhileOpening { try fault.spoil(storeAt: setup.path) }
          let again = setup
          return FaultySession(session, fault: fault, path: setup.path) { try open(again, plain) }
        })
    } + [
      Strategy(
        "orphan", summary: "plain SQLite, orphan", tradeoffs: ["reliability"], followsDeleteRules: true,
        .delete { setup, _ in try OrphanSession(setup) })
    ]
  }

  /// Does the part of a fault that comes before the store is opened.
  private static func prepare(_ fault: Fault, _ setup: StoreSetup) {
    switch fault {
    case .otherVFS: sqlite3_vfs_register(sqlite3_vfs_find("unix"), 1)
    case .ownTrace:
      _ = sqlite3_shim_auto_extension { connection, _, _ in
        sqlite3_trace_v2(connection, UInt32(SQLITE_TRACE_STMT), { _, _, _, _ in 0 }, nil)
      }
    case .leftOpen:
      var connection: OpaquePointer?
      sqlite3_open(setup.path, &connection)
      let address = UInt(bitPattern: connection)
      connections.withLock { $0.append(address) }
    default: break
    }
  }
}

final class FaultySession: InsertSession {
  private let session: any InsertSession
  private let fault: FaultyEngine.Fault
  private let path: String
  /// Rows that are stored when no one checks them any longer.
  private var lateRows: SourceRows?
  private var lateThread: LateThread?
  /// Opens another session of the same store.
  private let openAnother: () throws -> any InsertSession

  init(
    _ session: any InsertSession, fault: FaultyEngine.Fault, path: String,
    openAnother: @escaping () throws -> any InsertSession
  ) {
    self.openAnother = openAnother
    self.session = session
    self.fault = fault
    self.path = path
  }

  func insert(_ rows: SourceRows) throws {
    switch fault {
    case .none, .unlinked, .otherVFS, .ownTrace, .leftOpen, .rowWhileOpening: try session.insert(rows)
    case .crash:
      FileHandle.standardError.write(Data("the engine's last words\n".utf8))
      // Otherwise the runtime would print a backtrace first, which takes time.
      signal(SIGSEGV, SIG_DFL)
      kill(getpid(), SIGSEGV)
      sleep(10)
    case .hang: sleep(1000)
    case .error: throw Refusal()
    case .exitsEarly: exit(0)
    case .noisy:
      print("an engine that talks {\"sample\": 1}")
      try session.insert(rows)
    case .slow:
      waitAtGate()
      try session.insert(rows)
    case .wrongRows:
      try session.insert(rows.prefix(rows.count - 1))
    case .crashOnce:
      let marker = outputFolder.appendingPathComponent("crashed").path
      if !FileManager.default.fileExists(atPath: marker) {
        try Data().write(to: URL(fileURLWithPath: marker))
        kill(getpid(), SIGKILL)
        sleep(10)
      }
      try session.insert(rows)
    case .late:
      lateRows = rows
      try session.insert(rows.prefix(rows.count / 10))
    case .lateThread:
      let session = session
      lateThread = LateThread { try session.insert(rows) }
    case .unsynced:
      try session.insert(rows)
      let other = try Connection(path: path, access: .readWrite)
      try other.execute("PRAGMA synchronous = off")
      _ = try other.checkpoint(.passive)
      try other.close()
    case .forked:
      try inAnotherProcess {
        let session = try openAnother()
        try session.insert(rows)
        try session.close()
      }
    case .lateCheckpoint:
      try session.insert(rows)
      let path = path
      lateThread = LateThread {
        let other = try Connection(path: path, access: .readWrite)
        // A connection that has not read anything has no WAL to checkpoint.
        _ = try other.scalar("SELECT count(*) FROM Z_PRIMARYKEY")
        _ = try other.checkpoint(.passive)
        try other.close()
      }
    case .mappedMemory:
      try session.insert(rows)
      mapMemory()
    case .attachedVFS:
      try session.insert(rows)
      try writeAttached()
    default:
      try session.insert(rows)
      try fault.spoil(storeAt: path)
    }
  }

  /// Does work in a forked process, and waits for its end.
  private func inAnotherProcess(_ work: () throws -> Void) throws {
    // Swift hides this function, because a child of a process with many threads has only one. This child needs only
    // one.
    guard let address = dlsym(nil, "fork") else { throw Refusal() }
    let process = unsafeBitCast(address, to: (@convention(c) () -> pid_t).self)()
    if process == 0 {
      do { try work() } catch { _exit(1) }
      _exit(0)
    }
    var status: Int32 = 0
    guard process > 0, waitpid(process, &status, 0) == process, status == 0 else { throw Refusal() }
  }

  /// Writes to a database that bypasses the meter, attached to a connection that does not.
  private func writeAttached() throws {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI
    let other = URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("attached.sqlite").path
    // There is a warm-up before this.
    let write = "CREATE TABLE IF NOT EXISTS other.t(a); INSERT INTO other.t VALUES(1)"
    let sql = "ATTACH 'file:\(other)?vfs=unix' AS other; \(write)"
    guard sqlite3_open_v2(path, &connection, flags, nil) == SQLITE_OK,
      sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK
    else { throw Refusal() }
  }

  /// Maps 100 MiB without an allocator and writes to each page.
  private func mapMemory() {
    let size = 100 << 20
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | Int32(MAP_ANONYMOUS), -1, 0)
    guard let memory, memory != MAP_FAILED else { return }
    memset(memory, 1, size)
    munmap(memory, size)
  }

  /// The run's output folder, which exists longer than the sample's.
  private var outputFolder: URL {
    URL(fileURLWithPath: path).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  }

  /// Waits while a file `gate` is next to the output folder, once the run's journal has three samples.
  private func waitAtGate() {
    let gate = outputFolder.deletingLastPathComponent().appendingPathComponent("gate").path
    let journal = outputFolder.appendingPathComponent("journal.jsonl")
    let lines = (try? Data(contentsOf: journal))?.count { $0 == UInt8(ascii: "\n") } ?? 0
    if lines > 3 { try? Data("\(getpid())".utf8).write(to: URL(fileURLWithPath: gate + ".worker")) }
    while lines > 3, FileManager.default.fileExists(atPath: gate) { usleep(5_000) }
  }

  func checkpoint() throws {
    if fault == .lateThread { try lateThread?.finish() }
    try session.checkpoint()
  }

  func pragma(_ name: String) throws -> String? {
    // This is between two phases.
    if fault == .lateCheckpoint, name == "journal_mode" { try lateThread?.finish() }
    return fault == .deletesJournal && name == "journal_mode" ? "delete" : try session.pragma(name)
  }

  func close() throws {
    if let lateRows { try session.insert(lateRows) }
    try session.close()
  }
}

struct Refusal: Error, CustomStringConvertible {
  var description: String { "the engine refuses to store anything" }
}
