// A1, A7: the key `budgets`, line by line: valid budgets, and the messages for invalid ones.
import MissionTags
import ObjectGraph
import BatchmarkEngine
import Scenarios
import Testing

/// The figures of the tests' schema, as messages list them.
private let figures =
  "wall, cpu, rows_per_s, times_reference, heap_peak, wal_peak, syncs, db, "
  + MetricDeclaration.latencies.map(\.name).joined(separator: ", ")

@Suite("A1 A7 · budgets in scenarios", .tags(.a1, .a7))
struct BudgetTests {
  private static let save = "quakes/objectgraph/save[save_every=100]"
  private static let reference = "quakes/sqlite/insert"

  /// The valid scenario with budgets, whose lines begin at line 20, column 5.
  private static func scenario(_ lines: String...) -> String {
    validScenario + "\nbudgets:\n" + lines.map { "  - \($0)" }.joined(separator: "\n")
  }

  private func budget(_ line: String, _ settings: String...) throws -> Budget {
    let scenario = try ScenarioReader(schema: schema).read(
      text: BudgetTests.scenario(line), file: "Scenarios/x.yml",
      overrides: settings.map { setting in
        let parts = setting.split(separator: "=").map(String.init)
        return ScenarioOverride(key: parts[0], value: parts[1], origin: "--set \(setting)")
      })
    return try #require(scenario.budgets.first)
  }

  @Test("A multiple of another figure: both sides name their cell, phase and column")
  func ratio() throws {
    let budget = try budget("save.wall <= 0.5 * insert.merge.wall")
    #expect(
      budget
        == Budget(
          text: "save.wall <= 0.5 * insert.merge.wall",
          figure: BudgetFigure(cells: [BudgetTests.save], phase: "ingest", column: "wall_median_s"),
          comparison: .atMost,
          limit: BudgetLimit(
            0.5, times: BudgetFigure(cells: [BudgetTests.reference], phase: "merge", column: "wall_median_s"))))
    #expect(try self.budget("save.syncs > insert.syncs").limit.number == 1)
  }

  @Test(
    "Numbers are in seconds, bytes or as they are, with or without a space before the unit",
    arguments: [
      ("save.wall <= 2 s", 2.0), ("save.wall <= 1.5min", 90), ("save.cpu < 200 ms", 0.2), ("save.cpu < 3 us", 3e-6),
      ("save.cpu < 5 ns", 5e-9), ("save.heap_peak <= 8 MiB", 8_388_608), ("save.heap_peak <= 8B", 8),
      ("save.heap_peak <= 1 KiB", 1024), ("save.heap_peak <= 0.5 GiB", 536_870_912), ("save.syncs == 1_000", 1000),
      ("save.rows_per_s >= 20_000.5", 20_000.5), ("save.times_reference<=2.5", 2.5), ("\"save.syncs <= 3\"", 3),
      ("save.load.heap_peak_bytes <= 0 B", 0), ("save.wall_median_s <= 1 s", 1),
    ])
  func numbers(line: String, number: Double) throws {
    let limit = try budget(line).limit
    #expect(limit.figure == nil)
    #expect((limit.number - number).magnitude <= number * 1e-15)
  }

  @Test("Every comparison operator is read with its meaning", arguments: BudgetComparison.allCases)
  func comparisons(comparison: BudgetComparison) throws {
    #expect(try budget("save.syncs \(comparison.rawValue) 3").comparison == comparison)
    #expect(try budget("save.syncs\(comparison.rawValue)3").comparison == comparison)
    let holds = [2.0, 3, 4].map { comparison.holds($0, 3) }
    let expected: [BudgetComparison: [Bool]] = [
      .atMost: [true, true, false], .below: [true, false, false], .atLeast: [false, true, true],
      .above: [false, false, true], .equal: [false, true, false],
    ]
    #expect(holds == expected[comparison])
  }

  @Test(
    "A cell is named by any word that selects it; a word for several means each of them",
    arguments: [
      ("save", [save]), ("objectgraph", [save]), ("objectgraph/save[save_every=100]", [save]),
      ("save[save_every=100]", [save]), ("save_every=100", [save]), ("sqlite/insert", [reference]), (save, [save]),
      ("quakes", [save, reference]),
    ])
  func subjects(word: String, cells: [String]) throws {
    #expect(try budget("\(word).syncs <= 3").figure.cells == cells)
    #expect(try budget("\(word).load.syncs<=3").figure == BudgetFigure(cells: cells, phase: "load", column: "syncs"))
  }
}

