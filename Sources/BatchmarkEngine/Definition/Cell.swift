// A cell: one way of storing a scenario's rows, and its name everywhere else.

/// One engine, one strategy, one set of parameters.
public struct Cell: Sendable, Hashable, Codable {
  public var scenario: String
  public var engine: String
  /// Whether its engine is the scenario's default, so that its name needs no engine; `nil` in files of versions that
  /// did not record it.
  package var isOfDefaultEngine: Bool?
  public var strategy: String
  /// Whether rows are read from the source while they are stored; `nil` if they are in memory.
  package var isStreamed: Bool?
  /// What the scenario does with its rows.
  ///
  /// A strategy's name may mean a different strategy for each operation.
  public var operation: Operation.Kind
  /// The purpose of the strategy.
  public var role: StrategyRole
  /// Parameters that differ from the strategy's defaults, and the swept settings of source, store and scenario.
  public var parameters: [String: ParameterValue]
  /// The strategy's default parameters, as of when the scenario was read.
  package var defaults: [String: ParameterValue]
  /// The swept keys that belong to the source, the store or the scenario and not to the strategy, sorted.
  ///
  /// Cells of every engine have them.
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

  /// Old names of renamed parameters, for files of earlier versions.
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

  /// The swept settings of source, store and scenario.
  ///
  /// Cells with the same conditions do the same work.
  package var conditions: [String: ParameterValue] { parameters.filter { conditionKeys.contains($0.key) } }

  /// Every parameter with its value, whether set by the cell or a default.
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

  /// `key=value,...`, keys sorted; empty without parameters.
  package static func text(of parameters: [String: ParameterValue]) -> String {
    parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
  }

  /// Whether the user's word selects this cell: its whole id, or a whole part of it (scenario, engine, strategy,
  /// `engine/strategy`, `strategy[...]`, `key=value`, also combined with scenario, engine and strategy).
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
