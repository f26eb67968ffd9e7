// `help TOPIC`: explanations that belong to no single command.
internal import ArgumentParser
internal import Harness

struct TopicsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "topics",
    abstract: "Explain scenarios, exit statuses or figures: what 'help TOPIC' prints.",
    discussion: """
      'scenarios' shows a whole scenario file and what to do with it. 'statuses' lists the exit statuses. 'figures' \
      explains how to read a report.
      """,
    examples: [
      CommandExample("help scenarios", "A whole scenario file, and what to do with it.")
    ],
    shouldDisplay: false)

  @Argument(help: "What to explain.")
  var topic: Topic

  enum Topic: String, ExpressibleByArgument, CaseIterable {
    case scenarios, statuses, figures
  }

  func run() throws {
    let text =
      switch topic {
      case .scenarios: Self.scenarios
      case .statuses: Self.statuses
      case .figures: Self.figures
      }
    try Console.output(text + "\n")
  }

  private static let scenarios = """
    A scenario is a YAML file. It says what to store (model), where rows come from (source), and which
    cells store them: an engine, a strategy, its parameters. This is one, whole:

        scenario: contacts
        description: Save or batch, to import contacts?
        model:
          Contact:
            attributes:
              email: {type: string}
              name:  {type: string, optional: true}
            unique: [[email]]
        source:                         # or  feed: contacts.csv  or  store: MyApp.sqlite
          synthetic:
            entities:
              Contact:
                rows: 20_000
                attributes:
                  email: {lengths: [10, 40]}
                  name:  {lengths: [5, 30], nulls: 10%}
        cells:
          - {strategy: save, save_every: 1_000}
          - {strategy: batch-dictionary}
          - {engine: sqlite, strategy: insert}
        budgets:
          - batch-dictionary.wall <= 0.7 * save.wall

    batchmark validate FILE      names mistakes with their lines
    batchmark list FILE          its cells
    batchmark run FILE --quick   a first look; without --quick, figures to rely on
    batchmark list               engines, strategies and their parameters
    batchmark list --keys        every key of a scenario file
    batchmark schema scenario    a JSON Schema, with which an editor completes keys
    """

  private static var statuses: String {
    let lines = CommandStatus.allCases.map { status in
      String(repeating: " ", count: 3 - "\(status.rawValue)".count) + "\(status.rawValue)  \(status.meaning)"
    }
    let order = CommandStatus.precedence.map { "\($0.rawValue)" }.joined(separator: ", ")
    return lines.joined(separator: "\n") + "\n\nWhere several apply, the first of \(order)."
  }

  private static let figures = """
    cell              one strategy of one engine with its parameters; each sample of it is a fresh process
    phases            load (rows are read or made), ingest (they are stored), merge, checkpoint, verify;
                      of updates, deletes and fetches: prepare, then the operation
    wall time         the median of a phase over the rounds
    [low, high]       the interval that contains the true value with 95 % confidence
    x reference       the median ratio to plain SQLite, one prepared statement, in the same rounds
    tie               two cells that so many rounds cannot tell apart: neither is called faster
    heap peak         the most live heap at one moment of the phase; every allocation counts
    resident          the most memory that the process had in RAM
    WAL peak          the write-ahead log at its largest
    rows/s            rows by the median time
    exact figures     allocations, WAL frames, statements, syncs and others: the same in every sample, and
                      compared to the last unit. Times and sampled figures are not exact
    held, broken      a budget, a limit that a scenario sets, is kept or not
    batchmark list --metrics prints every metric with its unit and the pass that takes it.
    """
}
