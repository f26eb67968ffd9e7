// A report's conclusions follow from the figures: the original ones, and figures changed so that something else is
// true.
import Analysis
import Harness
import Instruments
import MissionTags
import Reports
import BatchmarkEngine
import Testing

@Suite("E · conclusions")
struct ConclusionTests {
  // MARK: Who is fastest

  @Test("The first paragraph names the fastest and the leanest cell, whatever these are", .tags(.a5, .a2, .a3))
  func winner() {
    var fixture = Fixture.standard
    #expect(
      fixture.answer
        == "**`batch-managed-object` is fastest**, 200 ms [193, 238]. `save` takes 2.09 times as long [2.05, 2.10], and needs "
        + "812 times the heap (45.2 MiB for 57.0 KiB) and 3.13 times the WAL (12.3 MiB for 3.93 MiB). `batch-dictionary` "
        + "takes 1.27 times as long [1.22, 1.28]. `batch-objects` takes 1.52 times as long [1.47, 1.56] and needs 656 times "
        + "the heap (36.5 MiB for 57.0 KiB). The price of `batch-managed-object`: no notifications. As multiples of "
        + "`batch-managed-object`'s time: `sqlite/insert` 0.962 [0.943, 0.982].")
    #expect(fixture.title == "`batch-managed-object`: `save` takes 2.1 times as long and 812 times the heap")
    fixture["save"].walls = fixture["save"].walls.map { $0 / 10 }
    #expect(fixture.title.hasPrefix("`save`: `batch-managed-object` takes 4.8 times as long"), "\(fixture.title)")
    #expect(fixture.answer.hasPrefix("**`save` is fastest**, 41.6 ms [40.0, 49.9]. `batch-managed-object` takes 4.8"))
    // Values within half a percent are named together, and so are values that look the same.
    fixture["batch-objects"].heapPeak = 41_100
    fixture["batch-managed-object"].heapPeak = 47_400_000
    #expect(
      fixture.text.contains(
        "**`batch-objects` and `sqlite/insert` need the least memory**, with a heap peak of 40.0 KiB to 40.1 KiB; "))
    #expect(fixture.text.contains("need the most, 45.2 MiB."))
  }

  @Test("Cells that are too noisy to rank, and too few rounds, are reported", .tags(.a5, .a2))
  func noWinner() {
    var fixture = Fixture.standard
    /// Alternates around the time of the fastest strategy, so that no order is certain.
    func alternate(_ cells: [String], by factors: (Double, Double)) {
      for (index, name) in cells.enumerated() {
        fixture[name].walls = Fixture.standard["batch-managed-object"].walls.enumerated().map {
          $1 * (($0 + index) % 2 == 0 ? factors.0 : factors.1)
        }
      }
    }
    alternate(["save", "batch-dictionary", "batch-objects"], by: (1.12, 0.89))
    #expect(fixture.title.hasPrefix("`save` needs ") && fixture.title.hasSuffix("; times cannot be told apart here"))
    #expect(fixture.answer.hasPrefix("**Too noisy to rank `batch-"), "\(fixture.answer)")
    #expect(fixture.text.matches(of: #/Stop other programs, or take more rounds/#).count == 1, "\(fixture.text)")
    #expect(!fixture.answer.contains("is fastest**"))
    alternate(["save", "batch-dictionary", "batch-objects"], by: (1.02, 0.99))
    #expect(fixture.title == "4 ways take the same time; `save` needs 771 times the heap", "\(fixture.title)")
    let few = Fixture.standard.rounds(3)
    #expect(few.title == "`save` needs 812 times the heap of `batch-managed-object`; too few rounds to rank times")
    #expect(
      few.answer.hasPrefix("**Too few rounds to rank the cells by time**: of 3 rounds, `batch-managed-object` has the ")
    )
    #expect(!few.answer.contains("is fastest**") && !few.answer.contains("["))
    #expect(!few.answer.contains("has too few rounds to rank"), "\(few.answer)")
    // A cell outside of the answer has the shortest median, and the answer is not repeated.
    #expect(few.answer.contains("has the shortest median through the object graph, 199 ms, perhaps by chance."))
    #expect(few.text.contains("Of all cells, `sqlite/insert` has the shortest median, "), "\(few.text)")
    #expect(few.text.matches(of: #/Too few rounds to rank the cells/#).count == 1, "\(few.text)")
    var alike = few
    for index in alike.cells.indices { (alike.cells[index].heapPeak, alike.cells[index].walBytes) = (1 << 20, 1 << 20) }
    alike.cells += (1...3).map { CellFixture("batch-\($0)", seconds: 0.5).with { $0.walBytes = 1 << 20 } }
    #expect(!alike.rounds(3).answer.contains(" in the table"), "\(alike.rounds(3).answer)")
    fixture = .standard
    for index in fixture.cells.indices { fixture.cells[index].withoutPasses = Set(Pass.allCases) }
    #expect(fixture.answer == "**Nothing can be said of speed**: no cell has a time.")
  }

  @Test("The advice about too few rounds is given once, and for a quick run with its warning alone", .tags(.a5))
  func advice() {
    for fixture in [.standard, .history, .batchSize] as [Fixture] {
      var results = fixture.rounds(1).results
      for text in [RunReport.text(results), RunReport.markdown(results, picturesIn: nil)] {
        #expect(text.matches(of: #/Take 6 rounds or more\./#).count == 1, "\(text)")
      }
      results.run.isQuick = true
      let texts = [
        RunReport.text(results), RunReport.markdown(results, picturesIn: nil),
        TerminalTable.render(results, color: false),
      ]
      for text in texts { #expect(!text.replacing("\n", with: " ").contains("Take 6 rounds"), "\(text)") }
      for text in texts.dropLast() { #expect(text.matches(of: #/Leave out `--quick`/#).count == 1, "\(text)") }
    }
  }

  @Test("An engine's notes on its figures are beside them, in every form of the report", .tags(.a5, .a10))
  func caveats() {
    var fixture = Fixture.standard
    #expect(!RunReport.markdown(fixture.results, picturesIn: nil).contains("prepares its statement"))
    fixture["insert"].engineNotes = ["the library prepares its statement for each row"]
    let results = fixture.results
    let line = "`sqlite/insert`: the library prepares its statement for each row."
    #expect(RunReport.markdown(results, picturesIn: nil).contains("- " + line))
    #expect(RunReport.html(results).contains("</code>: the library prepares its statement for each row.</li>"))
    #expect(TerminalTable.render(results, color: false).contains("\nsqlite/insert: the library prepares its statement"))
    #expect(fixture.answer.hasSuffix("0.962 [0.943, 0.982]. The library prepares its statement for each row."))
    // If something is true for all cells of an engine, the engine is named.
    var program = Fixture.standard
    program.cells += (1...3).map { CellFixture("program", "save", ["pieces": .count($0)], seconds: 1) }
    for index in program.cells.indices.suffix(3) { program.cells[index].engineNotes = ["version 3 of the library"] }
    #expect(RunReport.markdown(program.results).contains("- All cells of `program`: version 3 of the library."))
  }
}

extension ConclusionTests {
  @Test("The second of two ways is called the other, and ways that take the same time are not called noisy", .tags(.a5))
  func twoWays() {
    var fixture = Fixture.standard
    fixture.cells.removeAll { !["save", "batch-objects"].contains($0.cell.strategy) }
    fixture["batch-objects"].walls = fixture["save"].walls
    #expect(
      fixture.text.contains(
        "**Object by object against batches.** `save` takes the same time as `batch-objects` to within 5 %."),
      "\(fixture.text)")
    fixture["batch-objects"].walls = fixture["save"].walls.enumerated().map { $1 * ($0 % 2 == 0 ? 1.4 : 0.6) }
    #expect(fixture.answer.contains("the other takes ") && !fixture.answer.contains("the others"), "\(fixture.answer)")
    fixture["save"].links = [
      StoredLinks(relationship: "network", linkedRows: 2_000, hash: "0a", objects: 10, objectsHash: "0b")
    ]
    #expect(fixture.text.contains("not ranked with the other."), "\(fixture.text)")
  }

  @Test("If very many ways are alike, a sentence names the first and counts the others", .tags(.a5))
  func manyWays() {
    var fixture = Fixture.standard
    let save = fixture["save"]
    fixture.cells = (1...30).map { index in
      var other = save
      other.cell.strategy = "save-\(index)"
      return other
    }
    #expect(fixture.answer.contains(" and 27 others take the same time**"), "\(fixture.answer)")
  }

  @Test("If one cell is too noisy to place, only the order of the others is reported as certain", .tags(.a5))
  func unplaced() {
    var fixture = Fixture.standard
    fixture["batch-dictionary"].walls = fixture["batch-dictionary"].walls.enumerated().map {
      $1 * ($0 % 2 == 0 ? 0.4 : 3)
    }
    #expect(
      fixture.text.contains("Only this order is certain, fastest first: `sqlite/insert`; then "), "\(fixture.text)")
    #expect(fixture.text.contains(". Too noisy to place: `batch-dictionary`."))
    #expect(!fixture.text.contains("For certain, fastest first"))
  }

  @Test("Cells without a time for the same reason share a sentence", .tags(.a5))
  func timeless() {
    var fixture = Fixture.standard
    for name in ["batch-objects", "batch-dictionary"] { fixture[name].withoutPasses = [.timing] }
    let sentence = fixture.text.firstMatch(of: #/`[a-z-]+` and `[a-z-]+` have no time: /#)
    #expect(sentence != nil && !fixture.text.contains("has no time: "), "\(fixture.text)")
  }

  @Test("Noise that hides an order is reported as such beside a way that has too few rounds", .tags(.a5, .a2))
  func noiseBesideFewRounds() {
    var fixture = Fixture.standard
    let reference = fixture["batch-managed-object"].walls
    for (index, way) in ["batch-managed-object", "batch-dictionary", "batch-objects"].enumerated() {
      fixture[way].walls = reference.enumerated().map { $1 * (($0 + index) % 2 == 0 ? 1.12 : 0.89) }
    }
    fixture["save"].walls = Array(fixture["save"].walls.prefix(3))
    #expect(fixture.answer.hasPrefix("**Too noisy to rank `batch-"), "\(fixture.answer)")
    #expect(fixture.answer.contains("`save` has too few rounds to rank"), "\(fixture.answer)")
    #expect(!fixture.title.contains("fastest"), "\(fixture.title)")
    // A cell with the shortest median but too few rounds may be the fastest.
    var open = Fixture.standard
    open["save"].walls = open["save"].walls.prefix(3).map { $0 / 10 }
    #expect(
      open.answer.hasPrefix(
        "**Too few rounds to rank the cells by time**: of 3 rounds, `save` has the shortest median, "),
      "\(open.answer)")
    #expect(open.title.hasSuffix("too few rounds to rank times"), "\(open.title)")
    #expect(open.text.contains("**`sqlite/insert` is fastest of the cells with enough rounds**, "))
  }

  @Test("If there are many engines, a sentence has the nearest in time and the furthest, on either side", .tags(.a5))
  func manyPeers() {
    var fixture = Fixture.standard
    for (engine, seconds) in [("a", 0.02), ("b", 0.1), ("c", 0.3), ("d", 0.6)] {
      fixture.cells.append(CellFixture(engine, "record", seconds: seconds))
    }
    let start =
      "As multiples of `batch-managed-object`'s time (the nearest and the furthest of 5): `sqlite/insert` 0.962 "
    #expect(fixture.answer.contains(start + "[0.943, 0.982] and `a/record` 0.10"), "\(fixture.answer)")
  }
}

