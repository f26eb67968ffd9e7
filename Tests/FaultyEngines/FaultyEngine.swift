// An engine that goes wrong in every way an engine can; when it does not, plain SQLite does its work.
internal import CSQLite
import Engines
import Foundation
public import Scenarios
public import Workloads

/// The `faulty` engine.
public struct FaultyEngine: Engine {
  enum Fault: String, CaseIterable {
    case none, crash, hang, error, noisy, slow
    case wrongRows = "wrong-rows"
    case exitsEarly = "exits-early"
    case crashOnce = "crash-once"
    case unlinked
    case otherVFS = "other-vfs"
    case ownTrace = "own-trace"
    case leftOpen = "left-open"
  }

  /// Connections that are never closed.
  // Safe by proof: a worker opens its stores one after the other, on one thread.
  nonisolated(unsafe) private static var connections: [OpaquePointer?] = []

  public init() {}

  public var name: String { "faulty" }

  public var strategies: [Strategy] {
    Fault.allCases.map {
      Strategy(
        name: $0.rawValue, summary: "plain SQLite, \($0)", givesUp: ["reliability"], linking: .whileStoring)
    }
  }

  public func open(_ setup: StoreSetup, cell: Cell) throws -> any EngineSession {
    let plain = Cell(scenario: cell.scenario, engine: "sqlite", strategy: "insert")
    let fault = Fault(rawValue: cell.strategy) ?? .none
    var setup = setup
    if fault == .unlinked { setup.links = [] }
    switch fault {
    case .otherVFS: sqlite3_vfs_register(sqlite3_vfs_find("unix"), 1)
    case .ownTrace:
      _ = sqlite3_shim_auto_extension { connection, _, _ in
        sqlite3_trace_v2(connection, UInt32(SQLITE_TRACE_STMT), { _, _, _, _ in 0 }, nil)
      }
    case .leftOpen:
      var connection: OpaquePointer?
      sqlite3_open(setup.path, &connection)
      FaultyEngine.connections.append(connection)
    default: break
    }
    return FaultySession(try SQLiteEngine().open(setup, cell: plain), fault: fault, path: setup.path)
  }
}

final class FaultySession: EngineSession {
  private let session: any EngineSession
  private let fault: FaultyEngine.Fault
  private let path: String

  init(_ session: any EngineSession, fault: FaultyEngine.Fault, path: String) {
    self.session = session
    self.fault = fault
    self.path = path
  }

  func ingest(_ rows: ColumnarRows) throws {
    switch fault {
    case .none, .unlinked, .otherVFS, .ownTrace, .leftOpen: try session.ingest(rows)
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
      try session.ingest(rows)
    case .slow:
      waitAtGate()
      try session.ingest(rows)
    case .wrongRows:
      try session.ingest(
        ColumnarRows(
          entityName: rows.entityName, attributes: rows.attributes, columns: rows.columns, count: rows.count - 1))
    case .crashOnce:
      let marker = outputFolder.appendingPathComponent("crashed").path
      if !FileManager.default.fileExists(atPath: marker) {
        try Data().write(to: URL(fileURLWithPath: marker))
        kill(getpid(), SIGKILL)
        sleep(10)
      }
      try session.ingest(rows)
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

  func checkpoint() throws { try session.checkpoint() }

  func pragma(_ name: String) throws -> String? { try session.pragma(name) }

  func close() throws { try session.close() }
}

struct Refusal: Error, CustomStringConvertible {
  var description: String { "the engine refuses to store anything" }
}
