// Every figure and claim of the findings is recounted from the samples, over many runs: quiet, noisy, short, with
// failures.
import BatchmarkEngine
import Analysis
import Foundation
import Harness
import MissionTags
import Scenarios
import Support
import Testing

@Suite("A2 A5 · findings counted again", .tags(.a2, .a5))
struct RecountTests {
  /// A run with cells, groups, noise and failures from a seed.
  private func run(_ seed: UInt64) -> SyntheticRun {
    var generator = SplitMix64(seed: seed)
    func pick<Element>(_ values: [Element]) -> Element { values[Int(generator.next() % UInt64(values.count))] }
    let shapes: [(String, String, StrategyRole)] = [
      ("save", "objectgraph", .objectByObject), ("batch-objects", "objectgraph", .batch(.array)),
      ("batch-dictionary", "objectgraph", .batch(.dictionaryHandler)), ("insert", "sqlite", .reference),
      ("record", "grdb", .peer), ("empty", "sqlite", .harnessCost),
    ]
    var cells: [SyntheticCell] = []
    let swept: [[String: ParameterValue]] = pick([
      [[:]], [["rows": .count(1_000)], ["rows": .count(10_000)]],
      [["history": .word("off")], ["history": .word("on")]],
      [["save_every": .count(1)], ["save_every": .count(10)], ["save_every": .all]],
    ])
    for shape in shapes where generator.nextUnit() < 0.7 {
      for parameters in swept {
        var cell = SyntheticCell(shape.0, of: shape.1, shape.2, parameters, seconds: pick([0.1, 0.1, 0.105, 0.2, 0.5]))
        cell.heapPeak = generator.nextUnit() < 0.9 ? pick([1_000_000, 1_001_000, 12_000_000]) : nil
        if generator.nextUnit() < 0.1 { cell.rounds = 3 }
        if generator.nextUnit() < 0.1 { cell.failedRounds = [2, 4] }
        if generator.nextUnit() < 0.1 { cell.hash = "other" }
        cells.append(cell)
      }
    }
    if cells.isEmpty { cells = [SyntheticCell("save", seconds: 0.1)] }
    return SyntheticRun(
      cells: cells, rounds: pick([1, 5, 6, 8, 12]), roundNoise: pick([0.01, 0.3]), ownNoise: pick([0.001, 0.02, 0.3]),
      seed: seed)
  }

  private func json(_ scenario: ScenarioReport) throws -> Data {
    try JSONEncoder().encode(["scenarios": [ScenarioAnalysis(scenario).scenario]])
  }

  /// The number of runs, from the environment if set; 2,000 take two minutes in a debug build.
  private static let runs = ProcessInfo.processInfo.environment["BATCHMARK_RECOUNTS"].flatMap { Int($0) } ?? 400

  @Test("Every figure in a finding or an answer is in the samples", arguments: 0..<4)
  func random(part: Int) throws {
    for seed in 1...max(RecountTests.runs, 4) where seed % 4 == part {
      let found = try RecountedRun(json: try json(try run(UInt64(seed)).results())).faults
      #expect(found.isEmpty, "seed \(seed): \(found.prefix(3))")
    }
  }

  @Test("An altered figure, an exchanged cell and a reversed order are found")
  func altered() throws {
    let cells = [
      SyntheticCell("save", seconds: 0.3).with { $0.heapPeak = 100 },
      SyntheticCell("batch-objects", .batch(.array), seconds: 0.2).with { $0.heapPeak = 50 },
      SyntheticCell("batch-dictionary", .batch(.dictionaryHandler), seconds: 0.1).with { $0.heapPeak = 10 },
    ]
    let honest = String(decoding: try json(try SyntheticRun(cells: cells).results()), as: UTF8.self)
    #expect(try RecountedRun(json: Data(honest.utf8)).faults.isEmpty)
    let data = try #require(try JSONSerialization.jsonObject(with: Data(honest.utf8)) as? [String: Any])
    func faults(_ change: (inout [String: Any]) throws -> Void) throws -> [String] {
      var changed = data
      var scenarios = try #require(changed["scenarios"] as? [[String: Any]])
      try change(&scenarios[0])
      changed["scenarios"] = scenarios
      return try RecountedRun(json: try JSONSerialization.data(withJSONObject: changed)).faults
    }
    for kind in ["fastest", "slowest", "order", "leanest"] {
      let found = try faults { scenario in
        var findings = try #require(scenario["mainFindings"] as? [[String: Any]])
        let index = try #require(findings.firstIndex { $0["kind"] as? String == kind }, "\(kind)")
        if kind == "order" {
          findings[index]["details"] = [
            "order": ["tiers": [["quakes/objectgraph/save"], ["quakes/objectgraph/batch-dictionary"]]]
          ]
        } else {
          let count = try #require(findings[index]["cells"] as? [String]).count
          findings[index]["cells"] = [String](repeating: "quakes/objectgraph/save", count: count)
        }
        scenario["mainFindings"] = findings
      }
      #expect(!found.isEmpty, "\(kind)")
    }
    let wrongAnswer = try faults { scenario in
      var answer = try #require(scenario["answer"] as? [String: Any])
      var against = try #require(answer["against"] as? [[String: Any]])
      against[0]["heap"] = ["figure": 101, "base": 10]
      answer["against"] = against
      scenario["answer"] = answer
    }
    #expect(!wrongAnswer.isEmpty)
  }
}