extension ConclusionTests {
  @Test("A title names the ways that take the same time, and the cost of those that take longer", .tags(.a5))
  func tiedWays() {
    /// The first line if these strategies take the same time apart from the noise of rounds.
    func title(tied ways: [String]) -> String {
      var fixture = Fixture.standard
      let reference = fixture["batch-managed-object"].walls
      for (index, way) in ways.enumerated() {
        fixture[way].walls = reference.enumerated().map { $1 * (($0 + index) % 2 == 0 ? 1.12 : 0.89) }
      }
      return fixture.title
    }
    #expect(
      title(tied: ["batch-managed-object", "batch-dictionary"])
        == "Either `batch-dictionary` or `batch-managed-object`: `save` takes 2.1 times as long")
    #expect(
      title(tied: ["batch-managed-object", "batch-dictionary", "batch-objects"])
        == "3 ways to batch: `save` takes 2.1 times as long")
    #expect(
      title(tied: ["batch-managed-object", "batch-dictionary", "batch-objects", "save"])
        == "`save` needs 812 times the heap of `batch-managed-object`; times cannot be told apart here")
  }

  @Test(
    "A way that may take as long as a certainly slower one is not called fastest together with the first", .tags(.a5))
  func mayBeFastest() {
    var fixture = Fixture.standard
    fixture["batch-dictionary"].walls = fixture["batch-managed-object"].walls.enumerated().map {
      $1 * ($0 % 2 == 0 ? 3 : 0.5)
    }
    #expect(
      fixture.title
        == "`batch-managed-object` may be fastest: `save` takes 2.1 times as long and 812 times the heap",
      "\(fixture.title)")
    let start = "**`batch-managed-object` and `batch-dictionary` may be fastest**, too noisy to tell apart: "
    #expect(fixture.answer.hasPrefix(start), "\(fixture.answer)")
  }

  @Test("A save with an interval above a batch's is called perhaps slower, not too noisy to rank", .tags(.a5))
  func perhapsSlower() {
    // Six rounds that differ prove none of several claims at once.
    var fixture = Fixture.standard.rounds(6)
    fixture["save"].walls = fixture["batch-dictionary"].walls.enumerated().map { $1 * ($0 % 2 == 0 ? 1.1 : 1.5) }
    let text = fixture.text
    let sentence = text.firstMatch(of: #/\*\*Object by object against batches\.\*\* [^\n]*/#).map { String($0.0) } ?? ""
    #expect(
      sentence.contains("`save` may take longer than `") && sentence.contains(", but that is not certain"),
      "\(sentence)")
  }

  @Test(
    "If times are noise, equal cells are named together, and each tradeoff with all cells that make it", .tags(.a3))
  func exactInNoise() {
    var fixture = Fixture.standard.noisy
    fixture["batch-objects"].heapPeak = 47_394_000
    fixture["batch-dictionary"].heapPeak = 58_368
    for name in ["save", "batch-objects", "batch-dictionary", "batch-managed-object"] {
      fixture[name].walBytes = 4_124_152
    }
    #expect(
      fixture.title == "`save` and `batch-objects` need 812 times the heap of 2 others; times are too noisy",
      "\(fixture.title)")
    #expect(
      fixture.answer.contains(
        "`save` and `batch-objects` need 812 times the heap of `batch-dictionary` and `batch-managed-object` "
          + "(45.2 MiB for 57.0 KiB). The price of "),
      "\(fixture.answer)")
    #expect(fixture.answer.contains(": no notifications."), "\(fixture.answer)")
    fixture["batch-objects"].heapPeak = 30_000_000
    #expect(fixture.answer.contains(" (45.2 MiB for 57.0 KiB), `batch-objects` 514 times."), "\(fixture.answer)")
  }

  @Test("Cells that stored relationships are ranked apart, and the first paragraph says so", .tags(.a5, .b8))
  func unequalWork() {
    var fixture = Fixture.standard
    fixture["save"].links = [
      StoredLinks(relationship: "network", linkedRows: 2_000, hash: "0a", objects: 10, objectsHash: "0b")
    ]
    #expect(
      fixture.answer.contains(
        "All cells stored the same attributes; only `save` also stored 2,000 relationships, so it did more work and is not "
          + "ranked with the others."),
      "\(fixture.answer)")
  }

  @Test(
    "Cells that are ranked apart for one parameter are named by it, unless the answer is about them", .tags(.a5))
  func otherValues() {
    func text(_ ways: [String: [String]]) -> String {
      let cells = ways.sorted { $0.key < $1.key }.flatMap { policy, ways in
        ways.map { CellFixture($0, ["merge_policy": .word(policy)], seconds: 0.3) }
      }
      var results = Fixture(cells: cells).results
      for cell in results.scenarios[0].cells.indices.suffix(2) {
        for sample in results.scenarios[0].cells[cell].samples.indices {
          results.scenarios[0].cells[cell].samples[sample].contents.contentHash = "other"
        }
      }
      // A report of stored results has the sentence, too.
      let text = RunReport.text(results)
      return String(text[..<(text.ranges(of: "## What was stored").first?.lowerBound ?? text.endIndex)])
    }
    let sentence =
      "Cells with `merge_policy=store_trump` ended with other values, so they did other work and are not ranked with the others."
    let price = text(["object_trump": ["save", "batch-objects"], "store_trump": ["save", "batch-objects"]])
    #expect(price.ranges(of: sentence).count == 1 && !price.contains("\n- \(sentence)"), "\(price)")
    let choice = text(["object_trump": ["save", "batch-dictionary"], "store_trump": ["save", "batch-objects"]])
    #expect(choice.contains("\n\nAt `merge_policy=store_trump`, **"), "\(choice)")
    #expect(choice.ranges(of: sentence).count == 1 && choice.contains("\n- \(sentence)"), "\(choice)")
  }

  @Test("A heading names cells by the values that cells with other work do not have", .tags(.a5))
  func headings() {
    let cells = ["object_trump", "overwrite", "store_trump"].flatMap { policy in
      ["save", "batch-objects"].map { CellFixture($0, ["merge_policy": .word(policy)], seconds: 0.3) }
    }
    var results = Fixture(cells: cells).rounds(2).results
    for cell in results.scenarios[0].cells.indices.suffix(2) {
      for sample in results.scenarios[0].cells[cell].samples.indices {
        results.scenarios[0].cells[cell].samples[sample].contents.contentHash = "other"
      }
    }
    let terminal = TerminalTable.render(results, color: false)
    #expect(terminal.contains("\ncells with merge_policy=object_trump or merge_policy=overwrite:\n"), "\(terminal)")
    #expect(terminal.contains("\ncells with merge_policy=store_trump:\n"), "\(terminal)")
    // If something is true for every group, no group is named.
    #expect(RunReport.text(results).contains("- In every group there are too few rounds to rank the cells."))
  }

  @Test(
    "An engine that does not report the durability of its commits is ranked apart, with the reason in the first paragraph"
  )
  func unansweredPragmas() {
    var fixture = Fixture.standard
    fixture["save"].pragmas = []
    #expect(
      fixture.text.contains(
        "`save` does not answer `journal_mode`, so it is not known how durable its commits are, and it is "
          + "not ranked with the others."),
      "\(fixture.answer)")
    // A sentence about some cells does not name all cells.
    fixture["batch-objects"].pragmas = []
    let table = TerminalTable.render(fixture.results, color: false)
    #expect(table.contains("\ncells that do not answer journal_mode:\n"), "\(table)")
    #expect(table.contains("\ncells with journal_mode=wal:\n") && !table.contains("\nall cells:\n"), "\(table)")
    #expect(!fixture.text.contains("Of all cells"), "\(fixture.text)")
  }

  @Test("If no two cells did the same work, no cell is called the only way measured")
  func noEqualWork() {
    var fixture = Fixture.standard
    fixture.cells = ["batch-dictionary", "batch-objects"].map { fixture[$0] }
    for index in fixture.cells.indices {
      fixture.cells[index].links = [
        StoredLinks(
          relationship: "network", linkedRows: 1_000 * (index + 1), hash: "\(index)", objects: 10, objectsHash: "0b")
      ]
    }
    #expect(fixture.title.hasPrefix("Each cell did other work: `batch-objects` takes "), "\(fixture.title)")
    #expect(fixture.answer.hasPrefix("**No two cells did the same work**; `batch-objects` takes "), "\(fixture.answer)")
    fixture.cells.removeLast()
    #expect(fixture.title.hasPrefix("`batch-dictionary` is the only way measured: "), "\(fixture.title)")
    // Other cells were measured but have no time.
    var failed = Fixture.standard
    for index in failed.cells.indices.dropFirst() { failed.cells[index].withoutPasses = [.timing] }
    #expect(failed.title.hasPrefix("`save` is the only way with a time: "), "\(failed.title)")
    #expect(failed.answer.hasPrefix("**`save` is the only way with a time**, "), "\(failed.answer)")
  }

  // MARK: Growth

  @Test("Growth is reported with the rows of the source, however few rows the operation handles")
  func growthOfPart() {
    var fixture = Fixture.scaling()
    for index in fixture.cells.indices { fixture.cells[index].rows = 20 }
    #expect(fixture.text.contains("**From 1,000 to 100,000 rows** time grows"), "\(fixture.text)")
  }

  @Test(
    "The exponent of each strategy is reported with its interval, and the memory of a further row", .tags(.a5, .a2, .a3)
  )
  func growth() throws {
    var fixture = Fixture.scaling()
    let answer = fixture.text
    #expect(
      answer.contains("**From 1,000 to 100,000 rows** time grows in proportion to the rows with `batch-objects`"))
    #expect(answer.contains("**faster than the rows** with `save` (exponent 1.10 ["))
    #expect(
      answer.contains(
        "**Against the reference**, `sqlite/insert[rows=100000]`: `batch-dictionary[rows=100000]` takes 1.50"))
    #expect(
      answer.contains("The heap peak grows by 470 bytes a row with `save`; 380 with `batch-objects`; it is at most"))
    #expect(
      answer.contains("it is at most 40.0 KiB for any number of rows with `batch-dictionary` and `sqlite/insert`"))
    #expect(answer.contains("`sqlite/insert` is fastest**"))
    // Another cell grows too fast, and `save` no longer does.
    for size in ["1000", "10000", "100000"] {
      let walls = fixture[cell: "save[rows=\(size)]"].walls
      fixture[cell: "save[rows=\(size)]"].walls = fixture[cell: "batch-dictionary[rows=\(size)]"].walls
      fixture[cell: "batch-dictionary[rows=\(size)]"].walls = walls
    }
    #expect(fixture.text.contains("**faster than the rows** with `batch-dictionary` (exponent 1.10 ["))
    // The table has every size.
    let section = try fixture.section("Growth with rows")
    #expect(
      section.contains(
        "| Wall time of the main phase | 1,000 rows, ms [95 %] | 10,000 rows, ms [95 %] | 100,000 rows, ms [95 %] | Exponent [95 %] |"
      ))
    #expect(section.contains("| sqlite/insert | 1 (the reference) | 1 (the reference) | 1 (the reference) |"))
  }
}

