// How long each request of a session's work took.
internal import BatchmarkEngine
internal import Instruments
internal import Statistics
internal import Synchronization

/// Counts the times of requests in a histogram.
///
/// Two readings of a clock and an uncontended lock: some tens of nanoseconds for each save or batch.
final class RequestRecorder: RequestTimer {
  private let durations = Mutex(LatencyHistogram())

  func time<Result>(_ request: () throws -> Result) rethrows -> Result {
    let start = TimeSlices.now()
    let result = try request()
    let end = TimeSlices.now()
    durations.withLock { $0.record(end - start) }
    return result
  }

  /// The requests so far; nil where there is one at most, whose time is that of the whole.
  var histogram: LatencyHistogram? {
    let found = durations.withLock { $0 }
    return found.count > 1 ? found : nil
  }
}
