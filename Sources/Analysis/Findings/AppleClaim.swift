// An analysis of Apple's comparison at WWDC 2020, for scenarios with cells that change from its slowest strategy to its
// fastest one step at a time.
internal import Harness
internal import Instruments
internal import BatchmarkEngine

/// How much of the difference between saving object by object and a batch insert each step explains.
///
/// The cells follow session 10017: objects saved in pieces while a context on screen merges every save; the same
/// without merging; all objects saved at once; a batch insert of an array; and a batch insert with a handler.
package struct AppleClaim {
  /// Apple's times: object by object, an array of dictionaries, a block.
  package static let seconds = [62.0, 30, 11]
  /// Apple's memory peaks, in MB.
  package static let megabytes = [31.0, 25.2, 24.3]
  package static var ratio: Double { seconds[0] / seconds[2] }

  package enum Step: CaseIterable {
    case merging, granularity, batching, handling
  }

  /// The change from one cell to the next.
  package struct Change {
    package let step: Step
    package let from: CellReport
    package let to: CellReport
    /// The ratio of the first one's time to the second one's; `nil` if the two share no round.
    package let ratio: Estimate?
    package let seconds: Estimate?
    /// Its share of the whole difference in the same rounds; `nil` if the chain has no certain difference.
    package let share: Estimate?
  }

  /// The steps from a strategy for saving to the handler.
  package struct Chain {
    /// The cells that Apple timed: saving in pieces with a merging context, the array, and the handler.
    package let timed: [CellReport]
    /// The times of those three.
    package let times: [Estimate?]
    package let whole: Estimate?
    package let changes: [Change]
    /// The share of the last two steps together: what a batch insert gains over a save without observers.
    package let insertPath: Estimate?

    /// Whether the handler is certainly faster, by the ratio's interval.
    ///
    /// Otherwise there is no gain to divide, and chance would select the rounds with a gain.
    package let hasDifference: Bool

    package func change(_ step: Step) -> Change? { changes.first { $0.step == step } }
  }

  /// One for each strategy for saving in pieces, in the scenario's order.
  package let chains: [Chain]

  /// `nil` if no strategy for saving has all the cells.
  init?(_ scenario: ScenarioReport, groups: [ComparableGroup]) {
    chains = groups.flatMap { group in
      let cells = scenario.results(of: group.cells)
      return cells.filter { $0.cell.isMergingSave }.compactMap { Chain($0, among: cells, in: scenario) }
    }
    if chains.isEmpty { return nil }
  }

  /// One for each strategy for saving in pieces: its ratio, and the shares of its steps.
  var findings: [Finding] {
    chains.map { chain in
      let shares = [chain.change(.merging)?.share, chain.change(.granularity)?.share, chain.insertPath]
      let medians = chain.times.compactMap { $0?.median }
      return Finding(
        .appleClaim(proportion: medians.count == chain.times.count ? medians : [], chain.verdict),
        chain.timed.map(\.cell.id),
        [chain.whole].compactMap(\.self) + (shares.contains { $0 == nil } ? [] : shares.compactMap(\.self)),
        chain.whole?.low == nil ? .tooFewRounds : .estimated)
    }
  }
}

extension AppleClaim.Chain {
  /// Whether the ratio agrees with Apple's.
  package var verdict: FindingKind.AppleVerdict {
    guard let low = whole?.low, let high = whole?.high else { return .unknown }
    return low > AppleClaim.ratio ? .more : high < AppleClaim.ratio ? .less : .undecided
  }

  fileprivate init?(_ merging: CellReport, among cells: [CellReport], in scenario: ScenarioReport) {
    func first(_ isWanted: (Cell) -> Bool) -> CellReport? { cells.first { isWanted($0.cell) } }
    var quiet = merging.cell
    quiet.parameters[ParameterKey.merge.name] = nil
    quiet.parameters[ParameterKey.results.name] = nil
    var atOnce = quiet
    atOnce.parameters[ParameterKey.saveEvery.name] = nil
    var explicit = atOnce
    explicit.parameters[ParameterKey.saveEvery.name] = .all
    func batch(_ style: BatchStyle) -> CellReport? {
      first {
        $0.role == .batch(style) && $0.engine == atOnce.engine && $0.operation == atOnce.operation
          && $0.parameters == atOnce.parameters
      }
    }
    guard let quietCell = first({ $0 == quiet }), let atOnceCell = first({ $0 == atOnce || $0 == explicit }),
      let array = batch(.array), let handler = batch(.objectHandler) ?? batch(.dictionaryHandler)
    else { return nil }

    let ways = [merging, quietCell, atOnceCell, array, handler]
    let walls = ways.map { scenario.walls(of: $0, in: Phase.waitedFor) }
    func difference(_ from: Int, _ to: Int) -> [Int: Double] {
      walls[from].reduce(into: [:]) { differences, entry in
        if let other = walls[to][entry.key] { differences[entry.key] = entry.value - other }
      }
    }
    timed = [merging, array, handler]
    times = [0, 3, 4].map { Estimate(medianOf: walls[$0].sorted { $0.key < $1.key }.map(\.value)) }
    let whole = Estimate(ratioOf: walls[0], to: walls[4])
    self.whole = whole
    hasDifference = (whole?.low ?? 0) > 1
    let all = hasDifference ? difference(0, 4) : [:]
    changes = AppleClaim.Step.allCases.enumerated().map { index, step in
      AppleClaim.Change(
        step: step, from: ways[index], to: ways[index + 1],
        ratio: Estimate(ratioOf: walls[index], to: walls[index + 1]),
        seconds: Estimate(differenceOf: walls[index], to: walls[index + 1]),
        share: Estimate(ratioOf: difference(index, index + 1), to: all))
    }
    insertPath = Estimate(ratioOf: difference(2, 4), to: all)
  }
}

extension Cell {
  /// Whether objects are saved in pieces while a context is notified of each save.
  fileprivate var isMergingSave: Bool {
    isSave && operation == .insert && self[.merge] != .none && !self[.history].isOn && self[.saveEvery] != .all
  }
}
