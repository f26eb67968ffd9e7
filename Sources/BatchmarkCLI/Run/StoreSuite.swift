// The suite for a store of one's own: every way there is to store its rows again.
internal import Scenarios
internal import Workloads

/// The scenario that `--store` measures when no file is named.
struct StoreSuite {
  /// What messages call it, since it is in no file.
  static let file = "the store suite"

  private let schema: ScenarioSchema

  init(_ schema: ScenarioSchema) { self.schema = schema }

  /// Every way there is to store rows of several entities, each as YAML.
  var cells: [String] {
    schema.engines.flatMap { engine in
      engine.strategies(for: .insert).filter { $0.storesSeveralEntities && $0.role != .harnessCost }
        .map { "{engine: \(engine.name), strategy: \($0.name)}" }
    }
  }

  /// The scenario's text; its source is what the command line says.
  var text: String {
    """
    scenario: store
    description: How fast are the rows of this store stored again, by each way there is?
    source: {store: store.sqlite}
    cells:
    \(cells.map { "  - " + $0 }.joined(separator: "\n"))

    """
  }
}
