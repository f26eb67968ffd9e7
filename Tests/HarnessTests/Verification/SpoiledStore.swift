// A store whose rows are right until one SQL statement spoils it, and the sample that is taken of it.
internal import CoreDataModel
import BatchmarkEngine
import Foundation
import Instruments
import ObjectGraph
import SQLiteDriver
import Scenarios
import Harness

/// When an engine does what it should have done before.
enum SpoilingMoment: Sendable {
  case checkpoint
  case close
}

/// Inserts the rows as plain SQLite does, and spoils the store.
struct SpoilingInsertEngine: Engine {
  /// Runs with the rows, in the phase that is measured.
  var sql = ""
  /// Runs later.
  var laterSQL = ""
  var laterMoment = SpoilingMoment.close
  /// Rows that are stored in the measured phase; the others when the store is closed.
  var promptRows = Int.max
  /// What it leaves out, or says that is not so; nil for nothing.
  var trick: Trick?

  enum Trick: Sendable {
    /// Another file takes the store's place when the rows are in.
    case otherFile
    /// Checkpoints do nothing, from the second on.
    case noCheckpoint
    /// Rows that come again are not stored.
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
  /// Takes a sample of the engine's only cell, without a warm-up; a source may read `feed.csv`, which has the text of `feed`.
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

  /// What the sample fails with; nil where it does not.
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
