// A file that a run is exported to: one of the report's own, or one in a format of other tools.
package import Analysis

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

  /// Writes the file by itself, in place of an older one; a reader never sees half of it.
  ///
  /// - Throws: ``ReportError`` naming the file and the system's reason.
  package static func write(_ text: String, to path: String) throws(ReportError) {
    let directory = FilePath(path).removingLastComponent()
    try publish([(path, text)], in: directory.isEmpty ? "." : directory.string)
  }
}
