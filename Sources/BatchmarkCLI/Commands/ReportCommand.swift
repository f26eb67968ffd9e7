// `report`: every file of a report again, from what is stored; nothing is measured.
internal import Analysis
internal import ArgumentParser
internal import Harness
internal import Reports
internal import Support
internal import SystemPackage

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write the files of a report again, from its stored results.",
    discussion: """
      DIR is the folder of a run, with results.json, or of a comparison, with pair.json. Every other file of the report \
      is written in place of the one there: the same bytes from the same version, newer pages from a newer one.

      Exit statuses: 0 written; 4 stored by a version that is not read; 65 an invalid file; 66 a missing one; 73 a file \
      that cannot be written.
      """,
    examples: [
      CommandExample("report Reports/mine", "Write its pages and tables again with this version.")
    ])

  @Argument(help: "The folder of a run or a comparison.", completion: .directory)
  var folder: String

  func run() throws {
    let pair = FilePath(folder).appending(PairReportWriter.resultsName).string
    let report: String
    if FileKind(at: pair) == .plainFile {
      report = try PairReportWriter(directory: folder).write(try PairFile.read(pair)).html
    } else {
      report = try ReportWriter(directory: folder).write(try StoredResults(folder).results).html
    }
    try Console.output("\(report.onOneLine)\n")
  }
}
