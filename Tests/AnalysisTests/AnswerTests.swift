// The answer of a run, as values, for runs with a known truth: clear, tied, noisy, short, swept, and with a question
// about memory.
import BatchmarkEngine
import Analysis
import Harness
import Instruments
import MissionTags
import Scenarios
import Testing

@Suite("A5 · the answer to a scenario's question", .tags(.a5))
struct AnswerTests {
  private let save = SyntheticCell("save", seconds: 0.3).with { $0.heapPeak = 12_000_000 }
  private let array = SyntheticCell("batch-objects", .batch(.array), seconds: 0.2).with { $0.heapPeak = 11_000_000 }
  private let dictionary = SyntheticCell("batch-dictionary", .batch(.dictionaryHandler), seconds: 0.1)
    .with { $0.heapPeak = 1_000_000 }
  private let handler = SyntheticCell("batch-managed-object", .batch(.objectHandler), seconds: 0.1001)
    .with { $0.heapPeak = 1_000_000 }
  private let reference = SyntheticCell("insert", of: "sqlite", .reference, seconds: 0.05)
  private let peer = SyntheticCell("record", of: "grdb", .peer, seconds: 0.4)

  private func answer(_ cells: [SyntheticCell], _ change: (inout SyntheticRun) -> Void = { _ in }) throws -> Answer {
    var run = SyntheticRun(cells: cells)
    change(&run)
    return try #require(try run.analysis().scenario.answer)
  }

  @Test(
    "Batches with the same time are chosen together, compared with the save, and the peers come last", .tags(.a2))
  func clear() throws {
    let found = try answer([reference, peer, save, array, dictionary, handler])
    #expect(found.kind == .choice && found.verdict == .alike && found.about == nil)
    #expect(Set(found.choice) == [dictionary.id, handler.id])
    #expect(Set(found.against.map(\.cell)) == Set([save.id, array.id] + found.choice.dropFirst()))
    let asked = try #require(found.against.first)
    #expect(asked.cell == save.id && asked.base == found.choice[0])
    #expect(asked.certainty == .certain && asked.heap?.ratio == 12)
    #expect(abs((asked.time?.median ?? 0) - 3) < 0.03)
    #expect(found.peers.map(\.cell) == [reference.id, peer.id])
  }

  @Test("If a save is fastest, it is compared with the best batch")
  func saveWins() throws {
    let found = try answer([save.with { $0.seconds = 0.05 }, array, dictionary])
    #expect(found.verdict == .one && found.choice == [save.id] && found.against.first?.cell == dictionary.id)
  }

  @Test("Noisy times show no difference, and memory is reported anyway", arguments: 1...UInt64(20))
  func noisy(seed: UInt64) throws {
    let cells = [save.with { $0.seconds = 0.1 }, dictionary]
    let found = try answer(cells) { run in
      run.ownNoise = 0.3
      run.seed = seed
    }
    #expect(found.verdict == .cannotTell, "no claim is made at this noise by these seeds")
    let asked = try #require(found.against.first)
    #expect(Set(found.choice) == Set(cells.map(\.id)))
    #expect(asked.certainty == .undecided)
    let heap = try #require(asked.heap?.ratio)
    #expect(abs(heap - 12) < 1e-9 || abs(heap - 1 / 12) < 1e-9)
  }
}

extension AnswerTests {
  @Test(
    "If times rank no cell, all that need the most memory are named together, and all that need the least", .tags(.a3)
  )
  func spreads() throws {
    let cells = [
      save, array.with { $0.heapPeak = 11_800_000 }, dictionary, handler.with { $0.heapPeak = 1_010_000 },
      SyntheticCell("batch-other", .batch(.storedRows), seconds: 0.1).with { $0.heapPeak = 7_000_000 },
    ].map { cell in cell.with { $0.seconds = 0.1 } }
    for rounds in [10, 3] {
      let found = try answer(cells) { run in (run.ownNoise, run.rounds) = (0.3, rounds) }
      #expect(found.verdict == .cannotTell)
      let heap = try #require(found.spreads?.first)
      #expect(found.spreads?.count == 1 && heap.metric == .heapPeak)
      #expect(heap.least.cells == [dictionary.id, handler.id] && heap.least.figure == 1_000_000)
      #expect(heap.more.map(\.cells) == [[save.id, array.id], [cells[4].id]])
      #expect(heap.more.map { heap.ratio(of: $0) } == [12, 7])
    }
    #expect(try answer([save, dictionary]).spreads == nil, "times decide")
    // If noise leaves several strategies to choose from, slower ones may need as much.
    let turns = [0.06, 0.14, 0.14, 0.06, 0.06, 0.14, 0.06, 0.14, 0.14, 0.06, 0.14, 0.06]
    let walls: [[Double]] = [turns, turns.map { _ in 0.101 }, turns.map { _ in 0.13 }]
    let open = try answer(zip([dictionary, array, save], walls).map { cell, walls in cell.with { $0.walls = walls } }) {
      $0.rounds = 12
    }
    #expect(open.verdict == .alike && open.spreads?.first?.least.cells == [dictionary.id])
    #expect(open.spreads?.first?.more.map(\.cells) == [[save.id], [array.id]])
    let alike = try answer([dictionary, handler]) { $0.rounds = 3 }
    #expect(alike.spreads == [])
  }
}

