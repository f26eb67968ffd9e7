// `check`: judges stored results by the current budgets of their scenarios. `BudgetCheck` does the work.
internal import Analysis
internal import ArgumentParser
internal import Harness
internal import Reports
internal import BatchmarkEngine
internal import Scenarios

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Judge stored results by the budgets of their scenario files.",
    discussion: """
      The command measures nothing: it takes the budgets from the files as they are now, and the figures from the \
      run. It refuses a file that now asks another question than the run answered.

      Exit statuses: 0 all held; 1 a broken budget; 3 a sample of the run failed; 4 no budget, or none for these \
      results; 5 a figure is missing; 65 an invalid file; 66 a missing one, or an engine that is not here.
      """,
    examples: [
      CommandExample("check Reports/mine", "Judge a run by the budgets that its scenario files have now."),
      CommandExample("check Reports/mine --export junit=budgets.xml", "For a CI server as well."),
      CommandExample("check Reports/mine --format json", "Every budget with its verdict, for a program."),
    ])

  @Argument(help: "A run's folder, or its results.json.", completion: .file(extensions: ["json"]))
  var results: String

  @Option(
    help: ArgumentHelp(
      "Judge by the budgets of this scenario file (repeatable); by those the run read without any.", valueName: "file"),
    completion: .file(extensions: ScenarioFiles.extensions))
  var scenario: [String] = []

  @OptionGroup var engines: EngineOptions

  @Option(
    help: ArgumentHelp(
      "Write the results, judged by these budgets, in a format of other tools, one of \(ExchangeExport.formats) "
        + "(repeatable); the file - is standard output.", valueName: "format=file"),
    completion: .list(ExchangeFormat.allCases.map { $0.rawValue + "=" }), transform: ExchangeExport.init)
  var export: [ExchangeExport] = []

  @Flag(help: "Overwrite export files that exist, but never an input.")
  var force = false

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func validate() throws {
    if format == .json && export.contains(where: { $0.path == ReportExport.standardOutput }) {
      throw ValidationError("found --format json and an export to standard output; name a file for the export")
    }
    if force && export.isEmpty { throw ValidationError("--force is for files to export to; leave it out") }
  }

  func run() throws { try engines.add(namedIn: scenario.isEmpty ? nil : scenario, judge) }

  private func judge() throws {
    let exports = ReportExports(export.map(\.export), isForced: force)
    throw CommandEnd(try BudgetCheck(results: results, files: scenario, exports: exports, format: format).run())
  }
}
