// Systems other than Linux: nothing is known, and reports omit the figures.
#if !os(Linux)
  internal import Darwin

  extension OperatingSystem {
    static func peakResidentBytes() -> Int64? { nil }
    static func resetPeakResidentBytes() -> Bool { false }
    static func residentBytesResolution() -> Int64? { nil }
    static func mapsFile(named name: String) -> Bool? { nil }
    static func mappedFile(at address: UInt) -> String? { nil }
    static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

    struct ResidentSetReader: Sendable {
      func bytes() -> Int64? { nil }
    }

    static func interference() -> Interference { Interference() }
    static func threadSwitches() -> Int { 0 }
    static func allowedProcessors() -> [Int] { [] }
    static func stay(on processors: [Int]) -> Bool { false }
    /// The signal may reach any thread of the process.
    static func signalThread(everyMicroseconds microseconds: Int) -> Bool {
      let interval = timeval(tv_sec: 0, tv_usec: .init(microseconds))
      var timer = itimerval(it_interval: interval, it_value: interval)
      return setitimer(ITIMER_REAL, &timer, nil) == 0
    }
    static func endSignals() { _ = signalThread(everyMicroseconds: 0) }
    static func softInterrupts() -> [Int: Int64]? { nil }

    static func addressesAreFixed() -> Bool { false }
    static func reexecuteWithFixedAddresses(marker: String) -> String { "only Linux can switch it off" }

    static func cpuModel() -> String? { nil }
    static func logicalCPUs() -> Int? { nil }
    static func memoryBytes() -> Int64? { nil }
    static func kernel() -> String? { nil }
    static func prettyName() -> String? { nil }
    static func transparentHugePages() -> String? { nil }
    static func cpuGovernor() -> String? { nil }
    static func clockSource() -> String? { nil }
    static func loadAverage() -> Double? { nil }
    static func controlGroupLimits() -> ControlGroupLimits? { nil }
    static func volume(at path: String) -> Volume? { nil }
  }
#endif
