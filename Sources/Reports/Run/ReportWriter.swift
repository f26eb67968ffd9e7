// All files of a report, written together.
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
    ///   - folder: The run's folder, which has the pictures, relative to the one of the file; nil leaves out links to them.
    /// - Returns: The text.
    /// - Throws: ``ReportError`` when the results cannot be put into JSON.
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

  /// - Parameter directory: The folder of the files; created, with those above it, when it is missing.
  package init(directory: String) { self.directory = directory.isEmpty ? "." : directory }

  /// Writes every file, in place of older ones of the same name.
  ///
  /// All are finished under temporary names before the first gets its own, so a reader never sees half a file, and a
  /// full disk leaves the older files unchanged.
  ///
  /// - Returns: The paths of the files.
  /// - Throws: ``ReportError`` naming the file, the system's reason and what to do.
  @discardableResult
  package func write(_ results: Report) throws(ReportError) -> ReportFiles {
    // Analyzed once for all files.
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
  /// Its text, which is made when it is written: all texts of a long run together would take much memory.
  let text: () throws(ReportError) -> String
}

/// Writes files under temporary names, and gives all of them their own once every one is finished.
///
/// Each file is its old self or its new one, whole. Where one of the last steps fails, those before it are new and those
/// after it old: writing them again makes them one report.
///
/// - Parameters:
///   - files: Each is rendered and written before the next.
///   - pictures: Each becomes a file in a folder of the directory.
///   - directory: Created when it is missing.
/// - Throws: ``ReportError`` naming the file and the system's reason.
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
    // Only where it is empty.
    for folder in folders { removeIfEmpty(folder) }
    throw error
  }
  synchronizeDirectory(directory)
}

/// The same of texts that are there.
func publish(
  _ texts: [(path: String, text: String)], _ pictures: [Picture] = [], in directory: String
) throws(ReportError) {
  try publish(texts.map { path, text in PlannedFile(path: path) { text } }, pictures, in: directory)
}
