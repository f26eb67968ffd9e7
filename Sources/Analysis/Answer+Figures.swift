// A choice by an exact metric, or by how long concurrent operations wait.
internal import BatchmarkEngine
internal import Harness
internal import Instruments

extension Answer {
  /// The cells with the smallest and the largest value of a metric, among those of the object graph if there are at
  /// least two.
  init(_ scenario: ScenarioReport, exact about: MetricID) {
    // The kind of work of most cells with the metric, the last one of several: only equal work is compared.
    let figured = Set(scenario.measured.filter { $0.main.metrics[about] != nil }.map(\.cell.id))
    let counts = scenario.groups.map { $0.cells.count(where: figured.contains) }
    let group = counts.max().flatMap(counts.lastIndex(of:))
    let comparable = Set(group.map { scenario.groups[$0].cells } ?? [])
    let cells = scenario.measured.filter { comparable.contains($0.cell.id) }
    let known = cells.compactMap { cell in cell.main.metrics[about].map { (cell: cell, figure: $0) } }
    let own = known.filter(\.cell.cell.isRankedFirst)
    let asked = (own.count > 1 ? own : known).sorted { ($0.figure, $0.cell.cell.id) < ($1.figure, $1.cell.cell.id) }
    guard let least = asked.first else {
      self.init(.choice, about: about, .cannotTell)
      return
    }
    // Bytes and times are shown with three digits, so figures that look equal are treated as equal. Counts are shown
    // exactly.
    let isRounded = about.isBytes || about.isTime
    let best = asked.filter {
      isRounded ? Double($0.figure) < Double(least.figure) * 1.005 + 0.5 : $0.figure == least.figure
    }
    func alternative(_ other: (cell: CellReport, figure: Int64)) -> Alternative {
      var found = Alternative(
        cell: other.cell.cell.id, base: least.cell.cell.id, time: scenario.ratio(of: other.cell, to: least.cell),
        certainty: .exact)
      found.heap = Exact(.heapPeak, of: other.cell, least.cell)
      found.wal = Exact(.walPeak, of: other.cell, least.cell)
      return found
    }
    let chosen = Set(best.map(\.cell.cell.id))
    let peers = known.filter { entry in !asked.contains { $0.cell.cell == entry.cell.cell } }
    self.init(
      .choice, about: about, best.count == asked.count ? .alike : best.count == 1 ? .one : .alike, group: group,
      choice: best.map(\.cell.cell.id), best: Estimate(median: Double(least.figure)),
      against: asked.reversed().filter { !chosen.contains($0.cell.cell.id) }.map(alternative),
      peers: peers.map(alternative), price: Answer.price(of: about, in: scenario))
  }
}

extension Answer.Spread {
  /// `nil` if fewer than two cells have the metric, or if all need the same amount.
  init?(of metric: MetricID, among cells: [CellReport]) {
    let known = cells.compactMap { cell in cell.main.metrics[metric].map { (id: cell.cell.id, figure: $0) } }
      .sorted { ($0.figure, $0.id) < ($1.figure, $1.id) }
    guard let base = known.first?.figure, base > 0 else { return nil }
    let lean = known.prefix { Double($0.figure) <= Double(base) * FeaturePrice.notable }
    var levels: [Level] = []
    for entry in known.dropFirst(lean.count).reversed()
    where Double(entry.figure) > Answer.Spread.notable * Double(base) {
      if let last = levels.last, Double(entry.figure) * FeaturePrice.notable >= Double(last.figure) {
        levels[levels.count - 1].cells.append(entry.id)
      } else {
        levels.append(Level(cells: [entry.id], figure: entry.figure))
      }
    }
    guard !levels.isEmpty else { return nil }
    self.init(metric: metric, least: Level(cells: lean.map(\.id), figure: base), more: levels)
  }

  /// A smaller difference is no reason to choose a cell.
  private static let notable = 1.1
}

// MARK: - A choice by a latency

extension Answer {
  /// The cells with the shortest waits of concurrent operations, among cells of equal work that have some.
  init(_ scenario: ScenarioReport, latency about: MetricID) {
    let works = scenario.groups.indices.compactMap { Waits(scenario, about, of: $0) }
    // The kind of work of most of them, the last one of several.
    let most = works.map(\.asked.count).max()
    guard let main = works.last(where: { $0.asked.count == most }) else {
      self.init(.choice, about: about, .cannotTell)
      return
    }
    let decided = works.filter { $0.hasIntervals && $0.best.count < $0.asked.count }
    // If no kind of work ranks its cells, one kind cannot answer for all.
    let isOpen = decided.isEmpty || most == 1
    func alternative(_ other: Waits.Entry) -> Alternative {
      Alternative(
        cell: other.cell.cell.id, base: main.least.cell.cell.id,
        time: scenario.ratio(of: other.cell, to: main.least.cell),
        certainty: main.hasIntervals ? .estimated : .tooFewRounds)
    }
    self.init(
      .choice, about: about, !main.hasIntervals ? .cannotTell : main.best.count == 1 ? .one : .alike,
      group: main.group, choice: main.best.map(\.cell.cell.id),
      best: Estimate(median: main.least.seconds.median * 1e9),
      against: main.others.reversed().map(alternative), peers: main.peers.map(alternative),
      cases: works.count > 1
        ? (isOpen ? works : decided).map { Case(group: $0.group, choice: $0.best.map(\.cell.cell.id)) } : [])
  }

  /// How long concurrent operations waited for the cells of one kind of work.
  private struct Waits {
    typealias Entry = (cell: CellReport, seconds: Estimate)

    let group: Int
    /// The cells that the question is about, the shortest first: those of the object graph if there are at least two.
    let asked: [Entry]
    let peers: [Entry]
    let least: Entry
    /// Without an interval for each cell, nothing shows that operations waited longer for one than for another.
    let hasIntervals: Bool
    /// The cells that are not longer than the shortest according to their intervals, and the others.
    ///
    /// Without intervals, only the shortest one is the best.
    let best: [Entry]
    let others: [Entry]

    init?(_ scenario: ScenarioReport, _ about: MetricID, of group: Int) {
      let ids = Set(scenario.groups[group].cells)
      let known = scenario.measured.filter { ids.contains($0.cell.id) }
        .compactMap { cell in cell.latency(about).map { (cell: cell, seconds: $0) } }
      let own = known.filter(\.cell.cell.isRankedFirst)
      let asked = (own.count > 1 ? own : known)
        .sorted { ($0.seconds.median, $0.cell.cell.id) < ($1.seconds.median, $1.cell.cell.id) }
      guard let least = asked.first else { return nil }
      let hasIntervals = asked.allSatisfy { $0.seconds.low != nil }
      func isLonger(_ entry: Entry) -> Bool {
        guard hasIntervals else { return entry.cell.cell != least.cell.cell }
        guard let high = least.seconds.high, let low = entry.seconds.low else { return false }
        return low > high
      }
      self.group = group
      self.asked = asked
      self.least = least
      self.hasIntervals = hasIntervals
      peers = known.filter { entry in !asked.contains { $0.cell.cell == entry.cell.cell } }
      best = asked.filter { !isLonger($0) }
      others = asked.filter(isLonger)
    }
  }
}
