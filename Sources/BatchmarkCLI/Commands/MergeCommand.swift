// `merge`: combines the shards of a run from several machines into one run.
internal import Analysis
internal import ArgumentParser
internal import Harness
internal import Reports
internal import Support
internal import SystemPackage

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Put the shards of a run together, with every report.",
    discussion: """
      Each shard is the folder of a 'run --shard', its results.json, or the folder of a 'pair --machines'. A shard \
      has whole scenarios, so no time is compared with one of another machine, and the report names the machine of \
      each scenario. A merge is refused if a shard is missing or given twice, or if scenarios, builds, programs, seeds \
      or SQLite differ. The order of the shards does not matter. Budgets are judged.

      Shards of --rounds-per-shard measured the same cells on each machine. Their report has each cell's ratio to \
      its reference over all machines, how much machines differ, and whether they agree on the order of the cells. \
      Three machines give an interval; use five. Comparisons by 'pair --machines' are merged into one verdict in the \
      same way.

      Exit statuses: 0 merged; 1 a broken budget or a regression; 3 a sample failed; 4 not the shards of one run, or \
      sides that cannot be compared; 5 a budget that cannot be judged, or no verdict; 6 pairs that cannot be trusted; \
      65 an invalid file; 66 a missing one; 73 a folder that exists or cannot be written.
      """,
    examples: [
      CommandExample("merge shard-1 shard-2 shard-3 --out Reports/all", "Put three shards together.")
    ])

  @Argument(help: "The folders of the shards.", completion: .directory)
  var shards: [String]

  @Option(help: ArgumentHelp("The folder to write to; it must not exist yet.", valueName: "dir"))
  var out: String?

  @Flag(help: "Merge what there is, and say in the report what is missing.")
  var partial = false

  @Option(help: OutputFormat.help)
  var format = OutputFormat.text

  func run() throws {
    let output = OutputFolder(out)
    do throws(OutputError) {
      try output.checkIsNew()
    } catch {
      guard case .exists(let path, _) = error else { throw error }
      throw CommandError(.unwritableOutput, "\(path) exists already; remove it, or choose another folder with --out")
    }
    let pairs = shards.map(MergeCommand.pairFile(of:))
    if pairs.contains(where: { $0 != nil }) { throw CommandEnd(try mergePairs(pairs, to: output)) }
    let named = try shards.map { (name: $0, results: try StoredResults($0).results) }
    let outcome: ShardMerge.Outcome
    do throws(ShardMergeError) {
      outcome = try ShardMerge(named, isPartial: partial).outcome
    } catch {
      throw CommandError(.notComparable, lines: error.sentences)
    }
    let (runs, absent, report): ([Report], AbsentShards?, String) = try output.fill {
      switch outcome {
      case .run(let results):
        ([results], results.absent, try ReportWriter(directory: output.path).write(results).markdown)
      case .machines(let results, let comparison):
        (results, comparison.absent, try MachineReportWriter(directory: output.path).write(results, comparison))
      }
    }
    try format.output("\(report.onOneLine)\n")
    if let absent {
      let verb = absent.shards.count == 1 ? "is" : "are"
      Console.complain("\(absent.shards.count) of \(absent.count) shards \(verb) missing; the report says which")
    }
    let failed: [CommandStatus] = runs.contains(where: \.hasFailures) ? [.failedSamples] : []
    let status = CommandStatus.first(of: failed + runs.map { BudgetCheck.report($0) })
    switch outcome {
    case .run(let results):
      try format.document(RunDocument(results, ReportFiles(ofRunIn: output.path)), status)
    case .machines(let results, let comparison):
      try format.document(
        MachinesDocument(comparison, results, ReportFiles(machinesIn: output.path)), status)
    }
    throw CommandEnd(status)
  }

  /// Combines comparisons of two sides that several machines made in the same way.
  private func mergePairs(_ files: [String?], to output: OutputFolder) throws -> CommandStatus {
    let named = try zip(shards, files).map { name, file -> (name: String, results: PairResults) in
      guard let file else {
        throw CommandError(
          .notComparable,
          "\(name) has no \(PairReportWriter.resultsName), which the others have; merge runs and pairs separately")
      }
      return (name, try PairFile.read(file))
    }
    let merge: PairMerge
    do throws(ShardMergeError) {
      merge = try PairMerge(named, isPartial: partial)
    } catch {
      throw CommandError(.notComparable, lines: error.sentences)
    }
    let report = try output.fill { try MachineReportWriter(directory: output.path).write(merge) }
    try format.output("\(report.text)\n\n\(report.path.onOneLine)\n")
    return try format.document(PairDocument(merge, ReportFiles(machinesIn: output.path)), merge.status)
  }
}

extension MergeCommand {
  /// The file of a comparison of two sides, if the path is one or a folder with one; `nil` for anything else.
  private static func pairFile(of path: String) -> String? {
    let name = PairReportWriter.resultsName
    if FilePath(path).lastComponent?.string == name { return path }
    let file = FilePath(path).appending(name).string
    return FileKind(at: file) == .plainFile ? file : nil
  }
}
