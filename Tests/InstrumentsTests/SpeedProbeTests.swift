// A2: the probe of the processor's speed: it runs alongside work, ends on request, and reports nothing for too little
// work.
import Foundation
@testable import Instruments
import MissionTags
import Support
import Synchronization
import Testing

@Suite("A2 · the processor's speed", .tags(.a2), .serialized)
struct SpeedProbeTests {
  private func work(milliseconds: UInt64) {
    let end = MonotonicClock.now() + milliseconds * 1_000_000
    while MonotonicClock.now() < end {}
  }

  @Test("Work has a speed figure, in microseconds")
  func figure() throws {
    // On a machine that is busy with other tests, there may be little work in 60 ms, so try longer times as well.
    var seconds: Double?
    for milliseconds: UInt64 in [60, 600, 6_000] where seconds == nil {
      try SpeedProbe.start()
      work(milliseconds: milliseconds)
      seconds = SpeedProbe.stop()
    }
    #expect((1e-7...1e-2).contains(try #require(seconds)))
  }

  @Test("Very short work has no result, and nothing continues after the end")
  func tooShort() throws {
    try SpeedProbe.start()
    #expect(SpeedProbe.stop() == nil)
    work(milliseconds: 5)
    #expect(SpeedProbe.stop() == nil)
  }

  @Test("As many probes are kept as fit, however many threads reach the last position")
  func capacity() throws {
    try SpeedProbe.start()
    _ = SpeedProbe.stop()
    let before = 2 * SpeedProbe.capacity
    let kept = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<before / 4 where SpeedProbe.keep(nanoseconds: 1_000) { kept.add(1, ordering: .relaxed) }
    }
    #expect((SpeedProbe.capacity - 200...SpeedProbe.capacity).contains(kept.load(ordering: .relaxed)))
    #expect(!SpeedProbe.keep(nanoseconds: 1))
    #expect((0.9e-6...1.1e-6).contains(try #require(SpeedProbe.stop())))
  }
}
