// What Batchmark and a program say to each other: JSON, a line each. EnginePrograms.md of BatchmarkCLI describes it.
package import BatchmarkEngine

/// The protocol's version, the longest line and the limits of time.
package enum ProgramProtocol {
  package static let version = 1
  /// Bytes of a line without its end.
  package static let longestLine = 1 << 20
}

/// What a program says of itself.
package struct ProgramHello: Codable, Sendable, Hashable {
  /// The protocol's version.
  package var hello: Int
  package var engine: String
  package var version: String
  package var runtime: String
  package var sqlite: Library?
  package var strategies: [ProgramStrategy]

  /// Its SQLite.
  package struct Library: Codable, Sendable, Hashable {
    package var version: String
    package var sourceID: String?

    private enum CodingKeys: String, CodingKey { case version, sourceID = "source_id" }
  }
}

/// One way in which a program stores rows.
package struct ProgramStrategy: Codable, Sendable, Hashable {
  package var name: String
  package var operation: String
  /// One of ``StrategyRole``'s words; `peer` without one.
  package var role: String?
  package var summary: String
  package var givesUp: [String]?
  /// Whether its rows are values of its language before the phase begins, or read while it is measured.
  package var rows: Rows
  /// Parameters that scenarios may set, with their defaults.
  package var parameters: [String: ParameterValue]?

  package enum Rows: String, Codable, Sendable, Hashable, CaseIterable { case held, streamed }

  private enum CodingKeys: String, CodingKey {
    case name, operation, role, summary, rows, parameters, givesUp = "gives_up"
  }
}

/// A message to a program: an object with one key.
enum ProgramRequest: Encodable {
  case hello
  case open(ProgramOpening)
  /// Stores every row; the key of the first.
  case go(firstKey: Int64)
  case checkpoint
  case close

  private enum CodingKeys: String, CodingKey { case hello, open, go, checkpoint, close }

  private struct Start: Encodable {
    let firstKey: Int64

    private enum CodingKeys: String, CodingKey { case firstKey = "first_key" }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .hello: try values.encode(ProgramProtocol.version, forKey: .hello)
    case .open(let opening): try values.encode(opening, forKey: .open)
    case .go(let key): try values.encode(Start(firstKey: key), forKey: .go)
    case .checkpoint: try values.encode(1, forKey: .checkpoint)
    case .close: try values.encode(1, forKey: .close)
    }
  }

  /// The request's name, and that of its answer.
  var names: (request: String, answer: String) {
    switch self {
    case .hello: ("hello", "hello")
    case .open: ("open", "ready")
    case .go: ("go", "done")
    case .checkpoint: ("checkpoint", "checkpointed")
    case .close: ("close", "closed")
    }
  }
}

/// What a program needs to store rows.
struct ProgramOpening: Encodable {
  var strategy: String
  var parameters: [String: ParameterValue]
  var store: String
  var source: String
  var entities: [Entity]
  var key: Key
  /// Values of columns that every row has.
  var constants: [String: Int64]
  /// To be set on every connection, in this order.
  var pragmas: [Setting]
  /// Whose values `ready` says.
  var answeredPragmas: [String]
  var mergePolicy: String
  /// A statement that stores a row as the merge policy says, for programs that write SQL: the key and the columns.
  var insert: String
  /// A first write that changes nothing, to be run before `ready`, so that what is measured does not pay for it.
  var firstWrite: String
  var warmUp: String

  struct Entity: Encodable {
    var name: String
    /// Of the store.
    var table: String
    /// Of the source, a column an attribute.
    var sourceTable: String
    var rows: Int
    var columns: [Column]

    private enum CodingKeys: String, CodingKey { case name, table, rows, columns, sourceTable = "source_table" }
  }

  struct Column: Encodable {
    /// Its column in the source has this name.
    var attribute: String
    var column: String
    var type: String
    /// `INTEGER`, `REAL`, `TEXT` or `BLOB`, in the source and in the store.
    var storage: String
    var optional: Bool
    var unique: Bool
  }

  struct Key: Encodable {
    var column: String
    var givenBy: String

    private enum CodingKeys: String, CodingKey { case column, givenBy = "given_by" }
  }

  struct Setting: Encodable {
    var name: String
    var value: String
  }

  private enum CodingKeys: String, CodingKey {
    case strategy, parameters, store, source, entities, key, constants, pragmas, insert
    case answeredPragmas = "answered_pragmas"
    case mergePolicy = "merge_policy"
    case firstWrite = "first_write"
    case warmUp = "warm_up"
  }
}

/// The pragmas in force, by name.
struct ProgramReady: Decodable {
  var ready: [String: String]
}

/// How many rows a program says that it stored, and what it took by its own clock.
struct ProgramDone: Decodable {
  var done: Work

  struct Work: Decodable {
    var rows: Int
    var seconds: Double?
  }
}
