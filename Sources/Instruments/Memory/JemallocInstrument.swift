// jemalloc's statistics for a phase: their sampled peaks, and their values afterwards.
package import BatchmarkEngine

/// Reads jemalloc's statistics through the sampler, and again after unused pages are returned to the system.
struct JemallocInstrument: Instrument {
  static let pass = Pass.memory

  static let metrics = [
    MetricDeclaration(
      .jemallocAllocatedPeak, .bytes, .sampled, in: pass, "jemalloc's stats.allocated at its highest sampled value"),
    MetricDeclaration(
      .jemallocResidentPeak, .bytes, .sampled, in: pass, "jemalloc's stats.resident at its highest sampled value"),
    MetricDeclaration(
      .jemallocActivePeak, .bytes, .sampled, in: pass, "jemalloc's stats.active at its highest sampled value"),
    MetricDeclaration(
      .jemallocRetainedPeak, .bytes, .sampled, in: pass, "jemalloc's stats.retained at its highest sampled value"),
    MetricDeclaration(
      .jemallocAllocatedAfter, .bytes, .sampled, in: pass, "jemalloc's stats.allocated after the phase"),
    MetricDeclaration(
      .jemallocActiveAfter, .bytes, .sampled, in: pass, "jemalloc's stats.active after the phase"),
    MetricDeclaration(
      .jemallocResidentAfter, .bytes, .sampled, in: pass,
      "jemalloc's stats.resident after the phase, when unused pages were given back"),
  ]

  private let sampler: MemorySampler
  private let context: InstrumentContext
  private var isOfProcess = false

  init(in context: InstrumentContext) throws {
    self.context = context
    sampler = try context.memorySampler()
  }

  mutating func engineHasOpened(storeAt path: String) { isOfProcess = context.process != nil }

  func detach() -> [MetricAbsence] {
    guard isOfProcess else { return [] }
    return [
      MetricAbsence(
        JemallocInstrument.metrics.map(\.id),
        because: "a program did the work, whose allocator is another")
    ]
  }

  func phaseBegins(_ phase: Phase) {
    // Each phase begins without unused pages from earlier ones.
    Jemalloc.purge()
    sampler.resetPeaks()
  }

  func phaseEnds(_ phase: Phase) -> [MetricID: Int64] {
    sampler.sample()
    let peaks = sampler.peaks
    // Read everything before purging, so that the purge is not part of the phase.
    Jemalloc.purge()
    let settled = Jemalloc.statistics()
    let figures: [MetricID: Int64?] = [
      .jemallocAllocatedPeak: peaks.allocated, .jemallocResidentPeak: peaks.resident,
      .jemallocActivePeak: peaks.active, .jemallocRetainedPeak: peaks.retained,
      .jemallocAllocatedAfter: settled?.allocated, .jemallocActiveAfter: settled?.active,
      .jemallocResidentAfter: settled?.resident,
    ]
    return figures.compactMapValues { $0 }
  }
}

extension MetricID {
  /// The highest sampled value of jemalloc's `stats.allocated`, in bytes.
  package static let jemallocAllocatedPeak = MetricID("jemalloc_allocated_peak_bytes")
  /// The highest sampled value of jemalloc's `stats.resident`, in bytes.
  package static let jemallocResidentPeak = MetricID("jemalloc_resident_peak_bytes")
  /// The highest sampled value of jemalloc's `stats.active`: bytes of pages that contain a block.
  package static let jemallocActivePeak = MetricID("jemalloc_active_peak_bytes")
  /// The highest sampled value of jemalloc's `stats.retained`: bytes of address space kept for later, without memory.
  package static let jemallocRetainedPeak = MetricID("jemalloc_retained_peak_bytes")
  /// jemalloc's `stats.allocated` after the phase, in bytes.
  package static let jemallocAllocatedAfter = MetricID("jemalloc_allocated_after_bytes")
  /// jemalloc's `stats.active` after the phase, in bytes; divided by `stats.allocated` it is the fragmentation.
  package static let jemallocActiveAfter = MetricID("jemalloc_active_after_bytes")
  /// jemalloc's `stats.resident` after the phase and after returning unused pages: bytes that the process still needs.
  package static let jemallocResidentAfter = MetricID("jemalloc_resident_after_bytes")
}