extension ConclusionTests {
  @Test("With too few rounds, the report says that growth is unknown", .tags(.a5, .a2))
  func fewRoundsOfGrowth() {
    let few = Fixture.scaling([1_000, 10_000]).rounds(1)
    #expect(
      few.title == "Too few rounds to say how time grows with rows; heap grows by up to 470 bytes a row (`save`)",
      "\(few.title)")
    #expect(few.answer.contains("`sqlite/insert` (exponent 1.00). Take 6 rounds or more. The heap peak grows by "))
    #expect(Fixture.versions.rounds(3).answer.contains(". Take 6 rounds or more."))
    // A long name leaves room for what is exact and for what is unknown.
    var long = few
    for index in long.cells.indices where long.cells[index].cell.strategy == "save" {
      long.cells[index].cell.strategy = "save-in-pieces"
    }
    #expect(long.title == "Heap grows by up to 470 bytes a row (`save-in-pieces`), or not at all; too few rounds")
    let answer = few.text
    #expect(
      answer.contains("**From 1,000 to 10,000 rows**, too few rounds to say how time grows with `save` (exponent"))
    #expect(answer.contains("there are too few rounds to rank the cells"))
    #expect(!answer.contains("**faster than the rows**") && !answer.contains("is fastest**"))
  }

  @Test("Work on different rows is not compared: each number of rows has its own winner", .tags(.a5, .a2))
  func winnerBySize() {
    let answer = Fixture.crossover.text
    #expect(answer.contains("At `rows=10`, **`save` is fastest**."))
    #expect(answer.contains("At `rows=100` and `rows=1000`, **`batch-dictionary` is fastest**."))
  }
}

