// jemalloc's statistics in this process, which links it like every executable of the package.
import MissionTags
import Testing

@testable import Instruments

@Suite("A3 · jemalloc", .tags(.a3))
struct JemallocTests {
  @Test("jemalloc is this process's allocator", .onlyWithJemalloc)
  func isAllocator() throws {
    try Jemalloc.verifyIsAllocator()
    #expect(try #require(Jemalloc.version).hasPrefix("5."))
  }

  @Test("Without jemalloc there are no figures, and an error says why", .enabled(if: !Jemalloc.isLinked))
  func absent() {
    #expect(Jemalloc.version == nil)
    #expect(Jemalloc.statistics() == nil)
    #expect(Jemalloc.configuration == nil)
    #expect(throws: InstrumentError.builtWithoutJemalloc) { try Jemalloc.verifyIsAllocator() }
  }

  @Test("A block of 64 MiB is in the statistics while it is held, and not afterwards", .onlyWithJemalloc)
  func statistics() throws {
    let answer = try Probe.run("statistics", metered: false)
    let bytes = 64 << 20
    // The block, and at most a little more: caches of the thread, and data that is set up on first use.
    for figure in ["allocated", "active"] {
      #expect(try (bytes...bytes + (4 << 20)).contains(answer[figure]))
    }
    // Pages are mapped in large aligned extents, and jemalloc returns them at a time of its choice.
    #expect(try (bytes - (1 << 20)...bytes + (32 << 20)).contains(answer["resident"]))
    #expect(try answer["allocatedAfter"] <= 1 << 20)
    #expect(try answer["activeAfter"] <= 1 << 20)
  }

  @Test("The statistics of this process are in order", .onlyWithJemalloc)
  func order() throws {
    let statistics = try #require(Jemalloc.statistics())
    #expect(statistics.allocated > 0)
    #expect(statistics.allocated <= statistics.active)
    #expect(statistics.resident > 0)
    #expect(statistics.retained >= 0)
  }

  @Test("A purge releases unused pages", .onlyWithJemalloc)
  func purge() throws {
    let answer = try Probe.run("residentPeak", metered: false)
    #expect(try answer["after"] < 16 << 20)
    // Their addresses are kept if jemalloc is configured that way.
    if try #require(Jemalloc.configuration).contains("retain:true") { #expect(try answer["retained"] >= 32 << 20) }
  }

  @Test(
    "The configuration has the options that affect times and peaks, in the syntax of MALLOC_CONF", .onlyWithJemalloc)
  func configuration() throws {
    let configuration = try #require(Jemalloc.configuration)
    let settings = configuration.split(separator: ",").map { $0.split(separator: ":").map(String.init) }
    #expect(settings.allSatisfy { $0.count == 2 })
    let names = settings.compactMap(\.first)
    for name in ["narenas", "tcache", "dirty_decay_ms", "muzzy_decay_ms", "background_thread", "thp"] {
      #expect(names.contains(name))
    }
  }

  @Test("Errors say what was found and how to fix it")
  func errors() {
    #expect(InstrumentError.otherAllocator(jemallocVersion: "5.3.0").description.contains("LD_PRELOAD"))
    #expect(InstrumentError.jemallocWithoutStatistics(version: "5.3.0").description.contains("--enable-stats"))
    #expect(InstrumentError.builtWithoutJemalloc.description.contains("BATCHMARK_SANITIZE"))
    #expect(InstrumentError.threadNotStarted(errorNumber: 11).description.contains("11"))
    #expect(InstrumentError.addressesStayRandom(reason: "so it is").description.hasSuffix("so it is"))
  }
}
