// The two clocks of every phase: elapsed time and the processor time of the whole process.
#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Elapsed time, from the system's monotonic clock.
package enum MonotonicClock {
  /// Nanoseconds since a fixed moment before the process began; never decreases, even when the date is set.
  ///
  /// `CLOCK_MONOTONIC`: NTP adjusts its rate by parts in a million, and on Linux it does not count time asleep.
  package static func now() -> UInt64 { nanoseconds(of: CLOCK_MONOTONIC) }
}

/// Processor time, as the kernel accounts it to the process.
package enum ProcessTime {
  /// User and system seconds of all threads since the process began (`CLOCK_PROCESS_CPUTIME_ID`).
  package static func cpuSeconds() -> Double { Double(nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID)) / 1e9 }

  /// User and system seconds of the calling thread (`CLOCK_THREAD_CPUTIME_ID`).
  package static func threadSeconds() -> Double { Double(nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)) / 1e9 }
}

/// Cannot fail: POSIX names unknown clocks as the only error, and both clocks exist on every supported system.
private func nanoseconds(of clock: clockid_t) -> UInt64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
