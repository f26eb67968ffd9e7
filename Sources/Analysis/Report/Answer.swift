// The answer to a scenario's question as a value: every output gives this one, each at its own length.
package import BatchmarkEngine
internal import Harness
internal import Instruments
internal import Scenarios

/// What a scenario's figures say to the question it asks.
package struct Answer: Codable, Sendable, Hashable {
  /// The question, which depends on what the scenario varies.
  package enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
    /// Which of several ways to choose.
    case choice
    /// How time and memory grow with the rows.
    case growth
    /// How far ways of many engines are from the reference of each one's work.
    case reference
    /// How much of a parameter is enough, such as rows in a save.
    case size
    /// What the values of a parameter cost.
    case price
    /// How much of Apple's comparison each step explains.
    case claim
    /// What the harness adds.
    case harness
  }

  package enum Verdict: String, Codable, Sendable, Hashable, CaseIterable {
    /// The choice is better than everything it is weighed against, for certain or by an exact figure.
    case one
    /// The chosen ways cannot be distinguished; all others are slower for certain or need more.
    case alike
    /// Other ways win under other conditions: `cases` has them.
    case dependsOn = "depends_on"
    /// Times do not decide the choice.
    ///
    /// `against` still has what is known about memory and the WAL.
    case cannotTell = "cannot_tell"
    /// The question is of another kind than a choice, and `reasons` answer it.
    case findings
  }

  /// A cell weighed against the choice.
  package struct Alternative: Codable, Sendable, Hashable {
    package var cell: CellID
    /// The cell of the choice that it is compared with.
    package var base: CellID
    /// Its time divided by that of the base; nil where they share no round.
    package var time: Estimate?
    package var certainty: Certainty
    package var heap: Exact?
    package var wal: Exact?
    /// Processor time divided by that of the base, if its order differs from that of wall time.
    package var processorTime: Estimate?
    /// Bytes written to all files, where the question is how much of a parameter is enough.
    package var written: Exact?

    /// Whether it takes longer than the base, for certain.
    package var isCertainlySlower: Bool { certainty == .certain && (time?.low ?? 0) > 1 }
  }

  /// An exact figure of a cell beside that of another: bytes, or a count.
  package struct Exact: Codable, Sendable, Hashable {
    package var figure: Int64
    package var base: Int64

    /// How many times the base's it is; nil for a base of 0.
    package var ratio: Double? { base > 0 ? Double(figure) / Double(base) : nil }
  }

  /// How far ways are apart in an exact figure, whatever their times.
  package struct Spread: Codable, Sendable, Hashable {
    /// Ways that need as much to within 5 %.
    package struct Level: Codable, Sendable, Hashable {
      /// The one with the figure first.
      package var cells: [CellID]
      package var figure: Int64
    }

    package var metric: MetricID
    /// The cells that need the least.
    package var least: Level
    /// The cells that need at least a tenth more, those with the most first; each level with its most.
    package var more: [Level]

    /// How many times the least a level is.
    package func ratio(of level: Level) -> Double { Double(level.figure) / Double(least.figure) }
  }

  /// What to choose for one kind of work, where it depends on the work; where nothing ranks its cells, the one with the
  /// shortest latency.
  package struct Case: Codable, Sendable, Hashable {
    package var group: Int
    package var choice: [CellID]
  }

  /// What the value of a parameter that matters most does, over all cells that differ in it alone.
  package struct Price: Codable, Sendable, Hashable {
    package var parameter: String
    package var value: String
    /// The least and the most times as long that a cell takes with it, of those where that is certain; nil where it is of none.
    package var least: Double?
    package var most: Double?
    /// Whether it is certain of every cell.
    package var isOfAll: Bool
    /// Whether every cell takes the same time with it, to within 5 %.
    package var isSameTime: Bool
    /// The figure of memory or files that it changes most, and how many times as much it is.
    ///
    /// Beside a time that is certain only from 1.5 times, or less than that part, on. Where the question names figures, it is
    /// the first that the value changes.
    package var size: FindingKind.SizeFigure?
    package var timesTheSize: Double?
    /// The other figures that the question names and that it changes, in the question's order; nil for none.
    package var others: [SizeChange]?

    /// All figures that it changes, that of ``size`` first.
    package var sizes: [SizeChange] {
      let first = size.flatMap { figure in timesTheSize.map { SizeChange(figure: figure, ratio: $0) } }
      return first.map { [$0] + (others ?? []) } ?? []
    }
  }

  /// A figure of memory or files, and how many times as much it is.
  package struct SizeChange: Codable, Sendable, Hashable {
    package var figure: FindingKind.SizeFigure
    package var ratio: Double
  }

  package var kind: Kind
  /// The exact figure that the question is about; nil where it is about time.
  package var about: MetricID?
  package var verdict: Verdict
  /// The position of the equal work that it speaks of; nil where it is about all.
  package var group: Int?
  /// The best ways, the best first; empty where the question is not of a choice.
  package var choice: [CellID]
  /// The figure of the first: seconds, bytes or a count.
  package var best: Estimate?
  /// What people weigh the choice against, the first the one they ask about; of several kinds of work, the default
  /// engine's ways at most rows, or of many engines all, each with its reference as base.
  package var against: [Alternative]
  /// Other engines and the reference, which stand behind the choice that was asked about.
  package var peers: [Alternative]
  /// If noise leaves several ways to choose from, how far they differ in heap and WAL; nil if one is chosen, or those that
  /// take the same time are.
  package var spreads: [Spread]?
  package var cases: [Case]
  /// The price that matters most, for a question about prices; for one about an exact figure what changes that most.
  package var price: Price?
  /// The findings that show it.
  package var reasons: [Finding]

  /// Whether times decide nothing because no way has enough rounds, and not because of noise.
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
