// SQLite's page caches: what a connection says of its own, read without setting it back.
internal import CSQLite

/// What connections found in their page caches, in pages.
///
/// SQLite counts by connection, over all databases that are attached to it, and is asked whenever a statement is over
/// and when the connection closes. What a connection does between two statements, such as reading the schema while it
/// prepares one, counts with the next.
///
/// ```swift
/// let cache = meter.counters().pageCache
/// let hitRate = Double(cache.hits) / Double(max(1, cache.hits + cache.misses))
/// ```
public struct PageCacheCounters: Sendable, Hashable {
  /// Pages that were found in the cache.
  public var hits: Int64 = 0
  /// Pages that were wanted and not there.
  public var misses: Int64 = 0
  /// Pages written to the database, or to the log in WAL mode.
  public var writes: Int64 = 0
  /// Changed pages that were written in the middle of a transaction, because the cache was full.
  public var spills: Int64 = 0

  public init() {}

  static func += (counters: inout PageCacheCounters, more: PageCacheCounters) {
    counters.hits += more.hits
    counters.misses += more.misses
    counters.writes += more.writes
    counters.spills += more.spills
  }
}

/// A connection's own counters at one moment: 31 bits, and never reset, since others take differences too.
struct PageCacheReading {
  private var hits: UInt32 = 0
  private var misses: UInt32 = 0
  private var writes: UInt32 = 0
  private var spills: UInt32 = 0

  /// That of a connection that has just been opened.
  init() {}

  init(of connection: OpaquePointer) {
    func read(_ counter: Int32) -> UInt32 {
      var current: Int32 = 0
      var highest: Int32 = 0
      sqlite3_db_status(connection, counter, &current, &highest, 0)
      return UInt32(bitPattern: current)
    }
    hits = read(SQLITE_DBSTATUS_CACHE_HIT)
    misses = read(SQLITE_DBSTATUS_CACHE_MISS)
    writes = read(SQLITE_DBSTATUS_CACHE_WRITE)
    spills = read(SQLITE_DBSTATUS_CACHE_SPILL)
  }

  /// What came since an earlier reading of the same connection.
  func since(_ earlier: PageCacheReading) -> PageCacheCounters {
    var counters = PageCacheCounters()
    counters.hits = PageCacheReading.growth(hits, earlier.hits)
    counters.misses = PageCacheReading.growth(misses, earlier.misses)
    counters.writes = PageCacheReading.growth(writes, earlier.writes)
    counters.spills = PageCacheReading.growth(spills, earlier.spills)
    return counters
  }

  /// The counters start again after 2³¹; a fall that is no such start is a database that was detached, whose share of
  /// the sum went with it.
  private static func growth(_ now: UInt32, _ before: UInt32) -> Int64 {
    let growth = (now &- before) & 0x7fff_ffff
    return growth < 0x4000_0000 ? Int64(growth) : 0
  }
}
