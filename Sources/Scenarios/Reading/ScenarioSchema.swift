// The engines, strategies, parameters and figures a scenario may name; the executable's engines supply it.
package import BatchmarkEngine

/// What the linked engines can do, so that the reader can check words it does not know itself.
package struct ScenarioSchema: Sendable {
  package var engines: [EngineSchema]
  /// What budgets may name.
  package var figures: [FigureSchema]
  package var phases: [PhaseSchema]

  package init(engines: [EngineSchema], figures: [FigureSchema] = [], phases: [PhaseSchema] = []) {
    self.engines = engines
    self.figures = figures
    self.phases = phases
  }

  package func engine(named name: String) -> EngineSchema? { engines.first { $0.name == name } }

  /// The engine that is meant where a cell names none: the first.
  package var defaultEngine: EngineSchema? { engines.first }

  /// The strategy of a cell.
  func strategy(of cell: Cell) -> StrategySchema? {
    engine(named: cell.engine)?.strategies(for: cell.operation).first { $0.name == cell.strategy }
  }

  /// The first engine with a strategy that has the parameter.
  func engine(knowing parameter: String) -> EngineSchema? {
    engines.first { $0.strategies.contains { $0.parameters[parameter] != nil } }
  }

  /// A strategy for examples in messages.
  var exampleStrategy: String { defaultEngine?.strategies.first?.name ?? "name" }

  /// A cell for examples in messages: one that names its engine.
  var exampleCell: String {
    guard let engine = engines.dropFirst().first ?? engines.first, let strategy = engine.strategies.first else {
      return "{engine: name, strategy: name}"
    }
    return "{engine: \(engine.name), strategy: \(strategy.name)}"
  }
}

/// What a scenario may say of one engine.
package struct EngineSchema: Sendable {
  package var name: String
  package var strategies: [StrategySchema]

  package init(name: String, strategies: [StrategySchema]) {
    self.name = name
    self.strategies = strategies
  }

  /// The engine's strategies for an operation.
  package func strategies(for operation: Operation.Kind) -> [StrategySchema] {
    strategies.filter { $0.operation == operation }
  }
}

/// What a scenario may say of one strategy.
package struct StrategySchema: Sendable {
  package var name: String
  /// What the strategy does with rows; strategies of different operations may share a name.
  package var operation: Operation.Kind
  /// What the strategy is there for.
  package var role: StrategyRole
  /// Parameters by name, with those that every strategy has.
  package var parameters: [String: Parameter]
  /// When it gives rows their relationships.
  package var relationships: RelationshipStorage
  /// Whether it stores rows of several entities.
  package var storesSeveralEntities: Bool
  /// Whether it deletes, or takes out of relationships, what the delete rules of the model ask for.
  package var followsDeleteRules: Bool

  package init(
    name: String, operation: Operation.Kind = .insert, role: StrategyRole = .peer,
    parameters: [any ParameterDeclaration] = [], relationships: RelationshipStorage = .none,
    storesSeveralEntities: Bool = false, followsDeleteRules: Bool = false
  ) {
    self.name = name
    self.operation = operation
    self.role = role
    self.relationships = relationships
    self.storesSeveralEntities = storesSeveralEntities
    self.followsDeleteRules = followsDeleteRules
    self.parameters = [:]
    for declared in parameters + Cell.commonParameters { self.parameters[declared.name] = declared.parameter }
  }
}

extension Engine {
  /// What scenario files may say of this engine.
  package var schema: EngineSchema {
    EngineSchema(
      name: name,
      strategies: strategies.map {
        StrategySchema(
          name: $0.name, operation: $0.operation, role: $0.role, parameters: $0.parameters,
          relationships: $0.relationships, storesSeveralEntities: $0.storesSeveralEntities,
          followsDeleteRules: $0.followsDeleteRules)
      })
  }
}
