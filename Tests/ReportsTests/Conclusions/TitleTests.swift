// Titles that claim no more than the figures show, and no less if a shorter sentence has room.
import Analysis
import BatchmarkEngine
import Charts
import Harness
import MissionTags
import Testing

@testable import Reports

@Suite("A5 · titles", .tags(.a5))
struct TitleTests {
  @Test("If the growth of some ways is uncertain, the title counts only the certain ones")
  func partialGrowth() {
    var fixture = Fixture.scaling()
    #expect(fixture.title.hasPrefix("Time grows faster than the rows with `save`"))
    fixture.cells.removeAll { $0.cell.strategy == "save" }
    #expect(fixture.title.hasPrefix("Time grows in proportion to the rows"))
    for index in fixture.cells.indices where fixture.cells[index].cell.strategy == "batch-objects" {
      // Rounds disagree about the growth by a factor of three.
      let factors: [Double] = fixture.cells[index].rows > 1_000 ? [0.3, 3, 1] : [1, 1, 1]
      fixture.cells[index].walls = fixture.cells[index].walls.enumerated().map { $1 * factors[$0 % 3] }
    }
    #expect(fixture.title.contains("in 2 of 3 ways"), "\(fixture.title)")
    // Where that is known of less than half of them, the title begins with what is exact.
    for index in fixture.cells.indices where fixture.cells[index].cell.strategy == "batch-dictionary" {
      let factors: [Double] = fixture.cells[index].rows > 1_000 ? [0.3, 3, 1] : [1, 1, 1]
      fixture.cells[index].walls = fixture.cells[index].walls.enumerated().map { $1 * factors[$0 % 3] }
    }
    #expect(
      fixture.title == "Heap grows by up to 380 bytes a row (`batch-objects`); time growth is clear in 1 of 3 ways",
      "\(fixture.title)")
  }

  @Test("Ways that may differ are called fastest, but not said to take the same time")
  func fastest() {
    var fixture = Fixture.standard
    let reference = fixture["batch-managed-object"].walls
    for (index, way) in ["save", "batch-dictionary", "batch-managed-object"].enumerated() {
      fixture[way].walls = reference.enumerated().map { $1 * (($0 + index) % 2 == 0 ? 1.12 : 0.89) }
    }
    fixture["batch-objects"].walls = reference.map { $0 * 5 }
    #expect(fixture.title.contains(" are fastest; `save` needs "), "\(fixture.title)")
    #expect(!fixture.title.contains("take the same time"))
  }

  @Test("A way that is certainly slower than one of the best is compared with that one by name")
  func otherBase() {
    let turns = [0.06, 0.14, 0.14, 0.06, 0.06, 0.14, 0.06, 0.14]
    let fixture = Fixture(cells: [
      CellFixture("batch-dictionary", seconds: 1).with(walls: turns),
      CellFixture("batch-objects", seconds: 1).with(walls: turns.map { _ in 0.101 }),
      CellFixture("save", seconds: 1).with(walls: turns.map { _ in 0.13 }),
    ])
    #expect(
      fixture.title
        == "Either `batch-dictionary` or `batch-objects`: `save` takes 1.3 times as long as `batch-objects`",
      "\(fixture.title)")
    #expect(
      fixture.answer.contains("`save` takes 1.29 times as long [1.29, 1.29] as `batch-objects`."), "\(fixture.answer)")
  }

  @Test("A title that is too long names its one kind of work and leaves out the heap")
  func placeInTitle() {
    func cell(_ name: String, _ share: String, seconds: Double) -> CellFixture {
      CellFixture(name, ["duplicates": .word(share)], seconds: seconds)
    }
    let fixture = Fixture(cells: [
      cell("batch-dictionary", "10%", seconds: 0.1), cell("batch-objects", "10%", seconds: 0.1),
      cell("save", "90%", seconds: 0.4).with { $0.heapPeak *= 30_000 },
      cell("batch-managed-object", "90%", seconds: 0.1),
    ])
    let title = fixture.title
    #expect(title == "`batch-managed-object`: `save` takes 4.0 times as long at `duplicates=90%`", "\(title)")
  }

  @Test("Ways with different best sizes share a title with their range and the cost of too small a size")
  func sizes() {
    var fixture = Fixture.batchSize
    fixture.cells += fixture.cells.map { cell in
      var other = cell
      other.cell.strategy = "batch-objects"
      if other.cell.parameters["request_size"] == .count(100) { other.walls = other.walls.map { $0 / 2 } }
      return other
    }
    #expect(
      fixture.title == "Best `request_size`: 100 to 1000; `batch-dictionary[request_size=10]` takes 5.0 times as long",
      "\(fixture.title)")
  }
}

