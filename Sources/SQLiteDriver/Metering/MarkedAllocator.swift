// Marks SQLite's allocations so that they can be counted separately: each allocator call runs between two marks.
internal import CSQLite

extension SQLiteLibrary {
  /// Begins (1) or ends (0) marking the calling thread's allocations, and returns the previous state.
  public typealias AllocationMark = @convention(c) (Int32) -> Int32

  /// Makes SQLite mark its allocations from now on.
  ///
  /// SQLite keeps its allocator.
  ///
  /// - Throws: ``SQLiteError`` with the code misuse if SQLite is already in use, because the allocator cannot change
  ///   then.
  public static func markAllocations(by mark: AllocationMark) throws(SQLiteError) {
    // Install it only once: a second installation would make the marks call themselves.
    if marked != nil { return }
    var methods = sqlite3_mem_methods()
    var code = sqlite3_shim_get_allocator(&methods)
    if code == SQLITE_OK {
      marked = MarkedAllocator(methods: methods, mark: mark)
      methods.xMalloc = { size in MarkedAllocator.between { marked?.methods.xMalloc(size) } }
      methods.xFree = { block in MarkedAllocator.between { marked?.methods.xFree(block) } }
      methods.xRealloc = { block, size in MarkedAllocator.between { marked?.methods.xRealloc(block, size) } }
      code = sqlite3_shim_set_allocator(&methods)
    }
    if code != SQLITE_OK {
      throw SQLiteError(
        extendedCode: ResultCode(rawValue: code), message: "SQLite takes no other allocator once it is at work",
        path: nil)
    }
  }
}

/// SQLite's own allocator, and the mark.
private struct MarkedAllocator {
  let methods: sqlite3_mem_methods
  let mark: SQLiteLibrary.AllocationMark

  static func between<T>(_ body: () -> T) -> T {
    let before = marked?.mark(1)
    defer { if let before { _ = marked?.mark(before) } }
    return body()
  }
}

// Safe by proof: written once, before SQLite is initialized; only SQLite calls the allocator.
nonisolated(unsafe) private var marked: MarkedAllocator?
