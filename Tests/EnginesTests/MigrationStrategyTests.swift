// D11: every migration leaves a store of the new version with all rows unchanged; anything else is found.
import BatchmarkEngine
import CoreDataModel
import Engines
import Foundation
import Harness
import Instruments
import MissionTags
import SQLiteDriver
import Scenarios
import Testing

@Suite("D11 · migrations", .tags(.d11))
struct MigrationStrategyTests {
  private static let changes = [
    "optional: {Quake: {attributes: {remark: {type: string, optional: true}}}}",
    "defaults: {Quake: {attributes: {reviewed: {type: boolean, default: true}, by: {type: string, default: nobody's}}}}",
    "renamed: {Quake: {attributes: {location: {type: string, optional: true, renamed_from: place}}}}",
    "retaken: {Quake: {attributes: {time: {type: string, optional: true, renamed_from: place}}}}",
    "placed: {Quake: {attributes: {location: {type: string, default: unknown, renamed_from: place}}}}",
    "removed: {Quake: {without: [place]}}",
    "required: {Quake: {attributes: {place: {type: string, default: unknown}, nst: {type: int32, default: 7}}}}",
    "relaxed: {Quake: {attributes: {time: {type: date, optional: true}}}}",
    "related: {Quake: {relationships: {main: {to: Quake, inverse: after}, after: {to: Quake, inverse: main, many: true}}}}",
    "added: {Alarm: {attributes: {name: {type: string}}}, Station: {attributes: {name: {type: string}}}}",
    "indexed: {Quake: {unique: [[code], [code, time]], indexes: {by_place: [place]}}}",
    "several: {Quake: {without: [nst], attributes: {code: {type: string}, km: {type: double, default: 0.5}}}}",
  ]

  private func text(_ change: String, cells: String) throws -> String {
    let name = try #require(change.split(separator: ":").first)
    return """
      scenario: test
      model: {Quake: \(quakeEntity(", indexes: {by_time: [time]}"))}
      source: {generate: {rows: 300, seed: 3}}
      operation: migrate
      versions: {\(change)}
      version: \(name)
      cells: [\(cells)]
      """
  }

  @Test("Each way of migrating keeps every row for each kind of change, in a phase of its own", arguments: changes)
  func kinds(change: String) throws {
    let cells = "{strategy: infer}, {engine: sqlite, strategy: copy-table}, {engine: sqlite, strategy: alter-table}"
    let samples = try takeSamples(of: text(change, cells: cells))
    #expect(samples.count == 3)
    for sample in samples {
      #expect(sample.phases.map(\.phase) == [.load, .prepare, .migrate, .checkpoint, .verify])
      #expect(sample.phases[2].rows == 300 && sample.contents.rows == 300 && sample.contents.versions == [1: 300])
    }
    #expect(Set(samples.map(\.contents.contentHash)).count == 1)
  }

  @Test("A column with a deferred removal stays in the file, and every other way removes it")
  func removal() throws {
    var columns: [Bool] = []
    let cells = "{strategy: infer}, {strategy: infer, removal: deferred}, {engine: sqlite, strategy: copy-table}"
    _ = try takeSamples(of: text("removed: {Quake: {without: [place]}}", cells: cells)) { path in
      let connection = try Connection(path: path, access: .readOnly)
      columns.append(
        try connection.scalar("SELECT count(*) FROM pragma_table_info('ZQUAKE') WHERE name = 'ZPLACE'") == 1)
      try connection.close()
    }
    #expect(columns == [false, true, false])
  }

  @Test("A migration that does nothing, leaves a column, loses a value or begins too early is detected")
  func faults() throws {
    func complaint(_ change: String, _ migrate: @escaping MigratedBy, opening: @escaping MigratedBy = { _, _ in })
      throws -> String
    {
      let engine = WrongEngine(migrate: migrate, opening: opening)
      do {
        _ = try takeSamples(of: text(change, cells: "{engine: wrong, strategy: wrong}"), engines: [engine])
        return ""
      } catch { return "\(error)" }
    }
    let added = "remark: {Quake: {attributes: {remark: {type: string, optional: true}}}}"
    #expect(try complaint(added) { _, _ in }.contains("without the column ZREMARK"))
    let late = try complaint(added) { setup, right in
      try right()
      try setup.execute("UPDATE ZQUAKE SET ZREMARK = 'x' WHERE Z_PK = 7")
    }
    #expect(late.contains("other values"), "\(late)")
    let lost = try complaint(added) { setup, right in
      try right()
      try setup.execute("DELETE FROM ZQUAKE WHERE Z_PK = 7")
    }
    #expect(lost.contains("299 rows; expected 300"), "\(lost)")
    let versioned = try complaint(added) { setup, right in
      try right()
      try setup.execute("UPDATE ZQUAKE SET Z_OPT = 2 WHERE Z_PK = 7")
    }
    #expect(versioned.contains("versions (Z_OPT)"), "\(versioned)")
    let left = try complaint("removed: {Quake: {without: [place]}}") { setup, right in
      try right()
      try setup.execute("ALTER TABLE ZQUAKE ADD COLUMN ZPLACE VARCHAR")
    }
    #expect(left.contains("the column ZPLACE in ZQUAKE"), "\(left)")
    let early = try complaint(added, { _, _ in }, opening: { _, right in try right() })
    #expect(early.contains("written to before the phase migrate"), "\(early)")
  }
}

private typealias MigratedBy = @Sendable (StoreSetup, () throws -> Void) throws -> Void

/// An engine that migrates with the reference's statements and does something else in addition.
private struct WrongEngine: Engine {
  let name = "wrong"
  let migrate: MigratedBy
  let opening: MigratedBy

  var strategies: [Strategy] {
    [
      Strategy(
        "wrong", summary: "",
        .migrate { setup, cell, version in
          let right = { try WrongSession.right(setup, cell, version) }
          try opening(setup, right)
          return WrongSession(setup) { try migrate(setup, right) }
        })
    ]
  }
}

private final class WrongSession: MigrationSession {
  private let setup: StoreSetup
  private let work: () throws -> Void
  private var connection: Connection?

  init(_ setup: StoreSetup, _ work: @escaping () throws -> Void) {
    self.setup = setup
    self.work = work
  }

  /// Migrates like the reference.
  static func right(_ setup: StoreSetup, _ cell: Cell, _ version: ModelVersion) throws {
    let copying = SQLiteEngine().strategy(named: "copy-table", for: .migrate)
    guard case .migrate(let open)? = copying?.opening else { throw CocoaError(.featureUnsupported) }
    let session = try open(setup, cell, version)
    try session.migrate()
    try session.checkpoint()
    try session.close()
  }

  func migrate() throws {
    try work()
    connection = try setup.connect()
  }

  func checkpoint() throws { _ = try connection?.checkpoint(.truncate) }
  func pragma(_ name: String) throws -> String? { try connection?.pragma(name) }
  func close() throws { try connection?.close() }
}

extension StoreSetup {
  fileprivate func execute(_ sql: String) throws {
    let connection = try connect()
    try connection.execute(sql)
    try connection.close()
  }
}
