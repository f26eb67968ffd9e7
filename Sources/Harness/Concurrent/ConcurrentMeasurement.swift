// The results of the concurrent operations, as a sample stores them.
package import BatchmarkEngine
package import Statistics
internal import Support

/// The concurrent operations of a sample.
package struct ConcurrentMeasurement: Codable, Sendable, Hashable {
  /// The operations of each class that occurred.
  package var classes: [ConcurrentOperations]
  /// The size of the WAL's file at the end of the phase, in bytes; `nil` without one.
  package var walBytes: Int64?
  /// The processors that the measured process may run on; `nil` where the system does not report it.
  package var processors: Int?
  /// The course of the phase; `nil` in samples of builds that did not record it.
  package var course: ConcurrentCourse?

  package init(
    classes: [ConcurrentOperations], walBytes: Int64?, processors: Int? = nil, course: ConcurrentCourse? = nil
  ) {
    self.classes = classes
    self.walBytes = walBytes
    self.processors = processors
    self.course = course
  }
}

/// Operations of one class, all processes together.
package struct ConcurrentOperations: Codable, Sendable, Hashable {
  package var name: OperationClass
  /// How many readers or writers there were, as processes or threads.
  package var processes: Int
  /// Whether they were processes or threads; `nil` in samples of builds that had only processes.
  package var place: ConcurrentWork.Place?
  /// The operations per second that each process was to begin.
  package var rate: Int
  package var tally: OperationTally

  package init(
    _ name: OperationClass, processes: Int, place: ConcurrentWork.Place? = nil, rate: Int, tally: OperationTally
  ) {
    self.name = name
    self.processes = processes
    self.place = place
    self.rate = rate
    self.tally = tally
  }
}

/// The results of operations that were due at a fixed rate.
package struct OperationTally: Codable, Sendable, Hashable {
  /// Operations with an intended start during the phase.
  package var due = 0
  /// Operations that completed.
  package var done = 0
  /// Operations that began after the next one was due, or that never began.
  package var late = 0
  /// Attempts after the first.
  package var retries = 0
  /// How often SQLite refused an attempt, by the name of its code, such as `SQLITE_BUSY`.
  package var refusals: [String: Int] = [:]
  /// The time from an operation's first refused attempt to the one that succeeded, in seconds.
  package var busySeconds = 0.0
  /// The time from the intended start to the end.
  ///
  /// For operations that never completed, the time until they were abandoned.
  package var latency = LatencyHistogram()

  package init() {}

  /// Adds the results of another process or round.
  package mutating func add(_ other: OperationTally) {
    due = due.addingClamped(other.due)
    done = done.addingClamped(other.done)
    late = late.addingClamped(other.late)
    retries = retries.addingClamped(other.retries)
    refusals.merge(other.refusals) { $0.addingClamped($1) }
    busySeconds += other.busySeconds
    latency.merge(other.latency)
  }
}
