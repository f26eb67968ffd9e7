// Sweeps with a known truth: exponents, a break, crossovers, knees, and prices of parameters.
import Analysis
import Harness
import Instruments
import MissionTags
import BatchmarkEngine
import Testing

@Suite("E · sweeps as findings", .tags(.a5, .a2))
struct SweepFindingTests {
  private static let sizes = [100, 1_000, 10_000, 100_000]

  private func sweep(
    _ strategy: String, _ role: StrategyRole, _ sizes: [Int] = SweepFindingTests.sizes, _ seconds: (Double) -> Double
  ) -> [SyntheticCell] {
    sizes.map { SyntheticCell(strategy, role, ["rows": .count($0)], seconds: seconds(Double($0))) }
  }

  // MARK: Growth

  @Test("An exactly linear cell grows in proportion, and one with the power 1.2 grows faster")
  func exponents() throws {
    let linear = sweep("linear", .peer) { 2e-6 * $0 }
    let steep = sweep("steep", .objectByObject) { rows in
      // Tenfold rows take 10^1.2 times as long.
      1e-6 * rows * (rows >= 100_000 ? 3.981 : rows >= 10_000 ? 2.512 : rows >= 1_000 ? 1.585 : 1)
    }
    let findings = try SyntheticRun(cells: linear + steep).findings()
    let proportional = try #require(findings.first { $0.kind == .exponent(.proportional) })
    #expect(proportional.cells == linear.map(\.id) && abs(proportional.estimates[0].median - 1) < 0.005)
    let faster = try #require(findings.first { $0.kind == .exponent(.faster) })
    #expect(faster.cells == steep.map(\.id) && abs(faster.estimates[0].median - 1.2) < 0.01)
    #expect(!findings.contains { if case .breakInGrowth = $0.kind { true } else { false } })
  }

  @Test("An exponent of 1.03 is not called different from 1, however well it is known")
  func nearlyLinear() throws {
    let nearly = sweep("nearly", .peer) { rows in
      1e-6 * rows * (rows >= 100_000 ? 1.230 : rows >= 10_000 ? 1.148 : rows >= 1_000 ? 1.072 : 1)
    }
    let findings = try SyntheticRun(cells: nearly, ownNoise: 0.0005).findings()
    #expect(findings.contains { $0.kind == .exponent(.proportional) })
  }

  @Test("A constant time hardly grows, and a time with the power 0.3 grows more slowly than the rows")
  func flatGrowth() throws {
    let flat = sweep("flat", .peer) { _ in 2e-3 }
    let slow = sweep("slow", .objectByObject) { rows in
      1e-3 * (rows >= 100_000 ? 7.943 : rows >= 10_000 ? 3.981 : rows >= 1_000 ? 1.995 : 1)
    }
    let findings = try SyntheticRun(cells: flat + slow).findings()
    let hardly = try #require(findings.first { $0.kind == .exponent(.hardly) })
    #expect(hardly.cells == flat.map(\.id) && abs(hardly.estimates[0].median) < 0.01)
    #expect(findings.first { $0.kind == .exponent(.slower) }?.cells == slow.map(\.id))
  }

  @Test("A cell that is three times as slow above 5,000 rows has a break, and no exponent")
  func growthBreak() throws {
    let broken = sweep("broken", .peer, [1_000, 2_000, 5_000, 10_000, 20_000]) { rows in
      1e-5 * rows * (rows > 5_000 ? 3 : 1)
    }
    let findings = try SyntheticRun(cells: broken).findings()
    let found = try #require(findings.first { $0.kind == .breakInGrowth(after: 5_000, before: 10_000) })
    #expect(abs(found.estimates[0].median - 3) < 0.05 && found.cells == broken.map(\.id))
    #expect(!findings.contains { if case .exponent = $0.kind { true } else { false } })
  }
}

