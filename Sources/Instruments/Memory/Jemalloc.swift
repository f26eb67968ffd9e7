// jemalloc's own figures, and the check that they describe this process.

/// The allocator of the process.
package enum Jemalloc {
  /// Whether this build has jemalloc; false in a build for the thread sanitizer.
  package static var isLinked: Bool { JemallocControl.isLinked }

  /// The library's version, such as `5.3.0-0-g54eaed1d8b56b1aa528be3bdd1877e59c56fa90c`; `nil` without jemalloc.
  package static var version: String? { JemallocControl.text("version") }

  /// Checks that jemalloc is the process's allocator: a call of `malloc` must increase jemalloc's count of this
  /// thread's allocations.
  package static func verifyIsAllocator() throws(InstrumentError) {
    guard let version else { throw .builtWithoutJemalloc }
    guard JemallocControl.flag("config.stats") == true,
      let before = JemallocControl.count("thread.allocated")
    else { throw .jemallocWithoutStatistics(version: version) }
    // Look it up by name: a compiler may remove a direct call if the block is only freed again.
    guard let malloc = DynamicSymbol.address("malloc"), let free = DynamicSymbol.address("free") else {
      throw .otherAllocator(jemallocVersion: version)
    }
    let bytes = 1000
    let block = unsafeBitCast(malloc, to: (@convention(c) (Int) -> UnsafeMutableRawPointer?).self)(bytes)
    let after = JemallocControl.count("thread.allocated")
    unsafeBitCast(free, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void).self)(block)
    guard let after, after >= before + UInt64(bytes) else { throw .otherAllocator(jemallocVersion: version) }
  }

  /// The present statistics, over all threads; `nil` without jemalloc.
  ///
  /// It does not allocate, and takes 10 to 20 microseconds because jemalloc first sums up its arenas.
  package static func statistics() -> JemallocStatistics? {
    // Without a new epoch, jemalloc repeats the previous figures.
    guard JemallocControl.write("epoch", UInt64(1)),
      let allocated = JemallocControl.size("stats.allocated"),
      let active = JemallocControl.size("stats.active"),
      let resident = JemallocControl.size("stats.resident"),
      let retained = JemallocControl.size("stats.retained")
    else { return nil }
    return JemallocStatistics(allocated: allocated, active: active, resident: resident, retained: retained)
  }

  /// Returns all unused dirty pages to the system, so that the remaining resident pages are in use.
  package static func purge() {
    // 4096 is MALLCTL_ARENAS_ALL, which the interface defines "in raw decimal format" for such names.
    _ = JemallocControl.call("arena.4096.purge")
  }

  /// The jemalloc settings in effect that influence times and peaks, in the syntax of `MALLOC_CONF`; `nil` without
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

/// jemalloc's figures at one moment, in bytes (`man jemalloc`, `stats.*`).
package struct JemallocStatistics: Sendable, Hashable {
  /// Bytes in allocated blocks and in the threads' caches, which therefore exceed the live bytes.
  package var allocated: Int64
  /// Bytes in pages with at least one block; a multiple of the page size.
  package var active: Int64
  /// Bytes in pages that the allocator assumes to be resident, including its own data and unused dirty pages.
  ///
  /// It includes pages that were never touched, so it is an upper bound.
  package var resident: Int64
  /// Bytes in mappings that are kept for later and use no memory.
  package var retained: Int64

  package init(allocated: Int64, active: Int64, resident: Int64, retained: Int64) {
    self.allocated = allocated
    self.active = active
    self.resident = resident
    self.retained = retained
  }
}
