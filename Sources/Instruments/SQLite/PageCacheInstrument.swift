// Page cache statistics of connections in a phase.
package import BatchmarkEngine
internal import SQLiteDriver

/// Reads connections' page cache counters whenever a statement ends.
struct PageCacheInstrument: MeterInstrument {
  static let metrics = [
    MetricDeclaration(
      .cacheHits, .pages, in: pass, isMoreWorse: false, "pages that connections wanted and had in memory"),
    MetricDeclaration(.cacheMisses, .pages, in: pass, "pages that they wanted and had to read"),
    MetricDeclaration(.cacheWrites, .pages, in: pass, "pages that they wrote"),
    MetricDeclaration(
      .cacheSpills, .pages, in: pass, "pages that they wrote within a transaction, because the cache was full"),
  ]

  var readings: MeterReadings<SQLiteCounters>

  func figures(from before: SQLiteCounters, to after: SQLiteCounters) -> [MetricID: Int64] {
    let (before, after) = (before.pageCache, after.pageCache)
    return [
      .cacheHits: after.hits - before.hits, .cacheMisses: after.misses - before.misses,
      .cacheWrites: after.writes - before.writes, .cacheSpills: after.spills - before.spills,
    ]
  }

  func detach() -> [MetricAbsence] {
    readings.statementsAbsence(PageCacheInstrument.metrics) + processAbsence
  }
}

extension MetricID {
  /// Pages that connections needed and found in memory.
  package static let cacheHits = MetricID("cache_hits")
  /// Pages that connections needed and had to read.
  package static let cacheMisses = MetricID("cache_misses")
  /// Pages that connections wrote.
  package static let cacheWrites = MetricID("cache_writes")
  /// Pages that connections wrote in the middle of a transaction because the cache was full.
  package static let cacheSpills = MetricID("cache_spills")
}
