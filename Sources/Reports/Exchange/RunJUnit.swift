// A run, and its budgets, as JUnit XML: a test case for each cell and for each budget that was to be kept.
package import Analysis

/// Writes whether cells were measured and budgets kept, as test results.
package enum RunJUnit {
  /// A run, judged by the budgets of its scenarios.
  package static func render(_ results: Report) -> String {
    render(results.scenarios.map { ($0, results.judgements(of: $0)) })
  }

  /// Scenarios and their judged budgets; a suite for each scenario.
  package static func render(_ parts: [(scenario: ScenarioReport, judgements: [BudgetJudgement])]) -> String {
    let suites = parts.map { Suite(name: $0.scenario.name, cases: cases(of: $0.scenario, $0.judgements)) }
    return
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"batchmark\" \(tally(suites.flatMap(\.cases)))>\n"
      + suites.map(\.xml).joined() + "</testsuites>\n"
  }

  /// How a test case ended.
  private enum Ending {
    case passed
    case failed(String, String)
    case skipped(String)
  }

  private struct Case {
    let name: String
    /// The median of a cell's main phase, in seconds; nil for a budget.
    let seconds: Double?
    let ending: Ending

    var hasFailed: Bool { if case .failed = ending { true } else { false } }
    var isSkipped: Bool { if case .skipped = ending { true } else { false } }

    func xml(of suite: String) -> String {
      let time = seconds.map { " time=\"\(Digits.fixed($0, decimals: 6))\"" } ?? ""
      let start = "    <testcase classname=\"\(suite)\" name=\"\(XML.escaped(name))\"\(time)"
      let inner: String
      switch ending {
      case .passed: return start + "/>\n"
      case .failed(let word, let message):
        inner = "<failure type=\"\(XML.escaped(word))\" message=\"\(XML.escaped(message))\"/>"
      case .skipped(let message): inner = "<skipped message=\"\(XML.escaped(message))\"/>"
      }
      return start + ">\n      \(inner)\n    </testcase>\n"
    }
  }

  private struct Suite {
    let name: String
    let cases: [Case]

    var xml: String {
      let name = XML.escaped(name)
      return "  <testsuite name=\"\(name)\" \(tally(cases))>\n" + cases.map { $0.xml(of: name) }.joined()
        + "  </testsuite>\n"
    }
  }

  private static func tally(_ cases: [Case]) -> String {
    "tests=\"\(cases.count)\" failures=\"\(cases.count(where: \.hasFailed))\" errors=\"0\" "
      + "skipped=\"\(cases.count(where: \.isSkipped))\""
  }

  private static func cases(of scenario: ScenarioReport, _ judgements: [BudgetJudgement]) -> [Case] {
    scenario.cells.map { cell in
      Case(name: cell.cell.id, seconds: cell.main.wall.figure?.median, ending: ending(of: cell))
    }
      + judgements.map { judgement in
        let words = BudgetText(scenario: scenario, judgement: judgement)
        let name = "budget \(judgement.budget.text)" + (judgement.cell.map { " for \($0)" } ?? "")
        let ending: Ending =
          switch judgement.verdict {
          case .held: .passed
          case .broken, .undecided: .failed(judgement.verdict.rawValue, words.finding)
          case .skipped: .skipped(words.finding)
          }
        return Case(name: name, seconds: nil, ending: ending)
      }
  }

  private static func ending(of cell: CellReport) -> Ending {
    if let failure = cell.failures.first {
      return .failed("FAILED", "\(HumanUnits.counted(cell.failures.count, "sample")) failed: \(failure.reason)")
    }
    return cell.missing > 0
      ? .skipped("\(HumanUnits.counted(cell.missing, "sample")) not taken, since the run was interrupted") : .passed
  }
}
