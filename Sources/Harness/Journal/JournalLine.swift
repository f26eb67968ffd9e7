// The lines of a journal after its header, one JSON object each.

/// What became of one planned sample.
package struct JournalEntry: Sendable {
  package enum Outcome: Sendable {
    case sample(Sample)
    case failure(FailedSample)
  }

  package var outcome: Outcome
  /// What the try took, its worker's start and end included, in seconds; nil where nobody looked.
  package var seconds: Double?

  package init(_ outcome: Outcome, seconds: Double? = nil) {
    self.outcome = outcome
    self.seconds = seconds
  }

  /// The entry of a sample.
  package static func sample(_ sample: Sample, seconds: Double? = nil) -> JournalEntry {
    JournalEntry(.sample(sample), seconds: seconds)
  }

  /// The entry of a failure.
  package static func failure(_ failure: FailedSample, seconds: Double? = nil) -> JournalEntry {
    JournalEntry(.failure(failure), seconds: seconds)
  }

  /// The planned sample that it is about.
  package var key: SampleKey {
    switch outcome {
    case .sample(let sample): sample.key
    case .failure(let failure): failure.key
    }
  }
}

/// A line as it is written: a header, or what became of a sample.
struct JournalLine: Codable {
  var header: JournalHeader?
  var sample: Sample?
  var failure: FailedSample?
  var seconds: Double?

  init(header: JournalHeader) { self.header = header }

  init(_ entry: JournalEntry) {
    seconds = entry.seconds
    switch entry.outcome {
    case .sample(let sample): self.sample = sample
    case .failure(let failure): self.failure = failure
    }
  }

  var entry: JournalEntry? {
    sample.map { .sample($0, seconds: seconds) } ?? failure.map { .failure($0, seconds: seconds) }
  }
}