extension TitleTests {
  @Test("A smallest amount that is certainly faster has no cost, and ways with an open best amount have no range")
  func openSizes() {
    var open = Fixture.batchSize
    open[cell: "batch-dictionary[request_size=10]"].walls = Fixture.noise.map { $0 * 0.2 }
    open[cell: "batch-dictionary[request_size=1000]"].walls = Fixture.noise.enumerated().map {
      $1 * 0.2 * ($0 % 2 == 0 ? 1.3 : 0.8)
    }
    #expect(open.title == "How much `request_size` is enough is not certain here", "\(open.title)")
    #expect(!open.answer.contains("What too little costs"), "\(open.answer)")
    var hidden = Fixture.batchSize
    hidden[cell: "batch-dictionary[request_size=1000]"].walls = Fixture.noise.enumerated().map {
      $1 * 0.43 * ($0 % 2 == 0 ? 1.15 : 0.9)
    }
    let doubt = "; `request_size=1000` may be enough too, but noise hides whether it is"
    #expect(hidden.answer.contains(doubt), "\(hidden.answer)")
    // Where even the smallest may be enough, no amount is called the best.
    var unknown = Fixture.batchSize
    for size in ["10", "100", "1000"] {
      unknown[cell: "batch-dictionary[request_size=\(size)]"].walls = Fixture.noise.enumerated().map {
        $1 * 0.43 * ($0 % 2 == 0 ? 1.15 : 0.9)
      }
    }
    let shortest =
      "**`batch-dictionary` has the shortest median with `request_size=10000`**, but any amount from `request_size=10` on "
      + "may be enough: too noisy to tell."
    #expect(unknown.answer.hasPrefix(shortest), "\(unknown.answer)")
    var two = Fixture.batchSize
    two.cells += open.cells.map { cell in
      var other = cell
      other.cell.strategy = "batch-objects"
      return other
    }
    #expect(
      two.title
        == "`request_size=10` takes up to 5.0 times as long as `request_size=10000`; the best is unclear",
      "\(two.title)"
    )
  }

  @Test("The paragraph's ranges of sizes agree with the title's change, in both directions")
  func sizeRanges() {
    func cell(_ name: String, _ history: Bool, heap: Int64) -> CellFixture {
      CellFixture(name, history ? ["history": .word("on")] : [:], seconds: 0.4).with { $0.heapPeak = heap }
    }
    let fixture = Fixture(cells: [
      cell("save", false, heap: 900_000), cell("save", true, heap: 1_000_000),
      cell("batch-objects", false, heap: 1_000),
      cell("batch-objects", true, heap: 4_000), cell("batch-dictionary", false, heap: 2_000),
      cell("batch-dictionary", true, heap: 1_000), cell("batch-managed-object", false, heap: 2_000),
      cell("batch-managed-object", true, heap: 2_000),
    ])
    #expect(
      fixture.text.contains(
        "heap peak down to 0.977 KiB from 1.95 KiB (`batch-dictionary`) and up to 3.91 KiB from 0.977 KiB "
          + "(`batch-objects`)"),
      "\(fixture.answer)")
  }
}

extension TitleTests {
  @Test("Growth of several kinds of work is drawn in a panel per kind, and a few lines in one plot")
  func panels() throws {
    func chart(_ fixture: Fixture) throws -> any Chart {
      try #require(SweepPicture.scaling(ScenarioAnalysis(fixture.results.scenarios[0]))).chart
    }
    let panels = try #require(try chart(.versions) as? LinePanels)
    #expect(panels.panels.map(\.title) == ["version=optional", "version=removed", "version=added"])
    #expect(panels.panels.allSatisfy { $0.series.map(\.label) == ["save", "sqlite/insert"] })
    #expect(panels.panels.allSatisfy { $0.series.allSatisfy { !$0.end.isEmpty } })
    #expect(panels.summary.contains("version=removed: save, exponent 1.00"))
    let plot = try #require(try chart(.scaling()) as? LineChart)
    #expect(plot.series.count == 4 && plot.series.contains { $0.label == "batch-objects, exponent 1.00" })
  }

