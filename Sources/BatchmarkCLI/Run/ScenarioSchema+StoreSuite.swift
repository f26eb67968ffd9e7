// The suite for the user's own store: every strategy that can store its rows again.
internal import BatchmarkEngine
internal import Scenarios
internal import Harness

extension ScenarioSchema {
  /// Every strategy that stores rows of several entities, each as YAML.
  ///
  /// Batches and the reference occur twice, with and without relationships, so that every cell can be compared with
  /// others of equal work.
  var storeSuiteCells: [String] {
    engines.flatMap { engine in
      engine.strategies(for: .insert).filter { $0.storesSeveralEntities && $0.role != .harnessCost }
        .flatMap { strategy -> [String] in
          let cell = "engine: \(engine.name), strategy: \(strategy.name)"
          let alone = ", \(ParameterKey.relationships.name): \(RelationshipChoice.none.rawValue)"
          let comesTwice = strategy.relationships != .none && (strategy.role.isBatch || strategy.role == .reference)
          return ["{\(cell)}"] + (comesTwice ? ["{\(cell)\(alone)}"] : [])
        }
    }
  }

  /// The scenario that `--store` measures if no file is named.
  ///
  /// Its source is given on the command line.
  var storeSuite: String {
    """
    scenario: store
    description: How fast does each strategy store the rows of this store again?
    source: {store: store.sqlite}
    cells:
    \(storeSuiteCells.map { "  - " + $0 }.joined(separator: "\n"))

    """
  }
}
