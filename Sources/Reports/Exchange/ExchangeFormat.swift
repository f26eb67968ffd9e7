// The formats of other tools that a run is written in.
package import Analysis

/// A format that other tools read.
package enum ExchangeFormat: String, Sendable, Hashable, CaseIterable {
  /// Bencher Metric Format, https://bencher.dev/docs/reference/bencher-metric-format.
  case bencher
  /// The input `customSmallerIsBetter` of https://github.com/benchmark-action/github-action-benchmark.
  case githubActionBenchmark = "github-action-benchmark"
  /// The output of Google Benchmark, https://github.com/google/benchmark.
  case googleBenchmark = "google-benchmark"
  /// What hyperfine exports, https://github.com/sharkdp/hyperfine.
  case hyperfine
  /// Test results as CI systems read them.
  case junit
  /// The text format of Prometheus and others, https://openmetrics.io.
  case openmetrics

  /// The file's text; what was not measured is left out, never zero.
  ///
  /// - Parameters:
  ///   - results: The run.
  ///   - metrics: The figures beside times; nil for those that the format's readers have room for.
  /// - Returns: The text.
  /// - Throws: ``ReportError`` when the results cannot be put into JSON.
  package func text(_ results: Report, metrics: Set<MetricID>? = nil) throws(ReportError) -> String {
    let run = ExchangedRun(results, metrics: metrics)
    return switch self {
    case .bencher: try StoredJSON.render(BencherJSON.benchmarks(run), file: rawValue)
    case .githubActionBenchmark: try StoredJSON.render(GitHubActionBenchmark.entries(run), file: rawValue)
    case .googleBenchmark: try StoredJSON.render(GoogleBenchmark(run), file: rawValue)
    case .hyperfine: try StoredJSON.render(Hyperfine(run), file: rawValue)
    case .junit: RunJUnit.render(results)
    case .openmetrics: OpenMetrics.render(run)
    }
  }
}

extension Double {
  /// Seconds as nanoseconds, to the thousandth.
  var nanoseconds: Double { (self * 1e12).rounded() / 1e3 }
}
