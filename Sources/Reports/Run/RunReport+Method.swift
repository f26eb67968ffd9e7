// How the figures were measured, and on what machine.
internal import Analysis

extension RunReport {
  static func method(
    of results: Report, _ analyses: [ScenarioAnalysis], in document: inout Document
  ) {
    document.heading(2, "How it was measured")
    document.table(sampleTable(of: results))
    document.list(
      [
        "Each sample is a worker process of its own, started afresh, with a store of its own. It measures its phases "
          + "apart: load (parsing the rows), ingest (storing them), checkpoint and verify; a re-ingest where the "
          + "scenario repeats." + changes(in: results) + merging(in: results),
        "Three passes. *Timing* measures wall and CPU time with nothing attached\(attachments(in: results)); *counters* watches the files through "
          + "a VFS; *memory* meters allocations. No time is quoted from the last two, but for those of syncs and checkpoints.",
        "Rounds are interleaved: every round runs each cell once, in an order drawn with the seed \(results.method.seed), "
          + "so that a slow spell of the machine meets all cells."
          + (results.method.isQuick ? " This was a quick run, with few rounds." : ""),
        "A time is the median over the rounds. The brackets hold its interval at 95 % confidence, from order "
          + "statistics, which assume nothing about the shape of the noise; under 6 samples there is none.",
        "Two cells are compared by the ratio of their times in each round, so that noise which both share falls out; its "
          + "interval, too, is one of 95 % on its own. All claims about a scenario (which two cells of equal work differ, what a parameter costs, which of two wins) are "
          + "tested together, by step-down max-T over sign flips of whole rounds (Westfall and Young): the probability that "
          + "any of them is false is at most \(Digits.fixed(results.method.claimLevel * 100, decimals: 0)) %. So an interval may leave "
          + "out 1 where nothing is claimed. Below \(results.method.leastRounds) rounds nothing is ranked.",
        "Cells are ranked, and put into ratios, only with cells whose stores ended with the same attributes, relationships and "
          + "indexes, and whose commits were as durable.",
        "*Times the reference* is that ratio to \(references(of: results)): plain SQLite, "
          + (operations(of: results) == [.migrate]
            ? "a copy of each table that changes, one transaction." : "one prepared statement, one transaction."),
        "*Heap peak* is the most live heap of all threads at one moment, above the level at the start of the phase. "
          + "It counts every allocation and is exact, as are the WAL's figures and SQLite's counters; such figures are "
          + "the same in every sample, and are flagged when they are not. Memory is metered on one processor: what two threads "
          + "allocate at once differs from sample to sample. What an engine needs for a second thread is not in it.",
        "*jemalloc allocated* and *jemalloc resident* are the highest values seen in jemalloc's statistics at sampled "
          + "moments; peaks between two are missed, and memory kept in thread caches counts as allocated. "
          + "*Resident after a purge* is what jemalloc cannot give back when the phase is over; *fragmentation* is then the "
          + "bytes of pages in use divided by those of blocks in use. Every phase begins after such a purge.",
        "*Resident peak* is the most memory the process had in RAM, as the kernel counts it, file pages included. The kernel "
          + "keeps that count in parts for each processor, and may be off by the resolution that stands with the machine below.",
        "*Largest commit* and *largest backlog*: the most frames that one transaction added to the WAL, and the most that "
          + "a commit left there without a checkpoint having moved them. Times of syncs and checkpoints come from the "
          + "counters pass and are no exact figures; a checkpoint's is from lock to lock.",
        "*Write amplification* is what was written, to the WAL over all its restarts in the phase, or in all to any file "
          + "in the phase and those that follow up to the checkpoint, divided by the size of the database file after the "
          + "checkpoint.",
      ].map { ListItem($0) } + conclusionMethods(of: analyses) + notes(results.method.notes))
  }

  /// How updates, deletes, fetches and migrations are measured, if there are any.
  private static func changes(in results: Report) -> String {
    let found = operations(of: results).filter { $0 != .insert }
    let words = found.map(\.rawValue)
    if words.isEmpty { return "" }
    let done =
      found == [.fetch] || found == [.migrate]
      ? found[0].participle : found.contains(.fetch) ? "changed or fetched" : "changed"
    return
      " Where rows are \(found.map(\.participle).joined(separator: " or ")), "
      + "prepare and \(words.joined(separator: " or ")) take the place of ingest: prepare fills the store by plain SQLite, "
      + "whatever the engine, and is no part of the time that cells are compared by. Their rows are the rows \(done)"
      + (found == [.migrate] ? "." : ", and finding them is part of the work.")
      + (found.contains(.migrate)
        ? " A migration begins with a closed store and ends with an open one, so that opening it is part of the work; every "
          + "row is read back under the new version." : "")
  }

  /// How merging is measured, if there is any.
  private static func merging(in results: Report) -> String {
    let isMerged = results.scenarios.flatMap(\.cells).contains { $0.summary(of: .merge) != nil }
    return isMerged
      ? " Merge, where a cell asks for it, follows: what other contexts must learn is gathered while rows are stored, and "
        + "taken in piece by piece by a context that holds every row; it must end with the rows that are stored."
      : ""
  }

  /// What is different in the cells that show the harness's cost.
  private static func attachments(in results: Report) -> String {
    results.scenarios.flatMap(\.cells).contains { $0.cell.attachment != nil } ? " but what a cell asks for" : ""
  }

  private static func references(of results: Report) -> String {
    let cells = results.scenarios.flatMap(\.cells).map(\.cell).filter(\.isReference)
    let names = Set(cells.map { "`\($0.engine)/\($0.strategy)`" }).sorted()
    return names.isEmpty ? "a reference cell" : HumanUnits.list(names)
  }

  /// The operations of the run; inserting if there is no scenario.
  private static func operations(of results: Report) -> [Operation.Kind] {
    let found = Set(results.scenarios.map(\.operation))
    return found.isEmpty ? [.insert] : Operation.Kind.allCases.filter(found.contains)
  }

  /// The conditions that samples lacked, and the number of these samples.
  private static func notes(_ notes: [Report.Method.Note]) -> [ListItem] {
    if notes.isEmpty { return [] }
    let lines = notes.map { "\(Markdown.escaped($0.text)) (\(HumanUnits.counted($0.samples, "sample")))" }
    return [ListItem("What samples noted about themselves:", lines)]
  }

  private static func sampleTable(of results: Report) -> Table {
    var table = Table(
      "Scenario",
      (["Cells"] + Pass.allCases.map { "Samples, \($0.rawValue)" } + ["Failed", "Not taken"]).map { .number($0) })
    for scenario in results.scenarios {
      let tally = scenario.tally
      let counts =
        [scenario.cells.count] + Pass.allCases.map { tally.taken[$0] ?? 0 } + [tally.failed, tally.missing]
      table.append(scenario.name, counts.map { .count($0) })
    }
    return table
  }

  static func machine(of results: Report, in document: inout Document) {
    document.heading(2, "The machine")
    machines(of: results, in: &document)
    var table = Table(facts: "Fact")
    table.append("Batchmark", [.text(results.run.batchmarkVersion)])
    table.append("Started", [.text(results.run.started)])
    table.append("Finished", [.text(results.run.finished)])
    table.append("Comparable", [.text(results.run.isComparable ? "yes" : "no: debug build")])
    for fact in results.environment { table.append(fact.name.uppercasedFirst, [.text(fact.value)]) }
    document.table(table)
    // A merged run has the command of its first shard.
    document.paragraph(results.machines?.first.map { "The command of shard \($0.shard):" } ?? "The command:")
    document.fence(results.run.command, language: "sh")
  }
}