extension ConclusionTests {
  // MARK: Crossover

  @Test("The report says from how many rows on the batch wins", .tags(.a5, .a2))
  func crossover() throws {
    var fixture = Fixture.crossover
    let words = try #require(fixture.answer.firstMatch(of: /wins over `save` from about ([0-9]+) rows\*\*/))
    let rows = try #require(Int(words.output.1))
    #expect((11...99).contains(rows))
    #expect(fixture.text.contains("at 10 rows `save` is faster, at 100 rows `batch-dictionary`."))
    // A batch with a cheaper request always wins.
    fixture[cell: "batch-dictionary[rows=10]"].walls = fixture[cell: "save[rows=10]"].walls.map { $0 / 2 }
    #expect(!fixture.text.contains("wins over"))
    #expect(try fixture.section("Crossovers").contains("`batch-dictionary` is faster than `save` at every size."))
    // A batch that costs more per row loses in the end.
    fixture[cell: "batch-dictionary[rows=1000]"].walls = fixture[cell: "save[rows=1000]"].walls.map { $0 * 2 }
    #expect(fixture.text.contains("**`save` wins over `batch-dictionary` from about"))
    #expect(try fixture.section("Crossovers").contains("none") == false)
    let few = Fixture.crossover.rounds(3)
    #expect(try few.section("Crossovers").contains("Too few rounds to rank `save` and `batch-dictionary`"))
    #expect(!few.text.contains("wins over"))
  }

