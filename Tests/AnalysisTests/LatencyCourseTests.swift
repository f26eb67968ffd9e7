// The round that represents a cell's course, and the lengths of its slices in seconds.
import Analysis
import BatchmarkEngine
import Harness
import HarnessFixtures
import MissionTags
import Statistics
import Testing

@Suite("A15 · a cell's latencies over time", .tags(.a15))
struct LatencyCourseTests {
  private static let save = "quakes/objectgraph/save"
  private static let batch = "quakes/objectgraph/batch-objects"

  /// A sample with three slices of 100 ms.
  ///
  /// The second slice has an operation of the given length in milliseconds.
  private func followed(
    _ cell: String, round: Int, wall: Double, longest: UInt64, walBytes: [Int64]? = [10, 20, 30]
  ) -> Sample {
    var slices = LatencySlices()
    slices.record(2_000_000, dueAfter: 0)
    slices.record(4_000_000, dueAfter: 5_000_000)
    slices.record(longest * 1_000_000, dueAfter: 110_000_000)
    let course = ConcurrentCourse(
      sliceMilliseconds: 100, seconds: 0.25, classes: [OperationCourse(.read, slices.joined(by: 10), count: 3)],
      walBytes: walBytes)
    var tally = OperationTally()
    (tally.due, tally.done) = (3, 3)
    var sample = sample(cell, round: round, wall: wall)
    sample.concurrent = ConcurrentMeasurement(
      classes: [ConcurrentOperations(.read, processes: 1, rate: 100, tally: tally)], walBytes: 30, course: course)
    return sample
  }

  @Test("Every operation has a slice, even one that began as the phase ended")
  func lateOperation() {
    var slices = LatencySlices()
    slices.record(1, dueAfter: 0)
    slices.record(2, dueAfter: LatencySlices.finest)
    slices.record(9, dueAfter: 3 * LatencySlices.finest)
    let course = OperationCourse(.read, slices, count: 2)
    #expect(course.counts == [1, 2] && course.longest.last == 9)
    #expect(OperationCourse(.read, slices, count: 0).counts.isEmpty)
  }

  private func courses(_ samples: [Sample], _ failures: [FailedSample] = [], rounds: Int) throws -> [LatencyCourse] {
    var scenario = try scenario(strategies: ["save", "batch-objects"], rounds: rounds)
    scenario.beside.readers = 1
    let run = RunRecord(
      batchmarkVersion: "1.0.0", command: "batchmark run", started: "", finished: "", seed: 7, isQuick: false,
      isComparable: true, isInterrupted: false)
    let ledger = RunLedger(samples.map { .sample($0) } + failures.map { .failure($0) })
    let report = Report(run: run, environment: [], plan: plan(scenario), ledger: ledger) { _ in nil }
    let found = try #require(report.scenarios.first)
    return found.latencyCourses(of: try #require(found.cells.first { $0.cell.id == LatencyCourseTests.save }))
  }

  @Test("The timeline is of the round with the middle time, the shorter of two, and never one that is set aside")
  func middle() throws {
    let save = LatencyCourseTests.save
    let walls = [0.9, 0.2, 0.5, 0.7]
    let samples = walls.enumerated().map { followed(save, round: $0 + 1, wall: $1, longest: UInt64($0 + 1) * 10) }
    let found = try courses(samples, rounds: 4)
    #expect(found.map(\.name) == [.read] && found.first?.round == 3)
    #expect(found.first?.longestSlice?.longest == 0.03)
    // Without round 3, in which another cell failed, round 4 is the median of three.
    let batch = LatencyCourseTests.batch
    let all = samples + [followed(batch, round: 1, wall: 1, longest: 1)]
    #expect(try courses(all, [failure(batch, round: 3)], rounds: 4).first?.round == 4)
    #expect(try courses([sample(save)], rounds: 1).isEmpty)
  }

  @Test("Slices are in seconds, without figures if nothing was due; the last ends with the phase")
  func slices() throws {
    let course = try #require(
      try courses([followed(LatencyCourseTests.save, round: 1, wall: 1, longest: 300)], rounds: 1).first)
    #expect(course.slices.map(\.start) == [0, 0.1, 0.2])
    #expect(course.slices.map(\.end) == [0.1, 0.2, 0.25])
    #expect(course.slices.map(\.count) == [2, 1, 0])
    #expect(course.slices.map(\.longest) == [0.004, 0.3, nil])
    #expect(course.slices.map(\.walBytes) == [10, 20, 30])
    #expect(course.longestSlice == course.slices[1])
    let p50 = try #require(course.slices[0].p50)
    #expect(p50 >= 0.002 && p50 < 0.00202 && course.slices[2].p99 == nil)
    let without = try courses(
      [followed(LatencyCourseTests.save, round: 1, wall: 1, longest: 3, walBytes: nil)], rounds: 1)
    #expect(without.first?.slices.map(\.walBytes) == [nil, nil, nil])
  }

  @Test("A stored timeline with shortened lists has as many slices as its shortest one")
  func shortened() throws {
    var sample = followed(LatencyCourseTests.save, round: 1, wall: 1, longest: 3)
    sample.concurrent?.course?.classes[0].longest.removeLast(2)
    sample.concurrent?.course?.walBytes = []
    let course = try #require(LatencyCourse.all(of: sample).first)
    #expect(course.slices.count == 1 && course.slices[0].walBytes == nil)
  }
}
