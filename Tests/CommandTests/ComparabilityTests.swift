// A7: each case that is not comparable is refused with its own exit status and its own sentence, in one table.
import Analysis
import Foundation
import Harness
import Instruments
import MissionTags
import Reports
import SQLiteDriver
import BatchmarkEngine
import Scenarios
import Testing

@Suite("A7 · what is not comparable is refused", .tags(.a7))
struct ComparabilityTests {
  /// Runs `small.yml` into a folder and removes the mark of a debug build from its results.
  private func run(_ workspace: Workspace, _ folder: String, _ more: String...) async throws {
    let result = try await Program.batchmark.run(
      ["run", "small.yml", "--quick", "--out", folder] + more, in: workspace.path)
    #expect(result.status == 0, "\(result.errors)")
    var results = try ResultsFile.read("\(workspace.path)/\(folder)/results.json")
    results.run.isComparable = true
    try workspace.write(try ResultsFile.render(results), to: folder + "/results.json")
  }

  /// Changes to results, with the exit status of `compare` and the words that it must print.
  private static let stored: [(change: @Sendable (inout Report) -> Void, status: Int32, words: [String])] = [
    ({ _ in }, 0, []),
    (
      { $0.scenarios[0].cells.removeFirst() }, 4,
      ["not comparable: head has no cell small/objectgraph/save, which base has"]
    ),
    (
      { $0.scenarios[0].cells[0].cell.strategy = "store" }, 4,
      [
        "not comparable: head has no cell small/objectgraph/save, which base has",
        "not comparable: base has no cell small/objectgraph/store, which head has",
      ]
    ),
    (
      { results in
        var extra = results.scenarios[0].cells[0]
        extra.cell.parameters = ["save_every": .count(5)]
        results.scenarios[0].cells.append(extra)
      }, 4, ["not comparable: base has no cell small/objectgraph/save[save_every=5], which head has"]
    ),
    ({ $0.scenarios[0].name = "large" }, 4, ["head has no scenario small", "base has no scenario large"]),
    (
      { results in
        results.environment = results.environment.map {
          $0.name == "SQLite" ? EnvironmentFact("SQLite", "3.99.0, of another day") : $0
        }
      }, 4, ["not comparable: base was measured with SQLite 3.", "and head with 3.99.0, of another day"]
    ),
    (
      { $0.scenarios[0].fingerprint = "cafe" }, 4,
      ["not comparable: the scenario small asks another question: its fingerprint is ", "and cafe in head"]
    ),
    ({ $0.scenarios[0].contentHash = "beef" }, 4, ["not comparable: the scenario small stored other rows"]),
    (
      { $0.scenarios[0].cells[0].phases[1].metrics[.syncs] = nil }, 4,
      ["not comparable: head has no syncs in ingest of small/objectgraph/save, which base has"]
    ),
    ({ $0.run.isComparable = false }, 4, ["not comparable: head is of a debug build"]),
    ({ $0.run.isInterrupted = true }, 4, ["not comparable: head was interrupted"]),
    (
      {
        $0.scenarios[0].cells[0].failures = [
          FailedSample(cell: "", pass: .timing, round: 1, reason: "it stored other rows", standardError: "")
        ]
      }, 3, []
    ),
  ]

  @Test("compare: every difference between what was asked")
  func compare() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{strategy: save}", "{engine: sqlite, strategy: insert}"])
    try await run(workspace, "base")
    let base = try ResultsFile.read(workspace.path + "/base/results.json")
    for (number, entry) in ComparabilityTests.stored.enumerated() {
      var head = base
      entry.change(&head)
      try workspace.write(try ResultsFile.render(head), to: "head.json")
      let result = try await Program.batchmark.run(["compare", "base", "head.json"], in: workspace.path)
      #expect(result.status == entry.status, "\(number): \(result.errors)")
      for words in entry.words { #expect(result.errors.contains(words), "\(number): \(result.errors)") }
      #expect(result.output.hasPrefix(entry.status == 4 ? "# Not comparable: head.json with base\n" : "# PASS: "))
    }
  }

