// The engines, strategies, parameters and metrics a scenario may name; the executable supplies its engines.
package import BatchmarkEngine

/// The abilities of the linked engines and the available metrics, so that the reader can check the words of a scenario.
package struct ScenarioSchema: Sendable {
  package var engines: [any Engine]
  /// The metrics that budgets may name.
  package var metrics: [MetricDeclaration]
  /// The missing engines that cells may name.
  package var absences: EngineAbsences

  /// The name in messages and results for the scenario that `--store` measures without a file.
  package static let storeSuiteName = "the store suite"

  package init(engines: [any Engine], metrics: [MetricDeclaration] = [], absences: EngineAbsences = .none) {
    self.engines = engines
    self.metrics = metrics
    self.absences = absences
  }

  package func engine(named name: String) -> (any Engine)? { engines.first { $0.name == name } }

  /// The engine of a cell that names none: the first one.
  package var defaultEngine: (any Engine)? { engines.first }

  func strategy(of cell: Cell) -> Strategy? { engine(named: cell.engine)?.strategy(of: cell) }

  /// The first engine with a strategy that has the parameter.
  func engine(knowing parameter: String) -> (any Engine)? {
    engines.first { $0.strategies.contains { $0.parametersByName[parameter] != nil } }
  }

  /// A strategy for examples in messages.
  var exampleStrategy: String { defaultEngine?.strategies.first?.name ?? "name" }

  /// A cell for examples in messages, with its engine.
  var exampleCell: String {
    guard let engine = engines.dropFirst().first ?? engines.first, let strategy = engine.strategies.first else {
      return "{engine: name, strategy: name}"
    }
    return "{engine: \(engine.name), strategy: \(strategy.name)}"
  }
}

extension Engine {
  /// The engine's strategies for an operation.
  package func strategies(for operation: Operation.Kind) -> [Strategy] {
    strategies.filter { $0.operation == operation }
  }
}

extension Strategy {
  /// Parameters by name, including those that every strategy has.
  var parametersByName: [String: Parameter] {
    Dictionary((parameters + Cell.commonParameters).map { ($0.name, $0.parameter) }) { $1 }
  }
}
