// The lines of a journal after its header, one JSON object each.
public import Workloads

/// What became of one planned sample.
public enum JournalEntry: Sendable {
  case sample(Sample)
  case failure(FailedSample)
}

/// A line as it is written: exactly one member is there.
struct JournalLine: Codable {
  var header: JournalHeader?
  var sample: Sample?
  var failure: FailedSample?

  init(header: JournalHeader) { self.header = header }

  init(_ entry: JournalEntry) {
    switch entry {
    case .sample(let sample): self.sample = sample
    case .failure(let failure): self.failure = failure
    }
  }

  var entry: JournalEntry? { sample.map(JournalEntry.sample) ?? failure.map(JournalEntry.failure) }
}
