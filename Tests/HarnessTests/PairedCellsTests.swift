// A7: the cells of two sides, matched by position, and refused if a side lacks one.
import Harness
import HarnessFixtures
import MissionTags
import BatchmarkEngine
import Testing

@Suite("A7 · cells of pairs", .tags(.a7))
struct PairedCellsTests {
  private func side(_ strategies: String..., name: String = "quakes", parameters: [String: ParameterValue] = [:]) throws
    -> PlannedScenario
  {
    var scenario = try scenario(name, strategies: strategies)
    for index in scenario.cells.indices { scenario.cells[index].parameters = parameters }
    return planned(scenario)
  }

  private func refusal(_ base: [PlannedScenario], _ head: [PlannedScenario]) -> [String] {
    do throws(PairedCellsError) {
      _ = try PairedCells(base: base, head: head)
      return []
    } catch {
      return error.sentences
    }
  }

  @Test("Settings may change parameters, and cells are still matched")
  func settings() throws {
    let pairs = try PairedCells(
      base: [try side("save", "insert")], head: [try side("save", "insert", parameters: ["save_every": .count(5)])]
    ).pairs
    #expect(pairs.map { $0.base.scenario.cells.map(\.id) } == [["quakes/objectgraph/save"], ["quakes/sqlite/insert"]])
    #expect(pairs[0].head.scenario.cells.map(\.id) == ["quakes/objectgraph/save[save_every=5]"])
  }

  @Test("A missing, renamed or extra cell or scenario is named, one sentence each")
  func refused() throws {
    let both = try side("save", "insert")
    let one = try side("save")
    #expect(refusal([both], [both]).isEmpty)
    #expect(refusal([both], [one]) == ["head has no cell quakes/sqlite/insert, which base has"])
    #expect(refusal([one], [both]) == ["base has no cell quakes/sqlite/insert, which head has"])
    #expect(
      refusal([one], [try side("batch-objects")]) == [
        "head has no cell quakes/objectgraph/save, which base has",
        "base has no cell quakes/objectgraph/batch-objects, which head has",
      ])
    #expect(
      refusal([one], [try side("save", name: "tremors")]) == [
        "head has no scenario quakes, which base has", "base has no scenario tremors, which head has",
      ])
    #expect(refusal([one, try side("save", name: "more")], [one]) == ["head has no scenario more, which base has"])
  }
}
