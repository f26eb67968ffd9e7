// `history`: runs by commit. This file has the options of its commands; `HistorySession` and its neighbors do the work.
internal import Analysis
internal import ArgumentParser
internal import Foundation
internal import Harness
internal import Reports

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Keep runs by commit, and find the commits at which a figure changed.",
    discussion: """
      A history is a folder with one file a run. Files never change, so the histories of two branches merge without \
      conflict. Commits are ordered by first parents. Times are judged as ratios to the reference of the same run. \
      For an exact counter, one run is enough to judge.

      Exit statuses: 0 no unexpected change for the worse; 1 one; 3 a sample of an added run failed; 4 a run that \
      belongs to no commit; 5 too few runs; 65 an invalid file in the folder, an unknown figure, or a shallow clone; \
      66 no history; 73 a file that cannot be written.
      """,
    examples: [
      CommandExample("history add Reports/mine --history ../history", "Keep a run."),
      CommandExample("history check --history ../history", "Did a figure get worse at a commit?"),
    ],
    subcommands: [
      HistoryAddCommand.self, HistoryListCommand.self, HistoryShowCommand.self, HistoryCheckCommand.self,
      HistoryAcceptCommand.self, HistoryBackfillCommand.self, HistoryBisectCommand.self, HistoryPruneCommand.self,
    ])
}

struct HistoryAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a run to the history.",
    examples: [
      CommandExample("history add Reports/mine --history ../history", "Keep a run, under the commit that it measured.")
    ])

  @Argument(help: "A run's folder, or its results.json.", completion: .file(extensions: ["json"]))
  var results: String

  @Option(help: ArgumentHelp("The commit that it measured; by default what the run recorded.", valueName: "revision"))
  var commit: String?

  @OptionGroup var place: HistoryPlace

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func run() throws {
    var id: String?
    if let commit { id = try HistoryRepository().commit(commit) }
    let added = try place.folder.record(results, commit: id, format: format)
    throw CommandEnd(try format.document(added.document, added.status))
  }
}

struct HistoryListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the runs of the history, the oldest commit first.",
    examples: [
      CommandExample("history list --branch main", "List the runs of main.")
    ])

  @OptionGroup var place: HistoryPlace

  @Option(
    help: ArgumentHelp("The branch whose first parents order the commits; HEAD by default.", valueName: "revision"))
  var branch = HistoryRepository.head

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func run() throws {
    let session = try HistorySession(place, branch: branch)
    try format.output(HistoryList.runs(session.line, as: Console.Stream.output.form))
    throw CommandEnd(
      try format.document(HistoryRunsDocument(session.line), .first(of: session.complainOfForeign())))
  }
}

struct HistoryShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the series that changed, or those that are chosen, by commit.",
    examples: [
      CommandExample("history show --only save --metric heap_peak", "The heap peak of saves, commit by commit.")
    ])

  @OptionGroup var selection: HistorySelection
  @OptionGroup var place: HistoryPlace
  @OptionGroup var order: HistoryOrder

  @Flag(help: "Show series without a change, too.")
  var all = false

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func run() throws {
    let session = try HistorySession(place, branch: order.branch)
    let judgement = try session.judgement(selection, accepted: order.accepted)
    // Series that the user selects are shown, whether or not they changed.
    let isWhole = all || !selection.isEmpty
    try format.output(HistoryList.series(judgement, isWhole: isWhole, as: Console.Stream.output.form))
    throw CommandEnd(
      try format.document(
        HistorySeriesDocument(judgement, isWhole: isWhole), .first(of: session.complainOfForeign())))
  }
}

struct HistoryCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Search all series for changes; fail on unexpected ones for the worse.",
    examples: [
      CommandExample("history check --out history-page", "Search all series, and write a page of them."),
      CommandExample("history check --format json", "The same for a program."),
    ])

  @OptionGroup var selection: HistorySelection
  @OptionGroup var place: HistoryPlace
  @OptionGroup var order: HistoryOrder

  @Option(
    help: ArgumentHelp("Write a page with every series by commit to this folder.", valueName: "dir"),
    completion: .directory)
  var out: String?

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func run() throws {
    let session = try HistorySession(place, branch: order.branch)
    let judgement = try session.judgement(selection, accepted: order.accepted)
    let commands = HistoryCommands(
      program: Console.programName, options: place.words + order.words, quoted: { ShellWord.quoted($0) })
    let page = HistoryPage(
      judgement, commands: commands, foreign: session.foreign, commitAddress: session.repository.commitAddress)
    try format.output(page.brief(as: Console.Stream.output.form))
    var document = HistoryCheckDocument(page)
    document.page = try out.map { (folder) throws(ReportError) in try page.write(in: folder) }
    if let path = document.page { try format.output("\n\(path.onOneLine)\n") }
    throw CommandEnd(
      try format.document(document, .first(of: session.complainOfForeign() + [judgement.status])))
  }
}
