// The engines, strategies, parameters and figures a scenario may name; the executable's engines supply it.

/// What the linked engines can do, so that the reader can check words it does not know itself.
public struct Vocabulary: Sendable {
  public var engines: [EngineWords]
  /// What budgets may name.
  public var figures: [FigureWords]
  public var phases: [PhaseWords]

  public init(engines: [EngineWords], figures: [FigureWords] = [], phases: [PhaseWords] = []) {
    self.engines = engines
    self.figures = figures
    self.phases = phases
  }

  public func engine(named name: String) -> EngineWords? { engines.first { $0.name == name } }
}

/// The words of one engine.
public struct EngineWords: Sendable {
  public var name: String
  public var strategies: [StrategyWords]

  public init(name: String, strategies: [StrategyWords]) {
    self.name = name
    self.strategies = strategies
  }

  /// The engine's strategies for an operation.
  public func strategies(for operation: ScenarioOperation) -> [StrategyWords] {
    strategies.filter { $0.operation == operation }
  }
}

/// The words of one strategy.
public struct StrategyWords: Sendable {
  public var name: String
  /// What the strategy does with rows; strategies of different operations may share a name.
  public var operation: ScenarioOperation
  /// Parameters by name, with those that every strategy has.
  public var parameters: [String: Parameter]
  /// Whether it gives rows the relationships that the scenario asks for.
  public var linksRows: Bool
  /// Whether it stores rows of several entities, and what leads from one to the other as far as it can.
  public var storesSeveralEntities: Bool

  public init(
    name: String, operation: ScenarioOperation = .insert, parameters: [String: Parameter] = [:],
    linksRows: Bool = false,
    storesSeveralEntities: Bool = false
  ) {
    self.name = name
    self.operation = operation
    self.parameters = parameters
    self.linksRows = linksRows
    self.storesSeveralEntities = storesSeveralEntities
    for common in Cell.commonParameters { self.parameters[common.name] = common.parameter }
  }
}
