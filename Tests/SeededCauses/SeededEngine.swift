// Plain SQLite with the same additional work in every sample, and more work if a cause of a change is seeded.
public import BatchmarkEngine
import Engines
import Foundation

/// The cause in the name of the executable: `cause-sorts-light` sorts a little more than executables with other names.
struct SeededCause {
  enum Kind: String, CaseIterable {
    case preparation, statements, plan, rows, sorts, allocations, syncs, checkpoints, wait, thread, code
  }

  let kind: Kind
  let isHeavy: Bool

  /// Nil for an executable without a cause.
  static let current: SeededCause? = {
    let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let parts = URL(fileURLWithPath: path ?? "").lastPathComponent.split(separator: "-").map(String.init)
    guard parts.count == 3, parts[0] == "cause", let kind = Kind(rawValue: parts[1]) else { return nil }
    return SeededCause(kind: kind, isHeavy: parts[2] == "heavy")
  }()

  /// The amount of work of a kind; 0 if this kind is not seeded.
  static func amount(_ kind: Kind, light: Int, heavy: Int) -> Int {
    guard let current, current.kind == kind else { return 0 }
    return current.isHeavy ? heavy : light
  }
}

/// The `seeded` engine.
public struct SeededEngine: Engine {
  public init() {}

  public var name: String { "seeded" }

  public var strategies: [Strategy] {
    [
      Strategy(
        "insert", summary: "plain SQLite, and work beside it", tradeoffs: [], relationships: .withRows,
        .insert { setup, cell in
          let plain = Cell(scenario: cell.scenario, engine: "sqlite", strategy: "insert")
          guard case .insert(let open)? = SQLiteEngine().strategy(of: plain)?.opening else { throw NoEngine() }
          return SeededSession(try open(setup, plain), work: try SeededWork(in: setup.path + "-beside"))
        })
    ]
  }
}

struct NoEngine: Error, CustomStringConvertible {
  var description: String { "the engine sqlite has no strategy insert; expected it to store the rows" }
}

final class SeededSession: InsertSession {
  private let session: any InsertSession
  private let work: SeededWork

  init(_ session: any InsertSession, work: SeededWork) {
    self.session = session
    self.work = work
  }

  func insert(_ rows: SourceRows) throws {
    try session.insert(rows)
    try work.run()
  }

  func checkpoint() throws { try session.checkpoint() }

  func pragma(_ name: String) throws -> String? { try session.pragma(name) }

  func close() throws {
    try work.close()
    try session.close()
  }
}
