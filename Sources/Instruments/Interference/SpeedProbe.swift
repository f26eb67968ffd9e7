// Measures the speed of the processor while work runs on it. On a shared machine, a neighbor on the same core can make
// all work take twice as long, and no counter of the system shows it.
internal import Support
internal import Synchronization
#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Interrupts the process every half millisecond for a few microseconds of fixed work, and times that work.
///
/// The time of the work measures the processor's speed at that moment. Probing costs about 1 % of the measured time,
/// the same on both sides of a comparison. A process has one probe, which owns the interval timer and the signal
/// SIGALRM. Start and stop it on the same thread: on Linux, only that thread gets the signal. Signals end sleeps early,
/// such as the waits of SQLite's busy handler.
package enum SpeedProbe {
  /// Starts probing.
  ///
  /// - Throws: ``InstrumentError/noIntervalTimer(errorNumber:)``.
  package static func start() throws(InstrumentError) {
    // Initialize before the first signal: a handler must not initialize anything lazily.
    if durations == nil {
      durations = .allocate(capacity: capacity)
      memory = .allocate(capacity: words)
      memory?.initialize(repeating: 0x9e37_79b9_7f4a_7c15, count: words)
    }
    probe()
    count.store(0, ordering: .relaxed)
    signal(SIGALRM) { _ in
      probe()
      // Drop a signal that became due during the other process's slice: restart the timer with a whole interval.
      if handOverWhenDue() { _ = OperatingSystem.signalThread(everyMicroseconds: intervalMicroseconds) }
    }
    guard OperatingSystem.signalThread(everyMicroseconds: intervalMicroseconds) else {
      throw .noIntervalTimer(errorNumber: errno)
    }
  }

  /// Stops probing.
  ///
  /// - Returns: The average duration of the work in seconds; `nil` if there were too few probes for an average.
  package static func stop() -> Double? {
    OperatingSystem.endSignals()
    signal(SIGALRM, SIG_IGN)
    let count = min(count.load(ordering: .relaxed), capacity)
    guard let durations, count >= leastProbes else { return nil }
    let all = UnsafeBufferPointer(start: durations, count: count)
    // A probe that lost its processor does not show its speed, so cap it at the slowest plausible speed.
    let ceiling = slowestSpeed * (all.min() ?? 0)
    return Double(all.reduce(0) { $0 + min($1, ceiling) }) / Double(count) / 1e9
  }

  /// Records the duration of a probe if there is room; callable from any thread.
  ///
  /// - Returns: Whether there was room.
  @discardableResult
  static func keep(nanoseconds: UInt64) -> Bool {
    // Read the count only once: if two handlers checked it and then read it again, both might take the last index.
    let index = count.wrappingAdd(1, ordering: .relaxed).oldValue
    guard let durations, index < capacity else { return false }
    durations[index] = nanoseconds
    return true
  }

  /// Enough for half a minute.
  static let capacity = 1 << 16
  private static let leastProbes = 8
  /// Two threads that share a core and its cache may each run at a third of its speed.
  private static let slowestSpeed: UInt64 = 3
}

/// Runs in a signal handler, so it must not allocate, lock, or initialize anything lazily.
private func probe() {
  guard count.load(ordering: .relaxed) < SpeedProbe.capacity else { return }
  // Run it once untimed, because the measurement must not depend on what the interrupted work left in the caches.
  work(words)
  let start = MonotonicClock.now()
  work(steps)
  SpeedProbe.keep(nanoseconds: MonotonicClock.now() - start)
}

/// Executes as many instructions per cycle as the core can, on data in its nearest cache.
///
/// Another thread on the core halves this speed, and SQLite's speed as well (Experiments.md lists the kinds of work
/// that were tried).
@inline(never)
private func work(_ steps: Int) {
  guard let memory else { return }
  var sum = result
  var step = 0
  while step < steps {
    let place = step & (words - 1)
    sum &+= memory[place] ^ memory[(place &+ 7) & (words - 1)]
    sum ^= memory[(place &+ 100) & (words - 1)]
    step &+= 1
  }
  result = sum
}

private let intervalMicroseconds = 500
private let steps = 3_500
private let words = 512

/// How many probes ran since the start, including those that were not recorded.
private let count = Atomic(0)

// Safe by proof: the thread that starts and stops writes these before it sets the timer and after it stops it. In
// between only the handler writes them, and its own signal does not interrupt it. If the system signals a second thread
// before the first signal is handled, each handler has its own index into the durations.
nonisolated(unsafe) private var durations: UnsafeMutablePointer<UInt64>?
nonisolated(unsafe) private var memory: UnsafeMutablePointer<UInt64>?
/// The result of the work, stored so that the compiler cannot remove the work.
nonisolated(unsafe) private var result: UInt64 = 0