extension AnswerTests {
  @Test("With too few rounds there is no verdict")
  func fewRounds() throws {
    let found = try answer([save, dictionary]) { $0.rounds = 4 }
    #expect(found.verdict == .cannotTell && found.against.first?.certainty == .tooFewRounds)
  }

  @Test("A way with too few rounds does not make others fastest that noise hides, nor another one that takes longer")
  func fewRoundsOfOne() throws {
    let batches = [array, dictionary, handler].enumerated().map { index, cell in
      cell.with { $0.walls = (0..<10).map { 0.1 * (($0 + index) % 2 == 0 ? 1.12 : 0.89) } }
    }
    let slow = save.with { $0.rounds = 3 }
    let noisy = try answer(batches + [slow])
    #expect(noisy.verdict == .cannotTell && Set(noisy.choice) == Set(batches.map(\.id)))
    #expect(noisy.against.first { $0.cell == slow.id }?.certainty == .tooFewRounds)
    let clear = try answer([array, dictionary, slow])
    #expect(clear.verdict == .one && clear.choice == [dictionary.id])
    let quick = slow.with { $0.seconds = 0.01 }
    let open = try answer([array, dictionary, quick])
    #expect(open.verdict == .cannotTell && open.choice == [quick.id])
    #expect(open.against.allSatisfy { $0.certainty == .tooFewRounds })
  }

  @Test("A way that is certainly slower than one of the best is compared with that one, however noisy another is")
  func noisyChoice() throws {
    let turns = [0.06, 0.14, 0.14, 0.06, 0.06, 0.14, 0.06, 0.14, 0.14, 0.06, 0.14, 0.06]
    func cell(_ cell: SyntheticCell, _ walls: [Double]) -> SyntheticCell { cell.with { $0.walls = walls } }
    let found = try answer([
      cell(dictionary, turns), cell(array, turns.map { _ in 0.101 }), cell(save, turns.map { _ in 0.13 }),
    ]) { $0.rounds = 12 }
    #expect(found.verdict == .alike && found.choice == [dictionary.id, array.id])
    let asked = try #require(found.against.first)
    #expect(asked.cell == save.id && asked.base == array.id && asked.certainty == .certain)
    #expect(abs((asked.time?.median ?? 0) - 1.29) < 0.01)
  }

  @Test("Other winners under other conditions are separate cases; the same winner everywhere is not")
  func dependsOn() throws {
    func cells(_ share: String, _ seconds: [Double]) -> [SyntheticCell] {
      [
        SyntheticCell("save", .objectByObject, ["duplicates": .word(share)], seconds: seconds[0]),
        SyntheticCell(
          "batch-dictionary", .batch(.dictionaryHandler), ["duplicates": .word(share)], seconds: seconds[1]),
      ].map { cell in cell.with { $0.hash = share } }
    }
    let (none, half) = (cells("0%", [0.3, 0.1]), cells("50%", [0.1, 0.3]))
    let found = try answer(none + half)
    // If all cells are swept over a parameter, the question is its price.
    #expect(found.kind == .price || found.verdict == .dependsOn)
    if found.kind == .choice { #expect(found.cases.map(\.choice) == [[none[1].id], [half[0].id]]) }
  }

  @Test("A question about memory is answered by memory, even if another way is faster", .tags(.a3))
  func memory() throws {
    var results = try SyntheticRun(cells: [save.with { $0.seconds = 0.01 }, array, dictionary, handler]).results()
    results.about = .heapPeak
    let found = try #require(ScenarioAnalysis(results).scenario.answer)
    #expect(
      found.about == .heapPeak && Set(found.choice) == [handler.id, dictionary.id] && found.best?.median == 1_000_000)
    #expect(found.against.map(\.cell) == [save.id, array.id])
  }
}

