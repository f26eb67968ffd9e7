// A10: the peers work like the reference: with the same pragmas, the same handling of duplicates, and no changes from a
// failed transaction.
import BatchmarkEngine
import Engines
import Foundation
import GRDB
import CoreDataModel
import Instruments
import MissionTags
import ObjectGraph
import SQLiteDriver
import Scenarios
import Testing
import Harness

@Suite("A10 · peers", .tags(.a10))
struct PeerTests {
  static let peers = [("sqlite", "insert-many"), ("grdb", "statement"), ("grdb", "record"), ("grdb", "codable")].map {
    Cell(scenario: "test", engine: $0, strategy: $1)
  }
  static let reference = Cell(scenario: "test", engine: "sqlite", strategy: "insert")

  /// Opens a session with its own store and closes it.
  private func withSession<Answer>(
    _ cell: Cell, entity: EntityDescription, policy: MergePolicy = .error, pragmas: [StorePragma] = [],
    _ body: (any InsertSession, _ path: String) throws -> Answer
  ) throws -> Answer {
    let directory = FileManager.default.temporaryDirectory.path + "/peers-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let setup = StoreSetup(
      path: directory + "/store.sqlite", model: try ManagedObjectModel(entities: [entity]), entityName: entity.name,
      pragmas: pragmas, mergePolicy: policy)
    let engine = try #require(BuiltInEngines.all.first { $0.name == cell.engine })
    let session = try engine.openInsert(setup, cell)
    let answer = Result { try body(session, setup.path) }
    try session.close()
    return try answer.get()
  }

  @Test(
    "A peer's connection has the reference's pragmas, those of the scenario, and SQLite's defaults",
    arguments: peers)
  func pragmas(cell: Cell) throws {
    let names = [
      "journal_mode", "synchronous", "wal_autocheckpoint", "cache_size", "page_size", "mmap_size", "temp_store",
      "locking_mode", "journal_size_limit", "auto_vacuum", "max_page_count", "cache_spill", "secure_delete",
      "fullfsync",
      "checkpoint_fullfsync", "busy_timeout", "foreign_keys", "automatic_index", "recursive_triggers",
      "cell_size_check", "threads", "query_only",
    ]
    let settings = [
      [],
      [
        StorePragma("page_size", "8192"), StorePragma("auto_vacuum", "incremental"), StorePragma("journal_mode", "wal"),
        StorePragma("synchronous", "normal"), StorePragma("cache_size", "-4096"), StorePragma("busy_timeout", "70"),
        StorePragma("wal_autocheckpoint", "77"), StorePragma("temp_store", "memory"),
        StorePragma("foreign_keys", "on"), StorePragma("cache_spill", "off"),
      ],
      [StorePragma("journal_mode", "delete"), StorePragma("synchronous", "extra")],
      [StorePragma("locking_mode", "exclusive"), StorePragma("journal_mode", "wal")],
    ]
    for pragmas in settings {
      func answers(_ cell: Cell) throws -> [String: String?] {
        try withSession(cell, entity: .quake(unique: true), pragmas: pragmas) { session, _ in
          Dictionary(uniqueKeysWithValues: try names.map { ($0, try session.pragma($0)) })
        }
      }
      let found = try answers(cell)
      #expect(try found == answers(PeerTests.reference))
      #expect(found.values.count { $0 == nil } < 3)
    }
  }

  @Test("A store opens with the greatest allowed number for each pragma", .tags(.d9))
  func greatest() throws {
    let schema = ScenarioSchema(BuiltInEngines.all)
    let ranges = schema.keys.compactMap { key -> (name: String, greatest: Int)? in
      guard key.location == .store, case .value(.number(let range, _)) = key.kind else { return nil }
      return (key.name, range.upperBound)
    }
    #expect(Set(ranges.map(\.name)).isSuperset(of: ["cache_size", "mmap_size", "threads"]))
    let cell = Cell(scenario: "test", engine: "objectgraph", strategy: "save")
    for (name, greatest) in ranges {
      let pragma = StorePragma(name, "\(greatest)")
      let found = try withSession(cell, entity: .quake(unique: true), pragmas: [pragma]) { session, _ in
        try session.pragma(name)
      }
      #expect(found == "\(greatest)", "\(name)")
    }
  }

  @Test(
    "Duplicates end as with the reference, including versions and keys, for every unique constraint", .tags(.b11),
    arguments: peers,
    [MergePolicy.MergeType.error, .storeTrump, .objectTrump, .overwrite, .rollback])
  func duplicates(cell: Cell, type: MergePolicy.MergeType) throws {
    for constraints in [[["a"]], [["a", "b"]], [["b"], ["a", "b"]]] {
      let entity = PeerTests.sample(unique: constraints)
      func contents(_ cell: Cell) throws -> [String] {
        try withSession(cell, entity: entity, policy: MergePolicy(mergeType: type)) { session, path in
          for _ in 0..<2 { try session.insert(SourceRows(PeerTests.sampleRows(of: entity))) }
          try session.checkpoint()
          let queue = try DatabaseQueue(path: path)
          return try queue.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM ZSAMPLE ORDER BY Z_PK").map { "\($0)" }
              + Row.fetchAll(database, sql: "SELECT * FROM Z_PRIMARYKEY").map { "\($0)" }
          }
        }
      }
      let found = try contents(cell)
      #expect(found.count > 30 && found.count < 480)
      #expect(try found == contents(PeerTests.reference), "\(constraints)")
    }
  }

  private static func sample(unique constraints: [[String]]) -> EntityDescription {
    EntityDescription(
      "Sample",
      attributes: [
        AttributeDescription("a", .int32, isOptional: true), AttributeDescription("b", .string, isOptional: true),
        AttributeDescription("c", .float, isOptional: true, defaultValue: 2.3),
      ], uniquenessConstraints: constraints)
  }

  /// Rows with duplicates in one attribute or in several; some have nulls, which are never duplicates.
  private static func sampleRows(of entity: EntityDescription) -> ColumnarRows {
    let count = 240
    let numbers: [Int64?] = (0..<count).map { $0 % 7 == 0 ? nil : Int64($0 % 40) }
    let letters: [[UInt8]] = (0..<count).map { [UInt8](repeating: UInt8(97 + $0 % 26), count: 1 + $0 % 3) }
    var starts = [0]
    for text in letters { starts.append((starts.last ?? 0) + text.count) }
    let texts = BytesColumn(
      bytes: Array(letters.joined()), starts: starts, nulls: (0..<count).map { $0 % 11 == 0 })
    let reals: [Double?] = (0..<count).map { $0 % 3 == 0 ? nil : Double($0) / 3 }
    return ColumnarRows(
      entityName: entity.name, attributes: entity.attributes,
      columns: [
        .integers(NumberColumn(numbers, placeholder: 0)), .text(texts),
        .reals(NumberColumn(reals, placeholder: 0)),
      ], count: count)
  }
}

