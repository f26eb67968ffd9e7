// The course of latencies and the WAL in a sample: a stall in the slice where it began, and sizes at the ends of
// slices.
import BatchmarkEngine
import Foundation
import HarnessFixtures
import MissionTags
import Statistics
import Support
import Testing

@testable import Harness

@Suite("A15 · latencies and the WAL over a phase", .tags(.a15))
struct ConcurrentCourseTests {
  /// 100 reads per second for 4 s, in slices of 50 ms.
  ///
  /// Each takes 1 ms, except for one of 300 ms that was due at 1.5 s.
  private func course(_ sizes: [Int64] = Array(repeating: 0, count: 400)) throws -> ConcurrentCourse {
    let clock = DrivenClock()
    let begin = clock.now()
    var slices = LatencySlices()
    _ = try FixedRateLoop(begin: begin, rate: 100)
      .run(clock) {
        slices.record($1, dueAfter: $0 - begin)
      } until: {
        begin + 4_000_000_000
      } _: { number in
        clock.pass(milliseconds: number == 150 ? 300 : 1)
        return .done
      }
    let joining = LatencySlices.joining(4_000_000_000)
    return ConcurrentCourse([.read: slices.joined(by: joining)], sizes, joining: joining, seconds: 4)
  }

  @Test(
    "A stall of 300 ms shows in the slice in which it began, with its longest wait, and the waits behind it decrease")
  func stall() throws {
    let course = try course()
    #expect(course.sliceMilliseconds == 50 && course.seconds == 4)
    let reads = try #require(course[.read])
    #expect(course[.write] == nil && course.walBytes == nil)
    #expect(reads.counts == Array(repeating: 5, count: 80))
    #expect(reads.longest.firstIndex(of: 300_000_000) == 30)
    #expect(reads.longest.filter { $0 == 300_000_000 }.count == 1)
    // Operations that were due during the stall had to wait for the rest of it, until the backlog was done.
    #expect((31...35).allSatisfy { reads.longest[$0] < reads.longest[$0 - 1] })
    #expect(reads.longest[..<30].allSatisfy { $0 == 1_000_000 } && reads.longest[40...].allSatisfy { $0 == 1_000_000 })
    #expect(reads.p50[29] >= 1_000_000 && reads.p50[29] < 1_010_000 && reads.p50[30] > 250_000_000)
    #expect(zip(reads.p50, reads.p99).allSatisfy { $0 <= $1 } && zip(reads.p99, reads.longest).allSatisfy { $0 <= $1 })
  }

  @Test("Joined slices have the WAL's size at their ends, and a timeline without operations has the same number")
  func sizes() throws {
    #expect(try course((1...400).map { Int64($0) }).walBytes == (1...80).map { Int64($0) * 5 })
    let uneven = ConcurrentCourse([.write: LatencySlices()], [7, 8, 9], joining: 2, seconds: 0.025)
    #expect(uneven.walBytes == [8, 9] && uneven.sliceMilliseconds == 20)
    #expect(uneven[.write]?.counts == [0, 0] && uneven[.write]?.longest == [0, 0])
    let stored = try JSONDecoder().decode(ConcurrentCourse.self, from: try JSONEncoder().encode(course()))
    #expect(stored == (try course()))
  }

  @Test("The WAL is watched until the end, and the last slice has the size at the end")
  func watch() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/store.sqlite-wal"
    let begin = MonotonicClock.now()
    let watch = try WALWatch(path, from: begin)
    /// Waits until it has looked, even on a busy machine.
    func wait(for size: Int64) {
      while watch.latest != size, MonotonicClock.now() < begin + 20_000_000_000 { PlainThread.yield() }
    }
    wait(for: 0)
    #expect(FileManager.default.createFile(atPath: path, contents: Data(count: 5_000)))
    wait(for: 5_000)
    let end = MonotonicClock.now()
    let sizes = watch.end(at: end, 7_000)
    #expect(sizes.count == WALWatch.slices(until: end, from: begin) && sizes.count > 1)
    #expect(sizes.first == 0 && sizes.last == 7_000 && sizes.contains(5_000))
    #expect(sizes == sizes.sorted())
    #expect(WALWatch.slices(until: begin, from: begin) == 0)
  }
}
