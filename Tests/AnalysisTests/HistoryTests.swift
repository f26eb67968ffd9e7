// A11: histories with a known truth: hand-made records in the order of commits, and the judgement of a check.
import BatchmarkEngine
import Analysis
import Harness
import MissionTags
import Scenarios
import Support
import Testing
import Instruments

/// Commits `c0`, `c1` and so on, each with a run.
struct SyntheticHistory {
  /// The ratios of each cell, by commit.
  var ratios: [String: [Double]] = [:]
  /// The syncs of the first cell, by commit.
  var syncs: [Int64] = []
  var compilers: [Int: String] = [:]
  var fingerprints: [Int: String] = [:]

  static func commit(_ index: Int) -> String { "c\(index)" + String(repeating: "f", count: 39 - "\(index)".count) }

  static func record(
    _ commit: Int, run: String = "a", ratios: [String: Double], syncs: Int64? = nil, compiler: String = "Swift 6.3",
    fingerprint: String = "f", finished: String? = nil, file: String = "quakes.yml"
  ) -> HistoryRecord {
    let cells = ratios.sorted { $0.key < $1.key }.enumerated().map { index, cell in
      HistoryCell(
        id: "quakes/objectgraph/\(cell.key)",
        phases: [
          HistoryPhase(
            phase: .ingest, isMain: true, timesReference: Estimate(median: cell.value),
            counters: index == 0 ? syncs.map { ["syncs": $0] } ?? [:] : [:])
        ])
    }
    return HistoryRecord(
      runID: "\(commit)-\(run)", commit: Self.commit(commit), finished: finished ?? "2026-01-01T00:00:\(commit)Z",
      batchmarkVersion: "1",
      conditions: HistoryConditions(machine: "m", processor: "p", compiler: compiler, sqlite: "3.46"),
      scenarios: [
        HistoryScenario(
          name: "quakes", file: file, settings: ["rows=10"], fingerprint: fingerprint, cells: cells)
      ])
  }

  var count: Int { ratios.values.map(\.count).max() ?? syncs.count }

  var records: [HistoryRecord] {
    (0..<count).map { index in
      Self.record(
        index, ratios: ratios.isEmpty ? ["save": 1] : ratios.mapValues { $0[index] },
        syncs: syncs.isEmpty ? nil : syncs[index],
        compiler: compilers.filter { $0.key <= index }.max { $0.key < $1.key }?.value ?? "Swift 6.3",
        fingerprint: fingerprints.filter { $0.key <= index }.max { $0.key < $1.key }?.value ?? "f")
    }
  }

  var firstParents: [String] { (0..<count).reversed().map(Self.commit) }

  var line: HistoryLine { HistoryLine(records, firstParents: firstParents) }

  /// Values around levels; the same for the same seed.
  static func series(_ parts: [(count: Int, level: Double)], seed: UInt64 = 5) -> [Double] {
    var generator = SplitMix64(seed: seed)
    return parts.flatMap { part in (0..<part.count).map { _ in part.level * (1 + 0.02 * (generator.nextUnit() - 0.5)) }
    }
  }
}

@Suite("A11 · histories judged", .tags(.a11))
struct HistoryTests {
  private let step = SyntheticHistory(ratios: ["save": SyntheticHistory.series([(12, 1.2), (12, 1.32)])])

  @Test(
    "A slow-down is an open change: its commit, the commits between which it lies, the levels, and the pair that confirms it"
  )
  func open() throws {
    let judgement = HistoryJudgement(step.line)
    let change = try #require(judgement.changes.first)
    #expect(judgement.changes.count == 1 && judgement.status == .regression && judgement.judgedTimes == 1)
    #expect(change.commit == SyntheticHistory.commit(12) && change.state == .open)
    #expect(change.key == HistoryKey(cell: "quakes/objectgraph/save", phase: .ingest, figure: "times_reference"))
    #expect(abs(change.before - 1.2) < 0.01 && abs(change.after - 1.32) < 0.01)
    #expect(try #require(change.ratio) > 1.09 && change.p.map { $0 <= 0.005 } == true)
    let pair = try #require(judgement.pair(change.key, base: change.base, head: change.head))
    #expect(pair.scenario == "quakes.yml" && pair.settings == ["rows=10"] && pair.cell == change.key.cell)
    let order = Array(step.firstParents.reversed())
    let places = [pair.base, pair.head].compactMap { order.firstIndex(of: $0) }
    #expect(places.count == 2 && places[0] < 12 && places[1] >= 12)
  }

