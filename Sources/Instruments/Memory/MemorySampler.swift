// Finds peaks of figures that have no peak counter: a thread reads jemalloc's statistics and the resident set every
// millisecond.
internal import Support
internal import Synchronization

/// The highest values that a sampler saw, in bytes.
///
/// They are lower bounds: spikes between two samples are missed.
package struct MemoryPeaks: Sendable, Hashable {
  /// jemalloc's `stats.allocated`; `nil` without jemalloc or a sample.
  package internal(set) var allocated: Int64?
  /// jemalloc's `stats.active`.
  package internal(set) var active: Int64?
  /// jemalloc's `stats.resident`.
  package internal(set) var resident: Int64?
  /// jemalloc's `stats.retained`.
  package internal(set) var retained: Int64?
  /// The process's resident set; `nil` if the system does not report it.
  package internal(set) var residentSet: Int64?
  /// How many samples were taken.
  package internal(set) var samples = 0
}

/// Samples the memory figures every millisecond between ``start()`` and ``stop()``, and on request; during a phase it
/// records the heap over time.
///
/// It allocates only when it starts and stops, so it does not change the allocation meter's figures while it runs. It
/// takes about 3 % of one processor.
package final class MemorySampler: Sendable {
  private let residentSet = OperatingSystem.ResidentSetReader()
  // One lock covers reading and recording, so that a sample started before a reset cannot be recorded after it.
  private let seen = Mutex(Seen())
  private let thread = Mutex<PlainThread?>(nil)
  private let isRunning = Atomic(false)
  private let isToStop = Atomic(false)
  private let intervalNanoseconds = 1_000_000

  package init() {}

  /// The highest values since the start or the last reset.
  package var peaks: MemoryPeaks { seen.withLock { $0.peaks } }

  /// The heap during the last recorded phase; empty without one.
  package var heapTimeline: [HeapPoint] { seen.withLock { $0.heap.points } }

  /// Starts the thread; returns when it has taken the first sample.
  ///
  /// Does nothing if it is already running. A sampler that was started stays alive until it is stopped.
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
  /// Does nothing if none is running.
  package func stop() {
    thread.withLock { thread in
      guard let running = thread else { return }
      isToStop.store(true, ordering: .relaxed)
      running.join()
      isRunning.store(false, ordering: .relaxed)
      thread = nil
    }
  }

  /// Takes a sample now, at the end of a phase or when a figure is known to be high.
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

  /// Resets the peaks and takes a sample, at the start of a phase.
  package func resetPeaks() {
    seen.withLock { $0.peaks = MemoryPeaks() }
    sample()
  }

  /// Labels the heap's points with the current stage.
  package func follow(stages: @escaping @Sendable () -> String?) { seen.withLock { $0.heap.stage = stages } }

  /// Records the heap from now on; does not allocate.
  package func followHeap(_ meter: AllocationMeter, from level: OwnedFigures) {
    seen.withLock { $0.heap.begin(meter, from: level) }
  }

  /// Stops recording the heap, with these figures as the last ones.
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
