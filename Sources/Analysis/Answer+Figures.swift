// A choice by an exact figure, or by how long operations wait beside a cell.
internal import BatchmarkEngine
internal import Harness
internal import Instruments

extension Answer {
  /// Who needs the least of a figure and who the most, of the cells through the object graph where there are two or more.
  init(_ scenario: ScenarioReport, exact about: MetricID) {
    // The kind of work that most cells did, the last of several: only equal work is compared.
    let most = scenario.groups.map(\.cells.count).max()
    let group = scenario.groups.lastIndex { $0.cells.count == most }
    let comparable = Set(group.map { scenario.groups[$0].cells } ?? [])
    let cells = scenario.measured.filter { comparable.contains($0.cell.id) }
    let known = cells.compactMap { cell in cell.main.metrics[about].map { (cell: cell, figure: $0) } }
    let own = known.filter(\.cell.cell.isRankedFirst)
    let asked = (own.count > 1 ? own : known).sorted { ($0.figure, $0.cell.cell.id) < ($1.figure, $1.cell.cell.id) }
    guard let least = asked.first else {
      self.init(.choice, about: about, .cannotTell)
      return
    }
    // Three digits are what is shown of bytes and times: what reads alike is alike. A count is shown whole.
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

// MARK: - A choice by a latency

extension Answer {
  /// The cells beside which operations waited least, of all that have some beside them.
  init(_ scenario: ScenarioReport, latency about: MetricID) {
    let known = scenario.measured.compactMap { cell in cell.latency(about).map { (cell: cell, seconds: $0) } }
    let own = known.filter(\.cell.cell.isRankedFirst)
    let asked = (own.count > 1 ? own : known)
      .sorted { ($0.seconds.median, $0.cell.cell.id) < ($1.seconds.median, $1.cell.cell.id) }
    guard let least = asked.first else {
      self.init(.choice, about: about, .cannotTell)
      return
    }
    /// Whether the intervals show that others waited longer there; without intervals nothing does.
    func isLonger(_ other: Estimate) -> Bool {
      guard let high = least.seconds.high, let low = other.low else { return false }
      return low > high
    }
    let best = asked.filter { !isLonger($0.seconds) }
    let others = asked.filter { isLonger($0.seconds) }
    let hasIntervals = asked.allSatisfy { $0.seconds.low != nil }
    func alternative(_ other: (cell: CellReport, seconds: Estimate)) -> Alternative {
      Alternative(
        cell: other.cell.cell.id, base: least.cell.cell.id, time: scenario.ratio(of: other.cell, to: least.cell),
        certainty: hasIntervals ? .estimated : .tooFewRounds)
    }
    self.init(
      .choice, about: about, !hasIntervals ? .cannotTell : best.count == 1 ? .one : .alike,
      choice: best.map(\.cell.cell.id), best: Estimate(median: least.seconds.median * 1e9),
      against: (hasIntervals ? others : Array(asked.dropFirst())).reversed().map(alternative),
      peers: known.filter { entry in !asked.contains { $0.cell.cell == entry.cell.cell } }.map(alternative))
  }
}
