// The engine that a program is: its strategies are those of its hello.
package import BatchmarkEngine
internal import Scenarios

/// An engine that is a program.
package struct ProgramEngine: Engine {
  package let definition: ProgramDefinition
  package let strategies: [Strategy]

  package var name: String { definition.name }

  /// The engine of a program that was found.
  ///
  /// - Throws: ``ProgramError`` for strategies that are not supported.
  package init(_ definition: ProgramDefinition, limits: ProgramLimits = ProgramLimits()) throws(ProgramError) {
    self.definition = definition
    strategies = try ProgramEngine.strategies(of: definition, limits: limits)
  }

  /// The parameters that a program may have, as scenarios know them.
  static let parameters: [ParameterKey<RowCount>] = [.saveEvery, .requestSize, .rowsPerStep]

  /// The parts that a program may play: there is one reference, and it is plain SQLite in this process.
  static let roles: [StrategyRole] =
    [.peer, .objectByObject] + BatchStyle.allCases.map { .batch($0) }

  static func strategies(
    of definition: ProgramDefinition, limits: ProgramLimits = ProgramLimits()
  ) throws(ProgramError) -> [Strategy] {
    var strategies: [Strategy] = []
    for strategy in definition.hello.strategies {
      func refusal(_ found: String, _ expected: String) -> ProgramError {
        ProgramError(engine: definition.name, .strategy(strategy.name, found: found, expected: expected))
      }
      guard !strategy.name.isEmpty, isName(strategy.name) else {
        throw refusal("a name that cells cannot have", "ASCII letters, digits, '-', '_' and '.'")
      }
      guard !strategies.contains(where: { $0.name == strategy.name }) else {
        throw refusal("a name that another has", "each name once")
      }
      guard strategy.operation == Operation.Kind.insert.rawValue else {
        throw refusal("the operation '\(strategy.operation)'", "'insert', which is the one that is supported")
      }
      guard let role = StrategyRole(rawValue: strategy.role ?? "peer"), roles.contains(role) else {
        throw refusal(
          "the role '\(strategy.role ?? "")'", "one of \(roles.map(\.rawValue).joined(separator: ", "))")
      }
      if let warmUp = strategy.warmUp {
        let (rows, repeats) = (ProgramStrategy.WarmUp.mostRows, ProgramStrategy.WarmUp.mostRepeats)
        guard (1...rows).contains(warmUp.rows), (1...repeats).contains(warmUp.repeats) else {
          throw refusal(
            "a warm-up of \(warmUp.rows) rows, \(warmUp.repeats) times",
            "1 to \(rows) rows and 1 to \(repeats) times")
        }
      }
      var parameters: [any ParameterDeclaration] = []
      for (name, value) in (strategy.parameters ?? [:]).sorted(by: { $0.key < $1.key }) {
        guard let key = ProgramEngine.parameters.first(where: { $0.name == name }), let standard = RowCount(value)
        else {
          throw refusal(
            "the parameter '\(name)' with the default '\(value)'",
            "a number of rows or 'all' for one of \(ProgramEngine.parameters.map(\.name).joined(separator: ", "))")
        }
        parameters.append(key.defaulting(to: standard))
      }
      let name = strategy.name
      var offered = Strategy(
        name, role: role, summary: strategy.summary, tradeoffs: strategy.givesUp ?? [], parameters: parameters,
        .insert { setup, cell in try ProgramInsertSession(definition, strategy: name, setup, cell, limits: limits) })
      offered.isStreamed = strategy.rows == .streamed
      strategies.append(offered)
    }
    return strategies
  }
}
