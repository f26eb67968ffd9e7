// The outcome of a sample, from its worker's answer to a line of the journal.
internal import Foundation
internal import Instruments
package import BatchmarkEngine

/// A sample, or why there is none.
package struct SampleOutcome: Sendable {
  package var result: Result<Sample, FailedSample>
  /// How long the attempt took in seconds, including the worker's start and end; `nil` if not recorded.
  package var seconds: Double?
  /// The format of the job, in a worker's answer; `nil` in a journal, because its header has its own format.
  private(set) var format: Int?

  private init(_ result: Result<Sample, FailedSample>, seconds: Double?) {
    self.result = result
    self.seconds = seconds
  }

  /// A successful outcome.
  package static func sample(_ sample: Sample, seconds: Double? = nil) -> SampleOutcome {
    SampleOutcome(.success(sample), seconds: seconds)
  }

  package static func failure(_ failure: FailedSample, seconds: Double? = nil) -> SampleOutcome {
    SampleOutcome(.failure(failure), seconds: seconds)
  }

  /// The planned sample of this outcome.
  package var key: SampleKey {
    switch result {
    case .success(let sample): sample.key
    case .failure(let failure): failure.key
    }
  }
}

/// A sample with a worker that died, hung, failed, or stored wrong rows.
package struct FailedSample: Error, Codable, Sendable, Hashable {
  package var cell: String
  package var pass: Pass
  package var round: Int
  /// What happened, in one sentence.
  package var reason: String
  /// The end of the worker's standard error.
  package var standardError: String
  /// Whether the worker's build answers in a format that this build cannot read; not stored.
  package var isOtherFormat = false

  private enum CodingKeys: String, CodingKey { case cell, pass, round, reason, standardError }

  package init(cell: String, pass: Pass, round: Int, reason: String, standardError: String) {
    self.cell = cell
    self.pass = pass
    self.round = round
    self.reason = reason
    self.standardError = standardError
  }

  /// The failure of a job's sample.
  package init(_ job: SampleJob, reason: String, standardError: String = "") {
    self.init(cell: job.cell.id, pass: job.pass, round: job.round, reason: reason, standardError: standardError)
  }

  /// A failure as a worker reports it.
  ///
  /// It does not name the sample, which the harness knows.
  fileprivate init(answer reason: String) {
    self.init(cell: "", pass: .timing, round: 0, reason: reason, standardError: "")
  }
}

extension SampleOutcome: Codable {
  private enum CodingKeys: CodingKey { case format, sample, failure, error, seconds }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    format = try values.decodeIfPresent(Int.self, forKey: .format)
    seconds = try values.decodeIfPresent(Double.self, forKey: .seconds)
    if let sample = try values.decodeIfPresent(Sample.self, forKey: .sample) {
      result = .success(sample)
    } else if format != nil {
      result = .failure(FailedSample(answer: try values.decode(String.self, forKey: .error)))
    } else {
      result = .failure(try values.decode(FailedSample.self, forKey: .failure))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(format, forKey: .format)
    try values.encodeIfPresent(seconds, forKey: .seconds)
    switch result {
    case .success(let sample): try values.encode(sample, forKey: .sample)
    case .failure(let failure) where format != nil: try values.encode(failure.reason, forKey: .error)
    case .failure(let failure): try values.encode(failure, forKey: .failure)
    }
  }
}

extension SampleOutcome {
  /// A worker's answer with its sample.
  package init(answer sample: Sample) {
    self.init(.success(sample), seconds: nil)
    format = SampleJob.currentFormat
  }

  /// A worker's answer without a sample: one sentence.
  package init(answer error: String) {
    self.init(.failure(FailedSample(answer: error)), seconds: nil)
    format = SampleJob.currentFormat
  }

  /// Decodes the answer of a worker of this build, or of a build that differs only in its metrics; `nil` for anything
  /// else.
  ///
  /// Unknown metrics are dropped, so that builds from before and after a new metric can be compared.
  init?(answer line: Data) {
    if let answer = try? JSONDecoder().decode(SampleOutcome.self, from: line) {
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
    if let absences = sample["absences"] as? [[String: Any]] {
      sample["absences"] = absences.map { absence in
        var known = absence
        known["metrics"] = (absence["metrics"] as? [String] ?? []).filter { MetricID(rawValue: $0) != nil }
        return known
      }
    }
    answer["sample"] = sample
    guard let known = try? JSONSerialization.data(withJSONObject: answer),
      let answer = try? JSONDecoder().decode(SampleOutcome.self, from: known)
    else { return nil }
    self = answer
  }
}
