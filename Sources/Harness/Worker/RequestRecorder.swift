// How long each request of a session's work took.
internal import BatchmarkEngine
internal import Instruments
internal import Statistics
internal import Synchronization

/// Records the times of requests in a histogram.
///
/// Each save or batch costs two clock readings and an uncontended lock: some tens of nanoseconds.
final class RequestRecorder: RequestTimer {
  private let durations = Mutex(LatencyHistogram())

  func time<Result>(_ request: () throws -> Result) rethrows -> Result {
    let start = TimeSlices.now()
    let result = try request()
    let end = TimeSlices.now()
    durations.withLock { $0.record(end - start) }
    return result
  }

  /// The requests so far; `nil` if there is at most one, which takes the time of the whole work.
  var histogram: LatencyHistogram? {
    let found = durations.withLock { $0 }
    return found.count > 1 ? found : nil
  }
}
