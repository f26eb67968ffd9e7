// Hand-made results that look like those of the shipped suites. They test the conclusions of reports, with the original
// figures and with changed ones.
import Harness
import Instruments
import Reports
import BatchmarkEngine
import Testing

extension CellFixture {
  /// A cell whose times only have the noise of their rounds.
  init(
    _ strategy: String, _ parameters: [String: ParameterValue] = [:], of engine: String = "objectgraph",
    seconds: Double,
    rows: Int = Fixture.rows
  ) {
    self.init(engine, strategy, parameters, seconds: seconds)
    self.rows = rows
  }

  /// The same cell with other figures.
  func with(_ change: (inout CellFixture) -> Void) -> CellFixture {
    var other = self
    change(&other)
    return other
  }
}

extension Fixture {
  /// The cell with this label, such as `save[rows=1000]`.
  subscript(cell label: String) -> CellFixture {
    get {
      cells.first { $0.cell.id.hasSuffix("/" + label) } ?? CellFixture("none", label, seconds: 1)
    }
    set { cells = cells.map { $0.cell.id.hasSuffix("/" + label) ? newValue : $0 } }
  }

  /// The whole page as text.
  var text: String { RunReport.text(results) }

  /// The title that answers the report's question, without markup.
  var title: String { String(RunReport.text(results).prefix { $0 != "\n" }.drop { $0 == "#" || $0 == " " }) }

  /// The paragraph that answers the report's question.
  var answer: String {
    let blocks = RunReport.text(results).split(separator: "\n\n", omittingEmptySubsequences: false)
    let question = blocks.firstIndex { $0.hasPrefix("Asked: ") }
    return question.map { blocks.dropFirst($0 + 1).first.map(String.init) ?? "" } ?? ""
  }

  /// A section of the report, without its heading.
  func section(_ title: String) throws -> Substring {
    let text = RunReport.text(results)
    let start = try #require(text.firstRange(of: "\n## \(title)\n\n"), "there is no section \(title)")
    let rest = text[start.upperBound...]
    return rest.firstRange(of: "\n## ").map { rest[..<$0.lowerBound] } ?? rest
  }

  /// With at most this many timed rounds.
  func rounds(_ count: Int) -> Fixture {
    var fixture = self
    fixture.cells = cells.map { $0.with(walls: Array($0.walls.prefix(count))) }
    return fixture
  }

  /// With times that show no order of the cells.
  var noisy: Fixture {
    let factors: [Double] = [0.6, 1.5, 0.8, 1.2, 0.7, 1.4, 0.9, 1.1]
    var fixture = self
    for index in cells.indices {
      // Each cell has the same factors, but in other rounds, and later cells are slightly faster.
      let seconds: Double = 0.4 - 0.001 * Double(index)
      fixture.cells[index].walls = factors.indices.map { seconds * factors[($0 + 3 * index) % factors.count] }
      fixture.cells[index].mergeSeconds = nil
    }
    return fixture
  }

  /// With a question about a figure, and about others as well.
  func asking(about figure: MetricID?, also others: [MetricID]? = nil) -> Fixture {
    var fixture = self
    (fixture.about, fixture.alsoAbout) = (figure, others)
    return fixture
  }

  /// The label of the slowest object-graph cell, and the results with a twentieth of its time.
  var withAnotherWinner: (label: String, fixture: Fixture) {
    func time(_ cell: CellFixture) -> Double { (cell.walls.first ?? 0) + (cell.mergeSeconds ?? 0) }
    let slowest = cells.indices.filter { cells[$0].cell.engine == "objectgraph" }.max {
      time(cells[$0]) < time(cells[$1])
    }
    var altered = self
    guard let slowest else { return ("", self) }
    altered.cells[slowest].walls = cells[slowest].walls.map { $0 / 20 }
    altered.cells[slowest].mergeSeconds = cells[slowest].mergeSeconds.map { $0 / 20 }
    let cell = cells[slowest].cell
    return (cell.strategy + (cell.parametersText.isEmpty ? "" : "[\(cell.parametersText)]"), altered)
  }

  /// The results of an update or a delete with an additional batch request.
  private func with(_ strategy: String) -> Fixture {
    var batch = CellFixture(strategy, seconds: 0.2, rows: cells[0].rows)
    batch.cell.operation = cells[0].cell.operation
    var fixture = self
    fixture.cells.insert(batch, at: 1)
    return fixture
  }

  // MARK: Suites

  static var suites: [(name: String, fixture: Fixture)] {
    [
      ("earthquakes", standard), ("wwdc20", wwdc20), ("scaling", scaling()), ("crossover", crossover),
      ("batch-size", batchSize), ("history", history), ("merge-storm", mergeStorm),
      ("checkpoint-starvation", starvation),
      ("upsert-policies", upserts), ("batch-update", update.with("batch-update")),
      ("batch-delete", delete.with("batch-delete")),
    ]
  }

  /// A cell of each strategy at each number of rows; times are a fixed cost plus some microseconds per row, raised to a
  /// power.
  static func scaling(_ sizes: [Int] = [1_000, 10_000, 100_000]) -> Fixture {
    let strategies: [(String, String, fixed: Double, row: Double, power: Double, heap: Int64)] = [
      ("objectgraph", "save", 0, 4e-6, 1.1, 470), ("objectgraph", "batch-objects", 0, 4e-6, 1, 380),
      ("objectgraph", "batch-dictionary", 0, 3e-6, 1, 0), ("sqlite", "insert", 0, 2e-6, 1, 0),
    ]
    return Fixture(
      cells: sizes.flatMap { rows in
        strategies.map { engine, strategy, fixed, row, power, heap in
          // The power in whole tenths, without a math library: ten times as many rows multiply it by another 10^0.1.
          let tenfolds = String(rows).count - 4
          let bend = power == 1 ? 1 : (0..<max(tenfolds, 0)).reduce(1.0) { product, _ in product * 1.258_925 }
          return CellFixture(
            strategy, ["rows": .count(rows)], of: engine, seconds: fixed + row * Double(rows) * bend, rows: rows
          ).with { $0.heapPeak = 40_960 + heap * Int64(rows) }
        }
      })
  }

