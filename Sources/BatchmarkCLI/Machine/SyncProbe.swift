// The time of a sync: the price of every durable commit, which varies much between disks.
internal import Analysis
internal import Foundation
internal import Harness
internal import Statistics
internal import Support

/// The times of syncs of small writes to one file.
struct SyncProbe {
  /// The median and the 99th percentile, in seconds.
  let median: Double
  let slowest: Double
  let syncs: Int

  /// Repeatedly writes 4 KiB and syncs, in a file that is removed afterwards.
  ///
  /// - Throws: ``OutputError`` if the folder cannot be written.
  init(in folder: String, syncs: Int = 50) throws(OutputError) {
    let place: PrivateFolder
    do { place = try PrivateFolder(in: folder) } catch { throw .unwritable(path: folder, reason: error.reason) }
    defer { withExtendedLifetime(place) {} }
    let path = place.path + "/syncs"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SyncProbe.error(path) }
    defer { close(descriptor) }
    let page = [UInt8](repeating: 0x5A, count: 4096)
    var times: [Double] = []
    for _ in 0..<max(syncs, 1) {
      let start = MonotonicClock.now()
      guard write(descriptor, page, page.count) == page.count, fsync(descriptor) == 0 else {
        throw SyncProbe.error(path)
      }
      times.append(Double(MonotonicClock.now() - start) / 1e9)
    }
    median = Statistics.median(times) ?? 0
    slowest = quantile(times, 0.99) ?? 0
    self.syncs = times.count
  }

  /// `50 syncs of 4 KiB: median 1.24 ms, 99th percentile 3.1 ms`.
  var text: String {
    "\(syncs) syncs of 4 KiB: median \(SyncProbe.milliseconds(median)), 99th percentile \(SyncProbe.milliseconds(slowest))"
  }

  private static func milliseconds(_ seconds: Double) -> String { "\((seconds * 100_000).rounded() / 100) ms" }

  private static func error(_ path: String) -> OutputError {
    .unwritable(path: path, reason: String(cString: strerror(errno)))
  }
}