extension SweepFindingTests {
  @Test("The heap per further row is found, and so are cells with a constant heap", .tags(.a3))
  func heap() throws {
    let growing = sweep("growing", .objectByObject) { 1e-5 * $0 }.map { cell in
      cell.with { $0.heapPeak = 10_000 + 470 * Int64($0.rows) }
    }
    let flat = sweep("flat", .batch(.dictionaryHandler)) { 1e-5 * $0 }.map { cell in cell.with { $0.heapPeak = 40_960 }
    }
    let findings = try SyntheticRun(cells: growing + flat).findings()
    #expect(findings.first { $0.kind == .heapPerRow }?.estimates[0].median == 470)
    #expect(findings.first { $0.kind == .heapIndependentOfRows }?.cells == flat.map(\.id))
  }

  @Test("A heap is independent of the rows only if it is at every size, and its highest peak is reported", .tags(.a3))
  func heapBetween() throws {
    func findings(_ peaks: [Int64]) throws -> [Finding] {
      let cells = zip(sweep("handler", .batch(.dictionaryHandler)) { 1e-5 * $0 }, peaks).map { cell, peak in
        cell.with { $0.heapPeak = peak }
      }
      return try SyntheticRun(cells: cells).findings().filter {
        [.heapPerRow, .heapIndependentOfRows].contains($0.kind)
      }
    }
    let flat = try findings([40_960, 60_000, 50_000, 45_000])
    #expect(flat.map(\.kind) == [.heapIndependentOfRows] && flat.first?.estimates.map(\.median) == [60_000])
    #expect(try findings([40_960, 9_000_000, 50_000, 45_000]).isEmpty)
    #expect(try findings([9_000_000, 60_000, 50_000, 45_000]).isEmpty)
  }
}

extension SweepFindingTests {
  @Test("Only strategies that ran with the most rows are compared with the reference there")
  func mostRows() throws {
    let reference = [10, 100, 1_000].map { rows in
      SyntheticCell("insert", of: "sqlite", .reference, ["rows": .count(rows)], seconds: 1e-5 * Double(rows))
    }
    let short = sweep("short", .objectByObject, [10, 100]) { 3e-5 * $0 }
    let long = sweep("long", .objectByObject, [10, 100, 1_000]) { 2e-5 * $0 }
    let findings = try SyntheticRun(cells: reference + short + long).analysis().scenario.mainFindings
      .filter { $0.kind == .timesReference }
    #expect(findings.map(\.cells) == [[long[2].id, reference[2].id]])
    #expect(abs(try #require(findings.first?.estimates.first).median - 2) < 0.02)
    // The nearest comes first, on either side.
    let fast = sweep("fast", .objectByObject, [10, 100, 1_000]) { 2e-6 * $0 }
    let both = try SyntheticRun(cells: reference + fast + long).analysis().scenario.mainFindings
      .filter { $0.kind == .timesReference }
    #expect(both.map(\.cells.first) == [long[2].id, fast[2].id])
  }

  // MARK: Crossovers

  @Test("Crossings at 10,000 and at 2,222 rows are found there", arguments: [10_000.0, 2_222])
  func crossover(size: Double) throws {
    // The second one has a fixed cost and saves 4 µs per row.
    let save = sweep("save", .objectByObject, [500, 1_000, 5_000, 50_000, 100_000]) { 0.001 + 6e-6 * $0 }
    let batch = sweep("batch-objects", .batch(.array), [500, 1_000, 5_000, 50_000, 100_000]) {
      0.001 + 4e-6 * size + 2e-6 * $0
    }
    let findings = try SyntheticRun(cells: save + batch).findings()
    let found = try #require(findings.first { $0.kind == .crossover })
    #expect(found.cells == (save + batch).map(\.id), "the one that wins below stands first")
    #expect(abs(found.estimates[0].median / size - 1) < 0.05, "\(found.estimates)")
    #expect(found.certainty == .estimated)
  }

