// Writes a paired comparison as lines that GitHub's runners turn into annotations of a check.
package import Analysis

/// Writes a comparison's verdicts as workflow commands
/// (https://docs.github.com/actions/reference/workflow-commands-for-github-actions).
package enum PairAnnotations {
  /// One line for each comparison with a problem; empty if there are none.
  ///
  /// One of several machines gives no verdict, so it only reports what cannot be trusted.
  package static func render(_ results: PairResults) -> String {
    var lines: [String] = []
    if results.comparisons.isEmpty { lines.append(line("error", "UNTRUSTED", "no cell was measured on both sides")) }
    for (comparison, verdict) in results.brokenPlacebos {
      lines.append(
        line(
          "error", "UNTRUSTED", "\(comparison.label): base compared with itself came out as \(verdict.rawValue)"))
    }
    for comparison in results.comparisons {
      let verdict = results.verdict(of: comparison)
      let sentence = PairMarkdown.sentence(on: comparison, results.rules).replacing("**", with: "")
      let grown = comparison.figures(results.rules).filter {
        $0.fails || [.regression, .small, .untrusted].contains($0.verdict)
      }
      let figures = grown.map { "\(PairMarkdown.name(of: $0)) \($0.base) -> \($0.head)" }.joined(separator: ", ")
      let obstacles = results.obstacles(to: comparison).map { " Not comparable: \($0)." }.joined()
      let cause = comparison.explanation(results.rules).map {
        " " + PairMarkdown.cause($0, of: comparison).replacing("**", with: "")
      }
      // The page lists the other failures.
      let failure = comparison.failures.first.map { failure in
        " A sample of \(failure.isBase ? "base" : "head") failed in the \(failure.pass.rawValue) pass: \(failure.reason)."
      }
      let plans = comparison.plans(results.rules).flatMap { plans in
        plans.verdict == .pass ? nil : " Plans: " + PairMarkdown.sentence(on: plans).replacing("**", with: "")
      }
      let message =
        "\(comparison.label): \(sentence)\(cause ?? "")" + (figures.isEmpty ? "" : " Figures: \(figures).")
        + (failure ?? "") + (plans ?? "") + obstacles
      let level: String? =
        switch verdict {
        case _ where results.shard != nil: verdict == .untrusted ? "error" : nil
        case _ where comparison.fails(results.rules): "error"
        case .regression, .untrusted: "error"
        case .small, .inconclusive: "warning"
        case .pass, .improved: nil
        }
      if let level { lines.append(line(level, verdict.rawValue, message)) }
    }
    return lines.joined()
  }

  private static func line(_ level: String, _ title: String, _ message: String) -> String {
    // A single line needs no other escapes.
    let text = message.onOneLine.replacing("%", with: "%25")
    return "::\(level) title=batchmark \(title)::\(text)\n"
  }
}