  @Test("A page on many ways begins with their ranking at the most rows, and folds away their growth")
  func manyWays() throws {
    func fixture(_ engines: Int) -> Fixture {
      Fixture(
        cells: [1_000, 10_000].flatMap { rows in
          (0..<engines).map { $0 == 0 ? "sqlite" : "engine-\($0)" }.enumerated().map { index, engine in
            CellFixture(
              "insert", ["rows": .count(rows)], of: engine, seconds: 1e-6 * Double(rows) * Double(index + 1), rows: rows
            )
          }
        })
    }
    func pictures(_ fixture: Fixture) -> [String] {
      RunReport.full(RunAnalysis(fixture.results)).pictures.map(\.name).filter {
        $0.contains("scaling") || $0.contains("ranking")
      }
    }
    let many = fixture(14)
    #expect(pictures(many) == ["earthquakes-ranking-2", "earthquakes-scaling"])
    let analysis = RunAnalysis(many.results).scenarios[0]
    #expect(RunReport.mainPictures(of: analysis).map(\.name) == ["earthquakes-ranking-2"])
    let chart = try #require(RunReport.mainPictures(of: analysis).first?.chart as? IntervalChart)
    #expect(chart.rows.count == 14 && chart.axis.title == "times the reference")
    #expect(chart.rows.first?.label == "sqlite/insert" && chart.rows.last?.label == "engine-13/insert")
    #expect(abs(try #require(chart.rows.last?.value) - 14) < 0.001)
    #expect(RunReport.html(many.results).contains("<summary>Growth with rows, in small plots</summary>"))
    #expect(RunReport.markdown(many.results).contains("](charts/earthquakes-ranking-2.svg)"))
    // There are few enough for an overview.
    let few = fixture(13)
    #expect(pictures(few) == ["earthquakes-scaling", "earthquakes-ranking-2"])
    #expect(!RunReport.html(few.results).contains("Growth with rows, in small plots"))
  }

  @Test("An exponent has two decimals, and a minus sign if it is negative")
  func exponents() {
    #expect(
      Digits.exponent(1.0249) == "1.02" && Digits.exponent(-0.244) == "−0.24" && Digits.exponent(-0.001) == "0.00")
  }
}

extension TitleTests {
  /// With and without history; history needs more heap, WAL and file.
  private var history: Fixture {
    var fixture = Fixture.history
    for index in fixture.cells.indices where fixture.cells[index].cell.parameters["history"] != nil {
      fixture.cells[index].heapPeak *= 3
      fixture.cells[index].walBytes = fixture.cells[index].walBytes * 8 / 5
      fixture.cells[index].databaseBytes = Fixture.databaseBytes * 3 / 2
    }
    return fixture
  }

