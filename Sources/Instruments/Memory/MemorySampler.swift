// Peaks of figures that nobody keeps a peak of: jemalloc's statistics and the resident set, looked at every
// millisecond by a thread of its own.
internal import Support
internal import Synchronization

/// The highest values a sampler saw, in bytes.
///
/// They are lower bounds: what rises and falls between two looks is not in them.
package struct MemoryPeaks: Sendable, Hashable {
  /// jemalloc's `stats.allocated`; nil without jemalloc or a sample.
  package internal(set) var allocated: Int64?
  /// jemalloc's `stats.active`.
  package internal(set) var active: Int64?
  /// jemalloc's `stats.resident`.
  package internal(set) var resident: Int64?
  /// jemalloc's `stats.retained`.
  package internal(set) var retained: Int64?
  /// The process's resident set; nil where the system does not report it.
  package internal(set) var residentSet: Int64?
  /// How often was looked.
  package internal(set) var samples = 0
}

/// Looks at the memory figures every millisecond between ``start()`` and ``stop()``, and whenever it is asked to; through a
/// phase it follows the heap.
///
/// While it runs it allocates nothing, so it can run beside the allocation meter without being in its figures; starting
/// and stopping do allocate. It costs some 3 % of one processor.
package final class MemorySampler: Sendable {
  private let residentSet = OperatingSystem.ResidentSetReader()
  // One lock around looking and noting: a look begun before a reset cannot be noted after it.
  private let seen = Mutex(Seen())
  private let thread = Mutex<PlainThread?>(nil)
  private let isRunning = Atomic(false)
  private let isToStop = Atomic(false)
  private let intervalNanoseconds = 1_000_000

  package init() {}

  /// The highest values since the start or the last reset.
  package var peaks: MemoryPeaks { seen.withLock { $0.peaks } }

  /// The heap over the phase that was followed last; empty when none was.
  package var heapTimeline: [HeapPoint] { seen.withLock { $0.heap.points } }

  /// Starts looking; returns when the thread runs and has looked once.
  ///
  /// Does nothing when it runs already. A sampler that was started stays alive until it is stopped.
  ///
  /// - Throws: ``InstrumentError/threadNotStarted(errorNumber:)``
  package func start() throws(InstrumentError) {
    try thread.withLock { (thread) throws(InstrumentError) in
      guard thread == nil else { return }
      isToStop.store(false, ordering: .relaxed)
      do throws(SystemError) {
        thread = try PlainThread { self.run() }
      } catch {
        throw .threadNotStarted(errorNumber: error.number)
      }
      while !isRunning.load(ordering: .acquiring) { PlainThread.yield() }
    }
  }

  /// Takes a last sample and stops; returns when the thread has ended.
  ///
  /// Does nothing when none runs.
  package func stop() {
    thread.withLock { thread in
      guard let running = thread else { return }
      isToStop.store(true, ordering: .relaxed)
      running.join()
      isRunning.store(false, ordering: .relaxed)
      thread = nil
    }
  }

  /// Looks now: at the end of a phase, or where a figure is known to be high.
  package func sample() {
    seen.withLock { seen in
      if let heap = Jemalloc.statistics() {
        raise(&seen.peaks.allocated, to: heap.allocated)
        raise(&seen.peaks.active, to: heap.active)
        raise(&seen.peaks.resident, to: heap.resident)
        raise(&seen.peaks.retained, to: heap.retained)
      }
      if let bytes = residentSet.bytes() { raise(&seen.peaks.residentSet, to: bytes) }
      seen.heap.look()
      seen.peaks.samples += 1
    }
  }

  /// Forgets what was seen and looks once: the start of a phase.
  package func resetPeaks() {
    seen.withLock { $0.peaks = MemoryPeaks() }
    sample()
  }

  /// Labels the heap's points with the current stage.
  package func follow(stages: @escaping @Sendable () -> String?) { seen.withLock { $0.heap.stage = stages } }

  /// Follows the heap from here on; allocates nothing.
  package func followHeap(_ meter: AllocationMeter, from level: OwnedFigures) {
    seen.withLock { $0.heap.begin(meter, from: level) }
  }

  /// Stops recording the heap, with these as the last figures.
  package func endHeap(at figures: OwnedFigures) { seen.withLock { $0.heap.end(at: figures) } }

  private func run() {
    sample()
    isRunning.store(true, ordering: .releasing)
    while !isToStop.load(ordering: .relaxed) {
      PlainThread.sleep(nanoseconds: intervalNanoseconds)
      sample()
    }
  }

  private struct Seen {
    var peaks = MemoryPeaks()
    var heap = HeapTimeline()
  }

  private func raise(_ peak: inout Int64?, to value: Int64) {
    peak = max(peak ?? value, value)
  }
}
