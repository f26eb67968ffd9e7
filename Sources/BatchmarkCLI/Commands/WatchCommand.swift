// `watch`: observes any program's use of SQLite from outside. `WatchSession` does the work.
internal import ArgumentParser
internal import Harness

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Run a program and show what it does with SQLite.",
    discussion: """
      The program runs as it does without 'watch', with its own arguments, streams and signals. 'watch' ends with \
      its status (128 + n for signal n). Before the program starts, the status is 64 for wrong usage, 66 for a \
      program that cannot be found or run, and 73 for an output folder that cannot be made. If only the report \
      cannot be written, a line on standard error says so.

      The meter covers the program and its children, in any language, where they use a shared libsqlite3, as \
      Debian's packages do. It records transactions, statements, locks, the write-ahead log, syncs and bytes, and \
      reports what costs most. It does not cover a program that has its own SQLite, is linked statically or changes \
      its user; the report then says so.

      DIR (Reports/<UTC time> without --out) gets watch.html, watch.md, databases.csv, statements.csv, \
      connections.csv, growth.csv, wal.csv and watch.json.

      There is no --attach: a running program cannot be metered, because the meter must be there before its first \
      connection, and SQLite cannot put a VFS beneath an open file. Restart the program with 'watch'.
      """,
    examples: [
      CommandExample("watch -- python3 import.py", "What does this script do with SQLite?"),
      CommandExample("watch --memory -- python3 import.py", "How much memory does it take, and how much of it SQLite?"),
      CommandExample("watch --out report -- ./server --port 80", "The same, with its report in a folder of that name."),
    ])

  @Option(help: ArgumentHelp("The folder to write to; it must not exist yet.", valueName: "dir"))
  var out: String?

  @Flag(help: "Show literals of statements and arguments of the program too. They may be content of the database.")
  var values = false

  @Flag(help: "Show names of files without their folders.")
  var shortPaths = false

  @Flag(help: "Meter files alone, which costs less; statements are not shown.")
  var noStatements = false

  @Flag(help: "Meter the heap too, of SQLite and of the rest. That takes time, so no time is reported.")
  var memory = false

  @Flag(help: "Show a table of the busiest statements while the program runs, in place of one line.")
  var live = false

  @Option(
    help: ArgumentHelp(
      "Write a line of JSON each second, and one at the end, to this new file or pipe, or to standard output (-).",
      valueName: "file"))
  var json: String?

  @Option(
    help: ArgumentHelp("What follows the program's own output: text, or json for watch.json.", valueName: "format"))
  var format = OutputFormat.text

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("The program and its arguments, behind '--'.", valueName: "program"))
  var program: [String] = []

  func validate() throws {
    if format == .json && json == "-" {
      throw ValidationError("found --format json and --json -; name a file for the lines of each second")
    }
    if program.isEmpty {
      throw ValidationError("no program was given; name it behind '--', as in: watch -- python3 import.py")
    }
  }

  func run() throws {
    let session = WatchSession(
      program: program, output: OutputFolder(out), hasValues: values, shortensPaths: shortPaths,
      tracesStatements: !noStatements, metersMemory: memory, isLive: live, json: json, format: format)
    throw ProgramEnd(status: try session.run())
  }
}
