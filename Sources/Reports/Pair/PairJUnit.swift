// Writes a paired comparison as JUnit XML for CI systems: a test case per cell and metric.
package import Analysis

/// Writes a comparison's verdicts as test results.
package enum PairJUnit {
  /// The whole file.
  package static func render(_ results: PairResults) -> String {
    let suites = results.comparisons.map { suite(on: $0, of: results) }
    let all =
      suites + (results.comparisons.isEmpty ? [nothing] : [])
      + (results.placebos.isEmpty ? [] : [placeboSuite(of: results)])
    return JUnit(name: "batchmark pair", countsSkipped: false, suites: all).xml
  }

  /// A test case that failed with a word and a reason, or passed.
  private static func testCase(_ name: String, _ failure: (word: String, message: String)?) -> JUnit.Case {
    JUnit.Case(name: name, ending: failure.map { JUnit.Case.Ending.failed($0.word, $0.message) } ?? .passed)
  }

  /// Whether a case fails.
  ///
  /// One of several machines gives no verdict and only reports what cannot be trusted.
  private static func isOpen(_ verdict: Verdict, fails: Bool, _ results: PairResults) -> Bool {
    let isUndecided = verdict.isUndecided(results.rules)
    return results.shard == nil ? fails || isUndecided : isUndecided && verdict == .untrusted
  }

  private typealias Suite = (name: String, cases: [JUnit.Case])

  /// A file without test cases would look as if everything had passed.
  private static var nothing: Suite {
    ("cells", [testCase("compared", ("UNTRUSTED", "no cell was measured on both sides"))])
  }

  private static func suite(on comparison: PairComparison, of results: PairResults) -> Suite {
    let time = comparison.time(results.rules)
    let sentence = PairMarkdown.sentence(on: comparison, results.rules).replacing("**", with: "")
    var cases: [JUnit.Case] = []
    if comparison.timeRules(results.rules) != nil {
      let isOpen = isOpen(time.verdict, fails: time.fails, results)
      cases.append(testCase("wall", isOpen ? (time.verdict.rawValue, sentence) : nil))
    }
    cases += comparison.figures(results.rules).map { figure in
      testCase(
        PairMarkdown.name(of: figure),
        isOpen(figure.verdict, fails: figure.fails, results)
          ? (figure.verdict.rawValue, "\(figure.metric.rawValue): base \(figure.base), head \(figure.head)") : nil)
    }
    if let plans = comparison.plans(results.rules) {
      let isOpen = isOpen(plans.verdict, fails: plans.verdict == .regression, results)
      cases.append(
        testCase(
          "plans",
          isOpen ? (plans.verdict.rawValue, Markdown.plain(PairMarkdown.sentence(on: plans))) : nil))
    }
    cases += comparison.failures.map { failure in
      testCase(
        "sample of \(failure.isBase ? "base" : "head"), \(failure.pass.rawValue) pass",
        ("FAILED", failure.reason))
    }
    if comparison.comparesNothing(results.rules) {
      cases.append(testCase("figures", ("UNTRUSTED", "no exact figure was compared")))
    }
    cases += results.obstacles(to: comparison).map { testCase("comparable", ("FAILED", $0)) }
    return (comparison.headCell.id, cases)
  }

  /// A test case for each cell.
  ///
  /// Inconclusive ones do not fail, but their names say so.
  private static func placeboSuite(of results: PairResults) -> Suite {
    let broken = Set(results.brokenPlacebos.map(\.comparison.baseCell.id))
    let cases = results.placeboVerdicts.map { comparison, verdict in
      let id = comparison.baseCell.id
      return testCase(
        verdict == .inconclusive ? "\(id) (inconclusive)" : id,
        broken.contains(id) ? ("UNTRUSTED", "base compared with itself came out as \(verdict.rawValue)") : nil)
    }
    return ("placebo", cases)
  }
}
