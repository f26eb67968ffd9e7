// Titles that say no more than the figures, and no less where a shorter sentence has room for them.
import Analysis
import BatchmarkEngine
import Charts
import Harness
import MissionTags
import Testing

@testable import Reports

@Suite("A5 · titles", .tags(.a5))
struct TitleTests {
  @Test("Where the growth of some ways is uncertain, the title counts those of which it is certain")
  func partialGrowth() {
    var fixture = Fixture.scaling()
    #expect(fixture.title.hasPrefix("Time grows faster than the rows with `save`"))
    fixture.cells.removeAll { $0.cell.strategy == "save" }
    #expect(fixture.title.hasPrefix("Time grows in proportion to the rows"))
    for index in fixture.cells.indices where fixture.cells[index].cell.strategy == "batch-objects" {
      // Rounds that disagree by three times about the growth.
      let factors: [Double] = fixture.cells[index].rows > 1_000 ? [0.3, 3, 1] : [1, 1, 1]
      fixture.cells[index].walls = fixture.cells[index].walls.enumerated().map { $1 * factors[$0 % 3] }
    }
    #expect(fixture.title.contains("in 2 of 3 ways"), "\(fixture.title)")
  }

  @Test("Ways that are not known to be alike are fastest, and do not take the same time")
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

  @Test("Ways that have other best sizes share a title that has the range and what too little costs")
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

  @Test("Ranges of sizes in the paragraph have the change that the title has, in both directions")
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
        "heap peak down to 1000 B from 2000 B (`batch-dictionary`) and up to 3.91 KiB from 1000 B (`batch-objects`)")
        || fixture.text.contains(
          "heap peak down to 1000 B from 1.95 KiB (`batch-dictionary`) and up to 3.91 KiB from 1000 B (`batch-objects`)"
        ),
      "\(fixture.answer)")
  }
}

extension TitleTests {
  @Test("Growth of several kinds of work is drawn in a panel a kind, of few lines in one plot")
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

  @Test("An exponent has two decimals, and a minus sign where it is below zero")
  func exponents() {
    #expect(
      Digits.exponent(1.0249) == "1.02" && Digits.exponent(-0.244) == "−0.24" && Digits.exponent(-0.001) == "0.00")
  }
}
