// The sentences follow the figures: whoever is fastest is named, and nothing is claimed that cannot be seen.
import Analysis
import Harness
import Reports
import Scenarios
import Testing
import Workloads

@Suite("A5 · the story of a report")
struct StoryTests {
  /// The item of the list "In short" that begins with a bold word.
  private func item(_ word: String, _ fixture: Fixture) throws -> Substring {
    let text = MarkdownReport.render(fixture.results)
    return try #require(text.split(separator: "\n").first { $0.hasPrefix("- **\(word)") })
  }

  @Test("The fastest is named, whichever it is", .tags(.a5, .a2), arguments: ["save", "batch-objects"])
  func winner(strategy: String) throws {
    var fixture = Fixture.standard
    #expect(try !item("Speed", fixture).contains("`\(strategy)` is the fastest"))
    fixture[strategy].walls = fixture[strategy].walls.map { $0 / 10 }
    #expect(try item("Speed", fixture).contains("**`\(strategy)` is the fastest object-graph strategy**"))
    #expect(try !item("Speed", fixture).contains("`batch-managed-object` is the fastest"))
  }

  @Test("The ratio is the median of the rounds' ratios, with its interval", .tags(.a2))
  func ratio() throws {
    var fixture = Fixture.standard
    fixture.cells = fixture.cells.filter { ["save", "batch-objects"].contains($0.cell.strategy) }
    fixture["save"].walls = [2, 4, 6, 8, 10, 12]
    // Ratios 4, 2, 3, 4, 2.5 and 3 in the rounds.
    fixture["batch-objects"].walls = [0.5, 2, 2, 2, 4, 4]
    #expect(
      try item("Object by object", fixture).hasSuffix(
        "`save` takes 3.00 times as long as `batch-objects` [2.00, 4.00]."))
    #expect(try item("Speed", fixture).contains("The next, `save`, takes 3.00 times as long [2.00, 4.00]."))
  }

  @Test("What merging takes is told of the cells that merge, with its share", .tags(.c1))
  func merging() throws {
    var fixture = Fixture.standard
    #expect(!MarkdownReport.render(fixture.results).contains("observing context"))
    fixture["save"].walls = Array(repeating: 0.4, count: 8)
    fixture["save"].mergeSeconds = 1.2
    fixture["batch-objects"].mergeSeconds = 0.1
    fixture["batch-objects"].withoutPasses = [.timing]
    let text = MarkdownReport.render(fixture.results)
    #expect(text.contains("\n  - `save`: 1.20 s for 100,000 rows, 75.0 % of ingest and merging together\n"))
    #expect(text.contains("\n  - `batch-objects` has no time: no sample of the timing pass was taken"))
    #expect(text.split(separator: "\n").count { $0.contains(" of ingest and merging together") } == 1)
    #expect(!text.contains("`batch-dictionary` has no time"))
    #expect(text.contains("Merge, where a cell asks for it, follows"))
  }

  @Test("Of many cells the sentences tell the ends, and the table has all", .tags(.a5, .a2))
  func manyCells() throws {
    var fixture = Fixture.standard
    let sizes = Array(1...7)
    fixture.cells = fixture.cells.filter { ["insert", "batch-objects"].contains($0.cell.strategy) }
    fixture.cells += sizes.map { size in
      CellFixture("objectgraph", "save", ["save_every": .count(size)], seconds: Double(9 - size))
    }
    let save = try item("Object by object", fixture)
    #expect(save.contains("`save[save_every=7]` takes") && !save.contains("save_every=6"))
    let reference = try item("The reference", fixture)
    #expect(reference.contains("Against it, the nearest two and the furthest, in the same rounds: "))
    for (size, isTold) in [(1, true), (2, false), (6, false), (7, true)] {
      #expect(reference.contains("`save[save_every=\(size)]`") == isTold, "\(size)")
    }
    for index in fixture.cells.indices { fixture.cells[index].walls = Array(fixture.cells[index].walls.prefix(1)) }
    let speed = try item("Speed", fixture)
    #expect(speed.contains("of the others, the next two and the slowest, `save[save_every=7]` takes"))
    #expect(speed.contains("`save[save_every=6]` takes") && speed.contains("`save[save_every=1]` takes"))
    #expect(!speed.contains("save_every=5"))
    let text = MarkdownReport.render(fixture.results)
    for size in sizes { #expect(text.contains("| save[save_every=\(size)] |")) }
  }

  @Test("Save against a batch that is slower is told as it is", .tags(.a2))
  func fasterSave() throws {
    var fixture = Fixture.standard
    fixture["save"].walls = fixture["batch-objects"].walls.map { $0 / 2 }
    #expect(
      try item("Object by object", fixture).contains("takes 0.500 times as long as `batch-objects` [0.500, 0.500]"))
  }

  @Test("Where the interval of the ratio holds 1, no difference is claimed", .tags(.a2))
  func overlap() throws {
    var fixture = Fixture.standard
    let walls = fixture["batch-managed-object"].walls
    fixture["batch-dictionary"].walls = walls.enumerated().map { $1 * ($0 % 2 == 0 ? 1.1 : 0.95) }
    fixture["save"].walls = walls.enumerated().map { $1 * ($0 % 2 == 0 ? 1.2 : 0.9) }
    let speed = try item("Speed", fixture)
    #expect(speed.contains("**No single object-graph strategy is fastest**"))
    #expect(speed.contains("no difference can be seen between it and"))
    #expect(!speed.contains("is the fastest"))
    let against = try item("Object by object", fixture)
    #expect(against.contains("no difference can be seen between `save` and `batch-dictionary`"))
    #expect(against.contains("`batch-managed-object`"))
    #expect(against.contains("`save` takes 0.6") || against.contains("`save` takes 0.7"))
  }

  @Test("A shared slow spell does not hide a difference that every round shows", .tags(.a2))
  func pairing() throws {
    var fixture = Fixture.standard
    let spell = [1.0, 1.0, 3.0, 3.0, 1.0, 3.0, 1.0, 3.0]
    fixture["save"].walls = spell.map { $0 * 0.110 }
    fixture["batch-objects"].walls = spell.map { $0 * 0.100 }
    #expect(try item("Object by object", fixture).contains("1.10 times as long as `batch-objects` [1.10, 1.10]"))
  }

  @Test("A round in which a sample failed is compared by nobody", .tags(.a2))
  func setAside() throws {
    var fixture = Fixture.standard
    fixture["save"].walls = [0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 40]
    fixture["batch-objects"].walls = [0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2]
    #expect(try item("Object by object", fixture).contains("2.00 times as long as `batch-objects` [2.00, 200]"))
    fixture["insert"].failures = [
      FailedSample(cell: "earthquakes/sqlite/insert", pass: .timing, round: 7, reason: "hung", standardError: "")
    ]
    #expect(try item("Object by object", fixture).contains("2.00 times as long as `batch-objects` [2.00, 2.00]"))
    let rows = CSVParser.records(SamplesCSV.render(fixture.results))
    let statuses = rows.filter { $0["pass"] == "timing" && $0["round"] == "7" }.map { $0["status"] ?? "" }
    #expect(Set(statuses) == ["set_aside", "failed"])
  }

  @Test("Too few rounds for an interval are said to be too few", .tags(.a2))
  func fewRounds() throws {
    var fixture = Fixture.standard
    fixture.cells = fixture.cells.map { $0.with(walls: Array($0.walls.prefix(3))) }
    let speed = try item("Speed", fixture)
    #expect(speed.contains("has the shortest median"))
    #expect(speed.contains("With 3 timed rounds there is no interval, so this order may be chance."))
    #expect(!speed.contains("fastest"))
    #expect(!speed.contains("["))
    #expect(try item("Object by object", fixture).contains("there were too few rounds for one"))
    #expect(try item("The reference", fixture).contains("there were too few rounds for one"))
  }

  @Test("Summaries without samples are compared by their intervals", .tags(.a2))
  func withoutSamples() throws {
    var results = Fixture.standard.results
    for index in results.scenarios[0].cells.indices { results.scenarios[0].cells[index].samples = [] }
    let disjoint = MarkdownReport.render(results)
    #expect(disjoint.contains("`save` takes 1.38 times as long as `batch-objects` [1.08, 1.74]"))
    results.scenarios[0].cells[0].phases[1].wall = Estimate(median: 0.31, low: 0.30, high: 0.32)
    #expect(MarkdownReport.render(results).contains("no difference can be seen between `save` and `batch-objects`"))
  }

  @Test("Memory and WAL name the most, the least and their ratio", .tags(.a3, .a4))
  func price() throws {
    var fixture = Fixture.standard
    for index in fixture.cells.indices { fixture.cells[index].heapPeak = 2 << 20 }
    #expect(
      try item("Memory", fixture).hasSuffix(
        "2.00 MiB (21.0 bytes a row) with `save`, `batch-objects`, `batch-dictionary` and `batch-managed-object`."))
    fixture["batch-objects"].heapPeak = 6 << 20
    fixture["batch-managed-object"].heapPeak = 3 << 20
    #expect(
      try item("Memory", fixture).hasSuffix(
        "most with `batch-objects`, 6.00 MiB (62.9 bytes a row); least with `save` and `batch-dictionary`, 2.00 MiB "
          + "(21.0 bytes a row): 3.00 times as much; with the fastest, `batch-managed-object`, 3.00 MiB (31.5 bytes a row)."
      ))
    for index in fixture.cells.indices { fixture.cells[index].heapPeak = 2 << 20 }
    fixture["save"].heapPeak += 96
    #expect(try !item("Memory", fixture).contains("times as much"))
    fixture["save"].walBytesWritten = Fixture.databaseBytes * 2
    #expect(try item("WAL", fixture).contains("2.00 with `save` and 1.36 with `batch-objects`, `batch-dictionary` and"))
    // The table beside it shows the first ingest, and so does this figure where the rows are stored twice.
    var results = fixture.results
    var again = results.scenarios[0].cells[0].phases[1]
    again.phase = .reingest
    again.metrics[.walBytesWritten] = Fixture.databaseBytes
    results.scenarios[0].cells[0].phases.append(again)
    #expect(MarkdownReport.render(results).contains("finished database: 2.00 with `save` and 1.36 with"))
    results.scenarios[0].repeats = 2
    #expect(MarkdownReport.render(results).contains("| Repeat | 2 |"))
    results.scenarios[0].pragmas = [StorePragma("journal_mode", "delete"), StorePragma("synchronous", "2")]
    let withoutWAL = MarkdownReport.render(results)
    #expect(withoutWAL.contains("- **WAL.** There is none (journal_mode delete)."))
    #expect(withoutWAL.contains("| synchronous | full |"))
    for index in fixture.cells.indices { fixture.cells[index].walBytes = 0 }
    #expect(try item("WAL", fixture) == "- **WAL.** None was written (journal_mode wal).")
  }

  @Test("Figures that were not measured are said to be missing, with the reason", .tags(.a3, .a4))
  func missingFigures() throws {
    var fixture = Fixture.standard
    for index in fixture.cells.indices { fixture.cells[index].withoutPasses = [.memory, .counters] }
    #expect(try item("Memory", fixture).hasSuffix("not measured (no sample of the memory pass was taken)."))
    #expect(try item("WAL", fixture).hasSuffix("not measured (no sample of the counters pass was taken)."))
  }

  @Test("One cell alone", .tags(.a5))
  func oneCell() throws {
    var fixture = Fixture.standard
    fixture.cells = [fixture["batch-objects"]]
    #expect(try item("Speed", fixture).contains("`batch-objects` is the only object-graph strategy: 303 ms [286, 372]"))
    #expect(try item("The reference", fixture).contains("None was measured: this run has no reference cell."))
    #expect(!MarkdownReport.render(fixture.results).contains("Object by object"))
    fixture.cells = [Fixture.standard["insert"]]
    #expect(try item("Speed", fixture).contains("`sqlite/insert` is the only cell: 192 ms"))
  }

  @Test("Engines that nobody knows are cells like others", .tags(.a5))
  func unknownEngines() throws {
    let fixture = Fixture(cells: [
      CellFixture("mystore", "bulk", seconds: 0.2), CellFixture("other", "bulk", seconds: 0.5),
    ])
    #expect(try item("Speed", fixture).contains("**`mystore/bulk` is the fastest cell**"))
    #expect(try item("What each strategy gives up", fixture).isEmpty == false)
  }

  @Test("Several parameter values of one strategy are told apart", .tags(.a5))
  func parameters() throws {
    let fixture = Fixture(cells: [
      CellFixture("objectgraph", "save", ["save_every": .count(100)], seconds: 0.8),
      CellFixture("objectgraph", "save", ["save_every": .all], seconds: 0.4),
      CellFixture("objectgraph", "batch-objects", ["request_size": .count(10)], seconds: 0.2),
    ])
    let text = MarkdownReport.render(fixture.results)
    #expect(text.contains("`save[save_every=100]` takes 4.00 times as long as `batch-objects[request_size=10]`"))
    #expect(text.contains("`save[save_every=all]` takes 2.00 times as long as `batch-objects[request_size=10]`"))
    // What a strategy gives up does not depend on its parameters.
    #expect(text.contains("\n  - `save` (Stores rows by save): nothing\n"))
  }

  @Test("Without any time nothing is claimed", .tags(.a5))
  func allFailed() throws {
    var fixture = Fixture.standard
    for index in fixture.cells.indices {
      fixture.cells[index].withoutPasses = Set(Pass.allCases)
      fixture.cells[index].failures = Pass.allCases.map { pass in
        FailedSample(
          cell: fixture.cells[index].cell.id, pass: pass, round: 1, reason: "the worker died", standardError: "")
      }
    }
    #expect(try item("Speed", fixture).contains("No cell has a time for the ingest phase"))
    let text = MarkdownReport.render(fixture.results)
    #expect(text.contains("**15 samples failed.**"))
    #expect(text.contains("every sample of the timing pass failed"))
    #expect(text.contains("**The samples share no content hash"))
    #expect(!TerminalTable.render(fixture.results, colour: false).contains(" 0 "))
  }

  @Test("One strategy without a time is named with its reason, the others are compared", .tags(.a5))
  func oneFailed() throws {
    var fixture = Fixture.standard
    fixture["save"].withoutPasses = [.timing]
    fixture["save"].missing = 8
    let speed = try item("Speed", fixture)
    #expect(speed.contains("`batch-managed-object` is the fastest"))
    #expect(speed.contains("`save` has no time: the run ended before the timing pass."))
  }
}
