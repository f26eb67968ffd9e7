// The one line a worker writes to standard output.
public import Workloads

/// A worker's answer: a sample, or why there is none.
public struct WorkerAnswer: Codable, Sendable {
  /// That of jobs, `SampleJob.currentFormat`.
  public var format = SampleJob.currentFormat
  public var sample: Sample?
  /// One sentence.
  public var error: String?

  public init(sample: Sample) { self.sample = sample }

  public init(error: String) { self.error = error }
}
