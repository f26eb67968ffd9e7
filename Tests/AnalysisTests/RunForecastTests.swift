// A6 A12: the forecast of a run from an earlier one.
import Analysis
import Harness
import HarnessFixtures
import Instruments
import MissionTags
import BatchmarkEngine
import Testing

@Suite("A6 A12 · forecasts of runs", .tags(.a6, .a12))
struct RunForecastTests {
  /// A run whose samples take 0.1 s in addition to their rows: 0.2 s for timed ones, 0.3 s for counted ones, 0.4 s with
  /// the heap meter.
  private func earlier(_ strategies: [String] = ["save", "batch-objects"], handled: Int = 100) throws -> Report {
    let plan = plan(try scenario(strategies: strategies, rounds: 6))
    let seconds: [Pass: Double] = [.memory: 0.5, .counters: 0.4, .timing: 0.3]
    var ledger = RunLedger()
    for planned in plan.samples {
      var one = sample(
        planned.cell.id, planned.pass, round: planned.round, wall: 0.2,
        metrics: [
          .databaseBytes: 8_000, .walPeak: 2_000, .heapPeak: 1_000, .residentSetPeak: 50_000,
        ])
      one.phases[0].rows = handled
      ledger.record(.sample(one, seconds: seconds[planned.pass]))
    }
    let run = RunRecord(
      batchmarkVersion: "1", command: "", started: "", finished: "", seed: 7, isQuick: false, isComparable: true,
      isInterrupted: false)
    return Report(run: run, environment: [], plan: plan, ledger: ledger) { _ in nil }
  }

  private func wholePlan(
    rows: Int, rounds: Int = 10, strategies: [String] = ["save"], rules: RoundRules = RoundRules()
  ) throws -> RunPlan {
    var planned = planned(try scenario(strategies: strategies, rounds: rounds))
    planned.rows = rows
    return RunPlan(scenarios: [planned], seed: 7, isQuick: false, rules: rules)
  }

  private func isNear(_ one: Double?, _ other: Double) -> Bool { one.map { abs($0 - other) < 1e-9 } ?? false }

  @Test("The same cell is forecast by its earlier time, for the planned number of samples")
  func same() throws {
    let forecast = RunForecast(of: try wholePlan(rows: 100), from: try earlier())
    let cell = try #require(forecast.cells.first)
    #expect(cell.basis == .measured && cell.rounds == 10 && cell.samples == 12)
    #expect(isNear(cell.seconds, 0.5 + 0.4 + 10 * 0.3))
    #expect(cell.diskBytes == 10_000 && cell.memoryBytes == 50_000)
    #expect(isNear(forecast.seconds, 3.9) && forecast.unknown == 0)
  }

  @Test("For other numbers of rows, the rows' part grows and a worker's own part stays")
  func scaled() throws {
    let forecast = RunForecast(of: try wholePlan(rows: 1_000), from: try earlier())
    let cell = try #require(forecast.cells.first)
    #expect(cell.basis == .scaled(rows: 100) && cell.rounds == 10)
    #expect(isNear(cell.seconds, (0.1 + 4) + (0.1 + 3) + 10 * (0.1 + 2)))
    #expect(cell.diskBytes == 100_000)
    // Only the heap grows with the rows.
    #expect(cell.memoryBytes == 59_000)
    // The pages that even a store of one row has.
    #expect(RunForecast(of: try wholePlan(rows: 1), from: try earlier()).cells.first?.diskBytes == 10_000)
  }

  @Test("A page of a fetch, or an update of some rows, is forecast by the number of rows in its source", .tags(.a15))
  func partOfTheRows() throws {
    let earlier = try earlier(handled: 2)
    let same = try #require(RunForecast(of: try wholePlan(rows: 100), from: earlier).cells.first)
    #expect(same.basis == .measured && isNear(same.seconds, 3.9) && same.diskBytes == 10_000)
    let more = try #require(RunForecast(of: try wholePlan(rows: 1_000), from: earlier).cells.first)
    #expect(more.basis == .scaled(rows: 100) && isNear(more.seconds, (0.1 + 4) + (0.1 + 3) + 10 * (0.1 + 2)))
  }

