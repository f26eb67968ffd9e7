// The pictures of the heap during a phase and of the WAL by rows: lines, marks and shades as values.
import Analysis
import Charts
import Harness
import Instruments
import MissionTags
import BatchmarkEngine
import Testing

@testable import Reports

@Suite("A5 · courses of heap and WAL", .tags(.a5))
struct CoursePictureTests {
  private func report(_ change: (inout Sample, Int) -> Void = { _, _ in }) throws -> ScenarioReport {
    var scenario = try #require(Fixture.standard.results.scenarios.first)
    for cell in scenario.cells.indices {
      for index in scenario.cells[cell].samples.indices { change(&scenario.cells[cell].samples[index], cell) }
    }
    return ScenarioAnalysis(scenario).scenario
  }

  private func chart(_ picture: Picture?) throws -> LineChart {
    try #require(picture?.chart as? LineChart)
  }

  @Test(
    "The heap's line goes through every point as a share of the phase, with SQLite's part shaded and the peak marked")
  func heap() throws {
    let report = try report { sample, cell in
      guard sample.pass == .memory else { return }
      sample.heap = [(0, 0, 0), (1, Int64(100 * (cell + 1)), 10), (3, 50, 20), (4, 40, 20)].map {
        HeapPoint(seconds: $0.0, liveBytes: $0.1, sqliteBytes: $0.2)
      }
    }
    let chart = try chart(HeapPicture.course(report))
    #expect(chart.series.count == report.cells.count)
    let first = try #require(chart.series.first)
    #expect(first.label == report.cells[0].label)
    #expect(first.points.map(\.x) == [0, 0.25, 0.75, 1] && first.points.map(\.y) == [0, 100, 50, 40])
    #expect(first.part.map(\.y) == [0, 10, 20, 20])
    #expect(first.notes == [.init("peak", at: [.init(x: 0.25, y: 100)])])
    #expect(chart.summary.contains("100 B at the peak, with SQLite's part 10 B"))
  }

  @Test("Cells that stay within 3 % of each other share a line; one that leaves anywhere has its own")
  func alike() throws {
    let report = try report { sample, cell in
      guard sample.pass == .memory else { return }
      let peak: Int64 = cell == 1 ? 1_029 : cell == 2 ? 1_032 : 1_000
      sample.heap = [(0, 0), (1, 500), (2, peak), (3, 500)].map {
        HeapPoint(seconds: $0.0, liveBytes: $0.1, sqliteBytes: 0)
      }
    }
    let chart = try chart(HeapPicture.course(report))
    let cells = report.cells
    #expect(
      chart.series.map(\.label) == ["\(cells[0].label) and \(cells.count - 2) more", cells[2].label])
  }

  @Test("Without a record of the heap there is no line, and the bars of peaks stay")
  func noHeap() throws {
    let report = try report { sample, _ in sample.heap = [] }
    #expect(HeapPicture.course(report) == nil)
    #expect(HeapPicture.peaks(report) != nil)
  }

  @Test("The WAL's line marks its checkpoints and the commit that makes it larger, and a cell's limit")
  func wal() throws {
    let report = try report { sample, cell in
      guard sample.pass == .counters else { return }
      let commit: Int64 = cell == 0 ? 900 : 400
      sample.growth = [(25, 100, 0), (50, 200, 1), (75, 400, 1), (100, 400, 3), (100, commit, 3)].map {
        GrowthPoint(rows: $0.0, walBytes: $0.1, walFrames: 0, checkpoints: $0.2)
      }
    }
    let chart = try chart(WALPicture.growth(report))
    #expect(chart.series.count == 2)
    let first = try #require(chart.series.first)
    #expect(first.points.map(\.x) == [0.25, 0.5, 0.75, 1, 1])
    #expect(
      first.notes == [
        .init("checkpoint", at: [.init(x: 0.5, y: 200), .init(x: 1, y: 400)]),
        .init("commit", at: [.init(x: 1, y: 900)]),
      ])
    #expect(chart.series[1].notes.map(\.label) == ["checkpoint"])
    #expect(chart.rules == [])
  }
}
