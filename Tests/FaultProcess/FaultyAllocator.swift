// SQLite's allocator with memory that can run out.
internal import CSQLite

enum FaultyAllocator {
  // Safe by proof: written once, before SQLite begins its work and calls the allocator.
  nonisolated(unsafe) private static var real = sqlite3_mem_methods()

  /// Wraps SQLite's own allocator, before anything else uses SQLite; returns its result code.
  static func install() -> Int32 {
    var code = sqlite3_shim_get_allocator(&real)
    guard code == SQLITE_OK else { return code }
    var methods = real
    methods.xMalloc = { size in
      faults.strikes(.allocation) ? nil : FaultyAllocator.real.xMalloc(size)
    }
    methods.xRealloc = { block, size in
      faults.strikes(.allocation) ? nil : FaultyAllocator.real.xRealloc(block, size)
    }
    code = sqlite3_shim_set_allocator(&methods)
    // Otherwise a connection's small blocks would not use the allocator.
    return code == SQLITE_OK ? sqlite3_shim_disable_lookaside() : code
  }
}