extension AnswerTests {
  @Test("Memory is compared only among cells that did equal work", .tags(.a3))
  func memoryOfEqualWork() throws {
    let other = array.with {
      $0.hash = "other"
      $0.heapPeak = 10
    }
    var results = try SyntheticRun(cells: [save, other, dictionary]).results()
    results.about = .heapPeak
    let found = try #require(ScenarioAnalysis(results).scenario.answer)
    #expect(found.choice == [dictionary.id] && found.against.map(\.cell) == [save.id])
    #expect(found.group == 0)
    // Work whose cells lack the figure is left out of the question, even if it has the most cells.
    let lacking = [array, handler].map { cell in
      cell.with {
        $0.pragmas = [StorePragma("journal_mode", "delete")]
        $0.heapPeak = nil
      }
    }
    results = try SyntheticRun(cells: [save, dictionary] + lacking).results()
    results.about = .heapPeak
    let known = try #require(ScenarioAnalysis(results).scenario.answer)
    #expect(known.choice == [dictionary.id] && known.group == 0)
  }

  @Test("Different counts are not alike, however close: only bytes and times are shown with three digits", .tags(.a3))
  func counts() throws {
    let numbers: [Int64] = [401_000, 400_100, 400_000]
    let cells = zip([save, array, dictionary], numbers).map { cell, count in
      cell.with {
        $0.allocations = count
        $0.heapPeak = count
      }
    }
    var results = try SyntheticRun(cells: cells).results()
    results.about = .allocations
    let counted = try #require(ScenarioAnalysis(results).scenario.answer)
    #expect(counted.verdict == .one && counted.choice == [dictionary.id])
    #expect(counted.against.map(\.cell) == [save.id, array.id])
    results.about = .heapPeak
    #expect(ScenarioAnalysis(results).scenario.answer?.choice.count == 3)
  }

  @Test("A sufficient amount has its own answer, with the cost of too small an amount")
  func size() throws {
    let seconds: [(ParameterValue, Double)] = [(.count(1), 0.9), (.count(100), 0.2), (.count(1_000), 0.1), (.all, 0.1)]
    let found = try answer(
      seconds.map { SyntheticCell("save", .objectByObject, ["save_every": $0.0], seconds: $0.1) })
    #expect(found.kind == .size)
    #expect(found.against.count == 1 && found.against[0].cell.contains("save_every=1]"))
    #expect(abs((found.against[0].time?.median ?? 0) - 9) < 0.2)
  }

  @Test("The cost of a setting is reported for the one that matters most")
  func price() throws {
    let cells = [
      SyntheticCell("save", seconds: 0.1),
      SyntheticCell("save", .objectByObject, ["history": .word("on")], seconds: 0.2),
    ]
    let found = try answer(cells)
    let price = try #require(found.price)
    #expect(found.kind == .price && price.parameter == "history" && price.value == "on" && price.isOfAll)
    #expect(abs((price.most ?? 0) - 2) < 0.02 && price.least == price.most)
  }

  @Test(
    "A price whose time is uncertain shows every change of memory, and a certain one only a large change"
  )
  func priceInMemory() throws {
    func price(_ peak: Int64, noise: Double? = nil) throws -> Answer.Price? {
      let cells = [
        SyntheticCell("save", seconds: 0.1).with { $0.heapPeak = 1_000_000 },
        SyntheticCell("save", .objectByObject, ["history": .word("on")], seconds: noise == nil ? 0.2 : 0.1)
          .with { $0.heapPeak = peak },
      ]
      return try answer(cells) { run in if let noise { run.ownNoise = noise } }.price
    }
    let less = try #require(try price(800_000, noise: 0.3))
    #expect(less.most == nil && less.size == .heapPeak && less.timesTheSize == 0.8)
    #expect(try price(1_200_000, noise: 0.3)?.timesTheSize == 1.2)
    #expect(try price(1_000_000, noise: 0.3)?.timesTheSize == nil)
    #expect(try price(800_000).map { [$0.size == nil, $0.most != nil] } == [true, true])
    #expect(try price(500_000)?.timesTheSize == 0.5)
  }

