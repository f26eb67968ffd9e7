// Operations at a fixed rate with a clock that the test controls: the effects of a stall, a lock and a rate that is too
// high.
import BatchmarkEngine
import Harness
import HarnessFixtures
import MissionTags
import Statistics
import Testing

/// A clock that only advances if someone sleeps or the test advances it.
final class DrivenClock: OperationClock {
  private var time: UInt64 = 1_000

  func now() -> UInt64 { time }
  func sleep(until moment: UInt64) { time = max(time, moment) }
  func pass(milliseconds: UInt64) { time += milliseconds * 1_000_000 }
}

@Suite("A15 · operations at a fixed rate", .tags(.a15))
struct FixedRateLoopTests {
  private let clock = DrivenClock()

  /// Runs 100 operations per second for this many seconds.
  private func run(
    rate: Int = 100, seconds: UInt64 = 10, _ attempt: (Int) throws -> OperationAttempt
  ) throws -> OperationTally {
    let begin = clock.now()
    return try FixedRateLoop(begin: begin, rate: rate)
      .run(clock, until: { begin + seconds * 1_000_000_000 }, attempt)
  }

  private func milliseconds(_ tally: OperationTally, _ perMille: Int) -> UInt64? {
    tally.latency.percentile(perMille: perMille).map { $0 / 1_000_000 }
  }

  @Test("Operations that keep the rate are all due, done and on time")
  func keptRate() throws {
    let tally = try run { _ in
      clock.pass(milliseconds: 3)
      return .done
    }
    #expect((tally.due, tally.done, tally.late, tally.retries) == (1_000, 1_000, 0, 0))
    #expect(tally.latency.longest == 3_000_000)
    #expect(milliseconds(tally, 500) == 3)
  }

  @Test("A stall of 1 s at 100/s makes about 100 operations late, not one: every wait is counted")
  func stall() throws {
    let tally = try run { number in
      clock.pass(milliseconds: number == 500 ? 1_000 : 1)
      return .done
    }
    #expect(tally.due == 1_000)
    // Those due in the stall, and a few more until the backlog is done at 1 ms each.
    #expect((99...115).contains(tally.late))
    #expect(tally.latency.longest == 1_000_000_000)
    let above = tally.latency.buckets.filter { LatencyHistogram.durations(in: $0.index).lowerBound > 100_000_000 }
    #expect((90...110).contains(above.reduce(0) { $0 + $1.count }))
    #expect(milliseconds(tally, 500) == 1)
    #expect(try #require(milliseconds(tally, 990)) > 800)
  }

  @Test("One stall of 300 ms shows in the longest latency and p99.9, and the median stays")
  func shortStall() throws {
    let tally = try run(seconds: 100) { number in
      clock.pass(milliseconds: number == 7 ? 300 : 1)
      return .done
    }
    #expect(tally.latency.longest == 300_000_000)
    #expect(try #require(milliseconds(tally, 999)) > 150)
    #expect(milliseconds(tally, 500) == 1)
  }

  @Test("A lock held for 50 ms is in the bucket of 50 ms, with its refusals and the waiting time")
  func lock() throws {
    var heldUntil: UInt64 = 0
    let tally = try run(rate: 10) { number in
      if number == 5, heldUntil == 0 { heldUntil = clock.now() + 50_000_000 }
      if clock.now() < heldUntil { return .refused("SQLITE_BUSY") }
      return .done
    }
    #expect((tally.due, tally.done) == (100, 100))
    #expect(tally.refusals == ["SQLITE_BUSY": 50])
    #expect(tally.retries == 50)
    #expect(abs(tally.busySeconds - 0.05) < 1e-9)
    let bucket = try #require(tally.latency.buckets.last)
    #expect(LatencyHistogram.durations(in: bucket.index).contains(50_000_000))
    #expect(bucket.count == 1)
  }

  @Test("A rate that cannot be kept shows as late operations, and abandoned ones count with the time they waited")
  func tooFast() throws {
    let tally = try run(rate: 1_000, seconds: 10) { _ in
      clock.pass(milliseconds: 2)
      return .done
    }
    #expect(tally.due == 10_000)
    // 10 s and the 2 s after the end are enough for 6,000 of 2 ms each.
    #expect((5_990...6_010).contains(tally.done))
    #expect(tally.late > 9_000)
    #expect(tally.latency.count == 10_000)
  }

  @Test("An operation that is always refused is given up, and none is due after it")
  func refusedForEver() throws {
    let tally = try run(rate: 1, seconds: 3) { _ in .refused("SQLITE_BUSY_SNAPSHOT") }
    #expect((tally.due, tally.done, tally.late) == (3, 0, 3))
    #expect(tally.latency.longest > 5_000_000_000)
    #expect(tally.refusals.keys.sorted() == ["SQLITE_BUSY_SNAPSHOT"])
  }

  @Test("Operations begin on schedule, however many came before, and an error ends them")
  func schedule() throws {
    let loop = FixedRateLoop(begin: 5, rate: 3)
    #expect((0...4).map(loop.intendedStart) == [5, 333_333_338, 666_666_671, 1_000_000_005, 1_333_333_338])
    #expect(loop.intendedStart(of: 300_000_000) == 5 + 100_000_000 * 1_000_000_000)
    struct Failure: Error {}
    #expect(throws: Failure.self) { try run { _ in throw Failure() } }
  }

  @Test("Tallies of several processes and rounds add up to the tally of all operations")
  func adding() throws {
    let one = try run { number in
      clock.pass(milliseconds: UInt64(number % 7))
      return .done
    }
    var failed = false
    let other = try run(rate: 10) { number in
      if number == 3, !failed {
        failed = true
        return .refused("SQLITE_LOCKED")
      }
      return .done
    }
    var sum = one
    sum.add(other)
    #expect((sum.due, sum.done) == (1_100, 1_100))
    #expect(sum.refusals == ["SQLITE_LOCKED": 1])
    #expect(sum.latency == LatencyHistogram.pooled([one.latency, other.latency]))
  }
}

@Suite("A15 · the plan of mixed work", .tags(.a15))
struct MixedPlanTests {
  @Test("Exact passes skip cells with readers beside them, and the timing pass takes all")
  func exactPasses() throws {
    let scenario = try scenario(rounds: 2)
    var mixed = scenario
    mixed.beside.readers = 1
    #expect(plan(scenario).samples.count == 3 * (1 + 1 + 2))
    #expect(plan(mixed).samples.count == 3 * 2)
    #expect(plan(mixed).samples.allSatisfy { $0.pass == .timing })
    var swept = scenario
    for index in swept.cells.indices {
      swept.cells[index].parameters["readers"] = .count(index)
      swept.cells[index].conditionKeys = ["readers"]
      var variant = scenario
      variant.beside.readers = index
      swept.variants[swept.cells[index].conditions] = variant
    }
    #expect(plan(swept).samples.filter { $0.pass == .counters }.map(\.cell) == [swept.cells[0]])
  }
}
