// A session whose rows a program stores: the harness makes the store and the source, and takes the time.
internal import BatchmarkEngine
internal import CoreDataModel
internal import Foundation
internal import ObjectGraph
internal import SQLiteDriver
internal import Support

/// A session over a program.
final class ProgramInsertSession: ProcessSession {
  let process: MeasuredProcess
  private let conversation: ProgramConversation
  private let definition: ProgramDefinition
  private let strategy: String
  private let setup: StoreSetup
  private let cell: Cell
  private let entity: EntityDescription
  private var pragmas: [String: String] = [:]
  private var nextKey: Int64 = 1
  private var clockGap: String?
  private var warmUpNote: String?

  private var sourcePath: String { setup.path + ".source" }

  /// Starts the program and makes the store.
  ///
  /// - Throws: ``ProgramError``, or what kept the store from being made.
  init(
    _ definition: ProgramDefinition, strategy: String, _ setup: StoreSetup, _ cell: Cell, limits: ProgramLimits
  ) throws {
    guard setup.entityNames.count == 1, setup.links.isEmpty, !setup.hasRelatedRows else {
      throw ProgramError(engine: definition.name, .severalEntities(setup.entityNames.count + setup.links.count))
    }
    entity = try setup.entity
    (self.definition, self.strategy, self.setup, self.cell) = (definition, strategy, setup, cell)
    try setup.createStore()
    conversation = try ProgramConversation(
      definition, variables: setup.processMetering?.variables ?? [:], limits: limits)
    process = MeasuredProcess(number: conversation.processNumber, meterFolder: setup.processMetering?.folder)
    guard try conversation.ask(.hello, for: ProgramHello.self) == definition.hello else {
      throw conversation.failed(.otherHello)
    }
  }

  func prepare(_ rows: SourceRows) throws {
    guard let table = rows.tables.first, rows.tables.count == 1 else {
      throw conversation.failed(.severalEntities(rows.tables.count))
    }
    try ProgramSource.write(table, to: sourcePath)
    let warmUp = try warmUpStores(rows: table.count)
    defer { warmUp?.stores.forEach(StoreSetup.removeStore(at:)) }
    let opening = ProgramRequest.open(try opening(rows: table, warmUp))
    pragmas = try conversation.ask(opening, for: ProgramReady.self).ready
    if let warmUp {
      warmUpNote =
        "it warmed up with \(warmUp.rows) \(warmUp.rows == 1 ? "row" : "rows"), "
        + "\(warmUp.stores.count) \(warmUp.stores.count == 1 ? "time" : "times")"
    }
  }

  /// Makes the stores in which the program does the same first; nil where it asks for none.
  private func warmUpStores(rows: Int) throws -> ProgramOpening.WarmUp? {
    guard let wish = definition.hello.strategy(named: strategy)?.warmUp else { return nil }
    let stores = try (1...wish.repeats).map { number in
      var setup = setup
      setup.path += ".warm-up-\(number)"
      try setup.createStore()
      return setup.path
    }
    return ProgramOpening.WarmUp(stores: stores, rows: min(wish.rows, rows))
  }

  func insert(_ rows: SourceRows) throws {
    let start = MonotonicClock.now()
    let line = try conversation.answer(to: .go(firstKey: nextKey))
    let seconds = Double(MonotonicClock.now() - start) / 1e9
    let done = try conversation.decode(line, as: ProgramDone.self, .go(firstKey: nextKey)).done
    guard done.rows == rows.count else { throw conversation.failed(.rows(found: done.rows, expected: rows.count)) }
    nextKey += Int64(rows.count)
    guard let own = done.seconds else { return }
    guard own <= seconds else { throw conversation.failed(.clock(own: own, ours: seconds)) }
    // Where a meter is loaded, no time is looked at.
    if setup.processMetering == nil, seconds - own > max(0.002, 0.02 * seconds) {
      clockGap =
        "the program's own clock says \(Int64((own * 1e6).rounded())) µs of "
        + "\(Int64((seconds * 1e6).rounded())) µs: the rest was spent before or after its work"
    }
  }

  /// Programs do not count keys: the last one that this program was to give is noted, for all of them alike.
  func insertHasEnded() throws {
    let connection = try Connection(path: setup.path, access: .readWrite)
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(nextKey - 1) WHERE Z_NAME = '\(entity.name)'")
    try connection.close()
  }

  func checkpoint() throws { try conversation.confirm(.checkpoint) }

  func pragma(_ name: String) -> String? { pragmas[name] }

  var notes: [String] {
    let hello = definition.hello
    let sqlite = hello.sqlite.map { ", SQLite \($0.version)\($0.sourceID.map { " (\($0))" } ?? "")" } ?? ""
    return ["\(hello.engine) \(hello.version) on \(hello.runtime)\(sqlite)", warmUpNote, clockGap].compactMap(\.self)
  }

  func close() throws {
    defer { removeSource() }
    try conversation.confirm(.close)
    conversation.end(within: 2)
  }

  deinit {
    conversation.end()
    removeSource()
  }

  private func removeSource() { try? FileManager.default.removeItem(atPath: sourcePath) }

  private func opening(rows table: ColumnarRows, _ warmUp: ProgramOpening.WarmUp?) throws -> ProgramOpening {
    let connection = try Connection(path: setup.path, access: .readOnly)
    let sql = try InsertSQL(into: entity, policy: setup.mergePolicy, of: connection)
    try connection.close()
    let unique = Set(entity.uniquenessConstraints.flatMap(\.self))
    let answered = ["journal_mode", "synchronous", "wal_autocheckpoint", "cache_size", "page_size", "auto_vacuum"]
    let own = Set(definition.hello.strategy(named: strategy)?.parameters?.keys.map(\.self) ?? [])
    return ProgramOpening(
      strategy: strategy, parameters: cell.resolvedParameters.filter { own.contains($0.key) }, store: setup.path,
      source: sourcePath,
      entities: [
        ProgramOpening.Entity(
          name: entity.name, table: entity.tableName, sourceTable: ProgramSource.tableName(of: table),
          rows: table.count,
          columns: table.attributes.map { attribute in
            ProgramOpening.Column(
              attribute: attribute.name, column: attribute.columnName, type: "\(attribute.type)",
              storage: ProgramSource.storage(of: attribute), optional: attribute.isOptional,
              unique: unique.contains(attribute.name))
          },
          uniqueTogether: entity.uniquenessConstraints.map { $0.compactMap { entity.attribute(named: $0)?.columnName } }
        )
      ],
      key: ProgramOpening.Key(column: "Z_PK", givenBy: "engine"),
      constants: ["Z_ENT": sql.entityNumber, "Z_OPT": 1],
      pragmas: setup.connectionPragmas.map { ProgramOpening.Setting(name: $0.name, value: $0.value) },
      answeredPragmas: answered + setup.pragmas.map(\.name).filter { !answered.contains($0) },
      mergePolicy: setup.mergePolicy.mergeType.rawValue, insert: sql.text(rows: 1),
      firstWrite: StoreSetup.firstWrite, warmUp: warmUp)
  }
}
