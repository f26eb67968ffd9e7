// `baseline`: manages results that are stored by name.
internal import Analysis
internal import ArgumentParser
internal import Harness
internal import Reports
internal import Support

struct BaselineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract: "List, show or remove the runs that are kept by name.",
    discussion: """
      'run --save-baseline NAME' keeps a run, and 'compare NAME' compares the newest run with it. A baseline is one \
      file, a copy of the run's results.json, so you can commit a folder of them.

      Exit statuses: 0 done; 4 stored by a version that is not supported; 65 an invalid file; 66 no such baseline; \
      73 one that cannot be removed.
      """,
    examples: [
      CommandExample("baseline list", "Which runs are kept, and which commit is each from?"),
      CommandExample("baseline remove old", "Forget one."),
    ],
    subcommands: [BaselineListCommand.self, BaselineShowCommand.self, BaselineRemoveCommand.self],
    defaultSubcommand: BaselineListCommand.self)
}

struct BaselineListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the baselines.",
    examples: [
      CommandExample("baseline list --baselines ci/baselines", "List those of a folder in the repository.")
    ])

  @OptionGroup var place: BaselineOptions

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func run() throws {
    if let kind = FileKind(at: place.baselines), kind != .folder {
      throw CommandError(
        .unreadableFile,
        "\(place.baselines) is \(kind.rawValue) and no folder of baselines; name another with --baselines")
    }
    var baselines: [(name: String, results: Report)] = []
    var statuses: [CommandStatus] = []
    for name in place.folder.names() {
      do throws(ReportError) {
        baselines.append((name, try place.folder.read(name)))
      } catch {
        let error = CommandError(error)
        Console.complain(lines: error.lines)
        statuses.append(error.status)
      }
    }
    try format.output(BaselineDocument.markdown(of: baselines))
    throw CommandEnd(try format.document(BaselineDocument(baselines), .first(of: statuses)))
  }
}

struct BaselineShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a baseline's figures.",
    examples: [
      CommandExample("baseline show main", "Show the figures of the baseline main.")
    ])

  @Argument(help: "The baseline's name.")
  var name: String

  @OptionGroup var place: BaselineOptions

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func run() throws {
    let results = try place.baseline(name)
    // A baseline consists of the results of a run.
    if format == .json { return try Console.output(encoded: ResultsFile.render(results)) }
    try Console.output(BaselineDocument.markdown(of: [(name, results)]) + "\n")
    let output = Console.Stream.output
    let table = TerminalTable.render(
      results, color: output.usesColor, columns: output.columns ?? TerminalTable.lineWidth,
      isASCII: !Console.usesUnicode)
    try Console.write(encoded: table, to: output)
  }
}

struct BaselineRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove baselines.",
    examples: [
      CommandExample("baseline remove old older", "Remove two baselines.")
    ])

  @Argument(help: "The baselines' names.")
  var names: [String]

  @OptionGroup var place: BaselineOptions

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func run() throws {
    // If a name is wrong, remove nothing.
    for name in names where !place.folder.has(name) { throw place.unknown(name) }
    for name in names { try place.folder.remove(name) }
    try format.document(RemovedBaselinesDocument(removed: names), .success)
  }
}

/// The output of `baseline remove` for programs.
struct RemovedBaselinesDocument: CommandDocument {
  static let title = "Baselines that were removed"

  var removed: [String]
}