  @Test("Slow cells, --until, --max-time and unknown cells change the forecast")
  func rules() throws {
    let earlier = try earlier()
    // Each round has 2.2 s of its phase, so there are three of them.
    #expect(RunForecast(of: try wholePlan(rows: 1_100), from: earlier).cells[0].rounds == 3)
    #expect(
      RunForecast(of: try wholePlan(rows: 1_100, rules: RoundRules(minRounds: 5)), from: earlier).cells[0].rounds == 5)
    let limited = RunForecast(of: try wholePlan(rows: 1_100, rules: RoundRules(maxSeconds: 2)), from: earlier)
    #expect(limited.cells[0].rounds == 10 && limited.seconds == 2)
    // All times are alike, so the fewest rounds are enough.
    #expect(
      RunForecast(of: try wholePlan(rows: 100, rules: RoundRules(until: 0.02)), from: earlier).cells[0].rounds == 6)
    let other = RunForecast(of: try wholePlan(rows: 100, strategies: ["save", "insert"]), from: earlier)
    #expect(other.unknown == 1 && other.cells[1].basis == .nothing && other.cells[1].seconds == nil)
    #expect(isNear(other.seconds, 3.9))
    let nothing = RunForecast(of: try wholePlan(rows: 100), from: nil)
    #expect(nothing.seconds == nil && nothing.diskBytes == nil && nothing.unknown == 1)
  }

  @Test("Blocks weigh their cells' times, unknown ones estimated at the others' pace by rows; else they weigh rows")
  func weights() throws {
    let rows = [100, 300]
    let scenarios = try zip(["quakes", "other"], rows).map { name, rows in
      var planned = planned(try scenario(name, strategies: ["save"], rounds: 10))
      planned.rows = rows
      return planned
    }
    let plan = RunPlan(scenarios: scenarios, seed: 7, isQuick: false)
    #expect(RunForecast(of: plan, from: nil).weights(of: ["other", "quakes", "none"]) == [3_600, 1_200, 0])
    let known = RunForecast(of: plan, from: try earlier()).weights(of: ["quakes", "other"])
    // The save of the other scenario is known from this one's.
    #expect(isNear(known[0], 3.9) && isNear(known[1], (0.1 + 1.2) + (0.1 + 0.9) + 10 * (0.1 + 0.6)))
    let unlike = RunForecast(
      of: RunPlan(
        scenarios: [scenarios[0], planned(try scenario("other", strategies: ["insert"], rounds: 10))], seed: 7,
        isQuick: false), from: try earlier()
    ).weights(of: ["quakes", "other"])
    #expect(isNear(unlike[0], 3.9) && isNear(unlike[1], 3.9))
  }
}

extension RunForecastTests {
  @Test("Too few rounds for an interval are known beforehand: 5 are, 6 are not, nor is a quick run's one")
  func roundsWithoutInterval() throws {
    #expect(Estimate.leastRounds == 6)
    #expect(try wholePlan(rows: 10, rounds: 5).roundsWithoutInterval == [5])
    #expect(try wholePlan(rows: 10, rounds: 6).roundsWithoutInterval.isEmpty)
    #expect(try wholePlan(rows: 10, rounds: 2, rules: RoundRules(minRounds: 6)).roundsWithoutInterval.isEmpty)
    let planned = planned(try scenario(strategies: ["save"], rounds: 2))
    #expect(RunPlan(scenarios: [planned, planned], seed: 7, isQuick: false).roundsWithoutInterval == [2])
    #expect(RunPlan(scenarios: [planned], seed: 7, isQuick: true).roundsWithoutInterval.isEmpty)
  }
}
