// Latencies over time: a histogram for each slice, so that a single stall can be located.

/// Latencies of operations by the slice of time in which each one was due.
///
/// An operation counts in the slice of its intended start, so that a stall shows from the moment when the first
/// operation had to wait.
package struct LatencySlices: Codable, Sendable, Hashable {
  /// The width of a recorded slice, in nanoseconds.
  package static let finest: UInt64 = 10_000_000
  /// The maximum number of slices to keep.
  package static let most = 100

  /// One histogram for each slice, from the beginning to the last slice in which an operation was due.
  package private(set) var slices: [LatencyHistogram] = []

  package init() {}

  /// Adds an operation.
  ///
  /// - Parameters:
  ///   - nanoseconds: The time from its intended start to its end.
  ///   - start: Its intended start, in nanoseconds from the beginning.
  package mutating func record(_ nanoseconds: UInt64, dueAfter start: UInt64) {
    let index = Int(start / LatencySlices.finest)
    while slices.count <= index { slices.append(LatencyHistogram()) }
    slices[index].record(nanoseconds)
  }

  /// Joins this many slices into one; the last one may have fewer.
  package func joined(by count: Int) -> LatencySlices {
    let count = max(count, 1)
    var joined = LatencySlices()
    joined.slices = stride(from: 0, to: slices.count, by: count).map { first in
      .pooled(slices[first..<min(first + count, slices.count)])
    }
    return joined
  }

  /// Adds the operations of another process, slice by slice.
  ///
  /// Both must have slices of the same width.
  package mutating func merge(_ other: LatencySlices) {
    while slices.count < other.slices.count { slices.append(LatencyHistogram()) }
    for (index, slice) in other.slices.enumerated() { slices[index].merge(slice) }
  }

  /// How many of the finest slices to combine into one, so that there are at most ``most``.
  ///
  /// - Parameter nanoseconds: The length of all slices together.
  /// - Returns: 1, 2, 5, 10, 20 and so on.
  package static func joining(_ nanoseconds: UInt64) -> Int {
    let needed = Double(nanoseconds) / Double(finest) / Double(most)
    var power = 1
    while true {
      for factor in [1, 2, 5] where Double(factor * power) >= needed { return factor * power }
      power *= 10
    }
  }
}
