// Records the size of the WAL over the measured phase, in a separate thread.
internal import Statistics
internal import Support
internal import Synchronization

/// Records the size of the WAL file at the end of every slice.
///
/// It asks the system for the file size a hundred times a second; each call takes some microseconds.
final class WALWatch: Sendable {
  private let path: String
  private let begin: UInt64
  private let isOver = Atomic(false)
  private let sizes = Mutex<[Int64]>([])
  private let thread = Mutex<PlainThread?>(nil)

  /// Starts watching at a given moment.
  ///
  /// - Parameters:
  ///   - path: The WAL's file, which may not exist.
  ///   - begin: The beginning of the first slice, in nanoseconds of the monotonic clock.
  /// - Throws: `SystemError` if the process may not have more threads.
  init(_ path: String, from begin: UInt64) throws(SystemError) {
    (self.path, self.begin) = (path, begin)
    let started = try PlainThread { [self] in run() }
    thread.withLock { $0 = started }
  }

  /// Stops watching, with the slice that contains `end` as the last one.
  ///
  /// - Parameters:
  ///   - end: A moment in the past.
  ///   - bytes: The size at that moment; `nil` if there is no WAL.
  /// - Returns: The size at the end of each slice; 0 without a WAL.
  func end(at end: UInt64, _ bytes: Int64?) -> [Int64] {
    stop()
    let count = WALWatch.slices(until: end, from: begin)
    let seen = sizes.withLock { $0 }
    // Slices without a reading, and the last one, get the size at the end.
    return (0..<count).map { $0 < min(seen.count, count - 1) ? seen[$0] : bytes ?? 0 }
  }

  /// The last recorded size; `nil` before the end of the first slice.
  var latest: Int64? { sizes.withLock { $0.last } }

  /// Stops watching; does nothing if it has stopped already.
  func stop() {
    isOver.store(true, ordering: .relaxed)
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  /// The number of slices until a moment, including the last, partial one.
  static func slices(until end: UInt64, from begin: UInt64) -> Int {
    end > begin ? Int((end - begin + LatencySlices.finest - 1) / LatencySlices.finest) : 0
  }

  private func run() {
    while !isOver.load(ordering: .relaxed) {
      let next = sizes.withLock { begin + UInt64($0.count + 1) * LatencySlices.finest }
      let now = MonotonicClock.now()
      guard now >= next else {
        PlainThread.sleep(nanoseconds: Int(min(next - now, LatencySlices.finest)))
        continue
      }
      // After a delay, the current size counts for all slices that have ended since.
      let ended = Int((now - begin) / LatencySlices.finest)
      let bytes = FileStatus(path)?.bytes ?? 0
      sizes.withLock { sizes in
        sizes += Array(repeating: bytes, count: ended - sizes.count)
      }
    }
  }
}
