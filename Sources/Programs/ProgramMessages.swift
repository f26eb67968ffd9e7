// The messages between Batchmark and a program: lines of JSON. EnginePrograms.md of BatchmarkCLI describes them.
package import BatchmarkEngine

/// The protocol's version, the maximum length of lines, and the time limits.
package enum ProgramProtocol {
  package static let version = 1
  /// The maximum bytes of a line, without its end.
  package static let longestLine = 1 << 20
}

/// A program's answer to `hello`: its description of itself.
package struct ProgramHello: Codable, Sendable, Hashable {
  /// The protocol's version.
  package var hello: Int
  package var engine: String
  package var version: String
  package var runtime: String
  /// Where its values are stored; `nil` means ``Heap/malloc``.
  package var heap: Heap?
  package var sqlite: Library?
  package var strategies: [ProgramStrategy]

  /// The library with its version, and the runtime.
  package var identity: String { "\(engine) \(version) on \(runtime)" }

  /// The program's own declaration of a strategy.
  package func offer(of strategy: Strategy) -> ProgramStrategy? {
    strategies.first { $0.name == strategy.name && $0.operation == strategy.operation.rawValue }
  }

  /// Where the values of a program are stored.
  package enum Heap: String, Codable, Sendable, Hashable, CaseIterable {
    /// In blocks of the C library's `malloc`, which is metered.
    case malloc
    /// In a heap of the runtime.
    case managed
  }

  /// Its SQLite.
  package struct Library: Codable, Sendable, Hashable {
    package var version: String
    package var sourceID: String?

    /// The version and source id, as far as the program reports them.
    package var identity: String { [version, sourceID].compactMap(\.self).joined(separator: ", ") }

    private enum CodingKeys: String, CodingKey { case version, sourceID = "source_id" }
  }
}

/// One way in which a program performs an operation.
///
/// Strategies for different operations may have the same name.
package struct ProgramStrategy: Codable, Sendable, Hashable {
  package var name: String
  package var operation: String
  /// A word of ``StrategyRole``; the default is `peer`.
  package var role: String?
  package var summary: String
  package var givesUp: [String]?
  /// For an insert, whether rows become values of the language before the phase begins, or are read during the
  /// measurement.
  package var rows: Rows?
  /// Parameters that scenarios may set, with their defaults.
  package var parameters: [String: ParameterValue]?
  /// Its warm-up before the measurement, if its runtime compiles code at run time.
  package var warmUp: WarmUp?

  /// Whether it resolves conflicts of unique values by the merge policy; `nil` means true.
  package var upserts: Bool?
  /// The entities that it supports; `nil` for any.
  package var entities: [String]?

  /// Work before the phase begins, in separate stores.
  package struct WarmUp: Codable, Sendable, Hashable {
    /// The maximum number of rows in a store; a source may have fewer.
    package var rows: Int
    package var repeats: Int

    /// As many as the time limit of a sample allows.
    static let mostRows = 1_000_000
    static let mostRepeats = 100
  }

  package enum Rows: String, Codable, Sendable, Hashable, CaseIterable { case held, streamed }

  private enum CodingKeys: String, CodingKey {
    case name, operation, role, summary, rows, parameters, upserts, entities
    case givesUp = "gives_up"
    case warmUp = "warm_up"
  }
}

/// A message to a program: an object with one key.
enum ProgramRequest: Encodable {
  case hello
  case open(ProgramOpening)
  /// Do the work; for an insert, starting with the given key.
  case go(firstKey: Int64?)
  /// Report the hash of what a fetch has read.
  case hash
  case checkpoint
  case close
  /// An unknown request, to check that programs refuse it.
  case unknown

  private enum CodingKeys: String, CodingKey {
    case hello, open, go, hash, checkpoint, close
    case unknown = "no_such_request"
  }

  private struct Start: Encodable {
    let firstKey: Int64?

    private enum CodingKeys: String, CodingKey { case firstKey = "first_key" }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .hello: try values.encode(ProgramProtocol.version, forKey: .hello)
    case .open(let opening): try values.encode(opening, forKey: .open)
    case .go(let key): try values.encode(Start(firstKey: key), forKey: .go)
    case .hash: try values.encode(1, forKey: .hash)
    case .checkpoint: try values.encode(1, forKey: .checkpoint)
    case .close: try values.encode(1, forKey: .close)
    case .unknown: try values.encode(1, forKey: .unknown)
    }
  }

  /// The names of the request and its answer.
  var names: (request: String, answer: String) {
    switch self {
    case .hello: ("hello", "hello")
    case .open: ("open", "ready")
    case .go: ("go", "done")
    case .hash: ("hash", "hashed")
    case .checkpoint: ("checkpoint", "checkpointed")
    case .close: ("close", "closed")
    case .unknown: ("no_such_request", "error")
    }
  }
}

/// The current pragmas, by name.
struct ProgramReady: Decodable {
  var ready: [String: String]
}

/// The number of rows that a program reports as stored, changed or read, and the time by its own clock.
struct ProgramDone: Decodable {
  var done: Work

  struct Work: Decodable {
    var rows: Int
    var seconds: Double?
  }
}

/// The checksum of the values that a program read.
struct ProgramHashed: Decodable {
  var hashed: Int64
}
