// The suite for a store of one's own: every strategy that can store its rows again.
internal import BatchmarkEngine
internal import Scenarios
internal import Harness

extension ScenarioSchema {
  /// Every strategy that stores rows of several entities, each as YAML.
  ///
  /// Batches and the reference come twice, with relationships and without, so that every cell has others that did equal
  /// work.
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

  /// The scenario that `--store` measures when no file is named; its source is what the command line says.
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
