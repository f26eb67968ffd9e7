// Interference by others: time spent waiting, context switches, page faults, stolen processor time.

/// The system's counters of interference, since the process or the system started.
///
/// The difference between two readings shows what happened in between.
///
/// They explain noise but never correct it: a pair of samples is excluded as a whole or not at all.
package struct Interference: Sendable, Hashable, Codable {
  /// How long the process's first thread was ready and waited for a processor, in seconds; for a program, the sum over
  /// its threads.
  ///
  /// `nil` if the system does not report it (`schedstat` in `/proc`).
  package var runDelaySeconds: Double?
  /// How often the process gave up the processor voluntarily, to wait (`getrusage`).
  package var voluntarySwitches: Int64
  /// How often the kernel took the processor away from the process.
  package var involuntarySwitches: Int64
  /// Page faults that read from a device.
  package var majorFaults: Int64
  /// Page faults that only mapped a page.
  package var minorFaults: Int64
  /// How long the machine's host gave its processors to others, in seconds, summed over all processors; `nil` if the
  /// system does not report it (`steal` in `/proc/stat`).
  package var stolenSeconds: Double?
  /// How long some task of the system waited for a processor, in seconds; `nil` if the system does not report it
  /// (`/proc/pressure/cpu`).
  package var processorPressureSeconds: Double?
  /// How long some task of the system waited for a device, in seconds (`/proc/pressure/io`).
  package var devicePressureSeconds: Double?

  /// The present counters.
  package static func now() -> Interference { OperatingSystem.interference() }

  /// The difference from an earlier reading; `nil` stays `nil`, and threads of a program that have ended do not count.
  package func since(_ earlier: Interference) -> Interference {
    func difference(_ value: Double?, _ before: Double?) -> Double? {
      guard let value, let before else { return nil }
      return max(value - before, 0)
    }
    return Interference(
      runDelaySeconds: difference(runDelaySeconds, earlier.runDelaySeconds),
      voluntarySwitches: max(voluntarySwitches - earlier.voluntarySwitches, 0),
      involuntarySwitches: max(involuntarySwitches - earlier.involuntarySwitches, 0),
      majorFaults: majorFaults - earlier.majorFaults, minorFaults: minorFaults - earlier.minorFaults,
      stolenSeconds: difference(stolenSeconds, earlier.stolenSeconds),
      processorPressureSeconds: difference(processorPressureSeconds, earlier.processorPressureSeconds),
      devicePressureSeconds: difference(devicePressureSeconds, earlier.devicePressureSeconds))
  }

  package init(
    runDelaySeconds: Double? = nil, voluntarySwitches: Int64 = 0, involuntarySwitches: Int64 = 0,
    majorFaults: Int64 = 0, minorFaults: Int64 = 0, stolenSeconds: Double? = nil,
    processorPressureSeconds: Double? = nil, devicePressureSeconds: Double? = nil
  ) {
    self.runDelaySeconds = runDelaySeconds
    self.voluntarySwitches = voluntarySwitches
    self.involuntarySwitches = involuntarySwitches
    self.majorFaults = majorFaults
    self.minorFaults = minorFaults
    self.stolenSeconds = stolenSeconds
    self.processorPressureSeconds = processorPressureSeconds
    self.devicePressureSeconds = devicePressureSeconds
  }
}
