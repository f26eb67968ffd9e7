// A paired comparison as JUnit XML, which CI systems show: a test case a cell and metric.
package import Analysis

/// Writes a comparison's verdicts as test results.
package enum PairJUnit {
  /// The whole file.
  package static func render(_ results: PairResults) -> String {
    let suites = results.comparisons.map { suite(on: $0, of: results) }
    let all = suites + (results.placebos.isEmpty ? [] : [placeboSuite(of: results)])
    let (tests, failures) = (all.map(\.cases.count).reduce(0, +), all.flatMap(\.cases).count { $0.failure != nil })
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      + "<testsuites name=\"batchmark pair\" tests=\"\(tests)\" failures=\"\(failures)\">\n"
      + all.map(\.xml).joined() + "</testsuites>\n"
  }

  private struct Case {
    let name: String
    /// What failed, and its word; nil for a case that passed.
    let failure: (word: String, message: String)?

    func xml(of suite: String) -> String {
      let start = "    <testcase classname=\"\(suite)\" name=\"\(XML.escaped(name))\""
      guard let failure else { return start + "/>\n" }
      return start + ">\n      <failure type=\"\(failure.word)\" message=\"\(XML.escaped(failure.message))\"/>\n"
        + "    </testcase>\n"
    }
  }

  private struct Suite {
    let name: String
    let cases: [Case]

    var xml: String {
      let name = XML.escaped(name)
      return
        "  <testsuite name=\"\(name)\" tests=\"\(cases.count)\" failures=\"\(cases.count { $0.failure != nil })\">\n"
        + cases.map { $0.xml(of: name) }.joined() + "  </testsuite>\n"
    }
  }

  private static func suite(on comparison: PairComparison, of results: PairResults) -> Suite {
    let time = comparison.time(results.rules)
    let sentence = PairMarkdown.sentence(on: comparison, results.rules).replacing("**", with: "")
    var cases: [Case] = []
    if comparison.timeRules(results.rules) != nil {
      let isOpen = time.fails || time.verdict.isUntold(results.rules)
      cases.append(Case(name: "wall", failure: isOpen ? (time.verdict.rawValue, sentence) : nil))
    }
    cases += comparison.figures(results.rules).map { figure in
      Case(
        name: PairMarkdown.name(of: figure),
        failure: figure.fails || figure.verdict.isUntold(results.rules)
          ? (figure.verdict.rawValue, "\(figure.metric.rawValue): base \(figure.base), head \(figure.head)") : nil)
    }
    if let plans = comparison.plans(results.rules) {
      let isOpen = plans.verdict == .regression || plans.verdict.isUntold(results.rules)
      cases.append(
        Case(
          name: "plans",
          failure: isOpen ? (plans.verdict.rawValue, Markdown.plain(PairMarkdown.sentence(on: plans))) : nil))
    }
    cases += comparison.failures.map { failure in
      Case(
        name: "sample of \(failure.isBase ? "base" : "head"), \(failure.pass.rawValue) pass",
        failure: ("FAILED", failure.reason))
    }
    if comparison.comparesNothing(results.rules) {
      cases.append(Case(name: "figures", failure: ("UNTRUSTED", "no exact figure was compared")))
    }
    cases += results.obstacles(to: comparison).map { Case(name: "comparable", failure: ("FAILED", $0)) }
    return Suite(name: comparison.headCell.id, cases: cases)
  }

  /// A case for each cell: those that are inconclusive fail no test, and say so in their name.
  private static func placeboSuite(of results: PairResults) -> Suite {
    let broken = Set(results.brokenPlacebos.map(\.comparison.baseCell.id))
    return Suite(
      name: "placebo",
      cases: results.placeboVerdicts.map { comparison, verdict in
        let id = comparison.baseCell.id
        return Case(
          name: verdict == .inconclusive ? "\(id) (inconclusive)" : id,
          failure: broken.contains(id)
            ? ("UNTRUSTED", "base compared with itself came out as \(verdict.rawValue)") : nil)
      })
  }
}
