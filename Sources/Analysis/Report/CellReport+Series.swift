// How a cell's WAL and heap changed over its main phase, each in one sample.
internal import Harness
package import Instruments

extension CellReport {
  /// The growth of the WAL in the first sample that recorded it; `nil` if there is none.
  package var growth: WALSeries? { WALSeries(samples.first { !$0.growth.isEmpty }?.growth) }

  /// The heap in the first sample that recorded it; `nil` if there is none.
  package var heap: HeapSeries? { HeapSeries(samples.first { !$0.heap.isEmpty }?.heap) }

  /// The growth of the WAL in the first sample that recorded it.
  package struct WALSeries: Sendable {
    /// Ordered by rows; never empty.
    package let points: [GrowthPoint]

    init?(_ points: [GrowthPoint]?) {
      guard let points, !points.isEmpty else { return nil }
      self.points = points
    }

    /// The largest size at any of the points, in bytes.
    package var highest: Int64 { points.map(\.walBytes).max() ?? 0 }

    /// The points before which a checkpoint moved pages.
    package var checkpoints: [GrowthPoint] {
      zip([nil] + points.map(Optional.some), points).filter { $1.checkpoints > ($0?.checkpoints ?? 0) }.map(\.1)
    }

    /// The end of the phase, if the last commit made the WAL larger than it was at the last row.
    package var commit: GrowthPoint? {
      guard let last = points.last, let before = points.dropLast().last, last.walBytes > before.walBytes,
        last.rows == before.rows
      else { return nil }
      return last
    }
  }

  /// The heap in the first sample that recorded it.
  package struct HeapSeries: Sendable {
    /// Ordered by time; never empty.
    package let points: [HeapPoint]
    /// The highest point.
    package let peak: HeapPoint

    init?(_ points: [HeapPoint]?) {
      guard let points, let peak = points.max(by: { $0.liveBytes < $1.liveBytes }) else { return nil }
      (self.points, self.peak) = (points, peak)
    }

    /// The time of the phase with all instruments, in seconds.
    package var seconds: Double { points.last?.seconds ?? 0 }

    /// A point's share of the phase, from 0 to 1; 0 if either time is not a number.
    package func share(of point: HeapPoint) -> Double {
      let share = point.seconds / seconds
      return seconds > 0 && share.isFinite ? min(max(share, 0), 1) : 0
    }

    /// The highest point of each of this many equal parts of the phase.
    ///
    /// A part without a point has the previous value.
    func highest(of parts: Int) -> [Int64] {
      var highest = [Int64?](repeating: nil, count: parts)
      for point in points {
        let part = min(Int(share(of: point) * Double(parts)), parts - 1)
        highest[part] = max(highest[part] ?? point.liveBytes, point.liveBytes)
      }
      var last: Int64 = 0
      return highest.map { part in
        last = part ?? last
        return last
      }
    }
  }
}
