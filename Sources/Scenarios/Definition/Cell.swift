// A cell: one way of storing a scenario's rows, and the name everything else knows it by.

/// One engine, one strategy, one set of parameters.
public struct Cell: Sendable, Hashable, Codable {
  public var scenario: String
  public var engine: String
  public var strategy: String
  /// What the scenario does with its rows; a strategy's name may stand for another strategy in each operation.
  public var operation: ScenarioOperation
  /// Parameters that differ from the strategy's defaults.
  public var parameters: [String: ParameterValue]

  public init(
    scenario: String, engine: String, strategy: String, operation: ScenarioOperation = .insert,
    parameters: [String: ParameterValue] = [:]
  ) {
    self.scenario = scenario
    self.engine = engine
    self.strategy = strategy
    self.operation = operation
    self.parameters = parameters
  }

  /// `scenario/engine/strategy[key=value,...]`, keys sorted, defaults left out.
  public var id: String {
    let list = parametersText
    return "\(scenario)/\(engine)/\(strategy)" + (list.isEmpty ? "" : "[\(list)]")
  }

  /// `key=value,...`, keys sorted; empty without parameters.
  public var parametersText: String {
    parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
  }

  /// Whether the user's word selects this cell: its whole id or any whole part of it (scenario, engine, strategy,
  /// `engine/strategy`, `strategy[...]`, `key=value`).
  public func isSelected(by word: String) -> Bool { words.contains(word) }

  /// The words that select this cell.
  var words: [String] {
    let list = parametersText
    let named = list.isEmpty ? strategy : "\(strategy)[\(list)]"
    return [id, scenario, engine, strategy, named, "\(engine)/\(strategy)", "\(engine)/\(named)"]
      + parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }
}

/// Results of before there were operations are those of inserts.
extension Cell {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    scenario = try container.decode(String.self, forKey: .scenario)
    engine = try container.decode(String.self, forKey: .engine)
    strategy = try container.decode(String.self, forKey: .strategy)
    operation = try container.decodeIfPresent(ScenarioOperation.self, forKey: .operation) ?? .insert
    parameters = try container.decode([String: ParameterValue].self, forKey: .parameters)
  }
}
