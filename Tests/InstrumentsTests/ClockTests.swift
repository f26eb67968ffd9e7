// The clocks. Tests never check how long anything takes, only that time does not run backwards.
import Foundation
import MissionTags
import Support
import Testing

@Suite("A2 · clocks", .tags(.a2))
struct ClockTests {
  @Test("The monotonic clock never runs backwards, and counts the nanoseconds of the system's clock")
  func monotonic() {
    var last = MonotonicClock.now()
    for _ in 0..<10_000 {
      let now = MonotonicClock.now()
      #expect(now >= last)
      last = now
    }
    #if os(Linux)
      // Both count from the same moment. The time between the two readings only increases the second.
      let uptime = ProcessInfo.processInfo.systemUptime
      #expect(Double(MonotonicClock.now()) / 1e9 >= uptime - 1)
    #endif
  }

  @Test("Processor time includes all threads")
  func processTime() async {
    let before = ProcessTime.cpuSeconds()
    #expect(before > 0)
    // Work on other threads until it is visible; it always is in the end, because this process does the work.
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          var sum: UInt64 = 1
          while ProcessTime.cpuSeconds() < before + 0.02 { for _ in 0..<10_000 { sum = sum &* 31 &+ 7 } }
          #expect(sum != 0)
        }
      }
    }
    #expect(ProcessTime.cpuSeconds() >= before + 0.02)
  }
}