extension BudgetTests {
  @Test("A scenario's name may have dots")
  func dottedName() throws {
    let text = BudgetTests.scenario("a.load.syncs <= 3", "a.load.load.syncs <= 3").replacing(
      "scenario: quakes", with: "scenario: a.load")
    #expect(try read(text).budgets.map(\.figure.phase) == ["ingest", "load"])
  }

  @Test("A budget without a phase applies to the operation's phase")
  func update() throws {
    let text = BudgetTests.scenario("save.wall <= 1 s").replacing("duplicates: 5%", with: "duplicates: 0%")
      .replacing("strategy: insert", with: "strategy: update")
      .replacing("merge_policy: object_trump", with: "operation: update\nset: {magnitude: 1}")
    #expect(try read(text).budgets.map(\.figure.phase) == ["update"])
    #expect(
      complaints(text.replacing("save.wall", with: "save.ingest.wall")).first?.contains("found the phase 'ingest'")
        == true)
  }

  @Test("Budgets do not decide what is measured")
  func fingerprint() throws {
    #expect(try read(BudgetTests.scenario("save.wall <= 1 s")).fingerprint == read(validScenario).fingerprint)
    #expect(try read(validScenario).budgets.isEmpty)
  }

  @Test("A setting that renames cells leaves budgets on the old names without a cell")
  func renamed() throws {
    #expect(try budget("save_every=100.syncs <= 3", "save_every=5").figure.cells.isEmpty)
    #expect(try budget("save.syncs <= 3", "save_every=5").figure.cells == ["quakes/objectgraph/save[save_every=5]"])
    #expect(throws: ScenarioErrors.self) { () throws in try budget("save_every=7.syncs <= 3", "rows=5") }
  }
}

