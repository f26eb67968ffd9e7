// `history accept`, `backfill`, `bisect` and `prune`: the commands for changes and old runs.
internal import Analysis
internal import ArgumentParser
internal import Foundation
internal import Harness
internal import Reports

struct HistoryAcceptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept", abstract: "Write down that the changes at a commit are expected, and why.",
    discussion: "The file of accepted changes is for people: commit it.",
    examples: [
      CommandExample(#"history accept 3f2a91c --only save --reason "validates first""#, "Accept a change as expected.")
    ])

  @Argument(help: "The commit, as 'check' names it.")
  var commit: String

  @OptionGroup var selection: HistorySelection

  @Option(help: ArgumentHelp("Why the change is expected.", valueName: "text"))
  var reason: String

  @OptionGroup var place: HistoryPlace
  @OptionGroup var order: HistoryOrder

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func validate() throws {
    if reason.allSatisfy(\.isWhitespace) {
      throw ValidationError("found an empty --reason; expected why the change is right")
    }
  }

  func run() throws {
    let session = try HistorySession(place, branch: order.branch)
    try selection.checkMetrics()
    let changes = try session.changes(at: commit, selection, order)
    var file = try AcceptedChangesFile.read(order.accepted)
    for change in changes { file.add(AcceptedChange(change, reason: reason.onOneLine)) }
    try AcceptedChangesFile.write(file, to: order.accepted)
    for change in changes { try format.output("\(change.key.cell) \(change.key.figure)\n") }
    let document = HistoryAcceptDocument(file: order.accepted, changes: changes.map(HistoryChangeEntry.init))
    throw CommandEnd(try format.document(document, .first(of: session.complainOfForeign())))
  }
}

struct HistoryBackfillCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backfill", abstract: "Build and run every commit of a range by first parents that has no run yet.",
    discussion: """
      Words after -- are options of 'run', the same for each commit. A run that is not wholly added is kept in \
      Reports/<UTC time>.
      """,
    examples: [
      CommandExample("history backfill v1.0..main -- my.yml --rounds 5", "Run every commit since a tag.")
    ])

  @Argument(help: "The commits after A up to B, as A..B.")
  var range: String

  @Argument(parsing: .postTerminator, help: "Scenario files and options of 'run'.")
  var arguments: [String] = []

  @OptionGroup var build: BuildOptions
  @OptionGroup var place: HistoryPlace

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func validate() throws { try HistoryCommand.refuseOut(among: arguments) }

  func run() throws {
    throw CommandEnd(
      try HistoryBackfill(
        place: place, range: range, arguments: arguments, recipe: build.recipe(), format: format
      ).run())
  }
}

struct HistoryBisectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bisect", abstract: "Confirm a change live, and find its commit by comparing builds.",
    discussion: """
      Exit statuses: 0 the change is not confirmed; 1 its commit was found; the status of 'pair' where a comparison came to no verdict. \
      Words after -- are options of 'pair'. The report of each comparison is kept in Reports/<UTC time>.
      """,
    examples: [
      CommandExample("history bisect 3f2a91c --only save -- --scenario my.yml", "Which commit made saves slower?")
    ])

  @Argument(help: "The commit, as 'check' names it.")
  var commit: String

  @Argument(parsing: .postTerminator, help: "Options of 'pair'.")
  var options: [String] = []

  @OptionGroup var build: BuildOptions
  @OptionGroup var selection: HistorySelection
  @OptionGroup var place: HistoryPlace
  @OptionGroup var order: HistoryOrder

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func validate() throws { try HistoryCommand.refuseOut(among: options) }

  func run() throws {
    let recipe = try build.recipe()
    let session = try HistorySession(place, branch: order.branch)
    try selection.checkMetrics()
    let changes = try session.changes(at: commit, selection, order).filter { $0.state != .better }
    guard let change = changes.first, changes.count == 1 else {
      throw CommandError(
        .usage, "found \(changes.count) changes for the worse; choose one with --only CELL and --metric PHASE.METRIC")
    }
    throw CommandEnd(
      try HistoryBisection(
        session: session, change: change, branch: order.branch, options: options, recipe: recipe, format: format
      ).run())
  }
}

extension HistoryCommand {
  /// Refuses an output folder if a command makes many runs or comparisons, each with its own folder.
  fileprivate static func refuseOut(among words: [String]) throws {
    if words.contains(where: { $0 == "--out" || $0.hasPrefix("--out=") }) {
      throw ValidationError("found --out behind --; leave it out: each build has a folder of its own in Reports")
    }
  }
}

struct HistoryPruneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Remove the runs of all but the newest commits.",
    discussion: "Runs of commits that are not on the branch stay.",
    examples: [
      CommandExample("history prune --keep 200 --dry-run", "What would be removed?")
    ])

  @Option(help: ArgumentHelp("How many commits keep their runs.", valueName: "n"))
  var keep: Int

  @Flag(help: "Only say what would be removed.")
  var dryRun = false

  @OptionGroup var place: HistoryPlace

  @Option(
    help: ArgumentHelp("The branch whose first parents order the commits; HEAD by default.", valueName: "revision"))
  var branch = HistoryRepository.head

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func validate() throws {
    if keep < 1 { throw ValidationError("--keep \(keep): expected a number from 1") }
  }

  func run() throws {
    let session = try HistorySession(place, branch: branch)
    let old = Set(session.line.commits.dropLast(keep).map(\.id))
    var document = HistoryPruneDocument(isDryRun: dryRun, files: [])
    for (file, record) in session.records where old.contains(record.commit) {
      if try dryRun || place.folder.remove(file) {
        try format.output("\(file.onOneLine)\n")
        document.files.append(file)
      } else {
        Console.complain("\(file) no longer exists; another command removed it")
      }
    }
    throw CommandEnd(try format.document(document, .first(of: session.complainOfForeign())))
  }
}
