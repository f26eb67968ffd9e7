// Cells with missing engines: a scenario is read without them, and names them.
import BatchmarkEngine
import MissionTags
import Scenarios
import Testing

@Suite("A13 · missing engines", .tags(.a13))
struct EngineAbsenceTests {
  private func reader(_ absences: EngineAbsences) -> ScenarioReader {
    ScenarioReader(schema: ScenarioSchema(engines: schema.engines, metrics: schema.metrics, absences: absences))
  }

  private let cells = """
      - {strategy: save, save_every: 100}
      - {engine: sqlite, strategy: insert}
      - {engine: snake, strategy: fast, speed: 9}
      - {engine: snake, strategy: slow}
      - {engine: sqlit, strategy: insert}
    """

  private var text: String {
    scenario("  - {strategy: save, save_every: 100}\n  - {engine: sqlite, strategy: insert}", cells)
  }

  @Test("Without a file of engines, cells of unknown engines are left out, with the nearest name")
  func unknown() throws {
    let scenario = try reader(.any).read(text: text, file: "x.yml")
    #expect(scenario.cells.map(\.id) == ["quakes/objectgraph/save[save_every=100]", "quakes/sqlite/insert"])
    #expect(scenario.absentEngines.map(\.name) == ["snake", "sqlit"])
    #expect(scenario.absentEngines.map(\.suggestion) == [nil, "sqlite"])
    // One sentence per reason, with --engines.
    let reason =
      "this executable has no such engine; --engines FILE reads engines that are programs, and checks their cells"
    #expect(scenario.absentEngines.allSatisfy { $0.reason == reason })
    #expect(
      AbsentEngine.sentences(of: scenario.absentEngines) == [
        "cells of the engines snake and sqlit are left out: \(reason); did you mean 'sqlite' by sqlit?"
      ])
    #expect(
      AbsentEngine.sentences(of: [scenario.absentEngines[1], AbsentEngine(name: "adder", reason: "it ended")]) == [
        "cells of the engine sqlit are left out: \(reason); did you mean 'sqlite'?",
        "cells of the engine adder are left out: it ended",
      ])
    #expect(AbsentEngine.sentences(of: []).isEmpty)
    // A name with a hyphen and a suffix is not a misspelling of the name without them.
    let made = try reader(.any).read(text: text.replacing("engine: snake,", with: "engine: c-sqlite,"), file: "x.yml")
    #expect(made.absentEngines.map(\.suggestion) == [nil, "sqlite"])
  }

  @Test("With a file of engines, only the engines in it may be missing")
  func known() throws {
    let absences = EngineAbsences(reasons: ["snake": "found no command 'snake'"])
    let errors = #expect(throws: ScenarioErrors.self) { try reader(absences).read(text: text, file: "x.yml") }
    #expect(errors?.errors.map(\.found) == ["the engine 'sqlit'"])
    let right = text.replacing("engine: sqlit,", with: "engine: snake,")
    #expect(
      try reader(absences).read(text: right, file: "x.yml").absentEngines.map(\.reason) == ["found no command 'snake'"])
    #expect(complaints(text).count == 3)
  }

  @Test("Budgets, exclusions and swept keys may be about cells that are left out")
  func others() throws {
    let more = """

      sweep: {request_size: [10, 100]}
      exclude: [{engine: snake, request_size: 10}]
      budgets: [fast.wall <= 2 s, insert.wall <= 2 s]
      gate: {fast.heap_peak: 3%}
      """
    let scenario = try reader(.any).read(text: text + more, file: "x.yml")
    #expect(scenario.cells.count == 2)
    #expect(scenario.budgets.map(\.figure.cells) == [[], ["quakes/sqlite/insert"]])
    let errors = #expect(throws: ScenarioErrors.self) {
      try reader(.any).read(text: validScenario + more, file: "x.yml")
    }
    #expect(errors?.errors.first?.found == "the key 'request_size' in the sweep, which no cell of the scenario has")
  }

  @Test("If no cell remains, only that mistake is reported")
  func none() throws {
    let text = scenario(
      "  - {strategy: save, save_every: 100}\n  - {engine: sqlite, strategy: insert}",
      "  - {engine: snake, strategy: fast}\n  - {engine: adder, strategy: fast}")
    let errors = #expect(throws: ScenarioErrors.self) { try reader(.any).read(text: text, file: "x.yml") }
    #expect(errors?.errors.compactMap(\.absentEngine).map(\.name) == ["snake", "adder"])
    #expect(errors?.errors.first?.found == "no cell but those of the engine snake, which is not here")
  }
}
