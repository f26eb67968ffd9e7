// The size of the WAL over the measured phase, looked at by a thread that does nothing else.
internal import Statistics
internal import Support
internal import Synchronization

/// Looks at the WAL's file at the end of every slice.
///
/// It asks the system for the size of a file a hundred times a second, which takes some microseconds each time.
final class WALWatch: Sendable {
  private let path: String
  private let begin: UInt64
  private let isOver = Atomic(false)
  private let sizes = Mutex<[Int64]>([])
  private let thread = Mutex<PlainThread?>(nil)

  /// Watches from a moment on.
  ///
  /// - Parameters:
  ///   - path: The WAL's file, which may not exist.
  ///   - begin: The beginning of the first slice, in nanoseconds of the monotonic clock.
  /// - Throws: `SystemError` where the process may have no more threads.
  init(_ path: String, from begin: UInt64) throws(SystemError) {
    (self.path, self.begin) = (path, begin)
    let started = try PlainThread { [self] in run() }
    thread.withLock { $0 = started }
  }

  /// Ends with the slice that contains that moment.
  ///
  /// - Parameters:
  ///   - end: The moment, which is over.
  ///   - bytes: The size at it; nil where there is no WAL.
  /// - Returns: The size at the end of each slice; 0 without a WAL.
  func end(at end: UInt64, _ bytes: Int64?) -> [Int64] {
    stop()
    let count = WALWatch.slices(until: end, from: begin)
    let seen = sizes.withLock { $0 }
    // What ends with the phase or was not looked at in time has the size at the end.
    return (0..<count).map { $0 < min(seen.count, count - 1) ? seen[$0] : bytes ?? 0 }
  }

  /// The size that was seen last; nil before the first slice has ended.
  var latest: Int64? { sizes.withLock { $0.last } }

  /// Looks no more; does nothing when it has ended.
  func stop() {
    isOver.store(true, ordering: .relaxed)
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  /// How many slices there are until a moment, the last of them in part.
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
      // If it could not look, the current size counts for all slices that have ended since.
      let ended = Int((now - begin) / LatencySlices.finest)
      let bytes = FileStatus(path)?.bytes ?? 0
      sizes.withLock { sizes in
        sizes += Array(repeating: bytes, count: ended - sizes.count)
      }
    }
  }
}