  @Test("More processor time is reported if wall time does not show it")
  func processorTime() throws {
    var results = try SyntheticRun(cells: [save.with { $0.seconds = 0.1 }, dictionary]).results()
    for (index, factor) in [(0, 1.0), (1, 1.5)] {
      for sample in results.cells[index].samples.indices {
        for phase in results.cells[index].samples[sample].phases.indices {
          let wall = results.cells[index].samples[sample].phases[phase].wallSeconds
          results.cells[index].samples[sample].phases[phase].cpuSeconds = wall.map { $0 * factor }
        }
      }
    }
    let found = try #require(ScenarioAnalysis(results).scenario.answer)
    let ratios = found.against.compactMap(\.processorTime?.median)
    #expect(ratios.count == 1 && ratios.allSatisfy { abs($0 - 1.5) < 0.05 || abs($0 - 1 / 1.5) < 0.05 })
  }
}

extension AnswerTests {
  @Test("Growth by kind of work is answered beside each one's share of its reference's time at the most rows")
  func kindsOfWork() throws {
    func cell(
      _ strategy: String, of engine: String, _ role: StrategyRole, _ rows: Int, _ version: String, _ seconds: Double
    )
      -> SyntheticCell
    {
      var cell = SyntheticCell(
        strategy, of: engine, role, ["rows": .count(rows), "version": .word(version)], seconds: seconds)
      cell.cell.conditionKeys = ["rows", "version"]
      cell.cell.isOfDefaultEngine = engine == "objectgraph"
      return cell
    }
    var cells: [SyntheticCell] = []
    for rows in [1_000, 10_000, 100_000] {
      let count = Double(rows)
      let changes: [(name: String, seconds: Double)] = [
        ("cheap", 0.002), ("dear", 6e-6 * count), ("equal", 4e-6 * count),
      ]
      for change in changes {
        cells.append(cell("save", of: "objectgraph", .objectByObject, rows, change.name, change.seconds))
        cells.append(cell("insert", of: "sqlite", .reference, rows, change.name, 4e-6 * count))
      }
    }
    let found = try answer(cells)
    #expect(found.kind == .growth && found.verdict == .findings && found.choice.isEmpty)
    #expect(found.against.map(\.certainty) == [.certain, .certain, .undecided])
    for (alternative, ratio) in zip(found.against, [0.005, 1.5, 1]) {
      #expect(alternative.cell.contains("rows=100000") && alternative.base.contains("sqlite/insert[rows=100000"))
      #expect(abs((alternative.time?.median ?? 0) / ratio - 1) < 0.02)
    }
    // For a single kind of work, its growth is the whole answer.
    let one = try answer(cells.filter { $0.cell.parameters["version"] == .word("dear") })
    #expect(one.kind == .growth && one.against.isEmpty)
  }
}