  @Test("check: another scenario, another question, a missing, renamed or extra cell")
  func check() async throws {
    let workspace = try Workspace()
    let cells = ["{strategy: save}", "{engine: sqlite, strategy: insert}"]
    func write(_ cells: [String], name: String = "small", rows: Int = 60) throws {
      try workspace.writeScenario(cells: cells, source: "{generate: {rows: \(rows)}}", to: "now.yml")
      let text = try workspace.text(of: "now.yml") + "budgets: [small.syncs <= 1_000]\n"
      try workspace.write(
        text.replacing("scenario: small", with: "scenario: \(name)").replacing("[small.", with: "[\(name)."),
        to: "now.yml")
    }
    try workspace.writeScenario(cells: cells)
    try await run(workspace, "out")
    let table: [(cells: [String], name: String, rows: Int, status: Int32, words: String)] = [
      (cells, "small", 60, 0, ""),
      (cells, "large", 60, 4, "now.yml: found the scenario large; expected one of out: small"),
      (cells, "small", 61, 4, "measures something else than the run in out did"),
      ([cells[1]], "small", 60, 4, "now.yml: found no cell small/objectgraph/save; expected it, as in out"),
      (
        cells + ["{strategy: save, save_every: 9}"], "small", 60, 4,
        "out: found no results of small/objectgraph/save[save_every=9], which a budget is about"
      ),
      (
        ["{strategy: save, after_save: reset}", cells[1]], "small", 60, 4,
        "now.yml: found no cell small/objectgraph/save; expected it, as in out"
      ),
    ]
    for (number, entry) in table.enumerated() {
      try write(entry.cells, name: entry.name, rows: entry.rows)
      let result = try await Program.batchmark.run(["check", "out", "--scenario", "now.yml"], in: workspace.path)
      #expect(result.status == entry.status, "\(number): \(result.errors)")
      #expect(entry.words.isEmpty || result.errors.contains(entry.words), "\(number): \(result.errors)")
    }
  }
}

