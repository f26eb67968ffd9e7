// A program that works on a store: starting it, opening the store, the timed work, and ending it.
internal import BatchmarkEngine
internal import CoreDataModel
internal import Foundation
internal import Instruments
internal import Support

/// A program that has a store open, or is about to open one.
final class OpenProgram {
  /// The started process; once the store is open, the process that opened it.
  private(set) var process: MeasuredProcess
  let entity: EntityDescription
  let setup: StoreSetup
  let conversation: ProgramConversation
  private let definition: ProgramDefinition
  private let offer: ProgramStrategy
  private let cell: Cell
  private(set) var pragmas: [String: String] = [:]
  private(set) var ownSeconds: Double?
  private var warmUpNote: String?

  /// Starts the program.
  ///
  /// - Throws: ``ProgramError``, or ``EngineError``.
  init(
    _ definition: ProgramDefinition, _ offer: ProgramStrategy, _ setup: StoreSetup, _ cell: Cell, limits: ProgramLimits
  ) throws {
    guard setup.entityNames.count == 1, setup.links.isEmpty, !setup.hasRelatedRows else {
      throw ProgramError(engine: definition.name, .severalEntities(setup.entityNames.count + setup.links.count))
    }
    entity = try setup.entity
    (self.definition, self.offer, self.setup, self.cell) = (definition, offer, setup, cell)
    conversation = try ProgramConversation(
      definition, variables: setup.processMetering?.variables ?? [:], limits: limits)
    process = MeasuredProcess(
      number: conversation.processNumber, meterFolder: setup.processMetering?.folder,
      managesHeap: definition.hello.heap == .managed)
    guard try conversation.ask(.hello, for: ProgramHello.self) == definition.hello else {
      throw conversation.failed(.otherHello)
    }
  }

  deinit { conversation.end() }

  /// Makes the program open the store.
  ///
  /// - Parameters:
  ///   - work: The work to do.
  ///   - table: The table to work on, with the number of rows that it has or will have.
  ///   - makeStore: Makes a store for the warm-up, like the measured one.
  /// - Throws: ``ProgramError``, or the error of making a store.
  func open(_ work: any Encodable, in table: ProgramOpening.Entity, _ makeStore: (StoreSetup) throws -> Void) throws {
    let warmUp = try warmUpStores(rows: table.rows, makeStore)
    defer { warmUp?.stores.forEach(StoreSetup.removeStore(at:)) }
    let answered = ["journal_mode", "synchronous", "wal_autocheckpoint", "cache_size", "page_size", "auto_vacuum"]
    let own = Set(offer.parameters?.keys.map(\.self) ?? [])
    let opening = ProgramOpening(
      strategy: offer.name, operation: offer.operation,
      parameters: cell.resolvedParameters.filter { own.contains($0.key) }, store: setup.path, entities: [table],
      pragmas: setup.connectionPragmas.map { ProgramOpening.Setting(name: $0.name, value: $0.value) },
      answeredPragmas: answered + setup.pragmas.map(\.name).filter { !answered.contains($0) }, warmUp: warmUp,
      work: work)
    pragmas = try conversation.ask(.open(opening), for: ProgramReady.self).ready
    process = process.holder(ofStoreAt: setup.path)
    guard let warmUp else { return }
    warmUpNote =
      "it warmed up with \(warmUp.rows) \(warmUp.rows == 1 ? "row" : "rows"), "
      + "\(warmUp.stores.count) \(warmUp.stores.count == 1 ? "time" : "times")"
  }

  /// Makes the stores for the program's warm-up; `nil` if it needs none.
  private func warmUpStores(
    rows: Int, _ makeStore: (StoreSetup) throws -> Void
  ) throws -> ProgramOpening.WarmUp? {
    guard let wish = offer.warmUp else { return nil }
    let stores = try (1...wish.repeats).map { number in
      var setup = setup
      setup.path += ".warm-up-\(number)"
      try makeStore(setup)
      return setup.path
    }
    // A copy of the store has all of its rows.
    let most = offer.operation == Operation.Kind.insert.rawValue ? wish.rows : rows
    return ProgramOpening.WarmUp(stores: stores, rows: min(most, rows))
  }

  /// Makes the program do its work.
  ///
  /// - Parameters:
  ///   - firstKey: The key of the first row, for an insert.
  ///   - rows: The number of rows that the program must report.
  ///   - which: A description of these rows, for messages.
  /// - Throws: ``ProgramError``.
  func go(firstKey: Int64? = nil, expecting rows: Int, _ which: String) throws(ProgramError) {
    let request = ProgramRequest.go(firstKey: firstKey)
    let start = MonotonicClock.now()
    let line = try conversation.answer(to: request)
    let seconds = Double(MonotonicClock.now() - start) / 1e9
    let done = try conversation.decode(line, as: ProgramDone.self, request).done
    guard done.rows == rows else {
      throw conversation.failed(.rows(found: done.rows, expected: rows, which: which))
    }
    if let own = done.seconds, !(0...seconds).contains(own) {
      throw conversation.failed(.clock(own: own, ours: seconds))
    }
    ownSeconds = done.seconds
  }

  func close() throws(ProgramError) {
    try conversation.confirm(.close)
    conversation.end(within: 2)
  }

  /// Notes for the report: the program's version, and its warm-up.
  var notes: [String] {
    let hello = definition.hello
    let sqlite = hello.sqlite.map { ", SQLite \($0.version)\($0.sourceID.map { " (\($0))" } ?? "")" } ?? ""
    return [hello.identity + sqlite, warmUpNote].compactMap(\.self)
  }
}

/// A session over a program.
protocol ProgramSession: ProcessSession {
  var program: OpenProgram { get }
}

extension ProgramSession {
  var process: MeasuredProcess { program.process }

  var ownSeconds: Double? { program.ownSeconds }

  func checkpoint() throws { try program.conversation.confirm(.checkpoint) }

  func pragma(_ name: String) -> String? { program.pragmas[name] }

  var notes: [String] { program.notes }

  func close() throws { try program.close() }
}
