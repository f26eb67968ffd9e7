// What a report concludes, as values: scripts read them in results.json, tests check them, and one place makes sentences of
// them.
internal import Harness
internal import Instruments
package import BatchmarkEngine

/// One conclusion: its kind, the cells it is about and the figures that show it.
package struct Finding: Codable, Sendable, Hashable {
  package var kind: FindingKind
  /// The kind says in which order.
  package var cells: [CellID]
  /// Seconds, bytes or ratios, in the order that the kind says.
  package var estimates: [Estimate]
  package var certainty: Certainty
  /// The position of the equal work that it is about among the report's groups; nil where it is about all.
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

/// How well a finding is known.
package enum Certainty: String, Codable, Sendable, Hashable, CaseIterable {
  /// It holds beside all other claims about the scenario, with a probability of 95 % that none of them is false.
  case certain
  /// An exact figure, which repeats to the bit.
  case exact
  /// Its own interval at 95 % shows it.
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

/// What is concluded; beside each the order of its cells and of its estimates.
package enum FindingKind: Sendable, Hashable {
  // MARK: Who is fastest

  /// The fastest, and the next where there is one: the time of the first, the next's divided by it.
  case fastest
  /// The fastest of the cells through the object graph, if another cell is the fastest of all, and the next, or those too near to
  /// rank: the time of the first, and the others' divided by it.
  case fastestOfObjectGraph
  /// The slowest of all, for certain against each: its time divided by the fastest's, which stands first.
  case slowest
  /// The cells that no other is faster than for certain, the shortest median first: its time, and each other's divided by it.
  case tied
  /// All cells that have rounds enough, those of each tier together and those that fit none at the end: how they stand.
  case order(PartialOrder)
  /// The cells that have too few rounds to be ranked, after the shortest median: its time, and each other's divided by it.
  case unranked(rounds: Int)
  /// The only cell: its time.
  case onlyCell
  /// Cells without a time.
  case timeless
  /// Cells that did other work than those of the first group.
  case unequalWork(WorkDifference)
  /// Cells that have the least heap at its peak: its bytes.
  case leanest
  /// Two cells: the time of the first divided by the second's, the first saving object by object, the second in batches.
  case objectByObjectAgainstBatch
  /// A cell and the reference: its time divided by the reference's.
  case timesReference

  // MARK: Sweeps

  /// A series by its cells: the exponent.
  case exponent(GrowthVerdict)
  /// A series by its cells: a row's time above the break divided by that below.
  case breakInGrowth(after: Double, before: Double)
  /// A series by its cells: bytes of heap at its peak that each further row adds.
  case heapPerRow
  /// A series by its cells: the heap at its peak where that is highest.
  case heapIndependentOfRows
  /// The cell at the knee, the best, the smallest that may be the knee, and the largest or, where nothing is decided, the
  /// largest that may be better than the best: the last one's time against the best.
  case knee(parameter: String, Knee)
  /// The series' cells, about which nothing can be said.
  case noKnee(parameter: String, rounds: Int)
  /// The cells of the way that wins below and of the way that wins above: the number of rows, with its bounds; undecided if the
  /// two are not certainly different at both bounds.
  case crossover
  /// The cells of two series that do not change places: first those of the one that wins, where one does.
  case noCrossover(Order)
  /// Two cells that differ in the parameter alone, with it and without: the ratio, seconds a row.
  case price(parameter: String, value: String, Effect)
  /// The same two: bytes with it, and without.
  case priceInBytes(parameter: String, value: String, SizeFigure)

  // MARK: Parts

  /// The cells in which the phase has its least and its largest share: the shares.
  case share(of: Phase)
  /// The cells with the most and the least a row: bytes; one where all have the same.
  case bytesPerRow(MetricID)
  /// The steps from saving in pieces to the handler: the times' ratio, and the shares of merging, granularity and insert path.
  case appleClaim(proportion: [Double], AppleVerdict)
  /// What stays in the timing pass beside a cell: its share.
  case harnessCost
  /// A cell with an instrument and the same without: the ratio.
  case instrumentCost(Effect)

  /// What a parameter or an instrument does to the time.
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
    /// So slowly that the number of rows hardly counts.
    case hardly
  }

  /// Whether a sweep shows its knee.
  package enum Knee: String, Codable, Sendable, Hashable {
    /// A smaller value does as well as the best.
    case found
    /// The best value is the smallest.
    case smallest
    /// The best is neither the smallest nor shown to be the knee.
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

  /// How two series compare at the sizes that both have.
  package enum Order: String, Codable, Sendable, Hashable {
    case fasterAtEverySize = "faster_at_every_size"
    /// And too noisy to rank at the others.
    case fasterAtSome = "faster_at_some"
    /// And with too few rounds at the others.
    case fasterAtSomeFewRounds = "faster_at_some_few_rounds"
    /// And too noisy to rank at some of the others, with too few rounds at the rest.
    case fasterAtSomeUnranked = "faster_at_some_unranked"
    case changesOften = "changes_often"
    case tooNoisy = "too_noisy"
    case tooFewRounds = "too_few_rounds"
    /// Too noisy to rank at some sizes, with too few rounds at the rest.
    case unranked
  }

  package enum AppleVerdict: String, Codable, Sendable, Hashable { case more, less, undecided, unknown }

  /// Figures beside time that a parameter changes.
  package enum SizeFigure: String, Codable, Sendable, Hashable, CaseIterable {
    case heapPeak = "heap_peak_bytes"
    case walPeak = "wal_peak_bytes"
    case database = "finished_db_bytes"
  }
}

/// In what some cells' work differs from that of others.
package struct WorkDifference: Codable, Sendable, Hashable {
  /// Rows linked in addition; negative for less; 0 where there are as many.
  package var linkedRows: Int
  /// Whether the same rows are linked, but to other objects.
  package var hasOtherLinks: Bool
  /// Rows in the store in addition; negative for less.
  package var rows: Int
  /// Whether the attributes differ.
  package var hasOtherAttributes: Bool
  /// Indexes of the store in addition; negative for fewer.
  package var indexes: Int
  /// Whether there are as many, but other ones.
  package var hasOtherIndexes: Bool
  /// Pragmas for durability that have other values: theirs.
  package var durability: [StorePragma]
  /// Pragmas for durability that the others answer and these cells do not, by name.
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