  @Test("If noise leaves no certain winner at a bound beside all other claims, a crossover is undecided")
  func uncertainCrossover() throws {
    let sizes = [10, 100, 1_000]
    var save = sweep("save", .objectByObject, sizes) { 1e-5 * $0 }
    var batch = sweep("batch-objects", .batch(.array), sizes) { 5e-6 * $0 }
    var other = sweep("batch-dictionary", .batch(.dictionaryHandler), [10]) { 1e-5 * $0 }[0]
    save[0].walls = [1, 1, 1, 1, 1, 1]
    // Slower in every round, so that the interval excludes 1, but too varied for a test of three pairs.
    batch[0].walls = [1.01, 1.65, 1.02, 1.5, 1.03, 1.35]
    other.walls = [1.105, 0.887, 1.083, 0.905, 1.116, 0.914]
    let analysis = try SyntheticRun(cells: save + batch + [other], rounds: 6).analysis()
    let found = try #require(analysis.scenario.findings.first { $0.kind == .crossover })
    #expect(found.certainty == .undecided && found.cells == (save + batch).map(\.id))
    #expect(found.estimates[0].low == 10 && found.estimates[0].high == 100)
    let pair = try #require(analysis.crossings?.pairs.first)
    #expect(pair.points.map(\.verdict) == [.indistinguishable, .faster, .faster] && !pair.isCrossoverCertain)
  }
}

extension SweepFindingTests {
  @Test("Strategies that stored different contents have no crossover, and neither wins at any size")
  func unequalContents() throws {
    let save = sweep("save", .objectByObject) { 0.001 + 6e-6 * $0 }
    let batch = sweep("batch-objects", .batch(.array)) { 0.04 + 2e-6 * $0 }
    func compares(_ cells: [SyntheticCell]) throws -> Bool {
      try SyntheticRun(cells: cells).findings().contains { finding in
        switch finding.kind {
        case .crossover, .noCrossover: true
        default: false
        }
      }
    }
    #expect(try compares(save + batch))
    #expect(try !compares(save + batch.map { cell in cell.with { $0.hash = "other" } }))
  }

  @Test("If one cell is always faster, there is no crossover")
  func noCrossover() throws {
    let save = sweep("save", .objectByObject) { 6e-6 * $0 }
    let batch = sweep("batch-objects", .batch(.array)) { 2e-6 * $0 }
    let findings = try SyntheticRun(cells: save + batch).findings()
    #expect(!findings.contains { $0.kind == .crossover })
    #expect(findings.first { $0.kind == .noCrossover(.fasterAtEverySize) }?.cells == (batch + save).map(\.id))
    let few = try SyntheticRun(cells: save + batch, rounds: 3).findings()
    #expect(few.contains { $0.kind == .noCrossover(.tooFewRounds) })
  }

  @Test("A save is compared with batches of its own engine, and with another's only if they cross over")
  func otherEngines() throws {
    let sizes = [1_000, 10_000]
    func cells(_ strategy: String, of engine: String, _ role: StrategyRole, fixed: Double = 0, _ row: Double)
      -> [SyntheticCell]
    {
      sizes.map { rows in
        SyntheticCell(strategy, of: engine, role, ["rows": .count(rows)], seconds: fixed + row * Double(rows))
      }
    }
    let saves = ["django", "peewee"].enumerated().flatMap {
      cells("save", of: $1, .objectByObject, Double($0 + 9) * 1e-6)
    }
    let batches = ["django", "peewee"].enumerated().flatMap {
      cells("batch", of: $1, .batch(.array), Double($0 + 2) * 1e-6)
    }
    func pairs(_ cells: [SyntheticCell]) throws -> [[String]] {
      try SyntheticRun(cells: cells).findings().compactMap { finding in
        switch finding.kind {
        case .crossover, .noCrossover: finding.cells.map { String($0.split(separator: "/")[1]) }
        default: nil
        }
      }
    }
    let found = try pairs(saves + batches)
    #expect(found.count == 2)
    #expect(found.allSatisfy { Set($0).count == 1 }, "\(found)")
    let crossing = cells("late", of: "sequel", .batch(.array), fixed: 0.03, 1e-6)
    #expect(try pairs(saves + batches + crossing).count == 4)
  }