extension AnswerTests {
  @Test(
    "Libraries of many engines are answered by their distance from the reference, whatever the work itself costs more")
  func manyEngines() throws {
    func cell(_ strategy: String, of engine: String, _ role: StrategyRole, _ version: String, _ seconds: Double)
      -> SyntheticCell
    {
      var cell = SyntheticCell(strategy, of: engine, role, ["version": .word(version)], seconds: seconds)
      cell.cell.conditionKeys = ["version"]
      cell.cell.isOfDefaultEngine = engine == "objectgraph"
      return cell
    }
    let ways: [(strategy: String, engine: String, role: StrategyRole, ratio: Double)] = [
      ("save", "objectgraph", .objectByObject, 2), ("save", "python", .objectByObject, 5),
      ("batch", "python", .batch(.dictionaryHandler), 1.5), ("save", "ruby", .objectByObject, 9),
      ("batch", "ruby", .batch(.dictionaryHandler), 3),
    ]
    func cells(_ engines: Set<String>) -> [SyntheticCell] {
      [("none", 0.1), ("unique", 0.4)].flatMap { version, seconds in
        [cell("insert", of: "sqlite", .reference, version, seconds)]
          + ways.filter { engines.contains($0.engine) }
          .map { cell($0.strategy, of: $0.engine, $0.role, version, seconds * $0.ratio) }
      }
    }
    let found = try answer(cells(["objectgraph", "python", "ruby"]))
    #expect(found.kind == .reference && found.price == nil && found.against.count == 2 * ways.count)
    for (index, alternative) in found.against.enumerated() {
      #expect(alternative.base.contains("sqlite/insert"))
      #expect(abs((alternative.time?.median ?? 0) / ways[index % ways.count].ratio - 1) < 0.05)
    }
    // The time that batches save in each library with both kinds of strategies, for one kind of work.
    let batching = try #require(found.batching)
    #expect(batching.map(\.engine) == ["python", "ruby"] && batching.allSatisfy { $0.certainty == .certain })
    #expect(batching.map(\.save).allSatisfy { $0.contains("/save[version=none]") })
    for (one, ratio) in zip(batching, [0.3, 1.0 / 3]) { #expect(abs(one.time.median / ratio - 1) < 0.05) }
    #expect(try answer(cells(["objectgraph", "python"])).batching == nil)
    #expect(try answer(cells(["objectgraph"])).kind != .reference)
    // Another change of a model is not the price of a parameter: each one is compared with the same change by hand.
    var migration = try SyntheticRun(cells: cells(["objectgraph"])).results()
    migration.change = ChangeRecord(operation: .migrate, condition: nil, assignments: [])
    let changes = try #require(ScenarioAnalysis(migration).scenario.answer)
    #expect(changes.kind == .reference && changes.price == nil)
    #expect(changes.against.count == 2 && changes.against.allSatisfy { abs(($0.time?.median ?? 0) / 2 - 1) < 0.05 })
  }
}

extension AnswerTests {
  @Test("A price of some ways is not the answer if another way is alone: the others are compared with it")
  func priceOfSomeWays() throws {
    let kept = SyntheticCell("save", .objectByObject, ["history": .word("on")], seconds: 0.6)
    let found = try answer([reference, save, kept, dictionary])
    #expect(found.kind == .choice && found.choice == [dictionary.id])
    #expect(found.against.first?.cell == save.id && found.price == nil)
    // If the batch has its own price, the question is what the parameter costs.
    let batch = SyntheticCell("batch-dictionary", .batch(.dictionaryHandler), ["history": .word("on")], seconds: 0.2)
    #expect(try answer([reference, save, kept, dictionary, batch]).kind == .price)
  }

  @Test("The price of a parameter of every way is answered before how the ways grow with rows")
  func priceBeforeGrowth() throws {
    func cells(_ strategies: [(String, StrategyRole)]) -> [SyntheticCell] {
      [1_000, 10_000, 100_000].flatMap { rows in
        strategies.flatMap { name, role in
          [(ParameterValue.word("none"), 1.0), (.word("controller"), 3)].map { results, factor in
            SyntheticCell(
              name, role, ["rows": .count(rows), "results": results], seconds: 1e-6 * Double(rows) * factor)
          }
        }
      }
    }
    let followed = cells([("save", .objectByObject), ("batch-dictionary", .batch(.dictionaryHandler))])
    let found = try answer(followed)
    #expect(found.kind == .price && found.price?.parameter == "results" && found.price?.value == "controller")
    #expect(abs((found.price?.most ?? 0) - 3) < 0.05)
    #expect(found.reasons.allSatisfy { if case .exponent = $0.kind { false } else { true } })
    let plain = followed.filter { $0.cell.parameters["results"] == .word("none") }
    #expect(try answer(plain).kind == .growth)
  }

  @Test("A parameter in which few cells differ does not come before the one that the scenario varies")
  func mainParameter() throws {
    let ways: [(String, StrategyRole)] = [
      ("save", .objectByObject), ("batch-objects", .batch(.array)), ("batch-dictionary", .batch(.dictionaryHandler)),
    ]
    let merged = ways.flatMap { name, role in
      [("none", 0.1), ("automatic", 0.2)].map { SyntheticCell(name, role, ["merge": .word($0)], seconds: $1) }
    }
    let kept = SyntheticCell(
      "save", .objectByObject, ["merge": .word("none"), "history": .word("on")], seconds: 0.5)
    let price = try #require(try answer(merged + [kept]).price)
    #expect(price.parameter == "merge" && price.value == "automatic" && price.isOfAll)
  }

