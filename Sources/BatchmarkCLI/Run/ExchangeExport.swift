// `--export FORMAT=FILE`: a run in a format of other tools.
internal import ArgumentParser
internal import Reports
internal import BatchmarkEngine
internal import Scenarios

/// A format and the file that is written in it.
struct ExchangeExport: Sendable, Hashable {
  let format: ExchangeFormat
  let path: String

  /// The formats, as help and messages list them.
  static let formats = ExchangeFormat.allCases.map(\.rawValue).joined(separator: ", ")

  /// Reads what follows `--export`.
  ///
  /// - Throws: `ValidationError` with the formats there are, the nearest suggested.
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

  /// The same with these figures beside times.
  func export(of metrics: Set<MetricID>?) -> ReportExport {
    ReportExport(.exchange(format, metrics: metrics), option: "--export \(format.rawValue)=", path: path)
  }
}