extension BudgetTests {
  @Test(
    "Each mistake is reported at its token",
    arguments: [
      (
        "sav.wall <= 1 s",
        "5: found the cell 'sav'; expected a word that selects one of \(save), \(reference); did you mean 'save'?"
      ),
      (
        "save.plans == unchanged",
        "10: found the plans of statements, which only two sides have in common or not; expected a figure such as full_scans, "
          + "or in the place of this budget gate: {plans: unchanged}, which pair judges"
      ),
      (".wall <= 1 s", "5: found no cell; expected a word that selects one of \(save), \(reference)"),
      (
        "save.walls <= 1 s",
        "10: found the figure 'walls'; expected one of \(figures); did you mean 'wall'?"
      ),
      (
        "save. <= 1 s",
        "10: found no figure; expected one of \(figures)"
      ),
      (
        "save.mrege.wall <= 1 s",
        "10: found the phase 'mrege'; expected one of load, ingest, reingest, merge, checkpoint, verify; did you mean 'merge'?"
      ),
      ("save <= 1 s", "5: found 'save'; expected a figure of a cell, such as save.wall"),
      ("save.wall", "14: found the end of the budget; expected one of <=, <, >=, >, =="),
      ("save.wall 2 s", "15: found '2'; expected one of <=, <, >=, >, =="),
      ("save.wall = 2 s", "15: found '='; expected one of <=, <, >=, >, ==; did you mean '=='?"),
      ("save.wall => 2 s", "15: found '=>'; expected one of <=, <, >=, >, ==; did you mean '>='?"),
      ("save.wall ≤ 2 s", "15: found '≤'; expected one of <=, <, >=, >, ==; did you mean '<='?"),
      ("save.wall != 2 s", "15: found '!='; expected one of <=, <, >=, >, =="),
      (
        "save.wall <=", "17: found the end of the budget; expected a number, or a figure of one cell, such as save.wall"
      ),
      ("save.wall <= much", "18: found 'much'; expected a number, or a figure of one cell, such as save.wall"),
      ("save.wall <= 1.2.3 s", "18: found '1.2.3'; expected a number such as 8, 0.5 or 1_000"),
      ("save.wall <= -1 s", "18: found '-1'; expected a number such as 8, 0.5 or 1_000"),
      (
        "save.wall <= 2",
        "18: found 2 without a unit for wall, which is a time; expected one of ns, us, ms, s, min after it"
      ),
      (
        "save.heap_peak <= 8",
        "23: found 8 without a unit for heap_peak, which is a number of bytes; expected one of B, KiB, MiB, GiB after it"
      ),
      (
        "save.wall <= 2 MiB",
        "20: found the unit 'MiB' for wall, which is a time; expected one of ns, us, ms, s, min; did you mean 'min'?"
      ),
      (
        "save.heap_peak <= 8MB",
        "24: found the unit 'MB' for heap_peak, which is a number of bytes; expected one of B, KiB, MiB, GiB; did you mean 'MiB'?"
      ),
      ("save.syncs <= 8 B", "21: found the unit 'B' for syncs, which is a plain number; expected no unit"),
      ("save.wall <= 2 s or so", "22: found 'or so'; expected the end of the budget"),
      ("save.wall <= 2 * 3 s", "22: found '3'; expected a number, or a figure of one cell, such as save.wall"),
      ("save.wall <= 2 * insert.syncs", "22: found 'insert.syncs', which is a plain number; expected a time like wall"),
      (
        "save.wall <= 2 * insert.wal",
        "29: found the figure 'wal'; expected one of \(figures); did you mean 'wall'?"
      ),
      (
        "save.wall <= quakes.wall",
        "18: found 'quakes.wall' of 2 cells; expected a figure of one cell; these are \(save), \(reference)"
      ),
      (
        "save.wall <= insrt.wall",
        "18: found the cell 'insrt'; expected a word that selects one of \(save), \(reference); did you mean 'insert'?"
      ),
      (
        "\"save.walls <= 1 s\"",
        "11: found the figure 'walls'; expected one of \(figures); did you mean 'wall'?"
      ),
      ("[save]", "5: found a list; expected a budget, such as save.wall <= 2 s"),
    ])
  func mistakes(line: String, complaint: String) {
    #expect(complaints(BudgetTests.scenario(line)) == ["Scenarios/x.yml:20:" + complaint])
  }

  @Test("Every wrong budget is reported, and a list is expected")
  func several() {
    let found = complaints(BudgetTests.scenario("sav.wall <= 1 s", "save.wall <= 1 s", "save.wall <= 1 B"))
    #expect(found.map { $0.prefix(21) } == ["Scenarios/x.yml:20:5:", "Scenarios/x.yml:22:20"])
    #expect(
      complaints(validScenario + "\nbudgets: save.wall <= 1 s") == [
        "Scenarios/x.yml:19:10: found 'save.wall <= 1 s'; expected a list of budgets, such as [save.wall <= 2 s]"
      ])
    #expect(
      complaints(validScenario + "\nbudgets: []") == [
        "Scenarios/x.yml:19:10: found no budget; expected a budget, such as save.wall <= 2 s"
      ])
  }

  @Test("A mistake in a block of lines is reported at the block")
  func block() {
    let found = complaints(BudgetTests.scenario("|\n    save.walls <= 1 s", "save.wall <= 1 s"))
    #expect(found.count == 1 && found.first?.hasPrefix("Scenarios/x.yml:20:5: found the figure 'walls'") == true)
  }

  @Test("If a cell is wrong, budgets are not blamed for naming it")
  func wrongCell() {
    let text = BudgetTests.scenario("save.wall <= 1 s").replacing("strategy: save", with: "strategy: svae")
    #expect(complaints(text).count == 1)
  }
}
