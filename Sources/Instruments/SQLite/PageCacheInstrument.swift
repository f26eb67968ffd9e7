// What connections found in their page caches in a phase.
internal import SQLiteDriver

/// Reads what connections say of their page caches whenever a statement is over.
struct PageCacheInstrument: Instrument {
  static let pass = Pass.counters

  static let metrics = [
    MetricDeclaration(
      .cacheHits, .pages, in: pass, isMoreWorse: false, "pages that connections wanted and had in memory"),
    MetricDeclaration(.cacheMisses, .pages, in: pass, "pages that they wanted and had to read"),
    MetricDeclaration(.cacheWrites, .pages, in: pass, "pages that they wrote"),
    MetricDeclaration(
      .cacheSpills, .pages, in: pass, "pages that they wrote within a transaction, because the cache was full"),
  ]

  private let meter: SQLiteMeter
  private var before: SQLiteCounters?

  private var coverage: MeterCoverage

  init(in context: InstrumentContext) throws {
    meter = try SQLiteMeter.attach()
    coverage = MeterCoverage(meter)
  }

  mutating func engineOpens(storeAt path: String) { coverage.engineOpens(storeAt: path) }

  mutating func engineHasOpened(storeAt path: String) { coverage.engineHasOpened(storeAt: path) }

  mutating func phaseBegins(_ phase: Phase) {
    // There is no store yet.
    before = phase == .load ? nil : meter.counters()
  }

  func phaseEnds(_ phase: Phase) -> [MetricID: Int64] {
    guard let before = before?.pageCache else { return [:] }
    let after = meter.counters().pageCache
    return [
      .cacheHits: after.hits - before.hits, .cacheMisses: after.misses - before.misses,
      .cacheWrites: after.writes - before.writes, .cacheSpills: after.spills - before.spills,
    ]
  }

  func detach() -> [MetricAbsence] { coverage.statementsAbsence(PageCacheInstrument.metrics) }
}

extension MetricID {
  /// Pages that connections wanted and had in memory.
  public static let cacheHits = MetricID("cache_hits")
  /// Pages that they wanted and had to read.
  public static let cacheMisses = MetricID("cache_misses")
  /// Pages that they wrote.
  public static let cacheWrites = MetricID("cache_writes")
  /// Pages that they wrote in the middle of a transaction, because the cache was full.
  public static let cacheSpills = MetricID("cache_spills")
}
