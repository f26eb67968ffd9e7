// The sections on latency: how long concurrent operations took and what they waited for, and how long each request of a
// cell's operation took.
internal import Analysis

extension RunReport {
  static func latencySection(on scenario: ScenarioReport, level: Int, in document: inout Document) {
    guard scenario.cells.contains(where: { $0.latencies != nil }) else { return }
    document.heading(level, "Latency")
    document.paragraph(
      "How long reads and writes took that went on beside each cell, each at a fixed rate and measured from when it was to "
        + "begin: one that waits behind another that is stuck has waited too. The percentiles are of all rounds' operations "
        + "together; the interval is that of order statistics over the rounds. A late operation began when the next was due "
        + "already.")
    if scenario.about?.isLatency != true { document.picture(LatencyPicture.percentiles(scenario)) }
    document.table(latencyTable(of: scenario))
    if let course = LatencyPicture.course(scenario) {
      document.paragraph(
        "When operations had to wait, and the WAL's size meanwhile, of each cell's round whose time is in the middle. An "
          + "operation stands where it was to begin, so that a stall shows from its first moment on, and those that waited "
          + "behind it fall off to its end.")
      document.picture(course)
    }
    document.fold("What kept them waiting") { $0.table(waitTable(of: scenario)) }
  }

  /// How long single saves, transactions and batches took, for cells with several of them.
  static func requestSection(on scenario: ScenarioReport, level: Int, in document: inout Document) {
    let cells = scenario.cells.compactMap { cell in cell.requests.map { (cell: cell, requests: $0) } }
    guard !cells.isEmpty else { return }
    document.heading(level, "Single requests")
    document.paragraph(
      "How long each save, transaction or batch took of cells that have several: the percentiles are of all rounds' requests "
        + "together. A list on a screen waits for the longest, not for the mean.")
    var table = Table(
      "Cell",
      [.number("Requests"), .time("p50"), .time("p90"), .time("p99"), .time("p99.9"), .time("Longest")])
    for (cell, requests) in cells {
      let none = "it makes no single requests"
      table.append(
        cell.label,
        [.count(requests.tally.done)]
          + [LatencyFigure.p50, .p90, .p99, .p999].map { .figure(requests[$0], or: none) }
          + [.figure(requests[.longest]?.median, or: none)])
    }
    document.table(table)
  }

  /// The column of the latency that the question asks about; `nil` for another question.
  static func askedLatency(_ scenario: ScenarioReport) -> (column: Table.Column, value: (CellReport) -> Table.Value)? {
    guard let asked = scenario.about, asked.isLatency else { return nil }
    return (
      .time(Prose(scenario).figureWords(asked).uppercasedFirst),
      { .figure($0.latency(asked), or: "no such operation was due while the phase ran") }
    )
  }

  /// The percentiles, one row for each class of concurrent operations of each cell.
  static func latencyTable(of scenario: ScenarioReport) -> Table {
    var table = Table(
      "Operations beside the cell",
      [
        .number("Due"), .number("Late"), .time("p50"), .time("p90"), .time("p99"), .time("p99.9"), .time("Longest"),
      ])
    for (cell, latency) in latencies(in: scenario) {
      let noOperation = "no operation was due while the phase ran"
      table.append(
        name(of: latency, beside: cell),
        [.count(latency.tally.due), .count(latency.tally.late)]
          + [LatencyFigure.p50, .p90, .p99, .p999].map { .figure(latency[$0], or: noOperation) }
          + [.figure(latency[.longest]?.median, or: noOperation)])
    }
    return table
  }

  private static func waitTable(of scenario: ScenarioReport) -> Table {
    var table = Table(
      "Operations beside the cell",
      [
        .text("By"), .number("Operations a second of each"), .number("Done"), .text("Refused", folds: true),
        .number("Retries"), .time("Waited after refusals"), .bytes("WAL at the end"),
      ])
    for (cell, latency) in latencies(in: scenario) {
      let tally = latency.tally
      let refusals = tally.refusals.sorted { $0.key < $1.key }.map { "\($0.key) \(Digits.grouped($0.value))" }
      table.append(
        name(of: latency, beside: cell),
        [
          .text(operators(of: latency)), .count(latency.rate), .count(tally.done),
          .text(refusals.isEmpty ? "none" : refusals.joined(separator: ", ")), .count(tally.retries),
          .number(tally.busySeconds), .figure(latency.walBytes, or: "there is no WAL"),
        ])
    }
    return table
  }

  private static func latencies(in scenario: ScenarioReport) -> [(cell: CellReport, latency: OperationLatency)] {
    scenario.cells.flatMap { cell in (cell.latencies ?? []).map { (cell, $0) } }
  }

  /// `2 processes`, or `2 threads of the cell's process`.
  private static func operators(of latency: OperationLatency) -> String {
    switch latency.place ?? .processes {
    case .processes: HumanUnits.counted(latency.processes, "process", plural: "processes")
    case .threads: HumanUnits.counted(latency.processes, "thread") + " of the cell's process"
    }
  }

  private static func name(of latency: OperationLatency, beside cell: CellReport) -> String {
    "\(latency.name.rawValue)s beside \(cell.label)"
  }
}
