// Why the two sides of a comparison differ: findings, each with what shows it, ranked by how much of the change they account
// for.
internal import BatchmarkEngine

/// The causes of a comparison's change, the largest first.
package struct PairExplanation: Codable, Sendable, Hashable {
  /// What changed; nil where neither the time nor a judged figure was shown to.
  package var change: Change?
  /// The causes; empty where what was examined explains nothing.
  package var findings: [CauseFinding]
  /// What was looked at.
  package var examined: Examined
  /// What could not be examined, in one sentence each.
  package var gaps: [String]

  /// The change to explain.
  package struct Change: Codable, Sendable, Hashable {
    /// The column of the metric: the wall time's, or that of the figure that grew the most.
    package var metric: String
    /// Head's over base's, less one: 0.05 is 5 % more.
    package var share: Double

    /// Whether it is the time that changed.
    package var isOfTime: Bool { metric == MetricID.wall.rawValue }

    package init(metric: String, share: Double) {
      self.metric = metric
      self.share = share
    }
  }

  /// How much was looked at.
  package struct Examined: Codable, Sendable, Hashable {
    /// Exact figures that both sides have.
    package var figures = 0
    /// SQL texts, their values left out.
    package var statements = 0
    package var stages = 0
    /// Stacks of both sides.
    package var stacks = 0
    /// Times that stages and statements were timed on each side.
    package var rounds = 0
  }

  /// The part of the change that the findings account for together; nil where no finding says its part.
  package var explainedShare: Double? {
    let parts = findings.compactMap(\.part?.share)
    return parts.isEmpty ? nil : min(1, parts.reduce(0, +))
  }
}

/// A cause of a change.
package struct CauseFinding: Codable, Sendable, Hashable {
  package var kind: Kind
  /// What it is about: an SQL text without its values, a stage or a function; nil where it is about the whole phase.
  package var subject: String?
  /// Base's SQL text, if it differs from head's.
  package var baseSubject: String?
  /// The figures of both sides that show it, the deciding one first.
  package var evidence: [Evidence]
  /// The plans of both sides; nil where they are the same or not known.
  package var basePlan: String?
  package var headPlan: String?
  /// How much of the change it accounts for; nil where that is not known.
  package var part: Part?

  init(_ kind: Kind, subject: String? = nil, _ evidence: [Evidence], part: Part? = nil) {
    self.kind = kind
    self.subject = subject
    self.evidence = evidence
    self.part = part
  }

  /// What kind of cause it is, the most specific first.
  package enum Kind: String, Codable, Sendable, CaseIterable {
    /// A statement is answered by another plan.
    case queryPlan
    /// A statement is prepared again more often.
    case preparation
    /// A statement runs more often.
    case statements
    /// More rows are put into an index made for one run.
    case automaticIndex
    /// A statement sorts more.
    case sorts
    /// A statement reads more of a table through.
    case fullScan
    /// A statement returns or changes more rows.
    case rows
    /// A statement takes more steps.
    case vmSteps
    case checkpoints
    case syncs
    /// More is written to files.
    case writes
    /// More is read from files, or fewer pages are found in memory.
    case reads
    case allocations
    /// More memory is held, with the same allocations or hardly more.
    case heap
    /// Processor time of threads other than the measured one.
    case otherThreads
    /// Time in which no processor works.
    case wait
    /// A function that only one side runs.
    case newCode
    /// A statement takes longer, and nothing that is counted differs.
    case statementTime
    /// A stage takes longer, and nothing else explains it.
    case stage
  }

  /// A figure on both sides.
  package struct Evidence: Codable, Sendable, Hashable {
    /// `runs`, `preparations` and others of a statement, or the column of a metric; those in nanoseconds end in `_ns`, those
    /// in bytes in `_bytes` or `bytes_written`.
    package var name: String
    package var base: Int64
    package var head: Int64

    package init(_ name: String, base: Int64, head: Int64) {
      self.name = name
      self.base = base
      self.head = head
    }
  }

  /// A part of the change: 0.9 is 90 % of it.
  package struct Part: Codable, Sendable, Hashable {
    package var share: Double
    /// The ends of its interval, both the share itself where figures are exact; nil where it is computed from what others cost.
    package var low: Double?
    package var high: Double?

    package init(share: Double, low: Double? = nil, high: Double? = nil) {
      self.share = share
      self.low = low
      self.high = high
    }
  }
}
