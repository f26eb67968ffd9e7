// How the harness gets a sample taken. The plan, the order, failures and resuming are tested with a launcher that
// starts no process.
package import Support

/// Takes samples, each in a process of its own.
package protocol WorkerLauncher: Sendable {
  /// Takes one sample; never longer than `limit` seconds.
  ///
  /// - Throws: `CancellationError` when it was cancelled; the worker has then been stopped.
  func take(
    _ job: SampleJob, limit: Double, cancellation: Cancellation
  ) throws(CancellationError) -> WorkerOutcome
}

/// How a worker ended.
package enum WorkerOutcome: Sendable {
  case sample(Sample)
  case failure(WorkerFailure)
}

/// A worker that gave no valid sample.
package struct WorkerFailure: Sendable, Hashable {
  /// Whether the worker's build answers in a format that this one does not read.
  package var isOtherFormat = false
  /// What happened, in one sentence.
  package var reason: String
  /// The last of what the worker wrote to standard error.
  package var standardError: String

  package init(reason: String, standardError: String = "") {
    self.reason = reason
    self.standardError = standardError
  }
}