  @Test("A change in a store's run without a scenario file is confirmed without one")
  func storeSuite() throws {
    let ratios = SyntheticHistory.series([(12, 1.2), (12, 1.32)])
    let records = ratios.enumerated().map { index, ratio in
      SyntheticHistory.record(index, ratios: ["save": ratio], file: ScenarioSchema.storeSuiteName)
    }
    let judgement = HistoryJudgement(HistoryLine(records, firstParents: step.firstParents))
    let change = try #require(judgement.changes.first)
    let pair = try #require(judgement.pair(change.key, base: change.base, head: change.head))
    #expect(pair.scenario == nil && pair.settings == ["rows=10"])
  }

  @Test("An expected change, an undone one and an improvement are reported, and do not fail")
  func others() throws {
    let open = try #require(HistoryJudgement(step.line).open.first)
    var accepted = AcceptedChanges()
    accepted.add(AcceptedChange(open, reason: "checks more"))
    let known = HistoryJudgement(step.line, accepted: accepted)
    #expect(known.changes.map(\.state) == [.accepted(reason: "checks more")] && known.status == .success)
    // Another figure does not match.
    var other = try #require(accepted.changes.first)
    other.figure = "syncs"
    #expect(HistoryJudgement(step.line, accepted: AcceptedChanges([other])).status == .regression)

    let fixed = SyntheticHistory(ratios: ["save": SyntheticHistory.series([(12, 1), (12, 1.2), (12, 1.01)])])
    let judgement = HistoryJudgement(fixed.line)
    #expect(judgement.changes.map(\.state) == [.undone(by: SyntheticHistory.commit(24)), .better])
    #expect(judgement.status == .success)
  }

  @Test("A renamed counter continues in one series")
  func renamedCounter() throws {
    let records = (0..<4).map { index in
      var record = SyntheticHistory.record(index, ratios: ["save": 1], syncs: 7)
      record.scenarios[0].cells[0].phases[0].counters = [index < 2 ? "wal_generations" : "wal_restarts": 3]
      return record
    }
    let line = HistoryLine(records, firstParents: (0..<4).reversed().map(SyntheticHistory.commit))
    let series = line.series.filter { !$0.key.isTime }
    #expect(series.map(\.key.figure) == ["wal_restarts"] && series.first?.points.count == 4)
  }
}

extension HistoryTests {
  @Test("A run with other cells than the last one names them, even after runs of other scenarios")
  func cellChanges() {
    let first = SyntheticHistory.record(0, ratios: ["save": 1, "gone": 1])
    var other = SyntheticHistory.record(1, ratios: ["else": 1])
    other.scenarios[0].name = "other"
    let next = SyntheticHistory.record(2, ratios: ["save": 1, "new": 1])
    let prefix = "quakes/objectgraph/"
    let found = next.cellChanges(since: [other, first])
    #expect(found.map(\.scenario) == ["quakes"] && found.first?.added == [prefix + "new"])
    #expect(found.first?.missing == [prefix + "gone"])
    // A later run, the run itself and a new scenario cannot be compared.
    #expect(first.cellChanges(since: [first, next]).isEmpty && other.cellChanges(since: [first]).isEmpty)
    #expect(SyntheticHistory.record(3, ratios: ["save": 1, "new": 1]).cellChanges(since: [first, next]).isEmpty)
  }

