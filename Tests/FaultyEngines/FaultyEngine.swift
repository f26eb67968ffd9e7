// An engine that goes wrong in every way an engine can; when it does not, plain SQLite does its work.
public import BatchmarkEngine
import Engines
import Foundation
internal import Scenarios
internal import Workloads

/// The `faulty` engine.
public struct FaultyEngine: Engine {
  enum Fault: String, CaseIterable {
    case none, crash, hang, error, noisy, slow
    case wrongRows = "wrong-rows"
    case exitsEarly = "exits-early"
    case crashOnce = "crash-once"
    case unlinked
  }

  public init() {}

  public var name: String { "faulty" }

  public var strategies: [Strategy] {
    Fault.allCases.map { fault in
      Strategy(
        fault.rawValue, summary: "plain SQLite, \(fault)", givesUp: ["reliability"], relationships: .withRows,
        .insert { setup, cell in
          var setup = setup
          if fault == .unlinked { setup.links = [] }
          let plain = Cell(scenario: cell.scenario, engine: "sqlite", strategy: "insert")
          guard case .insert(let open)? = SQLiteEngine().strategy(of: plain)?.opening else { throw Refusal() }
          return FaultySession(try open(setup, plain), fault: fault, path: setup.path)
        })
    }
  }
}

final class FaultySession: InsertSession {
  private let session: any InsertSession
  private let fault: FaultyEngine.Fault
  private let path: String

  init(_ session: any InsertSession, fault: FaultyEngine.Fault, path: String) {
    self.session = session
    self.fault = fault
    self.path = path
  }

  func insert(_ rows: SourceRows) throws {
    switch fault {
    case .none, .unlinked: try session.insert(rows)
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
