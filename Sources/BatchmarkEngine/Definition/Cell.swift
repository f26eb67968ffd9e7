// A cell: one way of storing a scenario's rows, and the name everything else knows it by.

/// One engine, one strategy, one set of parameters.
public struct Cell: Sendable, Hashable, Codable {
  public var scenario: String
  public var engine: String
  /// Whether a scenario means its engine where a cell names none, so that its name needs no engine either; nil in files
  /// of versions that did not record it.
  package var isOfDefaultEngine: Bool?
  public var strategy: String
  /// Whether rows are read from the source while they are stored; nil where they are at hand.
  package var isStreamed: Bool?
  /// What the scenario does with its rows; a strategy's name may stand for another strategy in each operation.
  public var operation: Operation.Kind
  /// The purpose of the strategy.
  public var role: StrategyRole
  /// Parameters that differ from the strategy's defaults, and what a sweep makes of source, store and scenario.
  public var parameters: [String: ParameterValue]
  /// What the strategy's parameters are where the cell says nothing, as the scenario was read.
  package var defaults: [String: ParameterValue]
  /// The keys of a sweep that belong to the source, the store or the scenario and not to the strategy, sorted; cells of
  /// every engine have them.
  package var conditionKeys: [String]

  public init(
    scenario: String, engine: String, strategy: String, operation: Operation.Kind = .insert,
    role: StrategyRole = .peer, parameters: [String: ParameterValue] = [:],
    defaults: [String: ParameterValue] = [:], conditionKeys: [String] = []
  ) {
    self.scenario = scenario
    self.engine = engine
    self.strategy = strategy
    self.operation = operation
    self.role = role
    self.parameters = parameters
    self.defaults = defaults
    self.conditionKeys = conditionKeys
  }

  /// What files of earlier versions call parameters that have another name now.
  private static let earlierNames = ["rows_a_step": "rows_per_step"]

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func named(_ key: CodingKeys) throws -> [String: ParameterValue] {
      let found = try values.decode([String: ParameterValue].self, forKey: key)
      return Dictionary(
        found.map { (Cell.earlierNames[$0.key] ?? $0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
    self.init(
      scenario: try values.decode(String.self, forKey: .scenario),
      engine: try values.decode(String.self, forKey: .engine),
      strategy: try values.decode(String.self, forKey: .strategy),
      operation: try values.decode(Operation.Kind.self, forKey: .operation),
      role: try values.decode(StrategyRole.self, forKey: .role), parameters: try named(.parameters),
      defaults: try named(.defaults), conditionKeys: try values.decode([String].self, forKey: .conditionKeys))
    isOfDefaultEngine = try values.decodeIfPresent(Bool.self, forKey: .isOfDefaultEngine)
    isStreamed = try values.decodeIfPresent(Bool.self, forKey: .isStreamed)
  }

  /// What a sweep makes of source, store and scenario: cells with the same conditions do the same work.
  package var conditions: [String: ParameterValue] { parameters.filter { conditionKeys.contains($0.key) } }

  /// Every parameter with its value, whether the cell says it or the strategy does.
  package var resolvedParameters: [String: ParameterValue] { defaults.merging(parameters) { $1 } }

  /// The parameters of the strategy itself.
  package var ownParameters: [String: ParameterValue] { parameters.filter { !conditionKeys.contains($0.key) } }

  /// `scenario/engine/strategy[key=value,...]`, keys sorted, defaults left out.
  public var id: String {
    let list = parametersText
    return "\(scenario)/\(engine)/\(strategy)" + (list.isEmpty ? "" : "[\(list)]")
  }

  /// `key=value,...`, keys sorted; empty without parameters.
  package var parametersText: String { Cell.text(of: parameters) }

  /// `key=value,...`, keys sorted; empty without any.
  package static func text(of parameters: [String: ParameterValue]) -> String {
    parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
  }

  /// Whether the user's word selects this cell: its whole id or any whole part of it (scenario, engine, strategy,
  /// `engine/strategy`, `strategy[...]`, `key=value`, also of scenario, engine and strategy).
  package func isSelected(by word: String) -> Bool { words.contains(word) }

  /// The words that select this cell.
  package var words: [String] {
    let list = parametersText
    let named = list.isEmpty ? strategy : "\(strategy)[\(list)]"
    return [
      id, scenario, engine, strategy, named, "\(engine)/\(strategy)", "\(engine)/\(named)", "scenario=\(scenario)",
      "engine=\(engine)", "strategy=\(strategy)",
    ]
      + parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }
}