  /// Three changes of a model, by rows: one without cost, one that costs a fifth more than its reference, and one that
  /// costs the same.
  static var versions: Fixture {
    let changes: [(name: String, own: (fixed: Double, row: Double), reference: (fixed: Double, row: Double))] = [
      ("optional", (0.002, 0), (0, 4e-6)), ("removed", (0, 4.8e-6), (0, 4e-6)), ("added", (0.002, 0), (0.002, 0)),
    ]
    return Fixture(
      cells: [1_000, 100_000].flatMap { rows in
        changes.flatMap { change in
          [("objectgraph", "save", change.own), ("sqlite", "insert", change.reference)].map { engine, strategy, cost in
            CellFixture(
              strategy, ["rows": .count(rows), "version": .word(change.name)], of: engine,
              seconds: cost.fixed + cost.row * Double(rows), rows: rows
            ).with {
              $0.cell.conditionKeys = ["rows", "version"]
              $0.cell.isOfDefaultEngine = engine == "objectgraph"
            }
          }
        }
      })
  }

  /// Libraries with two kinds of work: batches save time in two of them and take longer in one.
  static var libraries: Fixture {
    let ways: [(engine: String, strategy: String, role: StrategyRole, ratio: Double)] = [
      ("sqlite", "insert", .reference, 1), ("objectgraph", "save", .objectByObject, 2),
      ("python", "save", .objectByObject, 5), ("python", "batch", .batch(.array), 1.5),
      ("ruby", "save", .objectByObject, 9), ("ruby", "batch", .batch(.array), 3),
      ("perl", "save", .objectByObject, 4), ("perl", "batch", .batch(.array), 5),
    ]
    return Fixture(
      cells: [("none", 0.1), ("unique", 0.4)].flatMap { version, seconds in
        ways.map { way in
          CellFixture(way.strategy, ["version": .word(version)], of: way.engine, seconds: seconds * way.ratio).with {
            $0.cell.role = way.role
            $0.cell.conditionKeys = ["version"]
            $0.cell.isOfDefaultEngine = way.engine == "objectgraph"
          }
        }
      })
  }

  /// Few rows, with a fixed cost per request for the batch and a cost per object for the save.
  static var crossover: Fixture {
    Fixture(
      cells: [10, 100, 1_000].flatMap { rows in
        [
          CellFixture("save", ["rows": .count(rows)], seconds: 0.000_1 + 0.000_01 * Double(rows), rows: rows),
          CellFixture(
            "batch-dictionary", ["rows": .count(rows)], seconds: 0.000_5 + 0.000_002 * Double(rows), rows: rows),
        ]
      })
  }

  static var batchSize: Fixture {
    let seconds: [(ParameterValue, Double)] = [
      (.count(10), 2), (.count(100), 0.8), (.count(1_000), 0.41), (.count(10_000), 0.4),
    ]
    return Fixture(
      cells: seconds.map { CellFixture("batch-dictionary", ["request_size": $0], seconds: $1) }
        + [CellFixture("batch-dictionary", seconds: 0.405)])
  }

  static var history: Fixture {
    Fixture(cells: [
      CellFixture("save", seconds: 0.4), CellFixture("save", ["history": .word("on")], seconds: 0.5),
      CellFixture("batch-dictionary", seconds: 0.25),
      CellFixture("batch-dictionary", ["history": .word("on")], seconds: 0.3).with { $0.databaseBytes *= 2 },
    ])
  }

  static var mergeStorm: Fixture {
    Fixture(cells: [
      CellFixture("save", ["save_every": .count(100)], seconds: 0.5),
      CellFixture("save", ["save_every": .count(100), "merge": .word("automatic")], seconds: 0.5).with {
        $0.mergeSeconds = 1
      },
    ])
  }

  static var starvation: Fixture {
    Fixture(cells: [
      CellFixture("save", ["save_every": .count(1_000)], seconds: 0.5),
      CellFixture("save", ["save_every": .count(1_000), "reader": .word("pinned")], seconds: 0.5).with {
        $0.walBytes = 90_000_000
        $0.walls = Fixture.noise.enumerated().map { 0.5 * $1 * ($0 % 2 == 0 ? 1.01 : 0.99) }
      },
    ])
  }

  static var upserts: Fixture {
    let seconds = [("0%", 0.3, 0.3), ("50%", 0.4, 0.35)]
    return Fixture(
      cells: seconds.flatMap { share, trump, error in
        [
          CellFixture(
            "batch-dictionary", ["duplicates": .word(share), "merge_policy": .word("object_trump")], seconds: trump),
          CellFixture(
            "batch-dictionary", ["duplicates": .word(share), "merge_policy": .word("store_trump")], seconds: error * 0.9
          ),
        ]
      })
  }

  static var wwdc20: Fixture {
    Fixture(cells: [
      CellFixture("save", ["save_every": .count(100), "merge": .word("automatic")], seconds: 0.5).with {
        $0.mergeSeconds = 1
        $0.checkpointSeconds = 0.01
      },
      CellFixture("save", ["save_every": .count(100)], seconds: 0.5), CellFixture("save", seconds: 0.4),
      CellFixture("batch-objects", seconds: 0.3), CellFixture("batch-managed-object", seconds: 0.25),
      CellFixture("insert", of: "sqlite", seconds: 0.2),
    ])
  }
}
