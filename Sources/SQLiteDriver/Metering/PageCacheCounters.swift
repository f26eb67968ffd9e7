// What is counted of SQLite's page caches.

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
}
