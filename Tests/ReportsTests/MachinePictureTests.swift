// The picture of several machines: the mean ratio of each cell, its interval, and a dot a machine.
import Analysis
import Charts
import Statistics
import Testing

@testable import Reports

@Suite("A5 · the picture of several machines", .tags(.a5))
struct MachinePictureTests {
  @Test("Each cell's mean ratio has its interval and a dot a machine, the least first, beside the reference's line")
  func ratios() throws {
    let scenario = try #require(SamplePages.machines.scenarios.first)
    let picture = try #require(MachinePicture.ratios(scenario, on: 3))
    let chart = try #require(picture.chart as? IntervalChart)
    #expect(picture.path == "charts/earthquakes-machines.svg" && chart.title == "Ratios of 3 machines")
    #expect(chart.reference?.value == 1 && chart.rows.count == scenario.cells.count)
    #expect(chart.rows.compactMap(\.value) == chart.rows.compactMap(\.value).sorted())
    for row in chart.rows {
      let cell = try #require(scenario.cells.first { $0.cell.label == row.label })
      let combined = try #require(cell.combined)
      #expect(row.value == combined.ratio && row.low == combined.interval?.lowerBound)
      #expect(row.high == combined.interval?.upperBound && row.raw == cell.ratios.compactMap(\.self))
      #expect(row.raw.count == 3 && chart.summary.contains(row.label))
    }
  }

  @Test("The title says whether the machines agree")
  func title() {
    #expect(MachineReport.title(of: SamplePages.machines).hasPrefix("earthquakes on 3 machines: "))
  }

  @Test("Without a reference there is neither a picture nor a verdict")
  func none() throws {
    var results = Fixture.standard.results
    results.scenarios[0].cells.removeAll { $0.cell.isReference }
    let comparison = MachineComparison([results, results], on: SamplePages.machines.machines, alike: [], absent: nil)
    #expect(MachinePicture.ratios(try #require(comparison.scenarios.first), on: 2) == nil)
    #expect(MachineReport.title(of: comparison) == "earthquakes on 3 machines")
  }
}
