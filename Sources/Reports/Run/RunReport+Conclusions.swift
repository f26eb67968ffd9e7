// Conclusions from a scenario's figures: first in one paragraph, then sentence by sentence with tables.
internal import Analysis

extension RunReport {
  /// The answer to the scenario's question, in one paragraph.
  static func answer(of scenario: ScenarioReport, _ run: RunRecord, in document: inout Document) {
    document.paragraph(Prose(scenario, givesAdvice: !run.isQuick).answer.joined(separator: " "))
  }

  /// Findings that the answer leaves out, those related to the answer first.
  static func findings(of scenario: ScenarioReport, _ run: RunRecord) -> [String] {
    let prose = Prose(scenario, givesAdvice: !run.isQuick)
    let said = prose.answer
    return prose.sentences(on: scenario.mainFindings).filter { !said.contains($0) }
      + prose.sentences(on: scenario.details)
  }

  /// Other findings, and the trade-offs of each strategy.
  static func details(of analysis: ScenarioAnalysis, _ run: RunRecord, in document: inout Document) {
    let scenario = analysis.scenario
    let backed = analysis.sections.filter { !$0.tables.isEmpty }
    let prose = Prose(scenario, givesAdvice: !run.isQuick)
    let said = prose.answer
    func isUnbacked(_ finding: Finding) -> Bool { !backed.contains { $0.backs(finding) } }
    let left = prose.sentences(on: scenario.mainFindings.filter(isUnbacked)).filter { !said.contains($0) }
    document.list(
      (left + prose.sentences(on: scenario.details.filter(isUnbacked))).map { ListItem($0) }
        + [tradeoffs(of: scenario.strategies)].compactMap(\.self))
  }

  static func evidence(of analysis: ScenarioAnalysis, level: Int, in document: inout Document) {
    // The answer has the advice.
    let prose = Prose(analysis.scenario, givesAdvice: false)
    var said: Set<String> = []
    for section in analysis.sections where !section.tables.isEmpty {
      document.heading(level, section.title)
      document.list(prose.sentences(on: analysis.scenario.findings.filter(section.backs)).map { ListItem($0) })
      for var table in section.tables {
        // Several prices may leave the same sizes unchanged, so say that only once.
        table.saysAlike = table.alike.map { said.insert($0).inserted } ?? true
        document.table(table)
      }
    }
  }

  /// How the conclusions of a run are computed, each method once.
  static func conclusionMethods(of analyses: [ScenarioAnalysis]) -> [ListItem] {
    var known: Set<String> = []
    return analyses.flatMap(\.sections).compactMap(\.method).filter { known.insert($0).inserted }.map {
      ListItem($0)
    }
  }

  /// The strategies with the trade-offs of each.
  private static func tradeoffs(of strategies: [StrategyNote]) -> ListItem? {
    let lines = strategies.map { strategy in
      let sentence = strategy.summary.hasSuffix(".") ? String(strategy.summary.dropLast()) : strategy.summary
      let summary = sentence.isEmpty ? "" : " (\(Markdown.escaped(sentence)))"
      let given =
        strategy.tradeoffs.isEmpty ? "none" : strategy.tradeoffs.map { Markdown.escaped($0) }.joined(separator: ", ")
      return "\(Markdown.code(strategy.label))\(summary): \(given)"
    }
    return lines.isEmpty ? nil : ListItem("**Trade-offs of each strategy.**", lines)
  }
}