  @Test("Sizes with too few rounds are not called noisy", .tags(.a5, .a2))
  func fewRoundsAtSomeSizes() throws {
    var fixture = Fixture.crossover
    for index in fixture.cells.indices {
      let cell = fixture.cells[index].cell
      if cell.strategy != "save" { fixture.cells[index].walls = fixture.cells[index].walls.map { $0 / 10 } }
      if cell.parameters["rows"] == .count(1_000) {
        fixture.cells[index].walls = Array(fixture.cells[index].walls.prefix(3))
      }
    }
    let section = try fixture.section("Crossovers")
    #expect(
      section.contains(
        "`batch-dictionary` is faster than `save` at some sizes; the others have too few rounds to tell."))
  }

  @Test("A batch that wins only by its own interval is reported as seeming to win", .tags(.a5, .a2))
  func uncertainCrossover() throws {
    var fixture = Fixture.crossover.rounds(6)
    let factors: [Double] = [1.01, 1.65, 1.02, 1.5, 1.03, 1.35]
    let others: [Double] = [1.105, 0.887, 1.083, 0.905, 1.116, 0.914]
    fixture[cell: "save[rows=10]"].walls = factors.map { _ in 0.001 }
    fixture[cell: "batch-dictionary[rows=10]"].walls = factors.map { $0 * 0.001 }
    fixture.cells.append(
      CellFixture("batch-objects", ["rows": .count(10)], seconds: 0.001, rows: 10).with(
        walls: others.map { $0 * 0.001 }))
    #expect(fixture.text.contains("`batch-dictionary` seems to win over `save` from about "))
    #expect(fixture.text.contains(" rows, between 10 and 100, but that is not certain."))
    #expect(!fixture.text.contains("wins over"))
    #expect(try fixture.section("Crossovers").contains(" rows, not certain |"))
  }

  // MARK: Knee

  @Test("The report says how large a request needs to be", .tags(.a5, .a2))
  func knee() throws {
    var fixture = Fixture.batchSize
    #expect(fixture.text.contains("**`batch-dictionary` needs no more than `request_size=1000`**"))
    #expect(fixture.text.contains("5 % longer than the best, `request_size=10000`"))
    #expect(try fixture.section("How much is enough: request_size").contains("| batch-dictionary | all |"))
    // Larger requests are faster.
    fixture[cell: "batch-dictionary[request_size=1000]"].walls =
      fixture[cell: "batch-dictionary[request_size=100]"].walls
    #expect(
      fixture.text.contains(
        "**`batch-dictionary` is at its best with `request_size=10000`**, and every smaller one takes more than 5 %"))
    // The smallest one is the best, and all rows at once are slower.
    fixture[cell: "batch-dictionary[request_size=10]"].walls = Fixture.noise.map { $0 * 0.2 }
    #expect(fixture.text.contains("is at its best with `request_size=10`**, the smallest: more of it gains nothing"))
    #expect(fixture.text.contains("`request_size=all` takes 2.0"))
    let few = Fixture.batchSize.rounds(4).text
    #expect(
      few.contains("**Too few rounds to find the knee of `request_size` with `batch-dictionary`**: 4 common rounds."))
    #expect(!few.contains("needs no more") && !few.contains("at its best"))
  }
}

extension ConclusionTests {
  @Test("A title answers a question about a size, or Apple's comparison", .tags(.a5))
  func titles() {
    func title(_ fixture: Fixture) -> String {
      RunReport.markdown(fixture.results).split(separator: "\n").first.map(String.init) ?? ""
    }
    let best = "# Best `request_size`: 1000; `batch-dictionary[request_size=10]` takes 5.0 times as long"
    #expect(title(.batchSize) == best)
    var two = Fixture.batchSize
    two.cells += two.cells.map { cell in
      var other = cell
      other.cell.strategy = "batch-objects"
      return other
    }
    #expect(title(two) == best)
    #expect(
      two.text.contains("**`batch-dictionary` and `batch-objects` need no more than `request_size=1000`**: it is"))
    // Most cells belong to another question.
    two.cells += ["a", "b", "c", "d"].flatMap { name in
      [1, 2, 3].map { CellFixture(name, ["x": .count($0)], seconds: 1) }
    }
    #expect(!title(two).contains("need no more") && !title(two).contains("Best `request_size`"))
    #expect(title(.wwdc20).hasPrefix("# Apple's 62 : 30 : 11 is ") && title(.wwdc20).hasSuffix(" here"))
    #expect(Fixture.wwdc20.text.contains("merging into the observing context"))
    let few = Fixture.scaling().rounds(3)
    #expect(title(few).hasPrefix("# Time grows faster than the rows with `save`"))
  }

  @Test(
    "An answer about many libraries begins with what batches save in each, and its distance from the reference",
    .tags(.a5, .a13))
  func libraries() {
    let answer = Fixture.libraries.answer
    let start = "**At `version=none`, batches certainly save time in 2 of 3 libraries**: `python` 70 % ("
    #expect(answer.hasPrefix(start), "\(answer)")
    #expect(answer.contains(" times as long as `sqlite/insert`) and `ruby` 67 % ("), "\(answer)")
    #expect(answer.contains("); in brackets object by object and in batches. Batches take longer with `perl` −25 % ("))
    let few = Fixture.libraries.rounds(3).answer
    #expect(few.hasPrefix("**At `version=none`, what batches save is not certain**: `python` 70 % ("), "\(few)")
    #expect(!Fixture.versions.answer.contains("batches certainly save"))
  }

  @Test("Several kinds of work at the most rows are answered by each way's share of its reference's time", .tags(.a5))
  func kindsOfWork() {
    let fixture = Fixture.versions
    let place = "`save` takes 0.0050 to 1.2 times as long as `sqlite/insert` for 2 of 3 values of `version`"
    #expect(fixture.title == place)
    #expect(
      fixture.answer.hasPrefix(
        "At `rows=100000`, **`save`** takes 0.00500 times as long [0.00500, 0.00500] as `sqlite/insert` at `version=optional` "
          + "and 1.20 [1.20, 1.20] at `version=removed`; it takes as long at `version=added`. **From 1,000 to"))
    // One that is certain has its name, and the others are counted.
    var single = fixture
    for index in single.cells.indices
    where single.cells[index].cell.strategy == "save"
      && single.cells[index].cell.parameters["version"] != .word("optional")
    {
      single.cells[index].walls = single.cells[index].walls.enumerated().map { $1 * [0.3, 3, 1][$0 % 3] }
    }
    #expect(
      single.title
        == "`save` takes 0.0050 times as long as `sqlite/insert` at `version=optional`; 2 others unclear",
      "\(single.title)")
    // Each cell takes as long as its reference, but the times of the two kinds of work differ.
    var alike = fixture
    alike.cells = stride(from: 0, to: fixture.cells.count, by: 2).flatMap { index in
      [fixture.cells[index].with { $0.walls = fixture.cells[index + 1].walls }, fixture.cells[index + 1]]
    }
    #expect(alike.title == "`save` takes as long as `sqlite/insert`")
    #expect(
      alike.answer.hasPrefix("At `rows=100000`, **`save`** takes as long as `sqlite/insert` for every `version`."))
    #expect(!alike.text.contains("too noisy to rank") && alike.text.contains("take the same time to within 5 %"))
    // With one kind of work, its growth is the answer.
    var one = fixture
    one.cells.removeAll { $0.cell.parameters["version"] != .word("optional") }
    #expect(one.title.hasPrefix("Time "))
  }

  @Test("A sentence about many strategies has the range of their exponents, or their common one", .tags(.a5))
  func exponents() {
    var fixture = Fixture.scaling()
    fixture.cells += fixture.cells.filter { $0.cell.strategy == "save" }.flatMap { cell in
      ["b", "c", "d", "e", "f"].map { name in
        var other = cell
        other.cell.strategy = name
        return other
      }
    }
    #expect(
      fixture.text.contains(
        "**faster than the rows** with `save`, `b`, `c`, `d`, `e` and `f` (exponent 1.10)"))
  }

  @Test("The advice on rows to link at a time uses the parameter's default for a cell without a value", .tags(.a5, .b8))
  func linkEvery() throws {
    let fixture = Fixture(cells: [
      CellFixture("batch-dictionary", ["link_every": .count(100)], seconds: 0.8),
      CellFixture("batch-dictionary", seconds: 0.41),
      CellFixture("batch-dictionary", ["link_every": .all], seconds: 0.4),
    ])
    #expect(
      fixture.text.contains("**`batch-dictionary` needs no more than `link_every=1000`**"), "\(fixture.answer)")
    #expect(try fixture.section("How much is enough: link_every").contains("| batch-dictionary | 1,000 |"))
  }
}

