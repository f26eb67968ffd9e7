// The engines, strategies, parameters and figures a scenario may name; the executable's engines supply it.

/// What the linked engines can do, so that the reader can check words it does not know itself.
public struct ScenarioSchema: Sendable {
  public var engines: [EngineSchema]
  /// What budgets may name.
  public var figures: [FigureSchema]
  public var phases: [PhaseSchema]

  public init(engines: [EngineSchema], figures: [FigureSchema] = [], phases: [PhaseSchema] = []) {
    self.engines = engines
    self.figures = figures
    self.phases = phases
  }

  public func engine(named name: String) -> EngineSchema? { engines.first { $0.name == name } }
}

/// What a scenario may say of one engine.
public struct EngineSchema: Sendable {
  public var name: String
  public var strategies: [StrategySchema]

  public init(name: String, strategies: [StrategySchema]) {
    self.name = name
    self.strategies = strategies
  }

  /// The engine's strategies for an operation.
  public func strategies(for operation: ScenarioOperation) -> [StrategySchema] {
    strategies.filter { $0.operation == operation }
  }
}

/// What a scenario may say of one strategy.
public struct StrategySchema: Sendable {
  public var name: String
  /// What the strategy does with rows; strategies of different operations may share a name.
  public var operation: ScenarioOperation
  /// What the strategy is there for.
  public var role: StrategyRole
  /// Parameters by name, with those that every strategy has.
  public var parameters: [String: Parameter]
  /// When it gives rows their relationships.
  public var relationships: RelationshipStorage
  /// Whether it stores rows of several entities.
  public var storesSeveralEntities: Bool

  public init(
    name: String, operation: ScenarioOperation = .insert, role: StrategyRole = .peer,
    parameters: [any ParameterDeclaration] = [], relationships: RelationshipStorage = .none,
    storesSeveralEntities: Bool = false
  ) {
    self.name = name
    self.operation = operation
    self.role = role
    self.relationships = relationships
    self.storesSeveralEntities = storesSeveralEntities
    self.parameters = [:]
    for declared in parameters + Cell.commonParameters { self.parameters[declared.name] = declared.parameter }
  }
}

/// When a strategy gives rows their relationships.
public enum RelationshipStorage: String, Sendable, Hashable, Codable {
  /// Never: rows stand alone.
  case none
  /// With their values.
  case withRows = "with_rows"
  /// When all of them are stored.
  case afterwards
}
