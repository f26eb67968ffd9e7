// An engine that goes wrong in every way an engine can; when it does not, plain SQLite does its work.
public import BatchmarkEngine
internal import CSQLite
import Engines
import Foundation
private import Synchronization

/// The `faulty` engine.
public struct FaultyEngine: Engine {
  enum Fault: String, CaseIterable {
    case none, crash, hang, error, noisy, slow
    case wrongRows = "wrong-rows"
    case exitsEarly = "exits-early"
    case crashOnce = "crash-once"
    case unlinked
    // Work that is put off.
    case late
    case lateThread = "late-thread"
    // A store that is spoilt when the rows are in.
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
    case ownTrace = "own-trace"
    case leftOpen = "left-open"
    // Does more only where the environment says so.
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
          return FaultySession(session, fault: fault, path: setup.path)
        })
    } + [
      Strategy(
        "orphan", summary: "plain SQLite, orphan", tradeoffs: ["reliability"], followsDeleteRules: true,
        .delete { setup, _ in try OrphanSession(setup) })
    ]
  }

  /// Does what a fault does before the store is opened.
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
  /// Rows that are stored when nobody looks any more.
  private var lateRows: SourceRows?
  private var lateThread: LateThread?

  init(_ session: any InsertSession, fault: FaultyEngine.Fault, path: String) {
    self.session = session
    self.fault = fault
    self.path = path
  }

  func insert(_ rows: SourceRows) throws {
    switch fault {
    case .none, .unlinked, .otherVFS, .ownTrace, .leftOpen, .rowWhileOpening: try session.insert(rows)
    case .crash:
      FileHandle.standardError.write(Data("the engine's last words\n".utf8))
      // The runtime would print a backtrace first, which takes its time.
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
    default:
      try session.insert(rows)
      try fault.spoil(storeAt: path)
    }
  }

  /// The run's output folder, which outlives the sample's own.
  private var outputFolder: URL {
    URL(fileURLWithPath: path).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  }

  /// Waits while there is a file `gate` beside the output folder, once the run's journal has three samples.
  private func waitAtGate() {
    let gate = outputFolder.deletingLastPathComponent().appendingPathComponent("gate").path
    let journal = outputFolder.appendingPathComponent("journal.jsonl")
    let lines = (try? Data(contentsOf: journal))?.count { $0 == UInt8(ascii: "\n") } ?? 0
    if lines > 3 { try? Data("\(getpid())".utf8).write(to: URL(fileURLWithPath: gate + ".worker")) }
    while lines > 3, FileManager.default.fileExists(atPath: gate) { usleep(5_000) }
  }

  func checkpoint() throws {
    try lateThread?.finish()
    try session.checkpoint()
  }

  func pragma(_ name: String) throws -> String? {
    fault == .deletesJournal && name == "journal_mode" ? "delete" : try session.pragma(name)
  }

  func close() throws {
    if let lateRows { try session.insert(lateRows) }
    try session.close()
  }
}

struct Refusal: Error, CustomStringConvertible {
  var description: String { "the engine refuses to store anything" }
}
