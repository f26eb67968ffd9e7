// Everything a scenario's figures allow to conclude, chosen by what its cells differ in and never by its name.
internal import Analysis
internal import Harness
internal import Scenarios

/// One kind of conclusion: sentences, and the tables that back them.
protocol Conclusion {
  /// The heading over the tables.
  var title: String { get }
  /// Whole sentences in Markdown, the most telling first.
  var sentences: [String] { get }
  /// How many of the sentences belong into the paragraph that opens the report.
  var leading: Int { get }
  /// What backs the sentences; empty where a table of every report does.
  var tables: [MarkdownTable] { get }
  /// How the figures were come by, for the section on the method; nil where nothing needs to be said.
  var method: String? { get }
}

extension Conclusion {
  var tables: [MarkdownTable] { [] }
  var method: String? { nil }
}

/// What a scenario found, the answer to its question first.
struct Conclusions {
  /// In the order of what the scenario sweeps: growth, crossovers, knees and prices, then who is fastest, and last where
  /// the time goes and what a row costs.
  let all: [any Conclusion]

  init(_ scenario: ScenarioResults) {
    let keys = scenario.variedKeys
    var found: [any Conclusion] = []
    let claim = AppleClaim(scenario)
    if let claim { found.append(claim) }
    if let growth = Growth(scenario) { found.append(growth) }
    if let crossings = Crossings(scenario) { found.append(crossings) }
    let knees = keys.filter { !ScenarioResults.workKeys.contains($0) }.compactMap { Knees($0, in: scenario) }
    found += knees as [any Conclusion]
    let priced = keys.filter { key in key != Growth.key && !knees.contains { $0.key == key } }
    found += priced.compactMap { FeaturePrice($0, in: scenario) } as [any Conclusion]
    if let cost = HarnessCost(scenario) { found.append(cost) }
    found.append(Winner(scenario))
    if let shares = PhaseShares(scenario) { found.append(shares) }
    if let costs = RowCosts(scenario) { found.append(costs) }
    all = found
  }

  /// The sentences that open a report: each is told by the figures of this run.
  var answer: [String] { all.flatMap { $0.sentences.prefix($0.leading) } }

  /// How the figures were come by, each way once.
  var methods: [String] { all.compactMap(\.method) }
}
