// Writes all files of a report together.
package import Analysis
internal import Charts
internal import Support

/// Writes a run's results as files.
package struct ReportWriter: Sendable {
  /// A file of the report; its raw value is its name.
  package enum File: String, Sendable, Hashable, CaseIterable {
    case markdown = "report.md"
    case html = "report.html"
    case summary = "summary.csv"
    case samples = "samples.csv"
    case growth = "growth.csv"
    case latency = "latency.csv"
    case latencyCourse = "latency-over-time.csv"
    case results = "results.json"

    /// The file's path in a folder.
    package func path(in folder: String) -> String { FilePath(folder).appending(rawValue).string }

    /// The file's text.
    ///
    /// - Parameters:
    ///   - results: The run.
    ///   - folder: The run's folder with the pictures, relative to the file's folder; `nil` leaves out links to them.
    /// - Returns: The text.
    /// - Throws: ``ReportError`` if the results cannot be encoded as JSON.
    package func text(_ results: Report, picturesIn folder: String? = "") throws(ReportError) -> String {
      switch self {
      case .markdown: RunReport.markdown(results, picturesIn: folder)
      case .html: RunReport.html(results)
      case .summary: SummaryCSV.render(results)
      case .samples: SamplesCSV.render(results)
      case .growth: GrowthCSV.render(results)
      case .latency: LatencyCSV.render(results)
      case .latencyCourse: LatencyCourseCSV.render(results)
      case .results: try ResultsFile.render(results)
      }
    }
  }

  private let directory: String

  /// - Parameter directory: The folder of the files. It and its parents are created if they are missing.
  package init(directory: String) { self.directory = directory.isEmpty ? "." : directory }

  /// Writes every file and replaces older ones with the same name.
  ///
  /// It first writes all of them under temporary names and then renames them, so a reader never sees an incomplete
  /// file, and a full disk leaves the older files unchanged.
  ///
  /// - Returns: The paths of the files.
  /// - Throws: ``ReportError`` with the file, the system's reason and advice.
  @discardableResult
  package func write(_ results: Report) throws(ReportError) -> ReportFiles {
    // Analyze only once for all files.
    let run = RunAnalysis(results)
    let full = RunReport.full(run)
    let files = File.allCases.map { file in
      PlannedFile(path: file.path(in: directory)) { () throws(ReportError) in
        switch file {
        case .markdown: RunReport.brief(run).markdown
        case .html: RunReport.page(of: results, full).html
        case .results: try ResultsFile.render(run)
        case .summary, .samples, .growth, .latency, .latencyCourse: try file.text(results)
        }
      }
    }
    try publish(files, full.pictures, in: directory)
    return ReportFiles(ofRunIn: directory)
  }
}

/// A file to write.
struct PlannedFile {
  let path: String
  /// Makes the text when the file is written: all texts of a long run together would need much memory.
  let text: () throws(ReportError) -> String
}

/// Writes files under temporary names, and renames them once all of them are complete.
///
/// Each file is either the old one or the new one, never a mixture. If a rename fails, the files before it are new and
/// those after it are old. Writing again makes them consistent.
///
/// - Parameters:
///   - files: The files; each one is rendered and written before the next.
///   - pictures: The pictures; each becomes a file in a folder of the directory.
///   - directory: The directory, created if it is missing.
/// - Throws: ``ReportError`` with the file and the system's reason.
func publish(_ files: [PlannedFile], _ pictures: [Picture] = [], in directory: String) throws(ReportError) {
  try createDirectory(directory)
  let folders = Set(pictures.map(\.folder)).filter { !$0.isEmpty }.map { FilePath(directory).appending($0).string }
  for folder in folders { try createDirectory(folder) }
  let files =
    files
    + pictures.map { picture in
      PlannedFile(path: FilePath(directory).pushing(FilePath(picture.path)).string) { picture.chart.file() }
    }
  HiddenFile.sweep(beside: files.map(\.path))
  var staged: [StagedFile] = []
  do {
    for file in files { staged.append(try StagedFile(file.text(), for: file.path)) }
    for file in staged { try file.publish() }
  } catch {
    for file in staged { file.discard() }
    // This removes only empty folders.
    for folder in folders { removeIfEmpty(folder) }
    throw error
  }
  synchronizeDirectory(directory)
}

/// The same for texts that have been made already.
func publish(
  _ texts: [(path: String, text: String)], _ pictures: [Picture] = [], in directory: String
) throws(ReportError) {
  try publish(texts.map { path, text in PlannedFile(path: path) { text } }, pictures, in: directory)
}
