// `check`: stored results, judged by the budgets of their scenarios as they are now. The work is in `BudgetCheck`.
internal import Analysis
internal import ArgumentParser
internal import Harness
internal import Scenarios

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Judge stored results by the budgets of their scenario files.",
    discussion: """
      Measures nothing: the budgets are those the files have now, the figures those of the run. A file that has come \
      to ask another question than the run answered is refused.

      Exit statuses: 0 all held; 1 a broken budget; 3 a sample of the run had failed; 4 no budget, or results that the \
      budgets are not about; 5 a figure is missing; 65 an invalid file; 66 a missing one.
      """)

  @Argument(help: "A run's folder, or its results.json.", completion: .file(extensions: ["json"]))
  var results: String

  @Option(
    help: ArgumentHelp(
      "Judge by the budgets of this scenario file (repeatable); by those the run read without any.", valueName: "file"),
    completion: .file(extensions: ScenarioFiles.extensions))
  var scenario: [String] = []

  func run() throws {
    throw CommandEnd(try BudgetCheck(results: results, files: scenario).run())
  }
}
