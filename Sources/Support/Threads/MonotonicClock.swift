// The two clocks of every phase: elapsed time and the processor time of the whole process.
#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Elapsed time, from the system's monotonic clock.
package enum MonotonicClock {
  /// Nanoseconds since a fixed moment before the process began; never decreases, and setting the date does not change it.
  ///
  /// `CLOCK_MONOTONIC`: the rate is steered by NTP (by parts in a million), and time asleep is not counted on Linux.
  package static func now() -> UInt64 { nanoseconds(of: CLOCK_MONOTONIC) }
}

/// Processor time, as the kernel accounts it to the process.
package enum ProcessTime {
  /// User and system seconds of all threads since the process began (`CLOCK_PROCESS_CPUTIME_ID`).
  package static func cpuSeconds() -> Double { Double(nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID)) / 1e9 }

  /// The same of the calling thread alone (`CLOCK_THREAD_CPUTIME_ID`).
  package static func threadSeconds() -> Double { Double(nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)) / 1e9 }
}

/// Both clocks exist on every system this builds for, so the call cannot fail (POSIX: only for an unknown clock).
private func nanoseconds(of clock: clockid_t) -> UInt64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
