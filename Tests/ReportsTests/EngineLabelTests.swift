// A5, A8: a cell keeps its engine's name in every label, sentence and picture, unless the engine is the default one.
import Analysis
import Charts
import Foundation
import Harness
import MissionTags
@testable import Reports
import BatchmarkEngine
import Testing

@Suite("A5 A8 · names of engines", .tags(.a5, .a8))
struct EngineLabelTests {
  /// The standard cells, and a user's engine with a strategy `save` that inserts batches faster than all others.
  private var results: Report {
    var fixture = Fixture.standard
    var own = CellFixture("acme", "save", seconds: 0.01)
    own.cell.role = .batch(.array)
    fixture.cells.append(own)
    for index in fixture.cells.indices {
      fixture.cells[index].cell.isOfDefaultEngine = fixture.cells[index].cell.engine == "objectgraph"
    }
    return fixture.results
  }

  @Test("A user's strategy 'save' with the role 'batch' is called acme/save, and ObjectGraph's is called save")
  func labels() throws {
    let cells = results.scenarios[0].cells
    #expect(
      cells.map(\.label) == [
        "save", "batch-objects", "batch-dictionary", "batch-managed-object", "sqlite/insert", "acme/save",
      ])
    let read = try withTemporaryDirectory { directory in
      let path = directory + "/results.json"
      try Data(try ResultsFile.render(results).utf8).write(to: URL(filePath: path))
      return try ResultsFile.read(path)
    }
    #expect(read.scenarios[0].cells.map(\.label) == cells.map(\.label))
  }

  @Test("Sentences name the strategy with its engine, and do not count it among the object graph's cells")
  func sentences() throws {
    let scenario = RunAnalysis(results).results.scenarios[0]
    let fastest = try #require(scenario.mainFindings.first { $0.kind == .fastest })
    #expect(fastest.cells.first == "earthquakes/acme/save")
    let choice = try #require(scenario.mainFindings.first { $0.kind == .fastestOfObjectGraph })
    #expect(choice.cells.allSatisfy { $0.hasPrefix("earthquakes/objectgraph/") })
    for text in [RunReport.markdown(results), RunReport.text(results)] {
      #expect(text.contains("Through the object graph, **`batch-managed-object` is fastest**"))
      #expect(text.contains("`acme/save`") && !text.contains("`acme/save` is the fastest way through"))
    }
    // Roles determine object by object against batches, for every engine.
    let roles = scenario.details.filter { $0.kind == .objectByObjectAgainstBatch }
    #expect(roles.contains { $0.cells == ["earthquakes/objectgraph/save", "earthquakes/acme/save"] })
    #expect(Prose(scenario).sentences(on: roles).joined().contains("`acme/save`"))
  }

  @Test("Tables, pictures and the terminal have both names, each once")
  func tablesAndPictures() throws {
    let scenario = RunAnalysis(results).results.scenarios[0]
    let picture = try #require(RankingPicture(scenario: scenario, group: scenario.groups[0], index: 0).picture)
    let chart = try #require(picture.chart as? IntervalChart)
    for labels in [chart.rows.map(\.label), RunReport.mainTable(of: scenario).rows.map(\.name)] {
      for label in ["save", "acme/save"] { #expect(labels.count { $0 == label } == 1, "\(labels)") }
    }
    let lines = TerminalTable.render(results, color: false).split(separator: "\n")
    let rows = lines.filter { $0.contains("●") }
    #expect(rows.count { $0.hasPrefix("acme/save ") } == 1 && rows.count { $0.hasPrefix("save ") } == 1)
  }

  @Test("A single engine is the default and needs no name, whatever its roles")
  func onlyEngine() {
    var cell = Cell(scenario: "quakes", engine: "acme", strategy: "record", role: .peer)
    #expect(cell.label == "acme/record")
    cell.isOfDefaultEngine = true
    #expect(cell.label == "record")
  }

  @Test("Files that do not state the default engine keep the names of their cells")
  func earlierFiles() throws {
    let labels = try KeptResults.read().scenarios[0].cells.map(\.label)
    #expect(labels == ["save", "batch-dictionary", "sqlite/insert", "sqlite/empty"])
  }
}
