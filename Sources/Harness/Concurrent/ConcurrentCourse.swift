// How latencies and the WAL changed over the measured phase, slice by slice, as stored in a sample.
package import BatchmarkEngine
package import Statistics

/// How the concurrent operations changed over the measured phase, in slices of equal width.
package struct ConcurrentCourse: Codable, Sendable, Hashable {
  /// The width of a slice; the last one may be shorter.
  package var sliceMilliseconds: Int
  /// The length of all slices together.
  package var seconds: Double
  package var classes: [OperationCourse]
  /// The size of the WAL file at the end of each slice, 0 if there was none; `nil` if there never was one.
  package var walBytes: [Int64]?

  package init(sliceMilliseconds: Int, seconds: Double, classes: [OperationCourse], walBytes: [Int64]?) {
    self.sliceMilliseconds = sliceMilliseconds
    self.seconds = seconds
    self.classes = classes
    self.walBytes = walBytes
  }

  /// Joins the finest slices into wider ones.
  ///
  /// - Parameters:
  ///   - slices: The operations of each class, in joined slices.
  ///   - sizes: The WAL's size at the end of each of the finest slices; 0 where there was none.
  ///   - joining: How many of the finest slices make up a joined one.
  ///   - seconds: The length of all slices together.
  init(_ slices: [OperationClass: LatencySlices], _ sizes: [Int64], joining: Int, seconds: Double) {
    let ends = stride(from: 0, to: sizes.count, by: max(joining, 1)).map { min($0 + joining, sizes.count) - 1 }
    self.init(
      sliceMilliseconds: joining * Int(LatencySlices.finest / 1_000_000), seconds: seconds,
      classes: OperationClass.allCases.compactMap { name in
        slices[name].map { OperationCourse(name, $0, count: ends.count) }
      },
      walBytes: sizes.contains { $0 > 0 } ? ends.map { sizes[$0] } : nil)
  }

  package subscript(name: OperationClass) -> OperationCourse? { classes.first { $0.name == name } }
}

/// The latencies of one class of operations, slice by slice.
///
/// An operation counts in the slice of its intended start.
///
/// There is a list for each metric: a dictionary for each slice would take several times as many bytes.
package struct OperationCourse: Codable, Sendable, Hashable {
  package var name: OperationClass
  /// The number of operations with an intended start in each slice.
  package var counts: [Int]
  /// The median latency of each slice, in nanoseconds; 0 if the slice has no operations.
  package var p50: [UInt64]
  /// The 99th percentile of each slice.
  package var p99: [UInt64]
  /// The longest latency of each slice.
  package var longest: [UInt64]

  /// Computes the figures of the first `count` slices.
  ///
  /// Operations that were due after the end, but began before the process learned of it, count in the last slice.
  package init(_ name: OperationClass, _ slices: LatencySlices, count: Int) {
    self.name = name
    var histograms = (0..<count).map { $0 < slices.slices.count ? slices.slices[$0] : LatencyHistogram() }
    for late in slices.slices.dropFirst(count) where count > 0 { histograms[count - 1].merge(late) }
    counts = histograms.map(\.count)
    func figures(_ figure: LatencyFigure) -> [UInt64] {
      histograms.map { $0.percentile(perMille: figure.perMille) ?? 0 }
    }
    (p50, p99, longest) = (figures(.p50), figures(.p99), figures(.longest))
  }
}
