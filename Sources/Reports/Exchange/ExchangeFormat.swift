// The formats of other tools that a run can be exported to.
package import Analysis

/// A format for other tools.
package enum ExchangeFormat: String, Sendable, Hashable, CaseIterable {
  /// Bencher Metric Format, https://bencher.dev/docs/reference/bencher-metric-format.
  case bencher
  /// The input `customSmallerIsBetter` of https://github.com/benchmark-action/github-action-benchmark.
  case githubActionBenchmark = "github-action-benchmark"
  /// The output of Google Benchmark, https://github.com/google/benchmark.
  case googleBenchmark = "google-benchmark"
  /// The export format of hyperfine, https://github.com/sharkdp/hyperfine.
  case hyperfine
  /// Test results for CI systems.
  case junit
  /// The text format of Prometheus and other tools, https://openmetrics.io.
  case openmetrics

  /// The file's text.
  ///
  /// Missing measurements are left out, never zero.
  ///
  /// - Parameters:
  ///   - results: The run.
  ///   - metrics: The metrics in addition to times; `nil` for those that suit the format's readers.
  /// - Returns: The text.
  /// - Throws: ``ReportError`` if the results cannot be encoded as JSON.
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
  /// Seconds as nanoseconds, rounded to a thousandth.
  var nanoseconds: Double { (self * 1e12).rounded() / 1e3 }
}

/// The content of an export.
package enum ExportedFile: Sendable, Hashable {
  case report(ReportWriter.File)
  /// A format with the requested metrics; `nil` for the format's own choice.
  case exchange(ExchangeFormat, metrics: Set<MetricID>? = nil)

  /// The file's text.
  ///
  /// - Parameters:
  ///   - results: The run.
  ///   - folder: The run's folder with the pictures, relative to the file's folder; `nil` leaves out links to them.
  /// - Returns: The text.
  /// - Throws: ``ReportError`` if the results cannot be encoded as JSON.
  package func text(_ results: Report, picturesIn folder: String?) throws(ReportError) -> String {
    switch self {
    case .report(let file): try file.text(results, picturesIn: folder)
    case .exchange(let format, let metrics): try format.text(results, metrics: metrics)
    }
  }

  /// Writes only this file and replaces an older one.
  ///
  /// A reader never sees an incomplete file.
  ///
  /// - Throws: ``ReportError`` with the file and the system's reason.
  package static func write(_ text: String, to path: String) throws(ReportError) {
    let directory = FilePath(path).removingLastComponent()
    try publish([(path, text)], in: directory.isEmpty ? "." : directory.string)
  }
}