  @Test("A question that names figures is answered with them, on a quiet and on a busy machine")
  func namedFigures() {
    let busy = history.noisy
    #expect(busy.title == "`history=on` needs up to 3.0 times the heap; times cannot be told apart here")
    let asked = busy.asking(about: nil, also: [.walPeak, .databaseBytes])
    #expect(
      asked.title == "`history=on` needs up to 1.6 times the WAL and 1.5 times the file; its time is not certain",
      "\(asked.title)")
    let quiet = history.asking(about: nil, also: [.walPeak, .databaseBytes]).title
    #expect(quiet.hasPrefix("`history=on` takes 1.2"), "\(quiet)")
    #expect(quiet.hasSuffix(" times as long, up to 1.6 times the WAL and 1.5 times the file"), "\(quiet)")
    #expect(
      history.asking(about: nil, also: [.databaseBytes]).rounds(3).title
        == "`history=on` needs up to 1.5 times the file; too few rounds to rank times")
    var same = Fixture.history
    for (index, cell) in same.cells.enumerated() {
      same.cells[index].databaseBytes = 8 << 20
      same.cells[index].walBytes = cell.cell.parameters["history"] == nil ? 4 << 20 : 6 << 20
    }
    #expect(same.rounds(3).title == "`history=on` needs up to 1.5 times the WAL; too few rounds to rank times")
    for index in same.cells.indices { (same.cells[index].walBytes, same.cells[index].heapPeak) = (4 << 20, 4 << 20) }
    #expect(same.rounds(3).title == "Too few rounds to judge what `history=on` costs", "\(same.rounds(3).title)")
    let all = same.rounds(3).text
    #expect(all.contains("- Of all cells, `batch-dictionary` has the shortest median, "), "\(all)")
    // A comma separates the time from several figures.
    var both = history.asking(about: .walPeak, also: [.databaseBytes])
    for index in [1, 3] { both.cells[index].walls = both.cells[index - 1].walls }
    #expect(
      both.title == "`history=on` needs up to 1.6 times the WAL and 1.5 times the file, and takes the same time",
      "\(both.title)")
    // If a parameter saves time in some cells, the sentence says how little they take, not how much more.
    var faster = Fixture.history
    faster[cell: "save[history=on]"].walls = faster[cell: "save"].walls.map { $0 / 2 }
    faster[cell: "batch-dictionary[history=on]"].walls = faster[cell: "batch-dictionary"].walls.enumerated().map {
      $1 * ($0 % 2 == 0 ? 1.01 : 0.99)
    }
    #expect(
      faster.title == "`history=on` takes as little as 0.50 times as long and up to 2.0 times the file",
      "\(faster.title)")
    // If it saves time in one cell and costs time in another, the title has both ends.
    var mixed = Fixture.history
    mixed[cell: "save[history=on]"].walls = mixed[cell: "save"].walls.map { $0 * 0.7 }
    let objects = CellFixture("batch-objects", seconds: 0.3)
    mixed.cells += [
      objects,
      CellFixture("batch-objects", ["history": .word("on")], seconds: 0.3)
        .with(walls: objects.walls.enumerated().map { $1 * ($0 % 2 == 0 ? 1.01 : 0.99) }),
    ]
    #expect(
      mixed.title == "`history=on` takes 0.70 to 1.2 times as long and up to 2.0 times the file", "\(mixed.title)")
  }

  @Test("If every way differs in one parameter, the answer is what it does to the figure, even if nothing")
  func pricedFigure() {
    var fixture = Fixture.starvation.asking(about: .walPeak)
    #expect(fixture.title == "`reader=pinned` needs up to 22 times the WAL and takes the same time", "\(fixture.title)")
    #expect(fixture.answer.hasPrefix("**`save[save_every=1000]` has the lowest WAL peak**, 3.93 MiB."))
    let pinned = "save[reader=pinned,save_every=1000]"
    fixture[cell: pinned].walBytes = fixture[cell: "save[save_every=1000]"].walBytes
    #expect(fixture.title == "`reader=pinned` changes the WAL by less than 5 % and takes the same time")
    #expect(fixture.answer.hasPrefix("**The WAL peak is 3.93 MiB in every cell.**"), "\(fixture.answer)")
    #expect(fixture.answer.contains("WAL peak 3.93 MiB, the same to within 5 %"), "\(fixture.answer)")
    #expect(
      fixture.noisy.title == "`reader=pinned` changes the WAL by less than 5 %; times cannot be told apart here",
      "\(fixture.noisy.title)")
    // If a strategy has no cell without the parameter, the figure of each is the answer.
    fixture.cells.append(CellFixture("batch-dictionary", seconds: 0.3).with { $0.walBytes *= 2 })
    #expect(fixture.title.hasPrefix("WAL peak: 3.93 MiB "), "\(fixture.title)")
  }

  @Test("If noise or few rounds hide how much is enough, the title names what is exact")
  func hiddenSize() {
    var fixture = Fixture.batchSize
    #expect(fixture.rounds(4).title == "Too few rounds to say how much `request_size` is enough")
    fixture[cell: "batch-dictionary[request_size=10]"].walBytesWritten = 211_000_320
    let exact = "`request_size=10` writes 10 times the bytes of `request_size=all`; "
    #expect(fixture.noisy.title == exact + "times are too noisy", "\(fixture.noisy.title)")
    #expect(fixture.noisy.answer.contains("writes 10.0 times the bytes of `batch-dictionary` ("))
    #expect(fixture.rounds(4).title == exact + "too few rounds", "\(fixture.rounds(4).title)")
    #expect(fixture.title.hasPrefix("Best `request_size`: 1000; "))
    // Another strategy with the same sweep shares the sentences.
    fixture.cells += fixture.cells.filter { $0.cell.strategy == "batch-dictionary" }.map { cell in
      var other = cell
      other.cell.strategy = "batch-objects"
      return other
    }
    let few = fixture.rounds(4)
    #expect(
      few.title.hasPrefix("`request_size=10` writes up to 10 times the bytes of `request_size=all`; "), "\(few.title)")
    #expect(
      few.answer.hasPrefix(
        "**Too few rounds to find the knee of `request_size` with `batch-dictionary` and `batch-objects`**: 4 common rounds. "
      ), "\(few.answer)")
    #expect(few.answer.contains("each write 10.0 times the bytes of `batch-dictionary` and `batch-objects` ("))
  }

  @Test("If the times of several kinds of work are noise, the answer is a way's memory relative to its reference")
  func noisyKinds() {
    var fixture = Fixture.versions.noisy
    for index in fixture.cells.indices where fixture.cells[index].cell.engine == "objectgraph" {
      fixture.cells[index].heapPeak *= 3
    }
    #expect(
      fixture.title == "`save` needs 3.0 times the heap of `sqlite/insert`; times cannot be told apart here",
      "\(fixture.title)")
    let few = Fixture.versions.rounds(3).title
    #expect(few == "Too few rounds to say whether `save` takes longer than `sqlite/insert`", "\(few)")
    let answer = Fixture.versions.rounds(3).answer
    #expect(answer.contains(" has too few rounds to rank for every `version`."), "\(answer)")
  }
}

