// `report`: writes every file of a report again from stored results, without measuring.
internal import Analysis
internal import ArgumentParser
internal import BatchmarkEngine
internal import Harness
internal import Instruments
internal import Reports
internal import Scenarios
internal import Support
internal import SystemPackage

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write the files of a report again, from its stored results.",
    discussion: """
      DIR is the folder of a run, with results.json, or of a comparison, with pair.json. The command replaces every \
      other file of the report: the same version writes the same bytes, a newer one writes newer pages. With \
      --export it writes the run for other tools, and nothing in the folder.

      Exit statuses: 0 written; 4 stored by a version that is not supported; 65 an invalid file; 66 a missing one; \
      73 a file that cannot be written.
      """,
    examples: [
      CommandExample("report Reports/mine", "Write its pages and tables again with this version."),
      CommandExample(
        "report Reports/mine --export bencher=run.json --metrics syncs",
        "Export a stored run, with one figure."),
    ])

  @Argument(help: "The folder of a run or a comparison.", completion: .directory)
  var folder: String

  @Option(
    help: ArgumentHelp(
      "Write the run in a format of other tools, one of \(ExchangeExport.formats) (repeatable); the file - is standard "
        + "output.", valueName: "format=file"), completion: .list(ExchangeFormat.allCases.map { $0.rawValue + "=" }),
    transform: ExchangeExport.init)
  var export: [ExchangeExport] = []

  @Option(
    help: ArgumentHelp(
      "The figures to export beside times, such as heap_peak,syncs; by default the format's own choice.",
      valueName: "names"))
  var metrics: String?

  @Flag(help: "Write over export files that exist.")
  var force = false

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func validate() throws {
    if !export.isEmpty, format == .json {
      throw ValidationError("--format json is of the files that are written again; leave it out with --export")
    }
    if export.isEmpty, force || metrics != nil {
      throw ValidationError("--metrics and --force are for --export; leave them out")
    }
  }

  func run() throws {
    if !export.isEmpty { return try writeExports() }
    if let kind = FileKind(at: folder), kind != .folder {
      throw CommandError(
        .usage,
        "\(folder) is \(kind.rawValue); expected the folder of a run or a comparison, whose files are written again")
    }
    let pair = FilePath(folder).appending(PairReportWriter.resultsName).string
    if FileKind(at: pair) == .plainFile {
      let results = try PairFile.read(pair)
      let report = try PairReportWriter(directory: folder).write(results)
      try format.output("\(report.html.onOneLine)\n")
      try format.document(PairDocument(results, report), .success)
    } else {
      let results = try StoredResults(folder).results
      let report = try ReportWriter(directory: folder).write(results)
      try format.output("\(report.html.onOneLine)\n")
      try format.document(RunDocument(results, report), .success)
    }
  }

  private func writeExports() throws {
    let chosen = try metrics.map(ReportCommand.metrics)
    var exports = ReportExports(export.map { $0.export(of: chosen) }, isForced: force)
    try exports.check(resuming: nil)
    let stored = try StoredResults(folder)
    try exports.check(against: InputFiles(results: stored.file, scenarios: []))
    try exports.write(stored.results, of: folder, resumingCommand: nil)
  }

  /// Parses a list of metrics; their names may omit the unit.
  private static func metrics(_ list: String) throws(CommandError) -> Set<MetricID> {
    let declarations = MetricID.allCases.map(\.declaration)
    return Set(
      try list.split(separator: ",").map { (word) throws(CommandError) in
        let word = word.trimmingPrefix(" ")
        if let found = declarations.first(where: { $0.name == word || $0.id.rawValue == word }) { return found.id }
        let nearest = nearestWord(to: String(word), among: declarations.map(\.name)).map { "; did you mean '\($0)'?" }
        throw CommandError(
          .usage, "--metrics \(word): expected a metric of 'list --metrics' that is no latency" + (nearest ?? ""))
      })
  }
}
