// A9: stacks of a process with names, and the output of jemalloc's profiler.
import Foundation
import MissionTags
import Testing

@testable import Instruments

@Suite("A9 · stacks", .tags(.a9))
struct StackTests {
  @Test(
    "A working thread is found in its function, below its callers",
    .enabled(if: StackSampler.obstacle == nil, "stacks cannot be sampled here"))
  func sampling() throws {
    let answer = try Probe.run("stacks", metered: false)
    let samples = try answer["samples"]
    #expect(try samples > 20 && answer["lost"] == 0 && answer["folded"] == samples)
    #expect(try answer["working"] * 2 > samples && answer["called"] * 2 > samples)
    // The code that records the stacks is not in them.
    #expect(try answer["handler"] == 0)
  }

  @Test(
    "The heap profile shows the allocations made while it was on, by their functions",
    .enabled(if: HeapProfile.obstacle == nil, "this jemalloc has no profiler"))
  func profiling() throws {
    let answer = try Probe.run(
      "heapProfile", metered: false, environment: [HeapProfile.variable: HeapProfile.setting])
    let megabytes = try answer["found"] >> 20
    #expect((28...36).contains(megabytes), "32 MiB were allocated, and sampled")
    #expect(try answer["all"] < 40 << 20)
  }

  @Test(
    "The live heap at its highest is found by the functions that allocated it, without later allocations",
    .enabled(if: HeapProfile.obstacle == nil, "this jemalloc has no profiler"))
  func peak() throws {
    let answer = try Probe.run("heapPeak", environment: [HeapProfile.variable: HeapProfile.setting])
    #expect(try answer["obstacle"] == 0)
    #expect(try (21...27).contains(answer["kept"] >> 20), "24 MiB were kept, and sampled")
    #expect(try (6...10).contains(answer["passing"] >> 20), "8 MiB came on top")
    #expect(try answer["later"] == 0)
    #expect(try answer["all"] < 37 << 20)
  }
}

extension StackTests {
  @Test("Functions of other files have their names, and unnamed ones the name of their file")
  func names() throws {
    let symbols = CodeSymbols()
    let malloc = try #require(DynamicSymbol.address("malloc"))
    #expect(symbols.name(of: UInt(bitPattern: malloc)).contains("malloc"))
    #expect(symbols.name(of: 16) == "[unknown]")
    // The Swift runtime is written in C++ and links its library.
    let terminate = try #require(DynamicSymbol.address("_ZSt9terminatev"))
    #expect(symbols.name(of: UInt(bitPattern: terminate)) == "std::terminate()")
  }

  @Test("A heap profile's samples represent all allocations, by the stacks of all threads")
  func heapProfile() {
    let text = """
      heap_v2/16384
        t*: 3: 40960 [10: 122880]
        t0: 3: 40960 [10: 122880]
      @ 0x10 0x20 0x30
        t*: 1: 32768 [2: 65536]
        t0: 1: 32768 [2: 65536]
      @ 0x11 0x20
        t*: 0: 0 [4: 64]
        t0: 0: 0 [1: 16]
        t1: 0: 0 [3: 48]
      @ 0x12 0x20
        t*: 1: 8 [0: 0]

      MAPPED_LIBRARIES:
      @ 0x99
        t*: 1: 8 [1: 8]
      """
    let stacks = HeapProfile.stacks(text)
    #expect(stacks.count == 2)
    // Nearly all allocations of twice the sampling size are seen, but only one in a thousand of 16 bytes.
    #expect(stacks[[0x10, 0x20, 0x30]] == 75_794)
    #expect(stacks[[0x11, 0x20]] == 65_568)
    // The current figures come before the brackets.
    let live = HeapProfile.stacks(text, isLive: true)
    #expect(live == [[0x10, 0x20, 0x30]: 37_897, [0x12, 0x20]: 16_388])
    #expect(HeapProfile.stacks("heap profile: 1: 2 [3: 4] @ heapprofile").isEmpty)
    #expect(HeapProfile.stacks("").isEmpty)
  }
}
