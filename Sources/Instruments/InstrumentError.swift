// Why an instrument cannot be used.

/// An instrument that does not work here: what was found, what is needed, and what to do.
package enum InstrumentError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The process was started without the allocation meter's library.
  case noAllocationMeter
  /// The package was built without jemalloc.
  case builtWithoutJemalloc
  /// The process's `malloc` is not jemalloc's.
  case otherAllocator(jemallocVersion: String)
  /// jemalloc was built without its statistics.
  case jemallocWithoutStatistics(version: String)
  /// A thread could not be started, with the system's error number.
  case threadNotStarted(errorNumber: Int32)
  /// The process cannot have an interval timer, with the system's error number.
  case noIntervalTimer(errorNumber: Int32)
  /// Stacks cannot be sampled.
  case noStacks(reason: String)
  /// The heap cannot be profiled.
  case noHeapProfile(reason: String)
  /// A program cannot be metered.
  case noProgramMeter(reason: String)
  /// Address randomization cannot be switched off.
  case addressesStayRandom(reason: String)

  package var description: String {
    switch self {
    case .noAllocationMeter:
      "the allocation meter is not loaded, so the heap's peak cannot be exact; build with scripts/bench, which puts its "
        + "library beside the executable"
    case .builtWithoutJemalloc:
      "built without jemalloc; expected a build without BATCHMARK_SANITIZE in its environment"
    case .otherAllocator(let version):
      "jemalloc \(version) is loaded, but malloc does not allocate from it; expected it to be the process's "
        + "allocator: take other allocators out of LD_PRELOAD and of the link"
    case .jemallocWithoutStatistics(let version):
      "jemalloc \(version) was built without statistics; install one configured with --enable-stats, as "
        + "Debian's libjemalloc2 is"
    case .threadNotStarted(let number):
      "a thread could not be started (error number \(number)); expected room for one more: raise the limit of processes (ulimit -u)"
    case .noIntervalTimer(let number):
      "the interval timer could not be set (error number \(number)); without it the processor's speed is not known"
    case .noStacks(let reason):
      "stacks cannot be sampled: \(reason)"
    case .noHeapProfile(let reason):
      "the heap cannot be profiled: \(reason)"
    case .noProgramMeter(let reason):
      "the program cannot be metered: \(reason)"
    case .addressesStayRandom(let reason):
      "address randomization stays on: \(reason)"
    }
  }
}
