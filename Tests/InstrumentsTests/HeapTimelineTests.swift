// The timeline of the heap: no peak is lost, and the number of points stays small.
import MissionTags
import Testing

@testable import Instruments

@Suite("A3 · the heap over a phase", .tags(.a3))
struct HeapTimelineTests {
  private func timeline(_ values: [Int64]) -> [HeapPoint] {
    var timeline = HeapTimeline()
    for (index, value) in values.enumerated() {
      timeline.note(HeapPoint(seconds: Double(index + 1), liveBytes: value, sqliteBytes: value / 2))
    }
    return timeline.points
  }

  @Test("A small number of readings is kept whole, after the level at the start")
  func few() {
    #expect(timeline([]) == [])
    #expect(timeline([5, 9, 7]).map(\.liveBytes) == [0, 5, 9, 7])
    #expect(timeline([5, 9, 7]).map(\.seconds) == [0, 1, 2, 3])
    #expect(timeline([5, 9, 7]).map(\.sqliteBytes) == [0, 2, 4, 3])
  }

  @Test(
    "The highest of many readings in each of at most 64 stretches is kept, with its moment",
    arguments: [64, 65, 1000, 9_999])
  func many(_ count: Int) {
    // Two peaks among readings that rise slowly.
    var values = (0..<count).map { Int64($0) }
    values[count / 3] = 1_000_000
    values[count - 1] = 2_000_000
    let points = timeline(values)
    #expect((33...66).contains(points.count))
    #expect(points.map(\.seconds) == points.map(\.seconds).sorted())
    #expect(points.contains(HeapPoint(seconds: Double(count / 3 + 1), liveBytes: 1_000_000, sqliteBytes: 500_000)))
    #expect(points.last == HeapPoint(seconds: Double(count), liveBytes: 2_000_000, sqliteBytes: 1_000_000))
    // Every reading is in one section. The highest of the others are the ends of theirs, because the values rise.
    for (before, after) in zip(points.dropFirst(), points.dropFirst(2)) {
      #expect(after.seconds - before.seconds <= Double(count) / 16 + 1)
    }
  }

  @Test(
    "With the meter, the timeline has the level, a peak between two readings, and the end", .onlyWithJemalloc)
  func besideTheMeter() throws {
    let answer = try Probe.run("heapTimeline")
    let mebibyte = 1 << 20
    #expect(try answer["first"] == 0)
    // 64 MiB for a moment, 16 MiB at the end, 4 MiB of them under the mark.
    #expect(try answer["peak"] == 80 * mebibyte)
    #expect(try answer["last"] == 16 * mebibyte)
    #expect(try answer["lastMarked"] == 4 * mebibyte)
    #expect(try answer["allocationsBySampler"] == 0)
    #expect(try answer["pointsAfterTheEnd"] == answer["points"])
  }
}
