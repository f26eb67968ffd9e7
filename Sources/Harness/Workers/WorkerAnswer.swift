// The one line a worker writes to standard output.
package import Workloads

/// A worker's answer: a sample, or why there is none.
package struct WorkerAnswer: Codable, Sendable {
  /// That of jobs, `SampleJob.currentFormat`.
  package var format = SampleJob.currentFormat
  package var sample: Sample?
  /// One sentence.
  package var error: String?

  package init(sample: Sample) { self.sample = sample }

  package init(error: String) { self.error = error }
}
