// A program as an engine, with the strategies in its answer to `hello`.
package import BatchmarkEngine
internal import CoreDataModel
internal import SQLiteDriver
internal import Scenarios

package struct ProgramEngine: Engine {
  package let definition: ProgramDefinition
  package let strategies: [Strategy]

  package var name: String { definition.name }
  package var sqliteOfProcess: String? { definition.hello.sqlite?.identity }

  /// The engine of a program.
  ///
  /// - Throws: ``ProgramError`` for unsupported strategies.
  package init(_ definition: ProgramDefinition, limits: ProgramLimits = ProgramLimits()) throws(ProgramError) {
    self.definition = definition
    strategies = try ProgramEngine.strategies(of: definition, limits: limits)
  }

  /// The parameters that a program may have, with their types.
  static let parameters: [ParameterKey<RowCount>] = [.saveEvery, .requestSize, .rowsPerStep]

  /// The operations that programs support.
  static let operations: [BatchmarkEngine.Operation.Kind] = [.insert, .fetch, .update, .delete]

  /// The roles that a program may have.
  ///
  /// A program cannot be the reference, which is plain SQLite in this process.
  static let roles: [StrategyRole] =
    [.peer, .objectByObject] + BatchStyle.allCases.map { .batch($0) }

  private static func strategies(
    of definition: ProgramDefinition, limits: ProgramLimits
  ) throws(ProgramError) -> [Strategy] {
    var strategies: [Strategy] = []
    for offer in definition.hello.strategies {
      do throws(Refusal) {
        let strategy = try strategy(offer, of: definition, limits: limits)
        if strategies.contains(where: { $0.name == strategy.name && $0.operation == strategy.operation }) {
          throw Refusal("a name that another has", "each name once for an operation")
        }
        strategies.append(strategy)
      } catch {
        throw ProgramError(
          engine: definition.name, .strategy(offer.name, found: error.found, expected: error.expected))
      }
    }
    return strategies
  }

  /// What is wrong with a strategy.
  private struct Refusal: Error {
    let found: String
    let expected: String

    init(_ found: String, _ expected: String) { (self.found, self.expected) = (found, expected) }
  }

  private static func strategy(
    _ offer: ProgramStrategy, of definition: ProgramDefinition, limits: ProgramLimits
  ) throws(Refusal) -> Strategy {
    guard !offer.name.isEmpty, isName(offer.name) else {
      throw Refusal("a name that cells cannot have", "ASCII letters, digits, '-', '_' and '.'")
    }
    guard let opening = opening(of: offer, definition, limits: limits) else {
      throw Refusal("the operation '\(offer.operation)'", "one of \(list(operations.map(\.rawValue)))")
    }
    guard let role = StrategyRole(rawValue: offer.role ?? "peer"), roles.contains(role) else {
      throw Refusal("the role '\(offer.role ?? "")'", "one of \(list(roles.map(\.rawValue)))")
    }
    if offer.operation == Operation.Kind.insert.rawValue, offer.rows == nil {
      throw Refusal("no 'rows'", ProgramStrategy.Rows.allCases.map { "'\($0.rawValue)'" }.joined(separator: " or "))
    }
    if let warmUp = offer.warmUp {
      let (rows, repeats) = (ProgramStrategy.WarmUp.mostRows, ProgramStrategy.WarmUp.mostRepeats)
      guard (1...rows).contains(warmUp.rows), (1...repeats).contains(warmUp.repeats) else {
        throw Refusal(
          "a warm-up of \(warmUp.rows) rows, \(warmUp.repeats) times", "1 to \(rows) rows and 1 to \(repeats) times")
      }
    }
    var strategy = Strategy(
      offer.name, role: role, summary: offer.summary, tradeoffs: offer.givesUp ?? [],
      parameters: try parameters(of: offer), opening)
    strategy.isStreamed = offer.rows == .streamed
    return strategy
  }

  private static func parameters(of offer: ProgramStrategy) throws(Refusal) -> [any ParameterDeclaration] {
    var found: [any ParameterDeclaration] = []
    for (name, value) in (offer.parameters ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard let key = parameters.first(where: { $0.name == name }), let standard = RowCount(value),
        standard.limited(to: 1) == 1
      else {
        throw Refusal(
          "the parameter '\(name)' with the default '\(value)'",
          "1 row or more, or 'all', for one of \(list(parameters.map(\.name)))")
      }
      found.append(key.defaulting(to: standard))
    }
    return found
  }

  private static func list(_ words: [String]) -> String { words.joined(separator: ", ") }

  /// Opens a session of a strategy; `nil` for an operation that programs do not support.
  private static func opening(
    of strategy: ProgramStrategy, _ definition: ProgramDefinition, limits: ProgramLimits
  ) -> Strategy.Opening? {
    @Sendable func program(_ setup: StoreSetup, _ cell: Cell) throws -> OpenProgram {
      try OpenProgram(definition, strategy, setup, cell, limits: limits)
    }
    return switch Operation.Kind(rawValue: strategy.operation) {
    case .insert: .insert { try ProgramInsertSession(program($0, $1)) }
    case .fetch: .fetch { ProgramFetchSession(try program($0, $1)) }
    case .update: .update { ProgramChangeSession(try program($0, $1), .update($2)) }
    case .delete: .delete { ProgramChangeSession(try program($0, $1), .delete) }
    case .migrate, nil: nil
    }
  }
}

extension Sequence<any Engine> {
  /// The definitions of the engines that are programs.
  package var programs: [ProgramDefinition] { compactMap { ($0 as? ProgramEngine)?.definition } }
}

/// An update or a deletion over a program.
final class ProgramChangeSession: ProgramSession, ChangeSession {
  let program: OpenProgram
  private let change: ChangeSQL.Change
  /// The number of rows to change.
  private var rows = 0

  init(_ program: OpenProgram, _ change: ChangeSQL.Change) {
    self.program = program
    self.change = change
  }

  func prepare(where condition: RowCondition?) throws {
    let entity = program.entity
    let connection = try Connection(path: program.setup.path, access: .readOnly)
    let stored = try connection.scalar("SELECT count(*) FROM \(entity.tableName)") ?? 0
    let sql = ChangeSQL(change, where: condition, of: entity)
    let find = try connection.prepare(sql.find)
    try find.bind(sql.values)
    rows = 0
    while try find.step() { rows += 1 }
    try connection.close()
    let table = ProgramOpening.Entity(entity, FetchSQL.attributes(of: entity), rows: Int(stored))
    try program.open(ProgramChange(change, where: condition, of: entity), in: table, copyStore)
  }

  func change(where condition: RowCondition?) throws {
    try program.go(expecting: rows, "the rows that it was to change")
  }

  /// Does nothing: the harness checks the store as it does for every engine.
  func workHasEnded(_ fetched: inout FetchedRows) throws {}
}
