// The resident set and the sampler.
import Foundation
import MissionTags
import Support
import Testing

@testable import Instruments

@Suite("A3 · the resident set", .tags(.a3))
struct ResidentSetTests {
  @Test("This process has a resident size, never above its peak")
  func thisProcess() throws {
    #if os(Linux)
      let current = try #require(WatchedProcess(Int64(getpid())).residentBytes)
      let peak = try #require(ResidentSet.peak())
      let resolution = try #require(ResidentSet.resolutionBytes)
      #expect(current > 1 << 20)
      #expect(peak >= current - resolution)
    #else
      #expect(ResidentSet.peak() == nil)
    #endif
  }

  @Test(
    "The current figure follows 64 touched MiB, and the peak keeps them until it is reset", .onlyWithJemalloc)
  func peak() throws {
    let answer = try Probe.run("residentPeak", metered: false)
    let bytes = 64 << 20
    let resolution = try answer["resolution"]
    #expect(resolution >= 32 * 4096)
    #expect(try answer["held"] >= bytes - resolution)
    #expect(try answer["peak"] >= bytes - 2 * resolution)
    #expect(try answer["after"] < 16 << 20)
    // A kernel without CONFIG_PROC_PAGE_MONITOR reports it, and the peak stays.
    if try answer["couldReset"] == 1 {
      #expect(try answer["peakAfterReset"] < 16 << 20)
    } else {
      #expect(try answer["peakAfterReset"] >= bytes - 2 * resolution)
    }
  }
}

@Suite("A3 · the sampler", .tags(.a3))
struct MemorySamplerTests {
  @Test("The sampler does not allocate while it runs, and sees the memory that is held at a mark", .onlyWithJemalloc)
  func besideTheMeter() throws {
    let answer = try Probe.run("sampler")
    #expect(try answer["allocationsBySampler"] == 0)
    #expect(try answer["leftBySampler"] == 0)
    // The block's 32 MiB, and a little more for the allocator.
    let bytes = 32 << 20
    #expect(try answer["allocated"] == bytes)
    #expect(try (bytes...bytes + (1 << 20)).contains(answer["active"]))
    #expect(try (bytes...bytes + (8 << 20)).contains(answer["resident"]))
    #expect(try (bytes - (1 << 20)...bytes + (8 << 20)).contains(answer["residentSet"]))
    // A reset discards it.
    #expect(try answer["allocatedAfterReset"] < 1 << 20)
    #expect(try answer["residentSetAfterReset"] < 16 << 20)
  }

  @Test("The sampler takes readings between start and stop, and none afterwards")
  func startAndStop() throws {
    let sampler = MemorySampler()
    #expect(sampler.peaks == MemoryPeaks())
    try sampler.start()
    try sampler.start()
    #expect(sampler.peaks.samples >= 1)
    while sampler.peaks.samples < 5 { PlainThread.yield() }
    sampler.stop()
    let end = sampler.peaks.samples
    PlainThread.sleep(nanoseconds: 5_000_000)
    #expect(sampler.peaks.samples == end)
    sampler.stop()
    // It can be used again.
    try sampler.start()
    while sampler.peaks.samples < end + 3 { PlainThread.yield() }
    sampler.stop()
  }

  @Test("A mark counts without a thread, and a reset leaves one reading")
  func marks() throws {
    let sampler = MemorySampler()
    sampler.sample()
    sampler.sample()
    #expect(sampler.peaks.samples == 2)
    sampler.resetPeaks()
    #expect(sampler.peaks.samples == 1)
    #expect((sampler.peaks.allocated != nil) == Jemalloc.isLinked)
    #if os(Linux)
      #expect(try #require(sampler.peaks.residentSet) > 1 << 20)
    #endif
  }

  @Test("A sampler that was dropped while it ran ends when it is stopped")
  func lifetime() throws {
    weak var dropped: MemorySampler?
    do {
      let sampler = MemorySampler()
      dropped = sampler
      try sampler.start()
      sampler.stop()
    }
    #expect(dropped == nil)
  }
}
