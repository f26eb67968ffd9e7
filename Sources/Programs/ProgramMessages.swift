// What Batchmark and a program say to each other: JSON, a line each. EnginePrograms.md of BatchmarkCLI describes it.
package import BatchmarkEngine
internal import ObjectGraph

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

  package func strategy(named name: String) -> ProgramStrategy? { strategies.first { $0.name == name } }

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
  /// What it does before it is measured, where its runtime compiles while it runs.
  package var warmUp: WarmUp?

  /// Whether rows whose unique values are taken are stored as the merge policy says; nil as true.
  package var upserts: Bool?
  /// The entities that it knows; nil for any.
  package var entities: [String]?

  /// Rows that are stored before the phase begins, in stores of their own.
  package struct WarmUp: Codable, Sendable, Hashable {
    /// At most; a source may have fewer.
    package var rows: Int
    package var repeats: Int

    /// What a sample's time allows.
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
  /// Stores every row; the key of the first.
  case go(firstKey: Int64)
  case checkpoint
  case close
  /// What no program knows.
  case unknown

  private enum CodingKeys: String, CodingKey {
    case hello, open, go, checkpoint, close
    case unknown = "no_such_request"
  }

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
    case .unknown: try values.encode(1, forKey: .unknown)
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
    case .unknown: ("no_such_request", "error")
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
  /// Stores in which the program does the same first with some of the rows; nil for none.
  var warmUp: WarmUp?

  struct WarmUp: Encodable {
    /// Each empty, in the same layout.
    var stores: [String]
    var rows: Int
  }

  struct Entity: Encodable {
    var name: String
    /// Of the store.
    var table: String
    /// Of the source, a column an attribute.
    var sourceTable: String
    var rows: Int
    var columns: [Column]
    /// Columns that are unique together, each constraint a list.
    var uniqueTogether: [[String]]

    private enum CodingKeys: String, CodingKey {
      case name, table, rows, columns
      case sourceTable = "source_table"
      case uniqueTogether = "unique_together"
    }
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

extension ProgramOpening {
  /// What opens nothing: there is no such store, and no source.
  static func ofNoStore(strategy: String) -> ProgramOpening {
    ProgramOpening(
      strategy: strategy, parameters: [:], store: "/dev/null/store.sqlite", source: "/dev/null/source.sqlite",
      entities: [
        Entity(
          name: "Thing", table: "ZTHING", sourceTable: "Thing", rows: 1,
          columns: [
            Column(
              attribute: "code", column: "ZCODE", type: "string", storage: "TEXT", optional: false, unique: false)
          ], uniqueTogether: [])
      ],
      key: Key(column: "Z_PK", givenBy: "engine"), constants: ["Z_ENT": 1, "Z_OPT": 1], pragmas: [],
      answeredPragmas: [], mergePolicy: MergePolicy.error.mergeType.rawValue,
      insert: "INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZCODE) VALUES (?, 1, 1, ?)", firstWrite: StoreSetup.firstWrite)
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
