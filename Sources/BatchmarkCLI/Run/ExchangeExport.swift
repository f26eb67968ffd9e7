// `--export FORMAT=FILE`: exports a run in a format of other tools.
internal import ArgumentParser
internal import Reports
internal import BatchmarkEngine
internal import Scenarios

/// A format and its output file.
struct ExchangeExport: Sendable, Hashable {
  let format: ExchangeFormat
  let path: String

  /// The formats, for help and messages.
  static let formats = ExchangeFormat.allCases.map(\.rawValue).joined(separator: ", ")

  /// Parses the value of `--export`.
  ///
  /// - Throws: `ValidationError` with all formats and the nearest one.
  init(_ argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let format = ExchangeFormat(rawValue: parts[0]) else {
      let nearest = nearestWord(to: parts[0], among: ExchangeFormat.allCases.map(\.rawValue))
      throw ValidationError(
        "found the format '\(parts[0])'; expected one of \(ExchangeExport.formats)"
          + (nearest.map { "; did you mean '\($0)'?" } ?? ""))
    }
    guard parts.count == 2, !parts[1].isEmpty else {
      throw ValidationError(
        "found no file; expected FORMAT=FILE, as in --export \(format.rawValue)=results.txt")
    }
    (self.format, path) = (format, parts[1])
  }

  /// The export to check and to write.
  var export: ReportExport { export(of: nil) }

  /// The same, with these metrics in addition to times.
  func export(of metrics: Set<MetricID>?) -> ReportExport {
    ReportExport(.exchange(format, metrics: metrics), option: "--export \(format.rawValue)=", path: path)
  }
}
