// The process's resident set at its highest in a phase.
package import BatchmarkEngine

/// Takes the higher of the kernel's own peak and of what the sampler saw.
struct ResidentSetInstrument: Instrument {
  static let pass = Pass.memory

  static let metrics = [
    MetricDeclaration(
      .residentSetPeak, .bytes, .sampled, in: pass, "the process's resident set at its highest, as the kernel counts it"
    )
  ]

  private let sampler: MemorySampler
  let remarks: [String]
  private let context: InstrumentContext

  init(in context: InstrumentContext) throws {
    self.context = context
    sampler = try context.memorySampler()
    remarks =
      ResidentSet.resetPeak()
      ? [] : ["rss_peak_bytes is the whole process's: the kernel does not let its peak be reset"]
  }

  func phaseBegins(_ phase: Phase) {
    if let process = context.process {
      process.resetPeakResident()
      return
    }
    ResidentSet.resetPeak()
    sampler.resetPeaks()
  }

  func phaseEnds(_ phase: Phase) -> [MetricID: Int64] {
    if let process = context.process { return process.peakResidentBytes.map { [.residentSetPeak: $0] } ?? [:] }
    sampler.sample()
    let peak = [ResidentSet.peak(), sampler.peaks.residentSet].compactMap { $0 }.max()
    return peak.map { [.residentSetPeak: $0] } ?? [:]
  }
}

extension MetricID {
  /// The process's resident set at its highest, in bytes, as the kernel tells the process itself.
  package static let residentSetPeak = MetricID("rss_peak_bytes")
}
