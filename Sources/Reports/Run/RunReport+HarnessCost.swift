// The section on the harness's own cost, in reports of scenarios with cells for it.
internal import Analysis

extension RunReport {
  static func harnessCostSection(on analysis: ScenarioAnalysis, level: Int, in document: inout Document) {
    guard let cost = analysis.harnessCost else { return }
    let scenario = analysis.scenario
    document.heading(level, "What the harness costs")
    document.list(
      remainders(of: cost, in: scenario).map { ListItem($0) }
        + Prose(scenario).sentences(on: scenario.findings.filter(\.isOfInstrument)).map { ListItem($0) })
    if cost.empty != nil { document.table(remainderTable(of: cost)) }
    if !cost.attached.isEmpty { document.table(attachmentTable(of: cost)) }
  }

  // MARK: What is always there

  private static func remainders(of cost: HarnessCost, in scenario: ScenarioReport) -> [String] {
    cost.remainders.map { remainder in
      let plain = remainder.plain
      let rows = HumanUnits.counted(plain.summary(of: plain.mainPhase)?.rows ?? scenario.rows, "row")
      let name = "\(Markdown.code(plain.label)) of \(rows)"
      guard let share = remainder.whole else {
        return "**What stays in the timing pass** cannot be given as a share of \(name): the two share no round."
      }
      return "**What stays in the timing pass** - the clocks in the phase's own time, and around it the readings of "
        + "clocks and interference - is \(HumanUnits.share(share)) of \(name): \(HarnessCost.judgement(of: share))."
    }
  }

  private static func remainderTable(of cost: HarnessCost) -> Table {
    var table = Table(
      "In the timing pass",
      [.time("Time")] + cost.remainders.map { .share("Share of \($0.plain.label)") })
    func row(_ name: String, _ time: Estimate?, _ share: (HarnessCost.Remainder) -> Estimate?) {
      table.append(
        name,
        [time.map { .estimate($0) } ?? absence(in: cost)]
          + cost.remainders.map { share($0).map { .estimate($0) } ?? absence(in: cost) })
    }
    row("inside the phase: the empty strategy's time", cost.empty?.main.wall.figure, \.inside)
    row("around the phase, in no figure: clocks and interference", cost.readingTime, \.around)
    row("both", cost.wholeTime, \.whole)
    return table
  }

  private static func absence(in cost: HarnessCost) -> Table.Value {
    guard let empty = cost.empty else { return .absent("there is no empty strategy") }
    return .absent(
      empty.main.wall.reason ?? "the samples are of a version that did not measure it, or share no round")
  }

  // MARK: Instruments

  private static func attachmentTable(of cost: HarnessCost) -> Table {
    var table = Table(
      "Attached in the timing pass",
      [.text("Cell without"), .time("Time without"), .time("Time with"), .change("Adds")])
    for attached in cost.attached {
      let cells = [attached.plain, attached.cell]
      table.append(
        attached.cell.cell.attachment.words,
        [.text(attached.plain.label)] + cells.map { .figure($0.main.wall) } + [
          .addition(of: attached.comparison?.ratio, or: "one of the two has no time")
        ])
    }
    return table
  }
}

extension Finding {
  fileprivate var isOfInstrument: Bool {
    if case .instrumentCost = kind { true } else { false }
  }
}
