// What others did to a piece of work: time spent waiting, switches, faults, processors taken away.

/// The system's counters of interference, from the start of the process or of the system; differences of two readings
/// say what happened in between.
///
/// They explain noise and never correct it: a pair of samples is set aside as a whole or not at all.
package struct Interference: Sendable, Hashable, Codable {
  /// How long the process' first thread was ready and waited for a processor, in seconds; of a program, all its threads
  /// added up; nil where the system does not report it (`schedstat` in `/proc`).
  package var runDelaySeconds: Double?
  /// How often the process gave up the processor to wait (`getrusage`).
  package var voluntarySwitches: Int64
  /// How often the processor was taken from it.
  package var involuntarySwitches: Int64
  /// Pages that had to be read from a device.
  package var majorFaults: Int64
  /// Pages that had to be mapped.
  package var minorFaults: Int64
  /// How long the machine's host gave its processors to others, summed over them, in seconds; nil where the system does
  /// not report it (`steal` in `/proc/stat`).
  package var stolenSeconds: Double?
  /// How long some task of the system waited for a processor, in seconds; nil where the system does not report it
  /// (`/proc/pressure/cpu`).
  package var processorPressureSeconds: Double?
  /// The same for devices (`/proc/pressure/io`).
  package var devicePressureSeconds: Double?

  /// The counters of this moment.
  package static func now() -> Interference { OperatingSystem.interference() }

  /// What happened since an earlier reading; nil stays nil, and threads of a program that have ended are left out.
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
