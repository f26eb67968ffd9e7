// How long a cell's concurrent operations took over one round, and the WAL's size meanwhile. It is the round with the
// median time, because a mean of several courses would not be the course of any round.
package import BatchmarkEngine
package import Harness

/// The operations of one class that ran concurrently with a cell, over the phase of one round.
package struct LatencyCourse: Sendable {
  /// A part of the phase.
  package struct Slice: Sendable, Hashable {
    /// In seconds from the beginning of the phase.
    package let start: Double
    package let end: Double
    /// Operations that were due in it.
    package let count: Int
    /// In seconds; `nil` if no operation was due in it.
    package let p50: Double?
    package let p99: Double?
    package let longest: Double?
    /// The WAL's size at its end; `nil` if there was never a WAL.
    package let walBytes: Int64?
  }

  package let name: OperationClass
  package let round: Int
  /// The width of a slice in seconds; the last one may be shorter.
  package let width: Double
  package let slices: [Slice]

  /// The first slice with the longest operation of all; `nil` if none was due.
  package var longestSlice: Slice? {
    let longest = slices.compactMap(\.longest).max()
    return slices.first { $0.longest != nil && $0.longest == longest }
  }
}

extension LatencyCourse {
  /// The courses of one sample, class by class; empty if it recorded none.
  package static func all(of sample: Sample) -> [LatencyCourse] {
    guard let course = sample.concurrent?.course else { return [] }
    let width = Double(course.sliceMilliseconds) / 1e3
    return course.classes.map { operations in
      LatencyCourse(
        name: operations.name, round: sample.round, width: width, slices: slices(of: operations, in: course, width))
    }
  }

  private static func slices(
    of operations: OperationCourse, in course: ConcurrentCourse, _ width: Double
  ) -> [Slice] {
    // Stored lists may have been edited by hand; use the length of the shortest one.
    let count =
      [operations.counts.count, operations.p50.count, operations.p99.count, operations.longest.count].min() ?? 0
    return (0..<count).map { index in
      func seconds(_ nanoseconds: [UInt64]) -> Double? {
        operations.counts[index] > 0 ? Double(nanoseconds[index]) / 1e9 : nil
      }
      let start = Double(index) * width
      let sizes = course.walBytes ?? []
      return Slice(
        start: start, end: max(start, min(start + width, course.seconds)), count: operations.counts[index],
        p50: seconds(operations.p50), p99: seconds(operations.p99), longest: seconds(operations.longest),
        walBytes: index < sizes.count ? sizes[index] : nil)
    }
  }
}

extension ScenarioReport {
  /// The courses of the cell's round with the median time, or the shorter of two, class by class; empty if no sample
  /// recorded any.
  package func latencyCourses(of cell: CellReport) -> [LatencyCourse] {
    let setAside = setAside
    let followed = cell.samples.filter {
      $0.pass == .timing && $0.concurrent?.course != nil && !setAside.contains($0)
    }
    func wall(_ sample: Sample) -> Double { sample.mainPhase?.wallSeconds ?? 0 }
    let ordered = followed.sorted { (wall($0), $0.round) < (wall($1), $1.round) }
    return ordered.isEmpty ? [] : LatencyCourse.all(of: ordered[(ordered.count - 1) / 2])
  }
}
