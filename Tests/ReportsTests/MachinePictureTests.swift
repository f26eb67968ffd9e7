// The picture of several machines: the mean ratio of each cell, its interval, and a dot per machine.
import Analysis
import Charts
import MissionTags
import BatchmarkEngine
import Statistics
import Testing

@testable import Reports

@Suite("A5 · the picture of several machines", .tags(.a5))
struct MachinePictureTests {
  @Test(
    "Each cell's mean ratio has its interval and a dot per machine, with the smallest first, beside the reference's line"
  )
  func ratios() throws {
    let scenario = try #require(SamplePages.machines.scenarios.first)
    let picture = try #require(MachineReport.picture(of: scenario, on: 3))
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

  @Test("A scenario's heading has all row counts of its sweep")
  func rows() {
    let sweep = Fixture.scaling().results
    let comparison = MachineComparison(
      [sweep, sweep], on: Array(SamplePages.machines.machines.prefix(2)), alike: [], absent: nil)
    #expect(MachineReport.document(comparison).markdown.contains("\n## earthquakes: 1,000 to 100,000 rows\n"))
    #expect(MachineReport.document(SamplePages.machines).markdown.contains("\n## earthquakes: 100,000 rows\n"))
  }

  @Test("The page of a merged run names the shard of its command")
  func command() {
    var results = Fixture.standard.results
    #expect(RunReport.html(results).contains("<p>The command:</p>"))
    results.machines = SamplePages.machines.machines
    #expect(RunReport.html(results).contains("<p>The command of shard 1/3:</p>"))
  }

  /// Two machines with different orders of `save` and the reference, on the second by this factor.
  func reversed(by factor: Double) -> MachineComparison {
    let results = [2.0, factor].map { times in
      var fixture = Fixture.standard
      let reference = fixture["insert"].walls
      fixture.cells.removeAll { !["save", "insert"].contains($0.cell.strategy) }
      // One round in four has the opposite order, unless the factor is far from 1.
      fixture["save"].walls = reference.enumerated().map { $1 * times * ($0 % 4 == 0 ? 1.08 : 1) }
      return fixture.results
    }
    return MachineComparison(results, on: Array(SamplePages.machines.machines.prefix(2)), alike: [], absent: nil)
  }

  @Test("An order that two machines reverse is certain only if both intervals exclude 1")
  func reversals() throws {
    let close = try #require(reversed(by: 0.97).scenarios.first?.reversals)
    #expect(close.map(\.isCertain) == [false])
    let certain = try #require(reversed(by: 0.5).scenarios.first?.reversals)
    #expect(certain.map(\.isCertain) == [true])
    #expect(certain.map(\.firstFaster) == [[0]] && certain.map(\.secondFaster) == [[1]])
    #expect(MachineReport.document(reversed(by: 0.97)).markdown.contains("; too close to rank."))
  }
}

extension MachinePictureTests {
  @Test("If no two machines have times of the same cell and its reference, no order is called equal")
  func nothingInCommon() throws {
    let results = ["save", "insert"].map { timeless in
      var fixture = Fixture.standard
      fixture.cells.removeAll { !["save", "insert"].contains($0.cell.strategy) }
      if timeless == "save" { fixture[timeless].withoutPasses = [.timing] }
      return fixture.results
    }
    let comparison = MachineComparison(
      results, on: Array(SamplePages.machines.machines.prefix(2)), alike: [], absent: nil)
    let scenario = try #require(comparison.scenarios.first)
    #expect(scenario.cells.map { $0.ratios.map { $0 != nil } } == [[false, true]] && !scenario.hasComparableOrders)
    #expect(MachineReport.title(of: comparison) == "earthquakes on 2 machines")
    let text = MachineReport.document(comparison).markdown
    #expect(!text.contains("same order") && text.contains("their orders cannot be compared."))
    #expect(!MachineCSV.ratios(comparison).contains("true"))
    let known = try #require(SamplePages.machines.scenarios.first)
    #expect(known.hasComparableOrders)
  }

  @Test("Machines without counters are not reported to have counted the same")
  func nothingCounted() throws {
    let machines = Array(SamplePages.machines.machines.prefix(2))
    func text(countedOn counting: Int) -> String {
      let results = (0..<2).map { machine in
        var fixture = Fixture.standard
        if machine >= counting {
          for index in fixture.cells.indices { fixture.cells[index].withoutPasses = [.counters, .memory] }
        }
        return fixture.results
      }
      return MachineReport.document(MachineComparison(results, on: machines, alike: [], absent: nil)).markdown
    }
    #expect(text(countedOn: 2).contains("Exact counters are the same on all machines."))
    for counting in 0..<2 {
      let text = text(countedOn: counting)
      #expect(
        text.contains("it is not known whether exact counters are the same.") && !text.contains("are the same on all"))
    }
  }

  @Test("Without a reference there is neither a picture nor a verdict")
  func none() throws {
    var results = Fixture.standard.results
    results.scenarios[0].cells.removeAll { $0.cell.isReference }
    let comparison = MachineComparison([results, results], on: SamplePages.machines.machines, alike: [], absent: nil)
    #expect(MachineReport.picture(of: try #require(comparison.scenarios.first), on: 2) == nil)
    #expect(MachineReport.title(of: comparison) == "earthquakes on 3 machines")
  }
}
