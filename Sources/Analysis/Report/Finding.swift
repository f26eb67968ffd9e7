// The conclusions of a report as values: scripts read them from results.json, tests check them, and one module turns
// them into sentences.
internal import Harness
internal import Instruments
package import BatchmarkEngine

/// One conclusion: its kind, its cells and the figures that prove it.
package struct Finding: Codable, Sendable, Hashable {
  package var kind: FindingKind
  /// The kind defines their order.
  package var cells: [CellID]
  /// Seconds, bytes or ratios, in the order that the kind defines.
  package var estimates: [Estimate]
  package var certainty: Certainty
  /// The index of its group of equal work in the report; `nil` if it is about all groups.
  package var group: Int?

  package init(
    _ kind: FindingKind, _ cells: [CellID], _ estimates: [Estimate] = [], _ certainty: Certainty, group: Int? = nil
  ) {
    self.kind = kind
    self.cells = cells
    self.estimates = estimates
    self.certainty = certainty
    self.group = group
  }
}

/// How certain a finding is.
package enum Certainty: String, Codable, Sendable, Hashable, CaseIterable {
  /// True together with all other claims about the scenario: with a probability of 95 %, none of them is false.
  case certain
  /// An exact figure, which repeats to the bit.
  case exact
  /// Proved by its own 95 % interval.
  case estimated
  /// Too noisy to decide.
  case undecided
  /// Fewer than 6 rounds.
  case tooFewRounds = "too_few_rounds"

  package init(_ verdict: Comparison.Verdict) {
    switch verdict {
    case .slower, .faster: self = .certain
    case .indistinguishable: self = .undecided
    case .undecided: self = .tooFewRounds
    }
  }
}