extension ConclusionTests {
  @Test("The links of rows are reported if every sample has the same", .tags(.a5, .b8))
  func links() throws {
    var fixture = Fixture.standard
    for index in fixture.cells.indices {
      fixture.cells[index].links = [
        StoredLinks(relationship: "network", linkedRows: 99_998, hash: "0a", objects: 10, objectsHash: "0b")
      ]
    }
    let sentence = "Every sample ended with the same links: 99,998 rows by `network` to 10 objects (hash `0a`)."
    #expect(RunReport.text(fixture.results).contains(sentence))
    fixture.cells[0].links?[0].linkedRows = 3
    #expect(!RunReport.text(fixture.results).contains("the same links"))
  }

  @Test("A cell that was stopped early does not invalidate the verdict on the others", .tags(.a5, .a2))
  func stoppedEarly() {
    var fixture = Fixture.batchSize
    let slow = "batch-dictionary[request_size=10]"
    fixture[cell: slow].walls = Array(fixture[cell: slow].walls.prefix(3))
    #expect(fixture.text.contains("**`batch-dictionary` needs no more than `request_size=1000`**"))
    #expect(fixture.text.contains("Too few rounds to judge `request_size=10` with `batch-dictionary`."))
    #expect(fixture.text.contains("**`batch-dictionary[request_size=10000]` is fastest**"))
    #expect(fixture.text.contains("Too few rounds to rank `\(slow)` (5.0 times as long)."))
  }

  // MARK: Price

  @Test("The report has the price of history in time and in the file", .tags(.a5, .c2))
  func history() {
    var fixture = Fixture.history
    #expect(fixture.text.contains("**`history=on` costs `save` time**: +25.0 % [+25.0, +25.0]"))
    #expect(fixture.text.contains("**`history=on` costs `batch-dictionary` time**: +20.0 % [+20.0, +20.0]"))
    #expect(fixture.text.contains("; database 18.2 MiB instead of 9.12 MiB"))
    #expect(fixture.text.contains("+1.00 µs [0.97, 1.21] a row"))
    fixture[cell: "save[history=on]"].walls = fixture[cell: "save"].walls.enumerated().map {
      $1 * ($0 % 2 == 0 ? 1.01 : 0.99)
    }
    #expect(
      fixture.text.contains(
        "**`history=on` makes no difference to the time of `save`** to within 5 %: 0.990 to 1.01 times as long"))
    fixture[cell: "save[history=on]"].walls = fixture[cell: "save"].walls.map { $0 * 0.8 }
    #expect(fixture.text.contains("**`history=on` saves `save` time**: −20.0 %"))
    // The sentence that no time is judged appears once.
    let few = Fixture.history.rounds(3).answer
    #expect(
      few.hasPrefix("**Too few rounds to judge times.** Take 6 rounds or more. **`history=on`** with `save`: 1."),
      "\(few)")
    #expect(few.contains(" times as long, perhaps by chance; database 18.2 MiB instead of 9.12 MiB."), "\(few)")
    #expect(few.matches(of: #/few rounds/#).count == 1, "\(few)")
    // With six rounds, two claims together cannot show what a single one would.
    var open = Fixture.history.rounds(6)
    open[cell: "save[history=on]"].walls = open[cell: "save"].walls.enumerated().map { $1 * ($0 % 2 == 0 ? 1.1 : 1.5) }
    open[cell: "batch-dictionary[history=on]"].walls = open[cell: "batch-dictionary"].walls.enumerated().map {
      $1 * ($0 % 2 == 0 ? 1.25 : 0.8)
    }
    #expect(
      open.text.contains("**`history=on` may cost `save` time**, but that is not certain: 1.1 to 1.5 times as long"))
  }

  @Test("If a cell has no time, the price of its value is unknown, and too few rounds are not the reason", .tags(.a5))
  func withoutTimes() {
    var fixture = Fixture.history
    fixture[cell: "save[history=on]"].withoutPasses = [.timing]
    fixture[cell: "save[history=on]"].heapPeak = 2 << 20
    let unknown = "What `history=on` costs `save` in time is unknown: `save[history=on]` has no time"
    #expect(fixture.answer.contains(unknown + "; heap peak 2.00 MiB instead of 1.00 MiB."), "\(fixture.answer)")
    fixture.cells.removeLast(2)
    #expect(fixture.title == "`history=on` needs up to 2.0 times the heap; there are no times to compare")
    fixture.cells[1].withoutPasses = Set(Pass.allCases)
    #expect(fixture.title == "What `history=on` costs is unknown: there are no times to compare", "\(fixture.title)")
    #expect(fixture.answer == unknown + ".", "\(fixture.answer)")
    #expect(!RunReport.markdown(fixture.results).contains("oo few rounds"))
    fixture.cells[0].withoutPasses = Set(Pass.allCases)
    #expect(fixture.title == "No cell has a time")
    #expect(fixture.answer == "**Nothing can be said of speed**: no cell has a time.")
    // This is not the reason why an amount is unknown either.
    var sizes = Fixture.batchSize
    sizes[cell: "batch-dictionary[request_size=10]"].withoutPasses = [.timing]
    #expect(!sizes.text.contains("Too few rounds"), "\(sizes.text)")
    sizes.cells = Array(sizes.cells.prefix(3))
    #expect(
      sizes.text.contains(
        "With `batch-dictionary` only `request_size=100` and `request_size=1000` have a time, too few to find a knee."),
      "\(sizes.text)")
  }

  @Test("A user's wait includes notifying a context", .tags(.a5, .c1))
  func merging() throws {
    let apart = "These times include telling other contexts; those in the table do not."
    #expect(Fixture.mergeStorm.answer.hasSuffix(apart) && !Fixture.history.answer.contains("These times"))
    var fixture = Fixture.mergeStorm
    let name = "save[merge=automatic,save_every=100]"
    #expect(fixture.text.contains("**`merge=automatic` costs `save[save_every=100]` time**: 3.00 times as long"))
    fixture[cell: name].mergeSeconds = 0.05
    #expect(fixture.text.contains("**`merge=automatic` costs `save[save_every=100]` time**: +10.0 %"))
    #expect(try fixture.section("Where the time goes").contains("merge"))
  }
}