  @Test("An answer about memory names what changes it most", .tags(.a3))
  func changeOfMemory() throws {
    let kept = SyntheticCell("save", .objectByObject, ["after_save": .word("keep")], seconds: 0.3)
      .with { $0.heapPeak = 12_000_000 }
    let reset = SyntheticCell("save", .objectByObject, ["after_save": .word("reset")], seconds: 0.3)
      .with { $0.heapPeak = 3_000_000 }
    var results = try SyntheticRun(cells: [kept, reset]).results()
    results.about = .heapPeak
    let price = try #require(ScenarioAnalysis(results).scenario.answer?.price)
    #expect(price.parameter == "after_save" && price.value == "reset" && price.timesTheSize == 0.25)
    #expect(price.size == .heapPeak && price.least == nil)
  }
}

extension AnswerTests {
  @Test("A parameter of every way comes before one of only some, even if that changes more", .tags(.a3))
  func reach() throws {
    func cell(_ name: String, _ role: StrategyRole, _ parameters: [String: ParameterValue], _ heap: Int64)
      -> SyntheticCell
    {
      SyntheticCell(name, role, parameters, seconds: 0.1).with { $0.heapPeak = heap }
    }
    let on: [String: ParameterValue] = ["history": .word("on")]
    let pieces: [String: ParameterValue] = ["save_every": .count(1_000)]
    let cells = [
      cell("save", .objectByObject, [:], 8_000_000), cell("save", .objectByObject, on, 12_800_000),
      cell("save", .objectByObject, pieces, 1_000_000),
      cell("save", .objectByObject, on.merging(pieces) { $1 }, 1_600_000),
      cell("batch-dictionary", .batch(.dictionaryHandler), [:], 1_000_000),
      cell("batch-dictionary", .batch(.dictionaryHandler), on, 1_600_000),
    ]
    let found = try answer(cells) { $0.ownNoise = 0.3 }
    let price = try #require(found.price)
    #expect(found.kind == .price && price.parameter == "history" && price.timesTheSize == 1.6)
  }

  @Test(
    "If no price is certain, the one with its own interval furthest from 1 comes first", .tags(.a3))
  func likelyPrice() throws {
    let ways: [(String, StrategyRole)] = [("save", .objectByObject), ("batch-dictionary", .batch(.dictionaryHandler))]
    let cells = ways.flatMap { name, role in
      ["warm", "cold"].flatMap { cache in
        [250, 20_000].map { size in
          let cell = SyntheticCell(
            name, role, ["cache_size": .count(size), "page_cache": .word(cache)], seconds: 0.1)
          return cache == "warm" ? cell : cell.with { $0.walls = (0..<6).map { $0 % 2 == 0 ? 0.11 : 0.15 } }
        }
      }
    }
    // Six rounds that differ prove none of several claims at once.
    let price = try #require(try answer(cells) { $0.rounds = 6 }.price)
    #expect(price.parameter == "page_cache" && price.value == "cold" && price.least == nil)
  }

  @Test("A question about a figure is answered by a price if every way has it with a parameter and without", .tags(.a3))
  func priceOfFigure() throws {
    func answer(_ heaps: [Int64], besides others: [SyntheticCell] = []) throws -> Answer {
      let cells = [
        SyntheticCell("save", seconds: 0.3), SyntheticCell("save", .objectByObject, ["x": .word("on")], seconds: 0.3),
      ]
      let all = zip(cells, heaps).map { cell, heap in cell.with { $0.heapPeak = heap } } + others
      var results = try SyntheticRun(cells: all).results()
      results.about = .heapPeak
      return try #require(ScenarioAnalysis(results).scenario.answer)
    }
    let more = try answer([1_000_000, 2_000_000])
    #expect(more.kind == .price && more.about == .heapPeak && more.verdict == .findings)
    #expect(more.choice == [SyntheticCell("save", seconds: 1).id] && more.best?.median == 1_000_000)
    #expect(more.price?.parameter == "x" && more.price?.size == .heapPeak && more.price?.timesTheSize == 2)
    let same = try answer([1_000_000, 1_000_000])
    #expect(same.kind == .price && same.price?.size == .heapPeak && same.price?.timesTheSize == 1)
    let others = try answer([1_000_000, 2_000_000], besides: [dictionary])
    #expect(others.kind == .choice)
  }
}
