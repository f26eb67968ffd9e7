// Samples where a thread is: a timer interrupts it, and the handler records its stack.
#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Records the stack of the thread that started it, at regular intervals of elapsed time.
///
/// A thread that waits, for example for a sync, is recorded where it waits. A process has one sampler. The sampler and
/// ``SpeedProbe`` both need the timer and the signal SIGALRM for themselves, so only one of them can run.
package enum StackSampler {
  /// Why stacks cannot be sampled here, in one sentence; `nil` if they can.
  package static var obstacle: String? {
    #if os(Linux) && (arch(x86_64) || arch(arm64))
      return DynamicSymbol.address("backtrace") == nil
        ? "this C library has no backtrace(), so the stack of an interrupted thread cannot be read" : nil
    #else
      return "stacks are sampled only on Linux, on x86-64 and ARM; use the system's own profiler here"
    #endif
  }

  /// Starts sampling the calling thread.
  ///
  /// - Parameter microseconds: Elapsed time between two samples.
  /// - Throws: ``InstrumentError/noStacks(reason:)``.
  package static func start(everyMicroseconds microseconds: Int) throws(InstrumentError) {
    if let obstacle { throw .noStacks(reason: obstacle) }
    // Initialize before the first signal: a handler must not initialize anything lazily.
    if words == nil {
      words = .allocate(capacity: capacity)
      frames = .allocate(capacity: deepest)
      unwind = DynamicSymbol.address("backtrace").map { unsafeBitCast($0, to: Backtrace.self) }
    }
    // Call it once now, because the first call loads the unwinder's library.
    if let frames { _ = unwind?(frames, Int32(deepest)) }
    used = 0
    lost = 0
    guard hearAlarms(), OperatingSystem.signalThread(everyMicroseconds: microseconds) else {
      throw .noStacks(reason: "the system gave no timer (error number \(errno))")
    }
  }

  /// Stops sampling.
  ///
  /// - Returns: Every recorded stack, with its number of samples.
  package static func stop() -> SampledStacks {
    OperatingSystem.endSignals()
    signal(SIGALRM, SIG_IGN)
    var stacks: [[UInt]: Int] = [:]
    guard let words else { return SampledStacks(counts: [:], lost: 0) }
    var place = 0
    while place < used {
      let depth = Int(words[place])
      stacks[(1...depth).map { words[place + $0] }, default: 0] += 1
      place += depth + 1
    }
    return SampledStacks(counts: stacks, lost: lost)
  }

  private static func hearAlarms() -> Bool {
    #if os(Linux)
      var action = sigaction()
      action.__sigaction_handler.sa_sigaction = { _, _, context in noteStack(context) }
      // Make the system restart interrupted calls.
      action.sa_flags = SA_SIGINFO | Int32(SA_RESTART)
      return sigaction(SIGALRM, &action, nil) == 0
    #else
      return false
    #endif
  }
}

/// Stacks with their numbers of samples.
package struct SampledStacks: Sendable {
  /// Code addresses, the innermost first.
  package var counts: [[UInt]: Int]
  /// Samples that did not fit into the buffer.
  package var lost: Int
}

/// Runs in a signal handler, so it must not allocate, lock, or initialize anything lazily.
///
/// The C library's unwinder finds its tables without a lock (`_dl_find_object`, since glibc 2.35).
private func noteStack(_ context: UnsafeMutableRawPointer?) {
  guard let words, let frames, let unwind, let context else { return }
  let depth = Int(unwind(frames, Int32(deepest)))
  // Find where the thread was interrupted; frames before that belong to the handler.
  let interrupted = context.load(fromByteOffset: programCounterOffset, as: UInt.self)
  var first = 0
  while first < depth, UInt(bitPattern: frames[first]) != interrupted { first += 1 }
  // Code without unwind tables has only its own address.
  let count = max(depth - first, 1)
  guard used + count < capacity else {
    lost += 1
    return
  }
  words[used] = UInt(count)
  words[used + 1] = interrupted
  var index = 1
  while index < count {
    words[used + 1 + index] = UInt(bitPattern: frames[first + index])
    index += 1
  }
  used += count + 1
}

private typealias Backtrace =
  @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32) -> Int32

/// The offset of the interrupted program counter in a signal handler's `ucontext_t`, which each ABI defines.
#if arch(x86_64)
  private let programCounterOffset = 168
#else
  private let programCounterOffset = 440
#endif

private let deepest = 128
/// 32 MiB of addresses; only used pages take up memory.
private let capacity = 1 << 22

// Safe by proof: the thread that starts and stops writes these before it sets the timer and after it stops it. In
// between only the handler writes them, which runs on that thread and which its own signal does not interrupt.
nonisolated(unsafe) private var words: UnsafeMutablePointer<UInt>?
nonisolated(unsafe) private var frames: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
nonisolated(unsafe) private var unwind: Backtrace?
nonisolated(unsafe) private var used = 0
nonisolated(unsafe) private var lost = 0
