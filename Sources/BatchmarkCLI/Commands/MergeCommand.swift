// `merge`: the shards of a run, measured on several machines, as one run.
internal import Analysis
internal import ArgumentParser
internal import Harness
internal import Reports

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Put the shards of a run together, as one run with every report.",
    discussion: """
      Each DIR is the folder of a 'run --shard', or its results.json. Whole scenarios are divided, so no time of one machine \
      is compared with that of another; the report says which was measured where. Shards that are missing, double, of \
      other scenarios, builds, seeds or another SQLite are refused. Any order gives the same files. Budgets are judged.

      Exit statuses: 0 merged; 1 a broken budget; 3 a sample had failed; 4 not the shards of one run; 5 a budget that \
      cannot be judged; 65 an invalid file; 66 a missing one; 73 a folder that exists or cannot be written.
      """)

  @Argument(help: "The folders of the shards.", completion: .directory)
  var shards: [String]

  @Option(help: ArgumentHelp("The folder to write to; it must not exist yet.", valueName: "dir"))
  var out: String?

  @Flag(help: "Merge what there is, and say in the report what is missing.")
  var partial = false

  func run() throws {
    let output = OutputFolder(out)
    try output.checkIsNew()
    let named = try shards.map { NamedResults(name: $0, results: try StoredResults($0).results) }
    let results: RunResults
    do throws(ShardMergeError) {
      results = try ShardMerge(named, isPartial: partial).results
    } catch {
      throw CommandError(.notComparable, lines: error.sentences)
    }
    try output.create()
    let report = try ReportWriter(directory: output.path).write(results)
    try Console.output("\(report.markdown.onOneLine)\n")
    if let absent = results.absent {
      Console.complain("\(absent.shards.count) of \(absent.count) shards are missing; the report says which")
    }
    var statuses: [CommandStatus] = results.hasFailures ? [.failedSamples] : []
    statuses.append(BudgetVerdicts.tell(of: results))
    throw CommandEnd(.first(of: statuses))
  }
}