extension TitleTests {
  @Test("Cells with the same need share a sentence", .tags(.a3))
  func sharedSentences() {
    let ways: [(String, Int64)] = [("batch-dictionary", 1), ("save", 3), ("batch-objects", 3), ("batch-other", 2)]
    let sizes = ways.map { way, size in CellFixture(way, seconds: 0.3).with { $0.heapPeak = size << 20 } }
    var fixture = Fixture(cells: sizes).asking(about: .heapPeak)
    #expect(
      fixture.answer.hasPrefix(
        "**`batch-dictionary` has the lowest heap peak**, 1.00 MiB. `save` and `batch-objects` have 3.00 MiB, "
          + "3.00 times as much. `batch-other` has 2.00 MiB, 2.00 times as much."))
    // Another engine, which is not part of the question, has less.
    fixture.cells.append(CellFixture("insert", of: "sqlite", seconds: 0.1).with { $0.heapPeak = 1 << 19 })
    #expect(
      fixture.answer.hasPrefix("**`batch-dictionary` has the lowest heap peak** through the object graph, 1.00 MiB. "),
      "\(fixture.answer)")
  }

  @Test("Work that differs only in a pragma is named by it, whether set by cells or by their store", .tags(.a3))
  func pragmaGroups() {
    func cells(_ parameters: [String: ParameterValue], _ mode: String) -> [CellFixture] {
      [("save", Int64(3 << 20)), ("batch-dictionary", 1 << 20)].map { strategy, heap in
        CellFixture(strategy, parameters, seconds: 0.3).with {
          $0.heapPeak = heap
          $0.pragmas = [StorePragma("journal_mode", mode)]
        }
      }
    }
    let third = CellFixture("batch-objects", seconds: 0.3).with { $0.heapPeak = 2 << 20 }
    let mode: [String: ParameterValue] = ["journal_mode": .word("delete")]
    let fixture = Fixture(cells: cells([:], "wal") + [third] + cells(mode, "delete")).asking(about: .heapPeak)
    #expect(
      fixture.title == "Heap peak at `journal_mode=wal`: 1.00 MiB with `batch-dictionary`, 3.00 MiB with `save`",
      "\(fixture.title)")
    #expect(
      fixture.answer.hasPrefix("At `journal_mode=wal`, **`batch-dictionary` has the lowest heap peak**, 1.00 MiB."))
    let few = fixture.asking(about: nil).rounds(3).answer
    #expect(few.hasPrefix("At `journal_mode=wal`, **too few rounds to rank the cells by time**: "), "\(few)")
    // What is clear from the place needs no sentence.
    let last = Fixture(cells: cells([:], "wal") + cells(mode, "delete")).asking(about: .heapPeak).answer
    #expect(last.hasPrefix("At `journal_mode=delete`, **") && !last.contains("committed with"), "\(last)")
  }

  @Test("A figure of one kind of work is reported with that kind, and a figure of some cells not as one of all")
  func figuresOfSome() {
    let cells: [CellFixture] = [1_000, 100_000].flatMap { (rows: Int) -> [CellFixture] in
      [
        CellFixture("save", ["rows": .count(rows)], seconds: 0.3, rows: rows).with { $0.walBytes = 40 << 20 },
        CellFixture("batch-dictionary", ["rows": .count(rows)], seconds: 0.2, rows: rows)
          .with { $0.walBytes = 4 << 20 },
      ]
    }
    let sizes = Fixture(cells: cells).asking(about: .walPeak)
    #expect(
      sizes.title == "WAL peak at `rows=100000`: 4.00 MiB with `batch-dictionary`, 40.0 MiB with `save`",
      "\(sizes.title)")
    #expect(sizes.answer.hasPrefix("At `rows=100000`, **`batch-dictionary` has the lowest WAL peak**, 4.00 MiB."))
    var same = sizes
    for index in same.cells.indices { same.cells[index].walBytes = Int64(same.cells[index].rows / 1_000) << 20 }
    #expect(same.title == "WAL peak at `rows=100000` is 100 MiB in every cell", "\(same.title)")
    #expect(same.answer.hasPrefix("At `rows=100000`, **the WAL peak is 100 MiB in every cell.**"), "\(same.answer)")
    var some = Fixture(cells: [CellFixture("save", seconds: 0.3)]).asking(about: .heapPeak)
    #expect(some.title == "Heap peak: 1.00 MiB with `save`", "\(some.title)")
    some.cells.append(CellFixture("batch-dictionary", seconds: 0.2))
    #expect(some.title == "Heap peak is 1.00 MiB in every cell")
    // A cell with an unknown heap, such as that of a program with its own heap, does not count among those with the
    // same heap.
    some.cells.append(CellFixture("insert", of: "sqlite", seconds: 0.1).with { $0.withoutPasses = [.memory] })
    #expect(some.title == "Heap peak: 1.00 MiB with `batch-dictionary` and `save`", "\(some.title)")
    #expect(some.text.contains("The heap peak is 10.5 bytes a row in every cell that has it."), "\(some.text)")
    some.cells.removeLast()
    #expect(some.text.contains("The heap peak is 10.5 bytes a row in every cell."), "\(some.text)")
    some.cells.append(CellFixture("insert", of: "sqlite", seconds: 0.1).with { $0.heapPeak *= 2 })
    #expect(some.title == "Heap peak: 1.00 MiB with `batch-dictionary` and `save`", "\(some.title)")
    #expect(some.answer.hasPrefix("**Heap peak: 1.00 MiB** with `batch-dictionary` and `save`."))
  }

  @Test("The least memory is reported among the cells with a measured heap, if one has none")
  func leastOfKnown() {
    var fixture = Fixture.standard
    #expect(fixture.text.contains("**`sqlite/insert` needs the least memory**, with a heap peak of 40.0 KiB"))
    fixture["batch-objects"].withoutPasses = [.memory]
    #expect(
      fixture.text.contains(
        "**`sqlite/insert` needs the least memory of the cells whose heap was measured**, with a heap peak of 40.0 KiB")
    )
  }

  @Test("A question about the heap at growing numbers of rows is answered by its growth")
  func heapGrowth() {
    let title = Fixture.scaling().asking(about: .heapPeak).title
    #expect(title == "Heap grows by up to 470 bytes a row (`save`), or not at all", "\(title)")
    // If it is neither flat nor growing, the figure itself is the answer, not the growth of time.
    var humps = Fixture.scaling().asking(about: .heapPeak)
    for index in humps.cells.indices {
      humps.cells[index].heapPeak = humps.cells[index].rows == 10_000 ? 9 << 20 : 1 << 20
    }
    #expect(humps.title == "Heap peak at `rows=100000` is 1.00 MiB in every cell", "\(humps.title)")
  }

  @Test(
    "A constant heap has a clause of its own if the time is unknown, and covers all ways only if it is true of all"
  )
  func flatHeap() {
    var fixture = Fixture.scaling()
    fixture.cells.removeAll { ["save", "batch-objects"].contains($0.cell.strategy) }
    #expect(fixture.title == "Time grows in proportion to the rows; memory does not", "\(fixture.title)")
    let few = fixture.rounds(1).title
    #expect(few == "Too few rounds to say how time grows with rows; heap does not grow with the rows", "\(few)")
    // A strategy that needs most below the largest number of rows is neither flat nor growing.
    fixture[cell: "batch-dictionary[rows=10000]"].heapPeak = 9 << 20
    #expect(
      fixture.title == "Time grows in proportion to the rows; memory does not with `sqlite/insert`", "\(fixture.title)")
  }

  @Test("With many engines and several kinds of work, the title has the nearest to the reference and the furthest")
  func manyEngines() {
    let engines: [(name: String, factor: Double)] = [
      ("objectgraph", 2), ("c", 1.1), ("rust", 1.3), ("python", 4), ("php", 9), ("sqlite", 1),
    ]
    let cells: [CellFixture] = [1_000, 100_000].flatMap { (rows: Int) -> [CellFixture] in
      ["none", "all"].flatMap { (version: String) -> [CellFixture] in
        engines.map { engine in
          let strategy = engine.name == "objectgraph" ? "save" : "insert"
          return CellFixture(
            strategy, ["rows": .count(rows), "version": .word(version)], of: engine.name,
            seconds: 4e-6 * engine.factor * Double(rows), rows: rows
          ).with {
            $0.cell.conditionKeys = ["rows", "version"]
            $0.cell.isOfDefaultEngine = engine.name == "objectgraph"
          }
        }
      }
    }
    let title = Fixture(cells: cells).title
    #expect(
      title == "`c/insert` takes 1.1 times as long as `sqlite/insert`, `php/insert` 9.0 times", "\(title)")
    // A slow cell ends after a few rounds, so the last ranked cell is not the slowest.
    let slow = cells.filter { $0.cell.engine == "php" }.map { cell in
      cell.with {
        $0.cell.engine = "ruby"
        $0.walls = cell.walls.prefix(3).map { $0 * 10 }
      }
    }
    #expect(
      Fixture(cells: cells + slow).title
        == "`c/insert` takes 1.1 times as long as `sqlite/insert`, `php/insert` 9.0 times; 1 slower unranked")
  }
}