  @Test("Sizes without a ranking are too noisy, or have too few rounds, or some of both")
  func unrankedSizes() throws {
    let sizes = [1_000, 10_000, 100_000]
    let save = sweep("save", .objectByObject, sizes) { 6e-6 * $0 }
    let batch = sweep("batch-objects", .batch(.array), sizes) { 2e-6 * $0 }
    let noise = [1.4, 0.7, 1.2, 0.8, 1.1, 0.9, 1.3, 0.75, 1.15, 0.85]
    /// The order if the two only differ by noise at some sizes, and have three rounds at others, by the sizes' index.
    func order(noisy: [Int] = [], few: [Int] = []) throws -> FindingKind.Order? {
      let cells = [save, batch].enumerated().flatMap { way, cells in
        cells.enumerated().map { index, cell in
          cell.with {
            if few.contains(index) { $0.rounds = 3 }
            if noisy.contains(index) { $0.walls = noise.map { save[index].seconds * (way == 0 ? 1 : $0) } }
          }
        }
      }
      let orders = try SyntheticRun(cells: cells).findings().compactMap { finding -> FindingKind.Order? in
        if case .noCrossover(let order) = finding.kind { order } else { nil }
      }
      return orders.count == 1 ? orders[0] : nil
    }
    #expect(try order() == .fasterAtEverySize)
    #expect(try order(noisy: [0]) == .fasterAtSome)
    #expect(try order(few: [2]) == .fasterAtSomeFewRounds)
    #expect(try order(noisy: [0], few: [2]) == .fasterAtSomeUnranked)
    #expect(try order(noisy: [0, 1, 2]) == .tooNoisy)
    #expect(try order(few: [0, 1, 2]) == .tooFewRounds)
    #expect(try order(noisy: [0, 1], few: [2]) == .unranked)
  }

  // MARK: Knees

  private func pieces(_ seconds: [(ParameterValue?, Double)]) -> [SyntheticCell] {
    seconds.map { value, seconds in
      SyntheticCell(
        "batch-objects", .batch(.array), value.map { ["request_size": $0] } ?? [:], seconds: seconds)
    }
  }
}

extension SweepFindingTests {
  @Test("A knee at 5,000 rows per request is found")
  func knee() throws {
    let cells = pieces([(.count(100), 0.9), (.count(1_000), 0.5), (.count(5_000), 0.405), (.count(8_000), 0.4)])
    let findings = try SyntheticRun(cells: cells).findings()
    let knee = try #require(findings.first { $0.kind == .knee(parameter: "request_size", .found) })
    #expect(knee.cells == [cells[2].id, cells[3].id, cells[2].id, cells[3].id])
  }

