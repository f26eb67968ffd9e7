// The peak of the process's resident set in a phase.
package import BatchmarkEngine

/// Takes the higher of the kernel's own peak and the sampler's.
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
  private var others = OtherProcesses()

  init(in context: InstrumentContext) throws {
    self.context = context
    sampler = try context.memorySampler()
    remarks =
      ResidentSet.resetPeak()
      ? [] : ["the resident peak is the whole process's: the kernel does not let its peak be reset"]
  }

  mutating func phaseBegins(_ phase: Phase) {
    if let process = context.process {
      others.phaseBegins(of: process)
      process.resetPeakResident()
      return
    }
    ResidentSet.resetPeak()
    sampler.resetPeaks()
  }

  mutating func phaseEnds(_ phase: Phase) -> [MetricID: Int64] {
    if let process = context.process {
      others.phaseEnds(of: process)
      return process.peakResidentBytes.map { [.residentSetPeak: $0] } ?? [:]
    }
    sampler.sample()
    let peak = [ResidentSet.peak(), sampler.peaks.residentSet].compactMap { $0 }.max()
    return peak.map { [.residentSetPeak: $0] } ?? [:]
  }

  func detach() -> [MetricAbsence] { others.absences([.residentSetPeak]) }
}

extension MetricID {
  /// The peak of the process's resident set in bytes, as the kernel reports it to the process itself.
  package static let residentSetPeak = MetricID("rss_peak_bytes")
}

/// The process's own resident set, read by the process itself: on Linux, what a parent learns about a child includes
/// the parent's own peak.
package enum ResidentSet {
  /// The most bytes resident since the process's image was loaded or the peak was reset (`VmHWM`); `nil` if the system
  /// does not report it.
  package static func peak() -> Int64? { OperatingSystem.peakResidentBytes() }

  /// Resets the peak of the whole process to the bytes resident now; false if that is impossible.
  ///
  /// It writes 5 to `/proc/self/clear_refs`, which requires a kernel with `CONFIG_PROC_PAGE_MONITOR`.
  @discardableResult
  package static func resetPeak() -> Bool { OperatingSystem.resetPeakResidentBytes() }

  /// How far a figure may be off, in bytes; `nil` if there is no figure.
  ///
  /// The kernel counts per processor and adds the counts up in batches. The error is pages times processors times the
  /// batch of `lib/percpu_counter.c`, which is 32 or twice the number of processors, whichever is more.
  package static var resolutionBytes: Int64? { OperatingSystem.residentBytesResolution() }
}
