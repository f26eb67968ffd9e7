// What a run reports to the display of its progress.
package import BatchmarkEngine

/// A step of a run.
package enum RunEvent: Sendable {
  /// A sample begins; `done` of `total` samples are behind it.
  case began(PlannedSample, done: Int, total: Int)
  /// It succeeded after so many seconds, the worker's start and end included.
  case measured(PlannedSample, seconds: Double)
  case failed(FailedSample)
  /// The cell failed so often in a row that its other samples are left out.
  case gaveUp(PlannedSample, failures: Int)
  /// The cell has rounds enough, or no time for more, so that those after this one are left out.
  case stoppedEarly(Cell, afterRound: Int, reason: EarlyStop)
  /// A cell's store was kept at this path.
  case kept(PlannedSample, path: String)
}
