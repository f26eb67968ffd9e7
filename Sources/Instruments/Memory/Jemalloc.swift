// jemalloc's own figures, and the proof that they are this process's.

/// The allocator of the process.
package enum Jemalloc {
  /// Whether this build has jemalloc at all; false in a build for the thread sanitizer.
  package static var isLinked: Bool { JemallocControl.isLinked }

  /// The library's version, such as `5.3.0-0-g54eaed1d8b56b1aa528be3bdd1877e59c56fa90c`; nil without jemalloc.
  package static var version: String? { JemallocControl.text("version") }

  /// Makes sure that jemalloc allocates what the process allocates: a call of `malloc` must raise jemalloc's count of
  /// this thread's allocations.
  package static func verifyIsAllocator() throws(InstrumentError) {
    guard let version else { throw .builtWithoutJemalloc }
    guard JemallocControl.flag("config.stats") == true,
      let before = JemallocControl.count("thread.allocated")
    else { throw .jemallocWithoutStatistics(version: version) }
    // Looked up by name: a compiler may leave out a direct call whose block is only freed again.
    guard let malloc = DynamicSymbol.address("malloc"), let free = DynamicSymbol.address("free") else {
      throw .otherAllocator(jemallocVersion: version)
    }
    let bytes = 1000
    let block = unsafeBitCast(malloc, to: (@convention(c) (Int) -> UnsafeMutableRawPointer?).self)(bytes)
    let after = JemallocControl.count("thread.allocated")
    unsafeBitCast(free, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void).self)(block)
    guard let after, after >= before + UInt64(bytes) else { throw .otherAllocator(jemallocVersion: version) }
  }

  /// The statistics of this moment, over all threads; nil without jemalloc.
  ///
  /// Allocates nothing; takes some 10 to 20 microseconds, since jemalloc first sums up its arenas.
  package static func statistics() -> JemallocStatistics? {
    // Without a new epoch jemalloc repeats the figures of the last one.
    guard JemallocControl.write("epoch", UInt64(1)),
      let allocated = JemallocControl.size("stats.allocated"),
      let active = JemallocControl.size("stats.active"),
      let resident = JemallocControl.size("stats.resident"),
      let retained = JemallocControl.size("stats.retained")
    else { return nil }
    return JemallocStatistics(allocated: allocated, active: active, resident: resident, retained: retained)
  }

  /// Gives all unused dirty pages back to the system, so that what stays resident is in use.
  package static func purge() {
    // 4096 is MALLCTL_ARENAS_ALL, which the interface fixes "in raw decimal format" for such names.
    _ = JemallocControl.call("arena.4096.purge")
  }

  /// The settings that move times and peaks, as jemalloc runs with them, in the syntax of `MALLOC_CONF`; nil without
  /// jemalloc.
  package static var configuration: String? {
    guard isLinked else { return nil }
    var threads: UInt32 = 0
    let settings: [(name: String, value: String?)] = [
      ("narenas", JemallocControl.read("opt.narenas", into: &threads) ? String(threads) : nil),
      ("tcache", JemallocControl.flag("opt.tcache").map(String.init)),
      ("tcache_max", JemallocControl.size("opt.tcache_max").map(String.init)),
      ("percpu_arena", JemallocControl.text("opt.percpu_arena")),
      ("background_thread", JemallocControl.flag("opt.background_thread").map(String.init)),
      ("dirty_decay_ms", JemallocControl.size("opt.dirty_decay_ms").map(String.init)),
      ("muzzy_decay_ms", JemallocControl.size("opt.muzzy_decay_ms").map(String.init)),
      ("oversize_threshold", JemallocControl.size("opt.oversize_threshold").map(String.init)),
      ("thp", JemallocControl.text("opt.thp")),
      ("metadata_thp", JemallocControl.text("opt.metadata_thp")),
      ("retain", JemallocControl.flag("opt.retain").map(String.init)),
      ("hpa", JemallocControl.flag("opt.hpa").map(String.init)),
      ("junk", JemallocControl.text("opt.junk")),
      ("zero", JemallocControl.flag("opt.zero").map(String.init)),
    ]
    return settings.compactMap { name, value in value.map { "\(name):\($0)" } }.joined(separator: ",")
  }
}

/// jemalloc's figures of one moment, in bytes (`man jemalloc`, `stats.*`).
package struct JemallocStatistics: Sendable, Hashable {
  /// In blocks handed out, and in the threads' caches: above the live bytes by what the caches hold.
  package var allocated: Int64
  /// In pages that hold at least one block; a multiple of the page size.
  package var active: Int64
  /// In pages that the allocator takes to be physically there, its own data and unused dirty pages included; counts
  /// pages that were never touched, so it is an upper bound.
  package var resident: Int64
  /// In mappings that are kept for later and hold no memory.
  package var retained: Int64

  package init(allocated: Int64, active: Int64, resident: Int64, retained: Int64) {
    self.allocated = allocated
    self.active = active
    self.resident = resident
    self.retained = retained
  }
}
