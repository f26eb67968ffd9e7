// `compare`: two stored results; nothing is measured.
internal import Analysis
internal import ArgumentParser
internal import Harness
internal import Reports

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare two stored results: exact counters decide, times advise.",
    discussion: """
      Writes Markdown to standard output. Results that are not of one question are refused: another scenario, another \
      SQLite, a missing, renamed or extra cell, a debug build. For times, use 'pair'.

      Exit statuses: 0 no regression; 1 a regression of an exact figure; 3 a sample had failed; 4 not comparable; 6 \
      exact figures that differ between samples; 65 an invalid file; 66 a missing one.
      """)

  @Argument(help: "The run to compare with: its folder, or its results.json.", completion: .file(extensions: ["json"]))
  var base: String

  @Argument(help: "The run that is judged.", completion: .file(extensions: ["json"]))
  var head: String

  @Option(
    help: ArgumentHelp("Write a page of HTML to this file as well; it must not exist yet.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var html: String?

  func run() throws {
    let comparison = StoredComparison(base: try StoredResults(base).results, head: try StoredResults(head).results)
    try Console.output(StoredComparisonMarkdown.render(comparison, base: base, head: head))
    if let html { try NewFile.make(at: html, of: StoredComparisonMarkdown.html(comparison, base: base, head: head)) }
    for obstacle in comparison.obstacles { Console.complain("not comparable: \(obstacle)") }
    throw CommandEnd(comparison.status)
  }
}