/// The kinds of conclusions.
///
/// Each one documents the order of its cells and of its estimates.
package enum FindingKind: Sendable, Hashable {
  // MARK: Who is fastest

  /// The fastest cell, and the next one if there is any: the time of the first, and the next one's divided by it.
  case fastest
  /// The fastest of the object graph's cells, if another cell is the fastest of all, and the next one, or those too
  /// close to rank: the time of the first, and the others' divided by it.
  case fastestOfObjectGraph
  /// The fastest cell and the slowest, which is certainly slower than each other: its time divided by the fastest's.
  case slowest
  /// The cells that no other cell is certainly faster than, the shortest median first: its time, and each other's
  /// divided by it.
  case tied
  /// All cells with enough rounds, tier by tier, then those that fit no tier: their order.
  case order(PartialOrder)
  /// The cells with too few rounds to be ranked, after the one with the shortest median: its time, and each other's
  /// divided by it.
  case unranked(rounds: Int)
  /// The only cell: its time.
  case onlyCell
  /// Cells without a time.
  case timeless
  /// Cells that did other work than those of the first group.
  case unequalWork(WorkDifference)
  /// The cells with the lowest heap peak: its bytes.
  case leanest
  /// Two cells, the first saving object by object, the second in batches: the time of the first divided by the
  /// second's.
  case objectByObjectAgainstBatch
  /// A cell and the reference: its time divided by the reference's.
  case timesReference

  // MARK: Sweeps

  /// A series by its cells: the exponent.
  case exponent(GrowthVerdict)
  /// A series by its cells: a row's time above the break divided by that below.
  case breakInGrowth(after: Double, before: Double)
  /// A series by its cells: bytes of the heap peak that each additional row adds.
  case heapPerRow
  /// A series by its cells: the highest heap peak.
  case heapIndependentOfRows
  /// The cell at the knee, the best one, the smallest that may be the knee, and the largest or, if nothing is decided,
  /// the largest that may be better than the best: the last one's time divided by the best.
  case knee(parameter: String, Knee)
  /// The series' cells, about which nothing can be concluded.
  case noKnee(parameter: String, rounds: Int)
  /// The cells of the strategy that wins below and of the one that wins above: the number of rows, with its bounds. It
  /// is undecided if the two are not certainly different at both bounds.
  case crossover
  /// The cells of two series that do not cross over, beginning with the faster one if there is one.
  case noCrossover(Order)
  /// Two cells that differ only in the parameter, with it and without: the ratio, and seconds per row.
  case price(parameter: String, value: String, Effect)
  /// The same two cells: bytes with it, and without.
  case priceInBytes(parameter: String, value: String, SizeFigure)

  // MARK: Parts

  /// The cells in which the phase has its smallest and its largest share: the shares.
  case share(of: Phase)
  /// The cells with the most and the least per row: bytes. Only one cell if all have the same.
  case bytesPerRow(MetricID)
  /// The cells from saving in pieces to the handler: the times' ratio, and the shares of merging, granularity and
  /// insert path.
  case appleClaim(proportion: [Double], AppleVerdict)
  /// A cell: the share of the constant cost in the timing pass.
  case harnessCost
  /// A cell with an instrument and the same cell without it: the ratio.
  case instrumentCost(Effect)

  /// The effect of a parameter or an instrument on the time.
  package enum Effect: String, Codable, Sendable, Hashable {
    case costs, saves
    /// Neither a cost nor its absence can be shown.
    case unseen
    case unknown

    package init(_ verdict: Comparison.Verdict?) {
      switch verdict {
      case .slower: self = .costs
      case .faster: self = .saves
      case .indistinguishable: self = .unseen
      case .undecided, nil: self = .unknown
      }
    }
  }

  /// How time grows with the number of rows.
  package enum GrowthVerdict: String, Codable, Sendable, Hashable {
    case proportional, faster, slower, unclear, unknown
    /// So slowly that the number of rows hardly matters.
    case hardly
  }

  /// Whether a sweep shows its knee.
  package enum Knee: String, Codable, Sendable, Hashable {
    /// A smaller value is as good as the best one.
    case found
    /// The best value is the smallest.
    case smallest
    /// The best value is neither the smallest nor known to be the knee.
    case best
    /// Every smaller value is worse than the best, which is not the largest.
    case needed
    /// Every smaller value is worse than the largest, which is not the value for all rows.
    case stillGaining = "still_gaining"
    /// Every smaller value is worse than all rows at once.
    case all
    /// A larger value than the best may be better.
    case undecided
  }

  /// How two series compare at their common sizes.
  package enum Order: String, Codable, Sendable, Hashable {
    case fasterAtEverySize = "faster_at_every_size"
    /// Faster at some sizes, and too noisy to rank at the others.
    case fasterAtSome = "faster_at_some"
    /// Faster at some sizes, with too few rounds at the others.
    case fasterAtSomeFewRounds = "faster_at_some_few_rounds"
    /// Faster at some sizes, too noisy to rank at some others, with too few rounds at the rest.
    case fasterAtSomeUnranked = "faster_at_some_unranked"
    case changesOften = "changes_often"
    case tooNoisy = "too_noisy"
    case tooFewRounds = "too_few_rounds"
    /// Too noisy to rank at some sizes, with too few rounds at the rest.
    case unranked
  }

  package enum AppleVerdict: String, Codable, Sendable, Hashable { case more, less, undecided, unknown }

  /// Metrics other than time that a parameter changes.
  package enum SizeFigure: String, Codable, Sendable, Hashable, CaseIterable {
    case heapPeak = "heap_peak_bytes"
    case walPeak = "wal_peak_bytes"
    case database = "finished_db_bytes"
  }
}

/// How some cells' work differs from that of others.
package struct WorkDifference: Codable, Sendable, Hashable {
  /// Additional linked rows; negative for fewer, 0 for the same number.
  package var linkedRows: Int
  /// Whether the same rows are linked, but to other objects.
  package var hasOtherLinks: Bool
  /// Additional rows in the store; negative for fewer.
  package var rows: Int
  /// Whether the attributes differ.
  package var hasOtherAttributes: Bool
  /// Additional indexes of the store; negative for fewer.
  package var indexes: Int
  /// Whether there are equally many, but different ones.
  package var hasOtherIndexes: Bool
  /// Durability pragmas with different values: the values of these cells.
  package var durability: [StorePragma]
  /// Durability pragmas that the others report and these cells do not, by name.
  package var unansweredPragmas: [String]

  package init(_ ending: FinalStoreState, from other: FinalStoreState) {
    linkedRows = ending.linkedRows - other.linkedRows
    hasOtherLinks = linkedRows == 0 && ending.relationships != other.relationships
    rows = ending.rows - other.rows
    hasOtherAttributes = ending.contentHash != other.contentHash
    indexes = ending.indexes.count - other.indexes.count
    hasOtherIndexes = indexes == 0 && ending.indexes != other.indexes
    durability = ending.durability.filter { !other.durability.contains($0) }
    unansweredPragmas = other.durability.map(\.name).filter { name in !ending.durability.contains { $0.name == name } }
  }
}
