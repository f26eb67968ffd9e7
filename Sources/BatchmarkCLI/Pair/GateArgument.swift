// The limits of the command line: `--margin 3%`, `--margin heap_peak=1%,vm_steps=none`, `--time-only`, `--exact-only`.
internal import Analysis
internal import Harness
internal import Scenarios

/// Rules that come before those of every scenario.
struct GateArgument {
  private let parts: [(text: String, figure: String, limit: String)]

  /// - Parameters:
  ///   - margins: The values of `--margin`; a limit alone is that of the time.
  ///   - timeOnly: Whether no exact figure is judged.
  ///   - exactOnly: Whether no time is.
  /// - Throws: ``CommandError`` for a rule without a limit, and where nothing would be judged.
  init(_ margins: [String], timeOnly: Bool, exactOnly: Bool) throws(CommandError) {
    if timeOnly && exactOnly {
      throw CommandError(
        .usage, "found --time-only and --exact-only; expected one of them: together they judge nothing")
    }
    var parts: [(text: String, figure: String, limit: String)] = []
    for text in margins.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      let words = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      // An id in brackets has equals signs of its own.
      guard let limit = words.last, !limit.isEmpty else {
        throw CommandError(
          .usage, "--margin \(text): found no limit; expected a percentage such as 3%, or rules such as heap_peak=1%")
      }
      let figure = words.dropLast().joined(separator: "=")
      parts.append((String(text), words.count == 1 ? "time" : figure, limit))
    }
    if timeOnly { parts.append(("exact=none", "exact", "none")) }
    if exactOnly { parts.append(("time=none", "time", "none")) }
    self.parts = parts
  }

  /// Puts the rules behind those of each scenario.
  ///
  /// - Throws: ``CommandError`` for a figure or a limit that there is not, and a rule that no cell is meant by.
  func apply(to scenarios: inout [PlannedScenario], schema: ScenarioSchema) throws(CommandError) {
    for (text, figure, limit) in parts {
      var means = false
      for index in scenarios.indices {
        let rule: GateRule
        do throws(GateArgumentError) {
          rule = try schema.gateRule(figure, limit: limit, for: scenarios[index].scenario)
        } catch {
          let suggestion = error.suggestion.map { "; did you mean '\($0)'?" } ?? ""
          throw CommandError(
            .usage, "--margin \(text): found \(error.found); expected \(error.expected)\(suggestion)")
        }
        if rule.cells.map({ !$0.isEmpty }) ?? true { means = true }
        scenarios[index].scenario.gate.rules.append(rule)
      }
      if !means && !scenarios.isEmpty {
        throw CommandError(
          .usage,
          "--margin \(text): found no cell or phase of that name; expected a figure, or one of a "
            + "cell or a phase, such as save.heap_peak or checkpoint.syncs")
      }
    }
  }
}
