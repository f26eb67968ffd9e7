// A store with correct rows until an SQL statement spoils it, and its sample.
internal import CoreDataModel
import BatchmarkEngine
import Foundation
import Instruments
import ObjectGraph
import SQLiteDriver
import Scenarios
import Harness

/// When an engine does work that it should have done earlier.
enum SpoilingMoment: Sendable {
  case checkpoint
  case close
}

/// Inserts the rows like plain SQLite, then spoils the store.
struct SpoilingInsertEngine: Engine {
  /// Runs together with the rows, in the measured phase.
  var sql = ""
  /// Runs later.
  var laterSQL = ""
  var laterMoment = SpoilingMoment.close
  /// The number of rows that are stored in the measured phase; the others are stored when the store is closed.
  var promptRows = Int.max
  /// A fault of the session; nil for none.
  var trick: Trick?

  enum Trick: Sendable {
    /// Another file replaces the store after the rows are stored.
    case otherFile
    /// All checkpoints after the first do nothing.
    case noCheckpoint
    /// Repeated rows are not stored.
    case onlyOnce
    /// An answer for `page_size` that the file contradicts.
    case otherPageSize
  }

  let name = "spoiling"
  var strategies: [Strategy] {
    [
      Strategy(
        "run", summary: "", storesSeveralEntities: true,
        .insert { [self] setup, _ in
          try setup.createStore()
          return try Session(self, setup)
        })
    ]
  }

  final class Session: InsertSession {
    private let engine: SpoilingInsertEngine
    private let setup: StoreSetup
    private let connection: Connection
    private var lateRows: ColumnarRows?

    init(_ engine: SpoilingInsertEngine, _ setup: StoreSetup) throws {
      (self.engine, self.setup) = (engine, setup)
      connection = try setup.connect()
    }

    func insert(_ source: SourceRows) throws {
      if engine.trick == .onlyOnce, try hasRows { return }
      for rows in source.tables {
        if engine.promptRows < rows.count { lateRows = rows }
        try store(rows.prefix(engine.promptRows))
      }
      try connection.execute(engine.sql)
      if engine.trick == .otherFile {
        let other = setup.path + ".other"
        try FileManager.default.copyItem(atPath: setup.path, toPath: other)
        guard rename(other, setup.path) == 0 else { throw CancellationError() }
      }
    }

    private func store(_ rows: ColumnarRows) throws {
      guard let entity = setup.model.storedEntity(named: rows.entityName) else { return }
      try RowInsertion(into: entity, policy: setup.mergePolicy, connection: connection).insert(rows)
    }

    /// The first checkpoint comes before the rows.
    private var hasRows: Bool {
      get throws { try connection.scalar("SELECT max(Z_MAX) FROM Z_PRIMARYKEY") ?? 0 > 0 }
    }

    func checkpoint() throws {
      if engine.laterMoment == .checkpoint, try hasRows { try connection.execute(engine.laterSQL) }
      if engine.trick == .noCheckpoint, try hasRows { return }
      _ = try connection.checkpoint(.truncate)
    }

    func pragma(_ name: String) throws -> String? {
      engine.trick == .otherPageSize && name == "page_size" ? "1024" : try connection.pragma(name)
    }

    func close() throws {
      if let lateRows { try store(lateRows) }
      if engine.laterMoment == .close { try connection.execute(engine.laterSQL) }
      try connection.close()
    }
  }
}

extension SpoilingInsertEngine {
  /// Takes a sample of the engine's only cell, without a warm-up.
  ///
  /// A source may read `feed.csv`, which contains the text `feed`.
  func sample(
    rows: Int = 60, source: String? = nil, feed: String = "", store: String = "{journal_mode: wal}", repeats: Int = 1,
    warmUp: Int = 0
  ) throws -> Sample {
    let directory = FileManager.default.temporaryDirectory.path + "/spoiled-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try Data(feed.utf8).write(to: URL(fileURLWithPath: directory + "/feed.csv"))
    let text = """
      scenario: test
      model:
        Quake:
          attributes:
            code: {type: string}
            magnitude: {type: double, optional: true}
            place: {type: string, optional: true}
            time: {type: date}
            nst: {type: int32, optional: true}
            gap: {type: decimal, optional: true}
          unique: [[code]]
        Other: {attributes: {name: {type: string}}}
      entity: Quake
      source: \(source ?? "{generate: {rows: \(rows), seed: 3}}")
      merge_policy: object_trump
      repeat: \(repeats)
      store: \(store)
      cells: [{engine: spoiling, strategy: run}]
      measure: {warm_up: \(warmUp)}
      """
    let file = directory + "/test.yml"
    let scenario = try ScenarioReader(schema: ScenarioSchema([self])).read(text: text, file: file)
    return try SampleTaker(engines: [self]).take(
      SampleJob(
        scenarioText: text, scenarioFile: file, overrides: [], cell: scenario.cells[0], pass: .timing, round: 1,
        directory: directory))
  }

  /// The failure of the sample; nil if it succeeds.
  func complaint(
    rows: Int = 60, store: String = "{journal_mode: wal}", repeats: Int = 1, warmUp: Int = 0
  ) -> String? {
    do {
      _ = try sample(rows: rows, store: store, repeats: repeats, warmUp: warmUp)
      return nil
    } catch {
      return "\(error)"
    }
  }
}