extension ConclusionTests {
  @Test("A pinned reader costs WAL space but no time", .tags(.a5, .a4))
  func reader() {
    var fixture = Fixture.starvation
    #expect(
      fixture.text.contains(
        "**`reader=pinned` makes no difference to the time of `save[save_every=1000]`** to within 5 %"))
    #expect(fixture.title == "`reader=pinned` needs up to 22 times the WAL and takes the same time")
    #expect(fixture.text.contains("WAL peak 85.8 MiB instead of 3.93 MiB"))
    fixture[cell: "save[reader=pinned,save_every=1000]"].walBytes = 4_124_152
    #expect(!fixture.answer.contains("WAL peak"))
  }

  @Test("Numbers of writers beside a cell have a price each, and no sufficient amount", .tags(.a5))
  func writersBeside() {
    let text = Fixture(
      cells: [(1, 0.4), (4, 0.8), (8, 2)].map {
        CellFixture("batch-dictionary", ["writers": .count($0)], seconds: $1)
      }
    ).text
    #expect(text.contains("**`writers=8` costs `batch-dictionary[writers=1]` time**"), "\(text)")
    #expect(!text.contains("at its best") && !text.contains("knee"))
  }

  @Test("Policies are compared with the scenario's own, and shares with the smallest", .tags(.a5))
  func upserts() {
    let answer = Fixture.upserts.text
    #expect(
      answer.contains("**`duplicates=50%` costs `batch-dictionary[duplicates=0%,merge_policy=object_trump]` time**"))
    #expect(
      answer.contains(
        "**`merge_policy=store_trump` saves `batch-dictionary[duplicates=0%,merge_policy=object_trump]` time**"))
  }

  @Test("For many cells, the range of a price comes first", .tags(.a5, .c2))
  func manyPrices() throws {
    var fixture = Fixture.history
    for (strategy, factor) in [("batch-objects", 1.1), ("batch-managed-object", 1.6)] {
      let plain = CellFixture(strategy, seconds: 0.2)
      fixture.cells += [plain, CellFixture(strategy, ["history": .word("on")], seconds: 0.2 * factor)]
    }
    let range =
      "**`history=on`** takes 1.10 [1.10, 1.10] (`batch-objects`) to 1.60 [1.60, 1.60] (`batch-managed-object`) times as long"
    #expect(fixture.text.contains(range))
    #expect(fixture.text.contains("it costs time in all of 4 cells; database up to 18.2 MiB"))
    #expect(
      try fixture.section("The price of history").contains("| batch-objects[history=on] | history=off |"))
    fixture[cell: "save[history=on]"].walls = Fixture.noise.map { $0 * 4 }
    #expect(fixture.text.contains("to 10.0 [10.0, 10.0] (`save`) times as long"))
  }

  @Test("The range of a price names its cells without the swept parameters that all of them share", .tags(.a5, .c2))
  func shortBases() {
    let ways = [("save", 2.0), ("batch-dictionary", 1.5), ("batch-objects", 1.1), ("batch-managed-object", 1.6)]
    func cell(_ way: String, _ page: Int, _ more: [String: ParameterValue] = [:], _ factor: Double = 1) -> CellFixture {
      CellFixture(way, more.merging(["page_size": .count(page)]) { $1 }, seconds: 0.2 * factor)
    }
    var cells = ways.flatMap { [cell($0, 4_096), cell($0, 4_096, ["history": .word("on")], $1)] }
    cells += [cell("save", 16_384)]
    let range =
      "**`history=on`** takes 1.10 [1.10, 1.10] (`batch-objects`) to 2.00 [2.00, 2.00] (`save`) times as long"
    #expect(Fixture(cells: cells).text.contains(range), "\(Fixture(cells: cells).text)")
    // Where they differ in it, it stays.
    for index in cells.indices where cells[index].cell.strategy == "batch-objects" {
      cells[index].cell.parameters["page_size"] = .count(16_384)
    }
    let open = Fixture(cells: cells).text
    #expect(
      open.contains("(`batch-objects[page_size=16384]`) to 2.00 [2.00, 2.00] (`save[page_size=4096]`)"), "\(open)")
  }

  @Test("Intervals above 1 are not called no difference if other claims leave them uncertain", .tags(.a5))
  func possiblePrices() {
    func fixture(_ factors: [(Double, Double)]) -> Fixture {
      let ways = ["save", "batch-dictionary", "batch-objects", "batch-managed-object"]
      var fixture = Fixture(
        cells: ways.flatMap { way in
          [CellFixture(way, seconds: 0.2), CellFixture(way, ["history": .word("on")], seconds: 0.2)]
        }
      ).rounds(6)
      for (way, (even, odd)) in zip(ways, factors) {
        fixture[cell: "\(way)[history=on]"].walls = fixture[cell: way].walls.enumerated().map {
          $1 * ($0 % 2 == 0 ? even : odd)
        }
      }
      return fixture
    }
    let open = (1.25, 0.8)
    let one = fixture([(1.1, 1.5), open, open, open]).text
    #expect(one.contains("; it may cost time in 1 of 4 cells, but that is not certain"), "\(one)")
    let title = fixture([(1.1, 1.5), (1.2, 1.4), open, open]).title
    #expect(title == "`history=on` may take up to 1.3 times as long, but that is not certain", "\(title)")
    let both = fixture([(1.1, 1.5), (1.2, 1.4), (0.7, 0.8), open]).text
    #expect(
      both.contains("; it may cost time in 2 of 4 cells and save time in 1 of 4 cells, but that is not certain"),
      "\(both)")
    #expect(fixture([open, open, open, open]).text.contains("; no difference is certain in any of 4 cells"))
  }

  @Test("Figures that no parameter changes are reported once, below the first of their tables", .tags(.a5))
  func unchangedByPrices() throws {
    var fixture = Fixture.upserts
    for (policy, seconds) in [("object_trump", 0.6), ("store_trump", 0.42)] {
      fixture.cells.append(
        CellFixture(
          "batch-dictionary", ["duplicates": .word("90%"), "merge_policy": .word(policy)], seconds: seconds))
    }
    let sections = try ["duplicates", "merge_policy"].map { try fixture.section("The price of \($0)") }
    #expect(sections.allSatisfy { $0.contains("| batch-dictionary[duplicates=") })
    #expect(sections.filter { $0.contains("WAL peak: 3.93 MiB") }.count == 1, "\(sections)")
  }

  // MARK: Shares and rows

  @Test("The shares of all phases come from the same samples", .tags(.a5, .a2))
  func shares() throws {
    var fixture = Fixture.standard
    fixture.cells = fixture.cells.map { $0.with(walls: Array(repeating: 0.15, count: 8)) }
    let section = try fixture.section("Where the time goes")
    #expect(
      section.contains("load takes 25 % in every cell and ingest 75 % in every cell."))
    #expect(
      section.contains(
        "The same in every cell. All: 200 ms [200, 200]; load: 25.0 % [25.0, 25.0]; ingest: 75.0 % [75.0, 75.0]."))
    fixture["save"].walls = Array(repeating: 0.95, count: 8)
    #expect(
      try fixture.section("Where the time goes").contains(
        "load takes 5.0 % (`save`) to 25 % (`"))
    // If only some cells have a phase, only those are mentioned.
    for strategy in ["batch-objects", "batch-dictionary"] { fixture[strategy].mergeSeconds = 0.05 }
    #expect(
      try fixture.section("Where the time goes").contains("and merge 20 % in every cell that has it."))
  }
}

