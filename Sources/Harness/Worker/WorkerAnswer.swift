// The one line a worker writes to standard output.
internal import Foundation
internal import Instruments

/// A worker's answer: a sample, or why there is none.
package struct WorkerAnswer: Codable, Sendable {
  /// That of jobs, `SampleJob.currentFormat`.
  package var format = SampleJob.currentFormat
  package var sample: Sample?
  /// One sentence.
  package var error: String?

  package init(sample: Sample) { self.sample = sample }

  package init(error: String) { self.error = error }

  /// What a worker of this build answers, or of one that differs in its metrics alone; nil for anything else.
  ///
  /// Metrics that are not known here are left out, so that builds before and after a new metric can be compared.
  init?(line: Data) {
    if let answer = try? JSONDecoder().decode(WorkerAnswer.self, from: line) {
      self = answer
      return
    }
    guard var answer = try? JSONSerialization.jsonObject(with: line) as? [String: Any],
      var sample = answer["sample"] as? [String: Any], var phases = sample["phases"] as? [[String: Any]]
    else { return nil }
    for index in phases.indices {
      guard let metrics = phases[index]["metrics"] as? [String: Any] else { return nil }
      phases[index]["metrics"] = metrics.filter { MetricID(rawValue: $0.key) != nil }
    }
    sample["phases"] = phases
    answer["sample"] = sample
    guard let known = try? JSONSerialization.data(withJSONObject: answer),
      let answer = try? JSONDecoder().decode(WorkerAnswer.self, from: known)
    else { return nil }
    self = answer
  }
}
