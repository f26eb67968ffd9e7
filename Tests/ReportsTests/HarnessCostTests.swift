// A2: the harness's own cost in a report.
import Harness
import MissionTags
import Reports
import BatchmarkEngine
import Testing

@Suite("A2 · what the harness costs", .tags(.a2))
struct HarnessCostTests {
  private func report(_ fixture: Fixture) -> String { RunReport.text(fixture.results) }

  @Test("Only a scenario with cells for the harness' cost has the section")
  func absent() {
    #expect(!report(.standard).contains("What the harness costs"))
    #expect(report(.overhead).contains("## What the harness costs"))
  }

  @Test("An instrument is reported with its interval, whether or not it costs something")
  func instruments() {
    let text = report(.overhead)
    #expect(text.contains("**The metering VFS** adds +8.0 % [+7.0, +9.0] to `batch-dictionary`."))
    #expect(
      text.contains(
        "**The memory sampler** adds nothing that can be seen to `batch-dictionary`: 0.0 % [−2.0, +2.0]."))
    #expect(
      text.contains(
        "**The idle allocation meter** adds nothing that can be seen to `batch-dictionary`, which was even faster with it: −5.0 %"
      ))
    var noisy = Fixture.overhead
    let factors: [Double] = [0.6, 1.5, 0.8, 1.2, 0.7, 1.4, 0.9, 1.1]
    for index in noisy.cells.indices where noisy.cells[index].cell.parameters["attached"] == .word("sampler") {
      noisy.cells[index].walls = zip(noisy.cells[index].walls, factors).map { $0 * $1 }
    }
    #expect(report(noisy).contains("What the memory sampler adds to `batch-dictionary` is not certain: "))
  }

  @Test("The cost that stays in the timing pass is a share of the batch insert, judged by the whole interval")
  func remainder() {
    var fixture = Fixture.overhead
    #expect(
      report(fixture).contains(
        "is 0.200 % [0.165, 0.206] of `batch-dictionary` of 10,000 rows: the interval is wholly below 2 %."))
    // Its share of a tenth of the time is ten times as high, so the interval contains 2 %.
    fixture["batch-dictionary"].walls = Fixture.noise.map { $0 * 0.005 }
    #expect(report(fixture).contains("**the interval is not wholly below 2 %**"))
    fixture = .overhead
    for index in fixture.cells.indices { fixture.cells[index].walls = Array(fixture.cells[index].walls.prefix(3)) }
    let few = report(fixture)
    #expect(few.contains("**The harness takes 0."), "\(few)")
    #expect(few.contains(" % of the time of `batch-dictionary`**: too few rounds to say whether that is below 2 %."))
    #expect(few.contains("**The metering VFS** changes the time of `batch-dictionary` by +8."), "\(few)")
    // Only one cell has phases that share its time, so it is named once.
    #expect(few.contains("- Of the time of all phases of `batch-dictionary`, "), "\(few)")
  }

  @Test("Cells that show costs are not ranked")
  func ranking() {
    let text = report(.overhead)
    #expect(text.contains("`batch-dictionary` is the only cell that is ranked"))
    #expect(!text.contains("`sqlite/empty` 0."))
    // Without stored rows there is no rate.
    let terminal = TerminalTable.render(Fixture.overhead.results, color: false)
    #expect(!text.contains("1,000,000,000,000") && !terminal.contains("1,000,000,000,000"))
  }

  @Test("Samples from before the readings were timed say that they were not timed")
  func older() {
    var fixture = Fixture.overhead
    fixture["empty"].readingSeconds = nil
    let text = report(fixture)
    #expect(text.contains("cannot be given as a share of `batch-dictionary`"))
    #expect(text.contains("the samples are of a version that did not measure it"))
  }
}

extension Fixture {
  /// A plain batch insert, one with each instrument, and the empty strategy.
  static var overhead: Fixture {
    let seconds = 0.05
    func cell(_ attached: String?, _ factors: [Double]) -> CellFixture {
      var cell = CellFixture(
        "objectgraph", "batch-dictionary", attached.map { ["attached": .word($0)] } ?? [:], seconds: seconds)
      cell.walls = zip(cell.walls, factors).map { $0 * $1 }
      cell.rows = 10_000
      return cell
    }
    var empty = CellFixture("sqlite", "empty", seconds: 0)
    empty.walls = Array(repeating: 0.000_000_1, count: Fixture.noise.count)
    empty.readingSeconds = 0.0001
    empty.tradeoffs = ["every answer but what the harness costs"]
    return Fixture(cells: [
      cell(nil, Array(repeating: 1, count: 8)),
      cell("metering_vfs", [1.08, 1.07, 1.09, 1.08, 1.08, 1.09, 1.07, 1.08]),
      cell("sampler", [0.98, 1.02, 1, 1, 1.01, 0.99, 1, 1]),
      cell("allocation_meter", [0.95, 0.94, 0.96, 0.95, 0.95, 0.96, 0.94, 0.95]),
      empty,
    ])
  }
}