extension ConclusionTests {
  @Test("Each row's memory, WAL and time are reported relative to the reference", .tags(.a5, .a3, .a4))
  func rowCosts() throws {
    var fixture = Fixture.standard
    #expect(
      try fixture.section("What a row costs").contains(
        "The heap peak is 474 bytes a row with `save`, the most, and 0.410 bytes with `sqlite/insert`, the least."))
    fixture["save"].walls = fixture["insert"].walls.map { $0 + 0.1 }
    fixture["batch-objects"].heapPeak = 90_000_000
    let section = try fixture.section("What a row costs")
    #expect(section.contains("| save | 2.92 [2.84, 3.34] | 1.00 [1.00, 1.00] |"))
    #expect(section.contains("The heap peak is 900 bytes a row with `batch-objects`, the most"))
  }

  // MARK: Apple's comparison

  @Test("Apple's ratio is divided into merging, save granularity and the insert path", .tags(.a5, .c1))
  func claim() throws {
    var fixture = Fixture.wwdc20
    let claim = fixture.text
    #expect(claim.contains("**Apple's 62 : 30 : 11 (5.64 times) is 66 : 13 : 11 here**"))
    #expect(claim.contains("**Of the extra time of `save[merge=automatic,save_every=100]`**, 80.0 % ["))
    #expect(claim.contains("] comes from merging into the observing context"))
    let apart = "These times include telling other contexts; those in the table do not."
    #expect(fixture.answer.hasSuffix(apart), "\(fixture.answer)")
    #expect(
      try fixture.section("Apple's comparison taken apart").contains(
        "| save | batch-objects | a batch insert of an array |"))
    // Without the cost of merging, most of it is the insert path.
    fixture[cell: "save[merge=automatic,save_every=100]"].mergeSeconds = 0.000_001
    fixture[cell: "batch-managed-object"].walls = Fixture.noise.map { $0 * 0.05 }
    let altered = fixture.text
    #expect(altered.contains("77.8 % [") && altered.contains("] from the insert path"), "\(altered)")
    #expect(altered.contains("more than Apple's"))
    #expect(Fixture.wwdc20.rounds(2).text.contains("of too few rounds to judge"))
    #expect(Fixture.wwdc20.rounds(1).title == "Apple's 62 : 30 : 11 is 66 : 13 : 11 here, perhaps by chance")
    // With several ways of saving, one sentence has all ratios and their intervals.
    var several = Fixture.wwdc20
    for (index, merge) in [(0, "automatic"), (1, "none")] {
      var cell = several.cells[index]
      cell.cell.parameters = ["save_every": .count(10)]
      if merge != "none" { cell.cell.parameters["merge"] = .word(merge) }
      several.cells.append(cell)
    }
    let few = several.rounds(1).answer
    #expect(
      few.contains(
        "against `batch-managed-object` they take 6.00 and 6.00 times as long, perhaps by chance. Take 6 rounds or more."
      ),
      "\(few)")
    #expect(!several.rounds(1).text.contains("of too few rounds to judge"))
    #expect(!several.answer.contains("by chance") && several.answer.contains("] times as long."), "\(several.answer)")
    // Without one of its steps there is no such claim, and other conclusions come first.
    fixture.cells.removeAll { $0.cell.strategy == "batch-objects" }
    #expect(!fixture.text.contains("Apple"))
  }

  // MARK: On the terminal

  @Test(
    "The terminal begins with the title's answer and its certainty",
    .tags(.a5))
  func terminal() {
    let text = TerminalTable.render(Fixture.standard.results, color: false)
    #expect(
      text.hasPrefix(
        "batch-managed-object: save takes 2.1 times as long and 812 times the heap.\n"
          + "batch-managed-object is fastest, 200 ms [193, 238].\n"
          + "save takes 2.09 times as long [2.05, 2.10], and needs 812 times the heap (45.2 MiB for 57.0 KiB) and 3.13 times the WAL\n"
      ))
    #expect(!text.contains("`") && !text.contains("**"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
  }

  @Test(
    "The terminal reports the growth of time for a sweep, and the result for Apple's comparison or for one knee",
    .tags(.a5))
  func terminalAnswers() {
    func answer(_ fixture: Fixture) -> String {
      let text = TerminalTable.render(fixture.results, color: false)
      return text.split(separator: "\n\n").first.map { String($0).replacing("\n", with: " ") } ?? ""
    }
    #expect(
      answer(.scaling()).hasPrefix("Time grows faster than the rows with save; heap by up to 470 bytes a row (save)."))
    #expect(answer(.wwdc20).hasPrefix("Apple's 62 : 30 : 11 is 66 : 13 : 11 here."))
    #expect(answer(.batchSize).hasPrefix("Best request_size: 1000; batch-dictionary[request_size=10] takes"))
    #expect(
      answer(Fixture.standard.rounds(3)).hasPrefix("save needs 812 times the heap of batch-managed-object; too few"))
  }
}
