// The speed of the processor while work runs on it: on a shared machine, a neighbor on the same core can make all work
// take twice as long, and no counter of the system shows it.
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
/// SIGALRM. Start and stop it on the same thread: on Linux, only that thread gets the signal. A signal ends sleeps
/// early, such as a wait of SQLite's busy handler.
package enum SpeedProbe {
  /// Begins to probe.
  ///
  /// - Throws: ``InstrumentError/noIntervalTimer(errorNumber:)``.
  package static func start() throws(InstrumentError) {
    // Before the first signal: a handler must not initialize anything lazily.
    if durations == nil {
      durations = .allocate(capacity: capacity)
      memory = .allocate(capacity: words)
      memory?.initialize(repeating: 0x9e37_79b9_7f4a_7c15, count: words)
    }
    probe()
    count.store(0, ordering: .relaxed)
    signal(SIGALRM) { _ in
      probe()
      // Drop a signal that was due during the other process's slice: restart the timer with a whole interval.
      if handOverWhenDue() { _ = OperatingSystem.signalThread(everyMicroseconds: intervalMicroseconds) }
    }
    guard OperatingSystem.signalThread(everyMicroseconds: intervalMicroseconds) else {
      throw .noIntervalTimer(errorNumber: errno)
    }
  }

  /// Ends probing.
  ///
  /// - Returns: What the work took on average, in seconds; nil when it was done too rarely for an average.
  package static func stop() -> Double? {
    OperatingSystem.endSignals()
    signal(SIGALRM, SIG_IGN)
    let count = min(count.load(ordering: .relaxed), capacity)
    guard let durations, count >= leastProbes else { return nil }
    let all = UnsafeBufferPointer(start: durations, count: count)
    // A probe that lost its processor to others does not show its speed: cap it at the slowest speed.
    let ceiling = slowestSpeed * (all.min() ?? 0)
    return Double(all.reduce(0) { $0 + min($1, ceiling) }) / Double(count) / 1e9
  }

  /// Records the duration of a probe if there is room; callable from any thread.
  ///
  /// - Returns: Whether there was room.
  @discardableResult
  static func keep(nanoseconds: UInt64) -> Bool {
    // The count is read once: two handlers that check it and then read it again might both take the last place.
    let index = count.wrappingAdd(1, ordering: .relaxed).oldValue
    guard let durations, index < capacity else { return false }
    durations[index] = nanoseconds
    return true
  }

  /// Room for the probes of half a minute.
  static let capacity = 1 << 16
  private static let leastProbes = 8
  /// Two threads that share a core and its cache may run at a third of its speed.
  private static let slowestSpeed: UInt64 = 3
}

/// Runs in a signal handler: it may not allocate, lock, or initialize anything lazily.
private func probe() {
  guard count.load(ordering: .relaxed) < SpeedProbe.capacity else { return }
  // Once untimed: the state in which the interrupted work left the caches must not count.
  work(words)
  let start = MonotonicClock.now()
  work(steps)
  SpeedProbe.keep(nanoseconds: MonotonicClock.now() - start)
}

/// As many instructions a cycle as the core can do, with all that they read in its nearest cache: another thread on the
/// core takes half of them away, as it does from what SQLite does (Experiments.md has the kinds of work that were tried).
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

/// How many probes ran since the start, including those that did not fit.
private let count = Atomic(0)

// Safe by proof: all are written by the thread that starts and stops, before the timer is set and after it is stopped,
// and in between only by the handler, which its own signal does not interrupt. If the system gives another thread a
// second signal before the first one is handled, each handler has its own place among the durations.
nonisolated(unsafe) private var durations: UnsafeMutablePointer<UInt64>?
nonisolated(unsafe) private var memory: UnsafeMutablePointer<UInt64>?
/// The result of the work, kept so that the compiler cannot remove the work.
nonisolated(unsafe) private var result: UInt64 = 0
