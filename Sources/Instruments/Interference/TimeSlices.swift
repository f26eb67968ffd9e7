// Two processes share a processor and take turns every millisecond. Disturbances of the machine then affect both, even
// if its speed changes while they work.
#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif
internal import Support
internal import Synchronization

/// Pauses in the middle of the work for another process, and continues when that process pauses.
///
/// After every probe, the handler of ``SpeedProbe`` checks whether the slice is over. The process then writes a byte to
/// the other process and reads one: it pauses wherever it is, with all its locks, until the other has had its slice.
/// The other does the same, so only one of the two runs at any time. All work must be on the thread that probes,
/// because other threads would not pause.
///
/// Waiting does not pause: a sleep could end during the other process's slice and appear to cost nothing. So a thread
/// that waits gets a longer slice.
package enum TimeSlices {
  /// The byte that one process sends to the other.
  package enum Word: UInt8, Sendable {
    /// It is your turn, and mine again after that.
    case yours = 0x79
    /// I am done: it is your turn until you are done.
    case done = 0x64
  }

  /// Nanoseconds of this process's own slices: ``MonotonicClock`` minus the time of the other process's slices.
  package static func now() -> UInt64 {
    while true {
      let before = sharing.waited.value
      let now = Int(MonotonicClock.now())
      // If a slice ended between the two reads, read both again.
      if sharing.waited.value == before { return UInt64(now - before) }
    }
  }

  /// The state at the end of a shared piece of work.
  package struct Ending: Sendable {
    /// Whether the other process is done; if not, it is waiting for its turn.
    package var isOtherDone: Bool
    /// Whether the other process sent an unknown byte or stopped answering.
    package var isOtherLost: Bool
    /// How often the processor was handed over.
    package var handovers: Int
  }

  /// Runs the work with speed probes and gives the other process its slices.
  ///
  /// A process shares one piece of work at a time.
  ///
  /// - Parameters:
  ///   - outbox: The descriptor that the other process reads from.
  ///   - inbox: The descriptor that the other process writes to.
  ///   - isOtherDone: Whether the other process has finished its work and needs no slices.
  ///   - work: The work to do.
  /// - Returns: The state of the other process at the end.
  /// - Throws: What the work throws.
  package static func share(outbox: Int32, inbox: Int32, isOtherDone: Bool, _ work: () throws -> Void) throws -> Ending
  {
    try oneAtATime.withLock { _ in
      sharing.outbox.value = Int(outbox)
      sharing.inbox.value = Int(inbox)
      sharing.handovers.value = 0
      sharing.resumed.value = Int(MonotonicClock.now())
      _ = hasWaited(until: sharing.resumed.value)
      sharing.other.value = isOtherDone ? Other.done : Other.waits
      defer { sharing.other.value = Other.none }
      try work()
      return Ending(
        isOtherDone: sharing.other.value == Other.done, isOtherLost: sharing.other.value == Other.lost,
        handovers: sharing.handovers.value)
    }
  }

  private static let oneAtATime = Mutex(())

  /// Shorter slices follow the machine's speed more closely, but each slice starts with caches that the other process
  /// has filled.
  static let nanoseconds = 1_000_000
  /// Long enough to count five sixths of a long wait, and short enough that work which often waits for its device still
  /// takes turns.
  static let nanosecondsOfWaiting = 5_000_000
}

/// Runs in a signal handler, so it must not allocate, lock, or initialize anything lazily.
///
/// - Returns: Whether the other process had a slice.
func handOverWhenDue() -> Bool {
  guard sharing.other.value == Other.waits else { return false }
  let start = Int(MonotonicClock.now())
  let waits = hasWaited(until: start)
  // Signals may come slightly early: allow for a tenth of a slice.
  guard start - sharing.resumed.value >= TimeSlices.nanoseconds / 10 * 9 else { return false }
  if waits && start - sharing.resumed.value < TimeSlices.nanosecondsOfWaiting { return false }
  var byte = TimeSlices.Word.yours.rawValue
  var moved = write(Int32(sharing.outbox.value), &byte, 1)
  if moved == 1 {
    repeat { moved = read(Int32(sharing.inbox.value), &byte, 1) } while moved < 0 && errno == EINTR
  }
  if moved != 1 {
    sharing.other.value = Other.lost
  } else if byte == TimeSlices.Word.done.rawValue {
    sharing.other.value = Other.done
  } else if byte != TimeSlices.Word.yours.rawValue {
    sharing.other.value = Other.lost
  }
  sharing.handovers.value += 1
  let end = Int(MonotonicClock.now())
  sharing.resumed.value = end
  sharing.waited.value += end - start
  _ = hasWaited(until: end)
  return true
}

/// Whether the thread has waited since the last call: it gave up its processor, and ran for less than half of the time.
///
/// A thread that lost its processor to others has not waited.
private func hasWaited(until now: Int) -> Bool {
  let (switches, used) = (OperatingSystem.threadSwitches(), Int(ProcessTime.threadSeconds() * 1e9))
  let waits =
    switches > sharing.switches.value && (used - sharing.used.value) * 2 < now - sharing.looked.value
  sharing.switches.value = switches
  sharing.used.value = used
  sharing.looked.value = now
  return waits
}

/// The state of the other process, as numbers that fit in an atomic.
private enum Other {
  /// Nothing is shared.
  static let none = 0
  static let waits = 1
  static let done = 2
  static let lost = 3
}

/// The state that the work shares with the handler that interrupts it: atomic, because neither can wait for the other.
private struct Sharing: ~Copyable, Sendable {
  let other = Atomic(Other.none)
  let handovers = Atomic(0)
  let outbox = Atomic(-1)
  let inbox = Atomic(-1)
  /// When the slice started, in nanoseconds.
  let resumed = Atomic(0)
  /// The total duration of the other process's slices, in nanoseconds.
  let waited = Atomic(0)
  /// At the last check of the thread: the time and its processor time in nanoseconds, and how often it had given up the
  /// processor.
  let looked = Atomic(0)
  let used = Atomic(0)
  let switches = Atomic(0)
}

private let sharing = Sharing()

extension Atomic where Value == Int {
  /// Only one thread reads and writes it, so relaxed ordering is enough.
  fileprivate var value: Int {
    get { load(ordering: .relaxed) }
    nonmutating set { store(newValue, ordering: .relaxed) }
  }
}