  @Test("A knee covers 'all': the largest size may be as good as all rows, or still improve")
  func kneeOfAll() throws {
    let all = pieces([(.count(100), 0.9), (.count(1_000), 0.6), (.all, 0.4)])
    #expect(try SyntheticRun(cells: all).findings().contains { $0.kind == .knee(parameter: "request_size", .all) })
    let gaining = pieces([(.count(100), 0.9), (.count(1_000), 0.6), (.count(5_000), 0.4)])
    #expect(
      try SyntheticRun(cells: gaining).findings().contains {
        $0.kind == .knee(parameter: "request_size", .stillGaining)
      })
    let smallest = pieces([(.count(100), 0.4), (.count(1_000), 0.6), (.all, 0.9)])
    let findings = try SyntheticRun(cells: smallest).findings()
    let knee = try #require(findings.first { $0.kind == .knee(parameter: "request_size", .smallest) })
    #expect(abs((knee.estimates.first?.median ?? 0) - 2.25) < 0.03, "the largest takes that much longer")
    let few = try SyntheticRun(cells: all, rounds: 4).findings()
    #expect(few.contains { $0.kind == .noKnee(parameter: "request_size", rounds: 4) })
  }

  @Test("If noise may hide that a larger amount is better, a sufficient amount stays open")
  func undecidedKnee() throws {
    let alike = pieces([(.count(100), 0.4), (.count(1_000), 0.401), (.count(5_000), 0.402)])
    let findings = try SyntheticRun(cells: alike, ownNoise: 0.3).findings()
    let knee = try #require(findings.first { $0.kind == .knee(parameter: "request_size", .undecided) })
    let ratio = try #require(knee.estimates.first)
    #expect(knee.certainty == .undecided && knee.cells[1] != knee.cells[3])
    #expect(try #require(ratio.low) < 1 / 1.05 && (try #require(ratio.high)) > 1)
    #expect(!findings.contains { $0.kind == .knee(parameter: "request_size", .smallest) })
    let quiet = try SyntheticRun(cells: alike, ownNoise: 0.003).findings()
    #expect(
      quiet.contains {
        if case .knee("request_size", let kind) = $0.kind { kind != .undecided } else { false }
      })
  }

  // MARK: Prices

  @Test(
    "History has a certain cost, a certain saving, or within noise no visible cost",
    arguments: [(0.125, FindingKind.Effect.costs), (0.0999, .unseen), (0.08, .saves)])
  func price(seconds: Double, effect: FindingKind.Effect) throws {
    let cells = [
      SyntheticCell("save", seconds: 0.1),
      SyntheticCell("save", .objectByObject, ["history": .word("on")], seconds: seconds),
    ]
    let findings = try SyntheticRun(cells: cells, ownNoise: 0.03).findings()
    let price = try #require(findings.first { $0.kind == .price(parameter: "history", value: "on", effect) })
    #expect(price.cells == [cells[1].id, cells[0].id])
    #expect(price.certainty == (effect == .unseen ? .undecided : .certain))
  }
}

extension SweepFindingTests {
  @Test("A larger number of rows is not a feature with a price, whatever key sets it")
  func sizes() throws {
    for key in ["rows", "scale"] {
      let cells = [1, 30].flatMap { (size: Int) -> [SyntheticCell] in
        [("save", 0.2), ("batch-dictionary", 0.1)].map { strategy, seconds in
          SyntheticCell(strategy, .objectByObject, [key: .count(size)], seconds: seconds * Double(size)).with {
            $0.hash = "\(size)"
            $0.cell.conditionKeys = [key]
          }
        }
      }
      let results = try SyntheticRun(cells: cells).results()
      let scenario = ScenarioAnalysis(results).scenario
      #expect(scenario.groups.map(\.name) == ["\(key)=1", "\(key)=30"])
      #expect(scenario.answer?.kind != .price)
      let findings = try SyntheticRun(cells: cells).findings()
      #expect(!findings.contains { if case .price = $0.kind { true } else { false } })
    }
  }

  @Test("A strategy's value has a price only if a cell has the default")
  func withoutDefault() throws {
    func cells(_ words: [String?]) -> [SyntheticCell] {
      words.enumerated().map { index, word in
        SyntheticCell(
          "save", .objectByObject, word.map { ["after_save": .word($0)] } ?? [:], seconds: 0.1 + 0.1 * Double(index)
        ).with { $0.cell.defaults["after_save"] = .word("keep") }
      }
    }
    func prices(_ words: [String?]) throws -> Int {
      try SyntheticRun(cells: cells(words)).findings().count { if case .price = $0.kind { true } else { false } }
    }
    #expect(try prices([nil, "reset", "new_context"]) == 2)
    #expect(try prices(["reset", "new_context"]) == 0)
  }

  @Test("A user's wait includes notifying a context", .tags(.c1))
  func merging() throws {
    let cells = [
      SyntheticCell("save", seconds: 0.1),
      SyntheticCell("save", .objectByObject, ["merge": .word("automatic")], seconds: 0.1).with {
        $0.mergeSeconds = 0.2
      },
    ]
    let findings = try SyntheticRun(cells: cells).findings()
    let price = try #require(findings.first { $0.kind == .price(parameter: "merge", value: "automatic", .costs) })
    #expect(abs(price.estimates[0].median - 3) < 0.03)
    // The ranking still uses the time to store.
    #expect(findings.contains { $0.kind == .tied })
  }
}

