// The answer to a scenario's question as a value. All outputs present this one, at different lengths.
package import BatchmarkEngine
internal import Harness
internal import Instruments
internal import Scenarios

/// A scenario's answer to its question.
package struct Answer: Codable, Sendable, Hashable {
  /// The question, which depends on what the scenario varies.
  package enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
    /// Which of several strategies to choose.
    case choice
    /// How time and memory grow with the rows.
    case growth
    /// How far strategies of many engines are from the references of their work.
    case reference
    /// How much of a parameter is enough, such as rows per save.
    case size
    /// What the values of a parameter cost.
    case price
    /// How much of Apple's comparison each step explains.
    case claim
    /// What the harness adds.
    case harness
  }

  package enum Verdict: String, Codable, Sendable, Hashable, CaseIterable {
    /// The choice is better than everything it is compared with, certainly or by an exact metric.
    case one
    /// The chosen cells cannot be distinguished; all others are certainly slower or need more.
    case alike
    /// Different cells win under different conditions; `cases` has them.
    case dependsOn = "depends_on"
    /// Times do not decide the choice.
    ///
    /// `against` still has what is known about memory and the WAL.
    case cannotTell = "cannot_tell"
    /// The question is not about a choice; `reasons` answer it.
    case findings
  }

  /// A cell compared with the choice.
  package struct Alternative: Codable, Sendable, Hashable {
    package var cell: CellID
    /// The chosen cell that it is compared with.
    package var base: CellID
    /// Its time divided by that of the base; `nil` if they share no round.
    package var time: Estimate?
    package var certainty: Certainty
    package var heap: Exact?
    package var wal: Exact?
    /// Its processor time divided by that of the base, if the order differs from that of wall time.
    package var processorTime: Estimate?
    /// Bytes written to all files, if the question is how much of a parameter is enough.
    package var written: Exact?

    /// Whether it certainly takes longer than the base.
    package var isCertainlySlower: Bool { certainty == .certain && (time?.low ?? 0) > 1 }
  }

  /// An exact figure of a cell, bytes or a count, and the same figure of another one.
  package struct Exact: Codable, Sendable, Hashable {
    package var figure: Int64
    package var base: Int64

    /// The ratio to the base's figure; `nil` for a base of 0.
    package var ratio: Double? { base > 0 ? Double(figure) / Double(base) : nil }
  }

  /// How far cells are apart in an exact metric, whatever their times.
  package struct Spread: Codable, Sendable, Hashable {
    /// Cells that need the same amount to within 5 %.
    package struct Level: Codable, Sendable, Hashable {
      /// The one with the figure comes first.
      package var cells: [CellID]
      package var figure: Int64
    }

    package var metric: MetricID
    /// The cells that need the least.
    package var least: Level
    /// The cells that need at least a tenth more, grouped in levels, the highest first.
    ///
    /// Each level shows its highest figure.
    package var more: [Level]

    /// The ratio of a level to the lowest one.
    package func ratio(of level: Level) -> Double { Double(level.figure) / Double(least.figure) }
  }

  /// What to choose for one kind of work, if it depends on the work.
  ///
  /// If nothing ranks its cells, the one with the shortest latency.
  package struct Case: Codable, Sendable, Hashable {
    package var group: Int
    package var choice: [CellID]
  }

  /// The effect of the value of the parameter that matters most, over all cells that differ only in it.
  package struct Price: Codable, Sendable, Hashable {
    package var parameter: String
    package var value: String
    /// The smallest and the largest certain ratio of times with the value; `nil` if no ratio is certain.
    package var least: Double?
    package var most: Double?
    /// Whether the ratio of every cell is certain.
    package var isOfAll: Bool
    /// Whether every cell takes the same time with it, to within 5 %.
    package var isSameTime: Bool
    /// The metric of memory or files that it changes most, and the factor.
    ///
    /// If a time is certain, only a factor of at least 1.5, or of at most its inverse, counts. If the question names
    /// metrics, this is the first one that the value changes.
    package var size: FindingKind.SizeFigure?
    package var timesTheSize: Double?
    /// The other metrics that the question names and that it changes, in the question's order; `nil` if there are none.
    package var others: [SizeChange]?

    /// All metrics that it changes, beginning with ``size``.
    package var sizes: [SizeChange] {
      let first = size.flatMap { figure in timesTheSize.map { SizeChange(figure: figure, ratio: $0) } }
      return first.map { [$0] + (others ?? []) } ?? []
    }
  }

  /// A metric of memory or files, and its factor.
  package struct SizeChange: Codable, Sendable, Hashable {
    package var figure: FindingKind.SizeFigure
    package var ratio: Double
  }

  package var kind: Kind
  /// The exact metric that the question asks about; `nil` for time.
  package var about: MetricID?
  package var verdict: Verdict
  /// The index of its group of equal work; `nil` if it is about all groups.
  package var group: Int?
  /// The best cells, the best one first; empty if the question is not about a choice.
  package var choice: [CellID]
  /// The figure of the first one: seconds, bytes or a count.
  package var best: Estimate?
  /// The alternatives, the one that people ask about first.
  ///
  /// With several kinds of work, these are the default engine's cells at the most rows, or those of many engines, each
  /// with its reference as base.
  package var against: [Alternative]
  /// Other engines and the reference, which come after the choice that was asked about.
  package var peers: [Alternative]
  /// What batches save in each engine, if many are compared with their references; `nil` if fewer than two store rows both
  /// object by object and in batches.
  package var batching: [Batching]?
  /// If noise leaves several cells to choose from, how much they differ in heap and WAL; `nil` if a single one is
  /// chosen, or if the chosen ones take the same time.
  package var spreads: [Spread]?
  package var cases: [Case]
  /// The price that matters most, for a question about prices; for a question about an exact metric, the value that
  /// changes it most.
  package var price: Price?
  /// The findings that prove it.
  package var reasons: [Finding]

  /// Whether times decide nothing because no cell has enough rounds, and not because of noise.
  package var isOfTooFewRounds: Bool {
    switch kind {
    case .choice: return verdict == .cannotTell && about == nil && against.allSatisfy { $0.certainty == .tooFewRounds }
    case .size, .price, .claim:
      let times = reasons.filter { $0.certainty != .exact }
      return !times.isEmpty && times.allSatisfy { $0.certainty == .tooFewRounds }
    case .growth, .reference:
      let times = reasons.filter(\.isOfGrowth).map(\.certainty) + against.map(\.certainty)
      return about == nil && !times.isEmpty && times.allSatisfy { $0 == .tooFewRounds }
    case .harness: return false
    }
  }

  package init(
    _ kind: Kind, about: MetricID? = nil, _ verdict: Verdict, group: Int? = nil, choice: [CellID] = [],
    best: Estimate? = nil,
    against: [Alternative] = [], peers: [Alternative] = [], spreads: [Spread]? = nil, cases: [Case] = [],
    price: Price? = nil, reasons: [Finding] = []
  ) {
    self.kind = kind
    self.about = about
    self.verdict = verdict
    self.group = group
    self.choice = choice
    self.best = best
    self.against = against
    self.peers = peers
    self.spreads = spreads
    self.cases = cases
    self.price = price
    self.reasons = reasons
  }
}

extension Finding {
  /// Whether it says how time grows with the rows.
  fileprivate var isOfGrowth: Bool {
    switch kind {
    case .exponent, .breakInGrowth: true
    default: false
    }
  }
}
