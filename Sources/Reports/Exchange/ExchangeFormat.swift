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

/// What an export writes.
package enum ExportedFile: Sendable, Hashable {
  case report(ReportWriter.File)
  /// With the figures that are asked for; nil for the format's own choice.
  case exchange(ExchangeFormat, metrics: Set<MetricID>? = nil)

  /// The file's text.
  ///
  /// - Parameters:
  ///   - results: The run.
  ///   - folder: The run's folder, which has the pictures, relative to the one of the file; nil leaves out links to them.
  /// - Returns: The text.
  /// - Throws: ``ReportError`` when the results cannot be put into JSON.
  package func text(_ results: Report, picturesIn folder: String?) throws(ReportError) -> String {
    switch self {
    case .report(let file): try file.text(results, picturesIn: folder)
    case .exchange(let format, let metrics): try format.text(results, metrics: metrics)
    }
  }

  /// Writes only this file, in place of an older one.
  ///
  /// A reader never sees half of it.
  ///
  /// - Throws: ``ReportError`` naming the file and the system's reason.
  package static func write(_ text: String, to path: String) throws(ReportError) {
    let directory = FilePath(path).removingLastComponent()
    try publish([(path, text)], in: directory.isEmpty ? "." : directory.string)
  }
}
