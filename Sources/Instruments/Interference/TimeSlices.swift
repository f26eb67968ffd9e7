// Two processes that share a processor millisecond by millisecond: whatever the machine does to one, it does to the other a
// moment later, also where its speed changes within a piece of work.
#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif
internal import Support
internal import Synchronization

/// Pauses in the middle of the work for another process, and continues when that one pauses.
///
/// The handler of ``SpeedProbe`` asks after every probe whether the slice is over. The process then writes a byte to the
/// other and reads one: it stands still, wherever it is, with all its locks, until the other has had its slice. The other
/// does the same, so that one of the two runs at any time. Work must be on one thread, the one that probes: the others of
/// the process would not stand still.
///
/// What a thread waits for does not stand still either: a sleep would end in the other's slices and cost nothing. A thread
/// that waits therefore keeps its slice for longer.
package enum TimeSlices {
  /// What one process sends to the other, as a byte.
  package enum Word: UInt8, Sendable {
    /// It is your turn, and mine again after it.
    case yours = 0x79
    /// It is your turn until you are done: I am.
    case done = 0x64
  }

  /// Nanoseconds of this process's own slices: ``MonotonicClock`` without the time of the other process's slices.
  package static func now() -> UInt64 {
    while true {
      let before = sharing.waited.value
      let now = Int(MonotonicClock.now())
      // A slice ended between the two reads: read both again.
      if sharing.waited.value == before { return UInt64(now - before) }
    }
  }

  /// How the sharing of a piece of work ended.
  package struct Ending: Sendable {
    /// Whether the other one is done; if not it waits for its turn.
    package var isOtherDone: Bool
    /// Whether it sent something that makes no sense, or stopped answering.
    package var isOtherLost: Bool
    /// How often it was handed over.
    package var handovers: Int
  }

  /// Does the work; the other has its slices of the time while the speed is probed.
  ///
  /// A process shares one piece of work at a time.
  ///
  /// - Parameters:
  ///   - outbox: The descriptor that the other one reads from.
  ///   - inbox: The descriptor that the other one writes to.
  ///   - isOtherDone: Whether it wants none, because it has done its work.
  ///   - work: What is to be done.
  /// - Returns: What the other one did meanwhile.
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

  /// Shorter slices follow the machine more closely, but each begins with what the other left in the caches.
  static let nanoseconds = 1_000_000
  /// Five sixths of a long wait are charged, and work that often waits for its device still takes turns.
  static let nanosecondsOfWaiting = 5_000_000
}

/// Runs in a signal handler: no allocation, no lock, nothing made at its first use.
///
/// - Returns: Whether the other one had a slice.
func handOverWhenDue() -> Bool {
  guard sharing.other.value == Other.waits else { return false }
  let start = Int(MonotonicClock.now())
  let waits = hasWaited(until: start)
  // Signals come a little early or late: one that is a tenth of a slice early counts.
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

/// Whether the thread has given its processor up, and had it for less than half of the time, since this was last asked.
///
/// Others that take the processor away are no wait of its own.
private func hasWaited(until now: Int) -> Bool {
  let (switches, used) = (OperatingSystem.threadSwitches(), Int(ProcessTime.threadSeconds() * 1e9))
  let waits =
    switches > sharing.switches.value && (used - sharing.used.value) * 2 < now - sharing.looked.value
  sharing.switches.value = switches
  sharing.used.value = used
  sharing.looked.value = now
  return waits
}

/// What is known of the other process; numbers, because they are kept in an atomic.
private enum Other {
  /// Nothing is shared.
  static let none = 0
  static let waits = 1
  static let done = 2
  static let lost = 3
}

/// What the work and the handler that interrupts it both use: atomic, since neither can wait for the other.
private struct Sharing: ~Copyable, Sendable {
  let other = Atomic(Other.none)
  let handovers = Atomic(0)
  let outbox = Atomic(-1)
  let inbox = Atomic(-1)
  /// When the slice began, in nanoseconds.
  let resumed = Atomic(0)
  /// How long the other one had all of its slices, in nanoseconds.
  let waited = Atomic(0)
  /// When the thread was last looked at, what it had used of its processor, in nanoseconds, and how often it had given it up.
  let looked = Atomic(0)
  let used = Atomic(0)
  let switches = Atomic(0)
}

private let sharing = Sharing()

extension Atomic where Value == Int {
  /// Read and written by one thread, so that nothing else is ordered by it.
  fileprivate var value: Int {
    get { load(ordering: .relaxed) }
    nonmutating set { store(newValue, ordering: .relaxed) }
  }
}