extension PeerTests {
  @Test(
    "Several rows per step store the same as one, wherever the last step ends", arguments: [0, 1, 6, 7, 8, 50, 99])
  func rowsAStep(count: Int) throws {
    let entity = EntityDescription.quake(unique: true)
    let rows = try SourceDescription.generate(GeneratorSettings(rows: 100, duplicates: 0.2)).rows(for: entity)
      .prefix(count)
    let expected = ExpectedContents(of: [ExpectedRows(of: rows, entity: entity, policy: .mergeByPropertyObjectTrump)])
    for value in [ParameterValue.count(1), .count(7), .count(50), .all] {
      var cell = PeerTests.peers[0]
      cell.parameters = ["rows_per_step": value]
      let found = try run(cell, rows, entity: entity, policy: .mergeByPropertyObjectTrump)
      #expect(found.contentHash == expected.contentHash && found.rows == expected.rows, "\(cell.id)")
    }
  }

  @Test(
    "A row that SQLite refuses fails its whole transaction, with SQLite's code",
    arguments: peers + [reference])
  func refusal(cell: Cell) throws {
    let entity = EntityDescription.quake(unique: false)
    let rows = try SourceDescription.generate(GeneratorSettings(rows: 300)).rows(for: entity)
    try withSession(cell, entity: entity) { session, path in
      try session.insert(SourceRows(rows.prefix(20)))
      // A key that the session will assign later.
      let other = try Connection(path: path)
      try other.execute("INSERT INTO ZQUAKE (Z_PK, Z_ENT, Z_OPT, ZCODE) VALUES (150, 1, 1, 'in the way')")
      try other.close()
      let error = #expect(throws: (any Error).self) { try session.insert(SourceRows(rows)) }
      let code =
        (error as? DatabaseError)?.extendedResultCode.rawValue ?? (error as? SQLiteError)?.extendedCode.rawValue
      #expect(code == 1555, "\(error.map { "\($0)" } ?? "")")
      #expect(error.map { "\($0)" }?.contains("UNIQUE constraint failed: ZQUAKE.Z_PK") == true)
      // The session continues and assigns the same keys as before.
      try session.insert(SourceRows(rows.prefix(100)))
      try session.checkpoint()
      let reader = try Connection(path: path, access: .readOnly)
      #expect(try reader.scalar("SELECT count(*) FROM ZQUAKE") == 121)
      #expect(try reader.scalar("SELECT max(Z_PK) FROM ZQUAKE WHERE Z_PK <> 150") == 120)
      #expect(try reader.scalar("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Quake'") == 120)
      try reader.close()
    }
  }

  @Test(
    "Every engine reports a checkpoint that a reader holds up, in the same words", arguments: peers + [reference])
  func heldUp(cell: Cell) throws {
    let entity = EntityDescription.quake(unique: false)
    let rows = try SourceDescription.generate(GeneratorSettings(rows: 100)).rows(for: entity)
    let pragmas = [StorePragma("journal_mode", "wal"), StorePragma("busy_timeout", "10")]
    try withSession(cell, entity: entity, pragmas: pragmas) { session, path in
      try session.checkpoint()
      let reader = try Connection(path: path, access: .readOnly)
      try reader.begin(.deferred)
      _ = try reader.scalar("SELECT count(*) FROM ZQUAKE")
      try session.insert(SourceRows(rows))
      #expect { try session.checkpoint() } throws: {
        "\($0)".contains("close the other connection that reads the store")
      }
      reader.rollback()
      try reader.close()
      try session.checkpoint()
    }
  }
}