extension SweepFindingTests {
  @Test("A price per row counts all passes over the rows, and is unknown between different numbers of passes")
  func passes() throws {
    let history = [
      SyntheticCell("save", seconds: 0.1).with { $0.again = (2, 0.2) },
      SyntheticCell("save", .objectByObject, ["history": .word("on")], seconds: 0.2).with { $0.again = (2, 0.4) },
    ]
    let price = try #require(
      try SyntheticRun(cells: history).findings().first {
        $0.kind == .price(parameter: "history", value: "on", .costs)
      })
    // 0.3 s more for three passes over 10,000 rows.
    #expect(price.estimates.count == 2 && abs(price.estimates[1].median - 0.000_01) < 0.000_001, "\(price.estimates)")
    let repeated = [
      SyntheticCell("save", seconds: 0.1),
      SyntheticCell("save", .objectByObject, ["repeat": .count(3)], seconds: 0.1).with { $0.again = (2, 0.2) },
    ]
    let other = try #require(
      try SyntheticRun(cells: repeated).findings().first {
        $0.kind == .price(parameter: "repeat", value: "3", .costs)
      })
    #expect(other.estimates.count == 1 && abs(other.estimates[0].median - 3) < 0.03)
  }
}

extension SweepFindingTests {
  // MARK: Apple's comparison

  @Test("Apple's comparison is reported for every way of saving in pieces, without choosing one", .tags(.c1))
  func claim() throws {
    func merging(_ every: Int, _ seconds: Double) -> [SyntheticCell] {
      [
        SyntheticCell(
          "save", .objectByObject, ["save_every": .count(every), "merge": .word("automatic")], seconds: seconds
        )
        .with { $0.mergeSeconds = 2 * seconds },
        SyntheticCell("save", .objectByObject, ["save_every": .count(every)], seconds: seconds),
      ]
    }
    let cells =
      merging(100, 0.5) + merging(1_000, 0.45) + [
        SyntheticCell("save", seconds: 0.4), SyntheticCell("batch-objects", .batch(.array), seconds: 0.3),
        SyntheticCell("batch-managed-object", .batch(.objectHandler), seconds: 0.25),
      ]
    let claims = try SyntheticRun(cells: cells).findings().filter { finding in
      if case .appleClaim = finding.kind { true } else { false }
    }
    #expect(claims.map(\.cells.first) == [cells[0].id, cells[2].id])
    #expect(claims.allSatisfy { $0.estimates.count == 4 })
    #expect(abs(claims[0].estimates[0].median - 6) < 0.1)
    #expect(abs(claims[0].estimates[1].median - 0.8) < 0.01, "the share of merging")
  }

  @Test("If the handler does not certainly take less time, the difference has no shares", .tags(.c1))
  func claimWithoutDifference() throws {
    let cells = [
      SyntheticCell("save", .objectByObject, ["save_every": .count(100), "merge": .word("automatic")], seconds: 0.3)
        .with { $0.walls = (0..<10).map { $0 % 2 == 0 ? 0.5 : 0.2 } },
      SyntheticCell("save", .objectByObject, ["save_every": .count(100)], seconds: 0.3),
      SyntheticCell("save", seconds: 0.3), SyntheticCell("batch-objects", .batch(.array), seconds: 0.3),
      SyntheticCell("batch-managed-object", .batch(.objectHandler), seconds: 0.3),
    ]
    let analysis = try SyntheticRun(cells: cells, roundNoise: 0).analysis()
    let chain = try #require(analysis.claim?.chains.first)
    #expect(!chain.hasDifference && chain.insertPath == nil && chain.changes.allSatisfy { $0.share == nil })
    let finding = try #require(
      analysis.scenario.findings.first { if case .appleClaim = $0.kind { true } else { false } })
    #expect(finding.estimates == [chain.whole].compactMap(\.self) && finding.estimates.count == 1)
  }
}