extension TitleTests {
  /// Two ways to fetch one row or many; their heaps differ by a factor of up to 40.
  private func searches(_ name: String) -> Fixture {
    Fixture(
      cells: ["objects", "dictionaries"].enumerated().flatMap { index, strategy in
        ["one", name].map { predicate in
          CellFixture(strategy, ["predicate": .word(predicate)], seconds: 0.3).with {
            $0.cell.conditionKeys = ["predicate"]
            $0.heapPeak = predicate == "one" ? 1 << 20 : (40 >> index) << 20
          }
        }
      })
  }

  @Test("A ratio of memory is in the title of a question about time only beside known times", .tags(.a3))
  func memoryBesideTime() {
    let exact = "`predicate=half` needs up to 40 times the heap of `predicate=one`; "
    let noisy = searches("half").noisy.title
    #expect(noisy == exact + "its time is not certain", "\(noisy)")
    let few = searches("half").rounds(3).title
    #expect(few == exact + "too few rounds", "\(few)")
    // If names leave no room for both, the title is about time.
    let long = "earthquakes_of_the_strongest_magnitudes_in_alaska"
    #expect(searches(long).noisy.title == "What `predicate=\(long)` costs is not certain here")
    let names = ["save", "batch"].map { "\($0)-" + String(repeating: "x", count: 40) }
    let ways = Fixture(
      cells: zip(names, [45, 1] as [Int64]).map { name, heap in
        CellFixture(name, seconds: 0.3).with { $0.heapPeak = heap << 20 }
      })
    #expect(
      ways.noisy.title == "One way needs 45 times the heap of another; times cannot be told apart here",
      "\(ways.noisy.title)")
  }
}
