// The limits of the command line: `--margin 3%`, `--margin heap_peak=1%,vm_steps=none`.
internal import Analysis
internal import Harness
internal import BatchmarkEngine
internal import Scenarios

/// Rules that take precedence over those of every scenario.
struct GateArgument {
  private let parts: [(text: String, figure: String, limit: String)]

  /// - Parameter margins: The values of `--margin`; a limit alone applies to the time.
  /// - Throws: ``CommandError`` if a rule has no limit.
  init(_ margins: [String]) throws(CommandError) {
    var parts: [(text: String, figure: String, limit: String)] = []
    // Ids contain commas and equals signs, but in brackets.
    for text in margins.flatMap({ GateArgument.pieces(of: $0[...], at: ",") }) {
      let words = GateArgument.pieces(of: text, at: "=")
      guard let limit = words.last, !limit.isEmpty else {
        throw CommandError(
          .usage, "--margin \(text): found no limit; expected a percentage such as 3%, or rules such as heap_peak=1%")
      }
      let figure = words.dropLast().joined(separator: "=")
      parts.append((String(text), words.count == 1 ? "time" : figure, String(limit)))
    }
    self.parts = parts
  }

  /// Splits a text at separators outside of brackets.
  private static func pieces(of text: Substring, at separator: Character) -> [Substring] {
    var (pieces, start, depth): ([Substring], Substring.Index, Int) = ([], text.startIndex, 0)
    for index in text.indices {
      if text[index] == "[" { depth += 1 }
      if text[index] == "]" { depth -= 1 }
      if text[index] == separator && depth == 0 {
        pieces.append(text[start..<index])
        start = text.index(after: index)
      }
    }
    return pieces + [text[start...]]
  }

  /// Appends the rules to those of each scenario.
  ///
  /// - Throws: ``CommandError`` for an unknown metric, an invalid limit, or a rule that applies to no cell.
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
