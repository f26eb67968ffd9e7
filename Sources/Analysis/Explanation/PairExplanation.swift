// Why the two sides of a comparison differ: findings with their evidence, ranked by how much of the change they
// explain.
internal import BatchmarkEngine

/// The causes of a comparison's change, the largest first.
package struct PairExplanation: Codable, Sendable, Hashable {
  /// What changed; `nil` if neither the time nor a judged metric certainly did.
  package var change: Change?
  /// The causes; empty if none was found.
  package var findings: [CauseFinding]
  /// What was examined.
  package var examined: Examined
  /// What could not be examined, in one sentence each.
  package var gaps: [String]

  /// The change to explain.
  package struct Change: Codable, Sendable, Hashable {
    /// The column of the metric: wall time, or the metric that grew most.
    package var metric: String
    /// Head's value over base's, minus one: 0.05 is 5 % more.
    package var share: Double

    /// Whether the time changed.
    package var isOfTime: Bool { metric == MetricID.wall.rawValue }

    package init(metric: String, share: Double) {
      self.metric = metric
      self.share = share
    }
  }

  /// How much was examined.
  package struct Examined: Codable, Sendable, Hashable {
    /// Exact metrics that both sides have.
    package var figures = 0
    /// SQL texts without their values.
    package var statements = 0
    package var stages = 0
    /// Stacks of both sides.
    package var stacks = 0
    /// How often stages and statements were timed on each side.
    package var rounds = 0
  }

  /// The part of the change that the findings explain together; `nil` if no finding has a part.
  package var explainedShare: Double? {
    let parts = findings.compactMap(\.part?.share)
    return parts.isEmpty ? nil : min(1, parts.reduce(0, +))
  }
}

/// A cause of a change.
package struct CauseFinding: Codable, Sendable, Hashable {
  package var kind: Kind
  /// Its subject: an SQL text without values, a stage or a function; `nil` for the whole phase.
  package var subject: String?
  /// Base's SQL text, if it differs from head's.
  package var baseSubject: String?
  /// The figures of both sides that prove it, the deciding one first.
  package var evidence: [Evidence]
  /// The plans of both sides; `nil` if they are the same or unknown.
  package var basePlan: String?
  package var headPlan: String?
  /// How much of the change it explains; `nil` if unknown.
  package var part: Part?

  init(_ kind: Kind, subject: String? = nil, _ evidence: [Evidence], part: Part? = nil) {
    self.kind = kind
    self.subject = subject
    self.evidence = evidence
    self.part = part
  }

  /// The kinds of causes, the most specific first.
  package enum Kind: String, Codable, Sendable, CaseIterable {
    /// A statement has another plan.
    case queryPlan
    /// A statement is prepared again more often.
    case preparation
    /// A statement runs more often.
    case statements
    /// More rows are inserted into automatic indexes.
    case automaticIndex
    /// A statement sorts more.
    case sorts
    /// A statement scans more of a table.
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
    /// More memory is in use, with about the same allocations.
    case heap
    /// Processor time of threads other than the measured one.
    case otherThreads
    /// Time without any processor working.
    case wait
    /// A function that only one side runs.
    case newCode
    /// A statement takes longer without any different counts.
    case statementTime
    /// A stage takes longer, and nothing else explains it.
    case stage
  }

  /// A figure of both sides.
  package struct Evidence: Codable, Sendable, Hashable {
    /// A count of a statement such as `runs` or `preparations`, or the column of a metric.
    ///
    /// Those in nanoseconds end in `_ns`, those in bytes in `_bytes` or `bytes_written`.
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
    /// The ends of its interval, both equal to the share for exact figures; `nil` if it is estimated from typical
    /// costs.
    package var low: Double?
    package var high: Double?

    package init(share: Double, low: Double? = nil, high: Double? = nil) {
      self.share = share
      self.low = low
      self.high = high
    }
  }
}