  @Test(
    "An exact counter needs one point; growth up to a hundredth is small; another compiler at the commit is reported")
  func counters() throws {
    var history = SyntheticHistory(syncs: [100, 100, 101, 101, 120, 120])
    history.compilers = [4: "Swift 6.4"]
    let judgement = HistoryJudgement(history.line)
    #expect(judgement.changes.map(\.state) == [.small, .open] && judgement.status == .regression)
    let change = try #require(judgement.open.first)
    #expect(change.base == SyntheticHistory.commit(3) && change.head == SyntheticHistory.commit(4) && change.p == nil)
    #expect((change.before, change.after) == (101, 120))
    #expect(
      change.conditions == [
        HistoryChange.Condition(
          name: "compiler", before: "Swift 6.3", after: "Swift 6.4", commit: SyntheticHistory.commit(4))
      ])
    #expect(judgement.changes[0].conditions.isEmpty)
    #expect(judgement.shortTimes == 1 && judgement.judgedTimes == 0 && judgement.judgedCounters == 1)
    let even = HistoryJudgement(SyntheticHistory(syncs: [7, 7]).line)
    #expect(even.changes.isEmpty && even.status == .success)
    #expect(HistoryJudgement(SyntheticHistory(syncs: [7]).line).status == .inconclusive)
  }

  @Test("Another version or SQLite of an engine's program is reported with the changes of its own cells")
  func programs() throws {
    var records = SyntheticHistory(ratios: ["other": [1, 1, 1], "save": [1, 1, 1]], syncs: [100, 100, 120]).records
    let order = records.reversed().map(\.commit)
    for (index, library) in [nil, "3.40.1", "3.46.0"].enumerated() {
      records[index].scenarios[0].cells[0].programSQLite = library
      records[index].scenarios[0].cells[0].programVersion = library.map { "adder \($0) on C" }
      records[index].scenarios[0].cells[1].phases[0].counters = ["syncs": index == 2 ? 9 : 8]
    }
    let changes = HistoryJudgement(HistoryLine(records, firstParents: order)).changes
      .sorted { $0.key.cell < $1.key.cell }
    #expect(changes.map(\.key.cell) == ["quakes/objectgraph/other", "quakes/objectgraph/save"])
    #expect(
      changes.first?.conditions == [
        HistoryChange.Condition(
          name: "program of the engine", before: "adder 3.40.1 on C", after: "adder 3.46.0 on C",
          commit: SyntheticHistory.commit(2)),
        HistoryChange.Condition(
          name: "SQLite of the engine's program", before: "3.40.1", after: "3.46.0", commit: SyntheticHistory.commit(2)),
      ])
    #expect(changes.last?.conditions.isEmpty == true)
  }

  @Test("The file of engines is among the options that confirm a change of a program's cell, and of no other cell")
  func enginesFile() throws {
    let history = SyntheticHistory(ratios: ["other": [1, 1], "save": [1, 1]])
    var records = history.records
    for index in records.indices {
      records[index].scenarios[0].enginesFile = "my engines.yml"
      records[index].scenarios[0].cells[1].programVersion = "adder 1 on C"
    }
    let judgement = HistoryJudgement(HistoryLine(records, firstParents: history.firstParents))
    func options(_ cell: String) throws -> [String] {
      let key = HistoryKey(cell: cell, phase: .ingest, figure: HistoryKey.timesReference)
      let pair = judgement.pair(key, base: SyntheticHistory.commit(0), head: SyntheticHistory.commit(1))
      return try #require(pair).options
    }
    #expect(
      try options("quakes/objectgraph/save") == [
        "--scenario", "quakes.yml", "--engines", "my engines.yml", "--only", "quakes/objectgraph/save", "--set",
        "rows=10",
      ])
    #expect(
      try options("quakes/objectgraph/other") == [
        "--scenario", "quakes.yml", "--only", "quakes/objectgraph/other", "--set", "rows=10",
      ])
  }

  @Test("A counter that falls only partly leaves the rest of its growth open; one that is within 1 % again is undone")
  func partlyUndone() {
    let part = HistoryJudgement(SyntheticHistory(syncs: [100_000, 150_000, 120_000]).line)
    #expect(part.changes.map(\.state) == [.open, .better] && part.status == .regression)
    let whole = HistoryJudgement(SyntheticHistory(syncs: [100_000, 150_000, 101_000]).line)
    #expect(whole.changes.map(\.state) == [.undone(by: SyntheticHistory.commit(2)), .better])
    #expect(whole.status == .success)
  }

  @Test("A series that seems to change only if judged alone is a suspect and not a failure")
  func suspects() throws {
    var ratios = Dictionary(
      uniqueKeysWithValues: (0..<30).map { ("cell\($0)", SyntheticHistory.series([(20, 1)], seed: 70 + UInt64($0))) })
    // p is 0.05 %, or 1.6 % among thirty cells.
    ratios["cell7"] = SyntheticHistory.series([(10, 1), (10, 1.008)], seed: 11)
    let judgement = HistoryJudgement(SyntheticHistory(ratios: ratios).line)
    #expect(judgement.changes.isEmpty && judgement.status == .success)
    let suspect = try #require(judgement.suspects.first { $0.key.cell.hasSuffix("/cell7") })
    #expect(suspect.p <= 0.01 && judgement.pair(suspect.key, base: suspect.base, head: suspect.commit) != nil)
    // On its own, the change counts.
    let alone = HistoryJudgement(SyntheticHistory(ratios: ratios).line) { $0.cell.hasSuffix("/cell7") }
    #expect(alone.status == .regression && alone.suspects.isEmpty)
  }

  @Test(
    "Commits follow their first parents, whatever the order and number of files; other branches are left out and counted"
  )
  func order() {
    let records = step.records
    let foreign = SyntheticHistory.record(99, ratios: ["save": 9])
    let mixed = HistoryLine(
      (records + records + [foreign]).reversed(), firstParents: ["without a run"] + step.firstParents)
    #expect(mixed.commits == step.line.commits && mixed.others == [foreign])
    #expect(HistoryJudgement(mixed).changes == HistoryJudgement(step.line).changes)
  }
}