extension ComparabilityTests {
  @Test("run: a worker that stores wrong rows, and a resumed run with another SQLite or another scenario")
  func run() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario(cells: ["{engine: faulty, strategy: wrong-rows}"], rounds: 1)
    let wrong = try await Program.faulty.run(["run", "small.yml", "--out", "wrong"], in: workspace.path)
    #expect(wrong.status == 3)
    #expect(
      wrong.errors.contains("small/faulty/wrong-rows, timing round 1: failed: the store holds 59 rows; expected 60"),
      "\(wrong.errors)"
    )
    #expect(wrong.errors.contains("samples failed; "))

    try workspace.writeScenario()
    #expect(try await Program.batchmark.run(["run", "small.yml", "--out", "out"], in: workspace.path).status == 0)
    let journal = try workspace.text(of: "out/journal.jsonl")
    let library = try #require(
      try ResultsFile.read(workspace.path + "/out/results.json").scenarios[0].cells[0].samples.first
    ).sqlite
    try workspace.write(
      journal.replacing("\"sqlite\":\"\(library)\"", with: "\"sqlite\":\"3.99.0, of another day\""),
      to: "out/journal.jsonl")
    let other = try await Program.batchmark.run(["run", "--resume", "--out", "out"], in: workspace.path)
    #expect(other.status == 4, "\(other.errors)")
    #expect(other.errors.contains("it was started with SQLite 3.99.0, of another day, and this is SQLite \(library)"))
    try workspace.write(
      journal.replacing("\"round\":1,", with: "\"round\":9223372036854775807,"), to: "out/journal.jsonl")
    let excessive = try await Program.batchmark.run(["run", "--resume", "--out", "out"], in: workspace.path)
    #expect(excessive.status == 65, "\(excessive.errors)")
    #expect(excessive.errors.contains("journal.jsonl:2: found the figure 9223372036854775807 of small/"))
    try workspace.write(journal, to: "out/journal.jsonl")
    try workspace.writeScenario(source: "{generate: {rows: 61}}")
    let changed = try await Program.batchmark.run(["run", "--resume", "--out", "out"], in: workspace.path)
    #expect(changed.status == 4)
    #expect(changed.errors.contains("scenario small (small.yml) was changed since it was started"))
  }

  /// Changes to a valid pair, with the exit status and the words that must follow.
  private static let pairs: [(change: @Sendable (inout PairResults) -> Void, status: Int32, words: String)] = [
    ({ _ in }, 0, ""),
    (
      { results in results.comparisons[0].everyHead { $0.sqlite = "3.99.0, of another day" } }, 4,
      "and head with SQLite 3.99.0, of another day"
    ),
    (
      { $0.comparisons[0].headFigures[0].sqlite = "3.99.0, of another day" }, 4, "head ran with more than one SQLite: "
    ),
    (
      { results in
        results.comparisons[0].everyBase { $0.programSQLite = "3.40.1" }
        results.comparisons[0].everyHead { $0.programSQLite = "3.99.0" }
      }, 4, "base's program ran with SQLite 3.40.1, and head's program with SQLite 3.99.0"
    ),
    ({ results in results.comparisons[0].everyHead { $0.programSQLite = "3.99.0" } }, 0, ""),
    (
      { results in
        results.comparisons[0].headFingerprint = "cafe"
        results.comparisons[0].everyHead { $0.fingerprint = "cafe" }
      }, 4,
      "the scenario small asks another question: its fingerprint is "
    ),
    (
      { results in results.comparisons[0].everyHead { $0.fingerprint = "cafe" } }, 4,
      "head's workers read the scenario small as another: its fingerprint is cafe there"
    ),
    (
      { results in results.comparisons[0].everyHead { $0.contents.contentHash = "beef" } }, 4,
      "the sides did not store the same rows, so their figures are of different work: the content hash is "
    ),
    (
      { $0.comparisons[0].headCell.strategy = "store" }, 4,
      "base's cell is small/objectgraph/save, and head's is small/objectgraph/store, which is another"
    ),
    (
      { results in results.comparisons[0].everyHead { $0.phases.dropMetric(.syncs) } }, 4,
      "head has no syncs, which base has"
    ),
    (
      { results in results.comparisons[0].everyBase { $0.phases.dropMetric(.syncs) } }, 4,
      "base has no syncs, which head has"
    ),
    (
      { results in results.comparisons[0].everyHead { $0.phases.addMetric(.allocationsSQLite) } }, 4,
      "base has no allocations_sqlite, which head has"
    ),
    (
      {
        $0.comparisons[0].failures = [
          PairFailure(isBase: false, pass: .memory, reason: "the store has 59 rows", standardError: "")
        ]
      }, 3, "A sample of head failed in the memory pass: the store has 59 rows"
    ),
    // A setting of one side may change the work and the available figures.
    (
      { results in
        results.head.overrides = [ScenarioOverride(key: "journal_mode", value: "delete", origin: "journal_mode=delete")]
        results.comparisons[0].headFingerprint = "cafe"
        results.comparisons[0].everyHead {
          $0.fingerprint = "cafe"
          $0.phases.dropMetric(.syncs)
        }
      }, 0, "Not compared, since only base has it: `syncs`"
    ),
  ]

  @Test("pair: every difference between the sides, in the report, in JUnit and in the status")
  func pair() throws {
    for (number, entry) in ComparabilityTests.pairs.enumerated() {
      var results = PairResults.alike
      entry.change(&results)
      #expect(results.status.rawValue == entry.status, "\(number): \(results.status)")
      let report = PairMarkdown.render(results)
      #expect(entry.words.isEmpty || report.contains(entry.words), "\(number): \(report)")
      if entry.status == 4 {
        #expect(results.obstacles(to: results.comparisons[0]).count == 1, "\(number)")
        #expect(PairJUnit.render(results).contains("name=\"comparable\""), "\(number)")
        #expect(PairAnnotations.render(results).contains("Not comparable: "), "\(number)")
        #expect(report.hasPrefix("# UNTRUSTED: "), "\(number)")
      }
    }
  }

  @Test("pair: sides that store different rows end with 4, live")
  func otherRows() async throws {
    let workspace = try Workspace()
    try workspace.writeScenario()
    let result = try await Program.batchmark.run(
      [
        "pair", "this", "rows=61", "--scenario", "small.yml", "--out", "out", "--looks", "12", "--trials", "1",
        "--no-placebo",
      ], in: workspace.path)
    #expect(result.status == 4, "\(result.errors)")
    #expect(result.output.contains("the sides did not store the same rows"))
    // Every sample records the conditions of its run.
    let results = try PairFile.read(workspace.path + "/out/pair.json")
    let samples = results.comparisons[0].pairs.flatMap { [$0.base, $0.head] }
    #expect(samples.allSatisfy { $0.sqlite == SQLiteLibrary.identity && !$0.fingerprint.isEmpty })
  }
}

