// The output of `list` for programs.
internal import BatchmarkEngine
internal import Reports
internal import Scenarios

/// Engines and scenarios, or metrics, or the keys of scenario files.
struct ListDocument: CommandDocument {
  static let title = "Engines with their strategies, scenarios with their cells, metrics or keys"

  struct EngineEntry: Codable {
    var name: String
    var strategies: [StrategyEntry]
  }

  struct StrategyEntry: Codable {
    var name: String
    var operation: String
    var summary: String
    /// The values of each parameter, the default first, as in the text.
    var parameters: [String: String]
  }

  struct ScenarioEntry: Codable {
    var scenario: String
    var file: String
    var description: String
    var rounds: Int
    var cells: [String]

    init(_ scenario: Scenario) {
      (self.scenario, file, description) = (scenario.name, scenario.file, scenario.description)
      (rounds, cells) = (scenario.measure.rounds, scenario.cells.map(\.id))
    }
  }

  struct Metric: Codable {
    var metric: String
    var unit: String
    var pass: String
    var repeats: String
    var help: String
  }

  struct Key: Codable {
    var key: String
    var location: String
    var value: String
    var standard: String?
    var isSweepable: Bool
    var isSettable: Bool
    var help: String
  }

  var engines: [EngineEntry]?
  var scenarios: [ScenarioEntry]?
  var metrics: [Metric]?
  var keys: [Key]?

  /// Engines with all strategies, or with those used by the cells.
  init(engines: [any Engine], usedBy cells: [Cell]?) {
    self.engines = engines.compactMap { engine in
      let strategies = ListCommand.strategies(of: engine, usedBy: cells)
      if strategies.isEmpty && cells != nil { return nil }
      return EngineEntry(
        name: engine.name,
        strategies: strategies.map { strategy in
          StrategyEntry(
            name: strategy.name, operation: strategy.operation.rawValue, summary: strategy.summary,
            parameters: Dictionary(strategy.parameters.map { ($0.name, $0.parameter.choice) }) { $1 })
        })
    }
    scenarios = []
  }

  init(metrics: [MetricDeclaration]) {
    self.metrics = metrics.map {
      Metric(
        metric: $0.column, unit: $0.unit.rawValue, pass: $0.pass.rawValue, repeats: $0.precision.rawValue,
        help: $0.help)
    }
  }

  init(keys schema: ScenarioSchema) {
    keys = schema.keys.map {
      Key(
        key: $0.name, location: $0.location.rawValue, value: $0.kind.description, standard: $0.standard,
        isSweepable: $0.isSweepable, isSettable: $0.isSettable, help: $0.help)
    }
  }
}