extension HistoryTests {
  @Test("Two jobs that add runs at the same time give the same result as one after the other")
  func merged() {
    let (one, other) = (step.records.filter { $0.runID < "15" }, step.records.filter { $0.runID >= "15" })
    let merged = HistoryLine(other + one, firstParents: step.firstParents)
    #expect(merged.commits == step.line.commits)
    // Each run has its own file, even if runs share a commit.
    let runs = ["a", "b"].map { SyntheticHistory.record(3, run: $0, ratios: ["save": 1]) }
    #expect(Set((step.records + runs.suffix(1)).map(\.fileName)).count == step.records.count + 1)
    #expect(runs[0].fileName == step.records[3].fileName)
  }

  @Test(
    "Several runs of a commit make one point: the median, or for an exact counter the last, with differences reported")
  func runsOfOneCommit() throws {
    let runs = [("a", 1.0, 10), ("b", 1.2, 10), ("c", 1.1, 12)].map { name, ratio, syncs in
      SyntheticHistory.record(
        0, run: name, ratios: ["save": ratio], syncs: Int64(syncs), finished: "2026-01-01T00:00:0\(name)Z")
    }
    let series = HistoryLine(runs, firstParents: [SyntheticHistory.commit(0)]).series
    #expect(series.map(\.key.figure) == ["times_reference", "syncs"])
    #expect(series[0].points.map(\.value) == [1.1] && series[0].points.map(\.isDisputed) == [false])
    #expect(series[1].points.map(\.value) == [12] && series[1].points.map(\.isDisputed) == [true])
  }

  @Test("Runs with another question are not points of the current series")
  func questions() {
    var history = step
    history.fingerprints = [4: "g"]
    let series = history.line.series
    #expect(series.map(\.points.count) == [20] && history.line.runsOfOtherQuestions == 4)
  }

  @Test("The page reports the correlation of neighboring commits, apart from steps")
  func likeness() throws {
    let independent = try #require(HistoryJudgement(step.line).autocorrelation)
    #expect(abs(independent) < 0.4)
    var generator = SplitMix64(seed: 4)
    var state = 0.0
    let drifting = (0..<60).map { _ in
      state = 0.9 * state + generator.nextUnit() - 0.5
      return 1 + 0.01 * state
    }
    let judgement = HistoryJudgement(SyntheticHistory(ratios: ["save": drifting]).line)
    #expect(try #require(judgement.autocorrelation) > HistoryJudgement.notableAutocorrelation)
    #expect(HistoryJudgement(SyntheticHistory(syncs: [7, 7]).line).autocorrelation == nil)
  }
}