extension PairResults {
  /// Two sides that are equal in everything.
  fileprivate static var alike: PairResults {
    let cell = Cell(scenario: "small", engine: "objectgraph", strategy: "save")
    func sample(_ pass: Pass, seconds: Double?, _ metrics: [MetricID: Int64]) -> Sample {
      var ingest = PhaseMeasurement(phase: .ingest, rows: 60, wallSeconds: seconds, metrics: metrics)
      ingest.trialWallSeconds = seconds.map { [$0] }
      return Sample(
        cell: cell.id, pass: pass, round: 1,
        phases: [ingest], growth: [],
        contents: StoredContents(
          rows: 60, contentHash: "f00d", nulls: [:], versions: [1: 60], databaseBytes: 4096, versionedHash: "v"),
        pragmas: [], notes: [], sqlite: "3.40.1, of some day", fingerprint: "abba")
    }
    var comparison = PairComparison(
      baseCell: cell, headCell: cell, baseFingerprint: "abba", headFingerprint: "abba")
    comparison.baseFigures = [sample(.counters, seconds: nil, [.syncs: 8, .walFrames: 9])]
    comparison.headFigures = comparison.baseFigures
    comparison.pairs = (0..<12).map { number in
      let own = 1 + 0.001 * Double(number % 3 - 1)
      return SamplePair(
        base: sample(.timing, seconds: 1, [:]), head: sample(.timing, seconds: own, [:]), baseFirst: [number % 2 == 0])
    }
    let build = BuildIdentity(version: "1", configuration: "release", executable: "abc")
    return PairResults(
      run: RunRecord(
        batchmarkVersion: "1", command: "batchmark pair", started: "", finished: "", seed: 7, isQuick: false,
        isComparable: true, isInterrupted: false), environment: [], rules: PairRules(looks: [12]),
      base: PairSideRecord(name: "old", build: build, overrides: []),
      head: PairSideRecord(name: "new", build: build, overrides: []), comparisons: [comparison], placebos: [])
  }
}

extension PairComparison {
  fileprivate mutating func everyHead(_ change: (inout Sample) -> Void) {
    for index in headFigures.indices { change(&headFigures[index]) }
    for index in pairs.indices { change(&pairs[index].head) }
  }

  fileprivate mutating func everyBase(_ change: (inout Sample) -> Void) {
    for index in baseFigures.indices { change(&baseFigures[index]) }
    for index in pairs.indices { change(&pairs[index].base) }
  }
}

extension [PhaseMeasurement] {
  fileprivate mutating func dropMetric(_ metric: MetricID) {
    for index in indices { self[index].metrics[metric] = nil }
  }

  /// Adds a figure to the exact passes.
  fileprivate mutating func addMetric(_ metric: MetricID) {
    for index in indices where !self[index].metrics.isEmpty { self[index].metrics[metric] = 7 }
  }
}
