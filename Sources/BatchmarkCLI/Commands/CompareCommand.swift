// `compare`: compares stored results without measuring anything.
internal import Analysis
internal import ArgumentParser
internal import Harness
internal import Reports

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare stored results: exact counters decide, times advise.",
    discussion: """
      Each BASE and HEAD is the name of a baseline, a run's folder, or its results.json. The last one is judged \
      against each of the others; a single one is the base of the newest run in Reports. Write ./NAME for a folder \
      that has the name of a baseline. The comparison is written to standard output, as Markdown where that is not a \
      terminal. Runs that answer different questions are refused: another scenario, another SQLite, a missing, \
      renamed or extra cell, a debug build. For times, use 'pair'.

      Exit statuses: 0 no regression; 1 a regression of an exact figure; 3 a sample failed; 4 not comparable; 6 \
      exact figures differ between samples, or there are none; 65 an invalid file; 66 a missing one.
      """,
    examples: [
      CommandExample("compare Reports/before Reports/after", "Compare the exact counters of two runs."),
      CommandExample("compare main", "Compare the newest run with the baseline main."),
      CommandExample("compare main --format json", "The same for a program."),
    ])

  @Argument(
    help: "The results to compare with, and last those to judge.", completion: .file(extensions: ["json"]))
  var results: [String]

  @OptionGroup var place: BaselineOptions

  @Option(
    help: ArgumentHelp("Write a page of HTML to this file as well; it must not exist yet.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var html: String?

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func run() throws {
    let (bases, head) = try sides()
    let kept = try bases.map { ($0, try place.results($0)) }
    let judged = try place.results(head)
    let comparisons = kept.map { name, results in
      (base: name, comparison: StoredComparison(base: results, head: judged))
    }
    switch format {
    case .text:
      try Console.output(StoredComparisonMarkdown.render(comparisons, head: head, as: Console.Stream.output.form))
    case .json: try Console.output(encoded: ComparisonJSON.render(comparisons, head: head))
    }
    if let html { try NewFile.make(at: html, of: StoredComparisonMarkdown.html(comparisons, head: head)) }
    for one in comparisons {
      if one.comparison.isOfOneRun {
        Console.complain("\(head) and \(one.base) are the same run, which cannot show a change: name another run")
      }
      let place = comparisons.count > 1 ? "with \(one.base)" : ""
      for obstacle in one.comparison.obstacles {
        Console.complain("not comparable\(place.isEmpty ? "" : " " + place): \(obstacle)")
      }
    }
    throw CommandEnd(.first(of: comparisons.map(\.comparison.status)))
  }

  /// The results to compare with, and the judged ones.
  private func sides() throws(CommandError) -> (bases: [String], head: String) {
    guard results.count == 1 else { return (Array(results.dropLast()), results[results.count - 1]) }
    guard let newest = StoredResults.newestFirst().first else {
      throw CommandError(
        .unreadableFile,
        "found no run in \(StoredResults.standardFolder) to compare with \(results[0]); name one: compare \(results[0]) RUN"
      )
    }
    return (results, newest)
  }
}
