// How latencies and the WAL changed over the measured phase, slice by slice, as a sample keeps them.
package import BatchmarkEngine
package import Statistics

/// How the operations beside the phase changed over it, in slices of equal width from its beginning to its end.
package struct ConcurrentCourse: Codable, Sendable, Hashable {
  /// The width of a slice; the last may end before.
  package var sliceMilliseconds: Int
  /// How long all slices last together.
  package var seconds: Double
  package var classes: [OperationCourse]
  /// The size of the WAL's file at the end of each slice, 0 where there was none; nil where there never was one.
  package var walBytes: [Int64]?

  package init(sliceMilliseconds: Int, seconds: Double, classes: [OperationCourse], walBytes: [Int64]?) {
    self.sliceMilliseconds = sliceMilliseconds
    self.seconds = seconds
    self.classes = classes
    self.walBytes = walBytes
  }

  /// What operations and the WAL were in the finest slices and in those joined of them.
  ///
  /// - Parameters:
  ///   - slices: The operations of each class, in joined slices.
  ///   - sizes: The WAL's size at the end of each of the finest slices; 0 where there was none.
  ///   - joining: How many of the finest make one.
  ///   - seconds: How long all last together.
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

/// The latencies of one class of operations, slice by slice: an operation counts in the slice in which it was to begin.
///
/// A list for each figure, since a mapping for each slice would take several times as many bytes.
package struct OperationCourse: Codable, Sendable, Hashable {
  package var name: OperationClass
  /// Operations that were to begin in each slice.
  package var counts: [Int]
  /// Half of a slice's operations took no longer, in nanoseconds; 0 where it has none.
  package var p50: [UInt64]
  /// 99 % of them.
  package var p99: [UInt64]
  /// All of them.
  package var longest: [UInt64]

  /// The figures of each slice, so many slices.
  ///
  /// What was still begun while the end was on its way, and due after it, is in the last one.
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
