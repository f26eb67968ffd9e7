// Which lines of a sweep over rows share a panel of a picture: those of one kind of work, and, if there are many, of
// one engine or strategy.
import Analysis
import BatchmarkEngine
import Harness
import MissionTags
import Testing

@Suite("A5 · lines of growth in panels", .tags(.a5))
struct ScalingPanelTests {
  private func cell(
    _ strategy: String, of engine: String, _ role: StrategyRole, _ parameters: [String: ParameterValue],
    rows: Int
  ) -> SyntheticCell {
    let all = parameters.merging(["rows": .count(rows)]) { $1 }
    var cell = SyntheticCell(strategy, of: engine, role, all, seconds: 2e-6 * Double(rows))
    cell.cell.conditionKeys = all.keys.filter { ["rows", "version"].contains($0) }.sorted()
    cell.cell.isOfDefaultEngine = engine == "objectgraph"
    return cell
  }

  /// Each strategy at 1,000 and 10,000 rows.
  private func panels(
    _ ways: [(strategy: String, engine: String, role: StrategyRole, parameters: [String: ParameterValue])]
  ) throws -> [Scaling.Panel] {
    let cells = [1_000, 10_000].flatMap { rows in
      ways.map { cell($0.strategy, of: $0.engine, $0.role, $0.parameters, rows: rows) }
    }
    return try #require(try SyntheticRun(cells: cells).analysis().growth).panels
  }

  @Test("Each kind of work has a panel with its reference, and a way has the same look in all panels")
  func kindsOfWork() throws {
    var ways: [(strategy: String, engine: String, role: StrategyRole, parameters: [String: ParameterValue])] = []
    for version in ["added", "removed", "renamed"] {
      ways.append(("infer", "objectgraph", .objectByObject, ["version": .word(version)]))
      if version == "removed" {
        ways.append(
          ("infer", "objectgraph", .objectByObject, ["version": .word(version), "removal": .word("deferred")]))
      }
      ways.append(("copy", "sqlite", .reference, ["version": .word(version)]))
      ways.append(("alter", "sqlite", .peer, ["version": .word(version)]))
    }
    let found = try panels(ways)
    #expect(found.map(\.name) == ["version=added", "version=removed", "version=renamed"])
    #expect(found.map(\.lines.count) == [3, 4, 3])
    for panel in found {
      #expect(panel.lines.first { $0.name == "sqlite/copy" }?.look == 0)
      #expect(Set(panel.lines.map(\.look)).count == panel.lines.count)
    }
    for name in ["infer", "sqlite/alter"] {
      #expect(Set(found.compactMap { panel in panel.lines.first { $0.name == name }?.look }).count == 1)
    }
  }

  @Test("Many lines of one kind of work have a panel per engine, each with the reference; few share one")
  func engines() throws {
    let ways: [(strategy: String, engine: String, role: StrategyRole, parameters: [String: ParameterValue])] = [
      ("save", "objectgraph", .objectByObject, [:]), ("batch-objects", "objectgraph", .batch(.array), [:]),
      ("batch-dictionary", "objectgraph", .batch(.dictionaryHandler), [:]),
      ("batch-managed-object", "objectgraph", .batch(.objectHandler), [:]), ("insert", "sqlite", .reference, [:]),
      ("insert-many", "sqlite", .peer, [:]), ("statement", "grdb", .peer, [:]), ("record", "grdb", .peer, [:]),
      ("codable", "grdb", .peer, [:]),
    ]
    let found = try panels(ways)
    #expect(found.map(\.name) == ["objectgraph", "sqlite", "grdb"])
    #expect(found.map(\.lines.count) == [5, 2, 4])
    #expect(found.allSatisfy { panel in panel.lines.contains { $0.name == "sqlite/insert" && $0.look == 0 } })
    let few = try panels(Array(ways.prefix(8)))
    #expect(few.map(\.name) == [""] && few[0].lines.count == 8)
  }

  @Test("Many lines of one engine have a panel per strategy")
  func strategies() throws {
    var ways: [(strategy: String, engine: String, role: StrategyRole, parameters: [String: ParameterValue])] = []
    for results in ["none", "refetch", "controller", "sections", "matching"] {
      ways.append(("save", "objectgraph", .objectByObject, ["results": .word(results)]))
      ways.append(("batch-dictionary", "objectgraph", .batch(.dictionaryHandler), ["results": .word(results)]))
    }
    ways.append(("insert", "sqlite", .reference, [:]))
    let found = try panels(ways)
    #expect(found.map(\.name) == ["save", "batch-dictionary"])
    #expect(found.allSatisfy { $0.lines.count == 6 && $0.lines.last?.look == 0 })
  }
}

extension ScalingPanelTests {
  /// Engines with one strategy each, and the reference, with and without an index, at 1,000 and 10,000 rows.
  private func analysis(engines: Int, indexes: [String] = ["none", "unique"]) throws -> ScenarioAnalysis {
    let cells = [1_000, 10_000].flatMap { rows in
      indexes.flatMap { index -> [SyntheticCell] in
        let parameters: [String: ParameterValue] = ["indexes": .word(index)]
        let peers = (1...engines).map { cell("insert", of: "engine-\($0)", .peer, parameters, rows: rows) }
        let all = peers + [cell("insert", of: "sqlite", .reference, parameters, rows: rows)]
        return all.map { cell in cell.with { $0.cell.conditionKeys = ["indexes", "rows"] } }
      }
    }
    return try SyntheticRun(cells: cells, rounds: 6).analysis()
  }

  @Test("More than twelve panels of engines come after a ranking: the one of most cells at the most rows")
  func manyPanels() throws {
    let many = try analysis(engines: 8)
    #expect(many.growth?.panels.count == 16)
    let group = many.scenario.groups[try #require(many.groupBeforeGrowth)]
    #expect(group.conditions.map(\.value) == ["10000", "unique"] && group.cells.count == 9)
    // One kind of work, with the same number of engines and with few enough.
    let one = try analysis(engines: 13, indexes: ["none"])
    #expect(one.growth?.panels.count == 13 && one.groupBeforeGrowth == 1)
    #expect(try analysis(engines: 12, indexes: ["none"]).groupBeforeGrowth == nil)
  }

  @Test("Panels of many kinds of work are shown directly: one kind's ranking does not represent the others")
  func manyKinds() throws {
    let ways = (1...13).flatMap { number in
      [("infer", "objectgraph", StrategyRole.objectByObject), ("copy", "sqlite", .reference)].map { way in
        (strategy: way.0, engine: way.1, role: way.2, parameters: ["version": ParameterValue.word("v\(number)")])
      }
    }
    let cells = [1_000, 10_000].flatMap { rows in
      ways.map { cell($0.strategy, of: $0.engine, $0.role, $0.parameters, rows: rows) }
    }
    let analysis = try SyntheticRun(cells: cells, rounds: 6).analysis()
    #expect(analysis.growth?.panels.count == 13 && analysis.groupBeforeGrowth == nil)
  }
}
