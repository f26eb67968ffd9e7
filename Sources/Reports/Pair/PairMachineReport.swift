// The verdict of several machines on two sides: how well a change generalizes to other machines.
internal import Analysis

/// Writes the combined report of machines that took the same pairs.
enum PairMachineReport {
  /// Further columns are only in the CSV file.
  private static let mostColumns = 12
  /// Further remarks of a machine about a cell are only counted.
  private static let mostDoubts = 3

  static func title(of merge: PairMerge) -> String {
    let (base, head) = (merge.results[0].base.name.onOneLine, merge.results[0].head.name.onOneLine)
    let word = PairMarkdown.word(for: merge.overall, fails: merge.cells.contains(where: \.fails))
    return
      "\(word): \(head) against \(base) on \(HumanUnits.counted(merge.machines.count, "machine"))"
  }

  /// The whole page.
  static func document(_ merge: PairMerge) -> Document {
    var document = Document()
    document.heading(1, title(of: merge))
    document.paragraph(RunReport.absence(ofMachines: merge.absent))
    document.paragraph(interruption(of: merge))
    let untrusted = merge.untrusted
    if !untrusted.isEmpty {
      document.paragraph(
        "**Nothing here can be trusted**: on \(HumanUnits.list(untrusted.map(\.shard.description))) base compared with itself came "
          + "out other than itself. Measure there again, on a quieter machine, or leave those machines out with `--partial`."
      )
    }
    document.paragraph(method(of: merge))
    document.table(verdicts(in: merge))
    document.list(doubts(in: merge))
    if merge.machines.count <= mostColumns, merge.cells.contains(where: \.isTimeJudged) {
      document.fold("The change of time on each machine") { $0.table(byMachine(merge)) }
    }
    figures(of: merge, in: &document)
    RunReport.machines(merge.machines, alike: merge.alike, in: &document)
    return document
  }

  /// The machines that were interrupted; empty if there are none.
  private static func interruption(of merge: PairMerge) -> String {
    let interrupted = zip(merge.machines, merge.results).filter { $1.run.isInterrupted }.map(\.0.shard.description)
    if interrupted.isEmpty { return "" }
    return
      "**Incomplete: \(HumanUnits.list(interrupted)) \(interrupted.count == 1 ? "was" : "were") interrupted**; the pairs that "
      + "were taken count."
  }

  /// Why a machine's samples of a cell cannot support a verdict.
  private static func doubts(in merge: PairMerge) -> [ListItem] {
    merge.cells.flatMap { cell in
      zip(merge.machines, cell.doubts).flatMap { machine, doubts -> [ListItem] in
        let more = doubts.count - mostDoubts
        let shown = doubts.prefix(mostDoubts).map { Markdown.escaped($0) } + (more > 0 ? ["\(more) more"] : [])
        let place = "\(Markdown.code(cell.cell.label)) on \(machine.shard)"
        return shown.map { ListItem("**\(place)**: \($0).") }
      }
    }
  }

  private static func method(of merge: PairMerge) -> String {
    let pairs = Set(merge.cells.filter(\.isTimeJudged).flatMap(\.pairs)).sorted()
    guard let fewest = pairs.first, let most = pairs.last else {
      return "Times are not judged. Every machine counts its own exact figures."
    }
    let taken =
      fewest == most
      ? "Every machine took \(HumanUnits.counted(most, "pair"))"
      : "Machines took \(fewest) to \(HumanUnits.counted(most, "pair"))"
    let words =
      "\(taken) of each cell. The change is that "
      + "of the geometric mean of the machines' ratios; its interval is Student's t interval of the machines, "
      + "\(Digits.short(100 * (1 - 2 * merge.rules.alpha))) %, so it is about other machines of this kind."
    return merge.machines.count < CombinedRatio.leastMachines
      ? words
        + " Of \(HumanUnits.counted(merge.machines.count, "machine")) there is none, and no verdict on times: it takes \(CombinedRatio.leastMachines) machines, and \(CombinedRatio.advisedMachines) are advised."
      : words
  }

  private static func verdicts(in merge: PairMerge) -> Table {
    var table = Table(
      "Cell",
      [
        .verdict("Verdict"), .verdict("Time"), .change("Change", brackets: "[interval]"), .share("Spread"),
        .number("Figures that changed"),
      ])
    for cell in merge.cells {
      let none = cell.isTimeJudged ? "no machine has pairs" : "the gate does not judge it"
      let ratio = cell.combined.map {
        Estimate(
          median: $0.ratio - 1, low: $0.interval.map { $0.lowerBound - 1 }, high: $0.interval.map { $0.upperBound - 1 })
      }
      table.append(
        cell.cell.label,
        [
          .text(merge.verdict(of: cell).rawValue), .text(cell.isTimeJudged ? cell.time.rawValue : "not judged"),
          .figure(ratio, or: none),
          .figure(
            cell.combined.flatMap { $0.spread.map { $0 - 1 } },
            or: cell.combined == nil ? none : "one machine has no spread"),
          .count(cell.figures.count { $0.worst.verdict != .pass }),
        ])
    }
    return table
  }

  private static func byMachine(_ merge: PairMerge) -> Table {
    var table = Table("Cell", merge.machines.map { .change($0.shard.description) })
    for cell in merge.cells where cell.isTimeJudged {
      table.append(
        cell.cell.label, cell.ratios.map { .figure($0.map { $0 - 1 }, or: "the machine has no pairs of it") })
    }
    return table
  }

  /// Metrics that changed, and those that differ between machines.
  private static func figures(of merge: PairMerge, in document: inout Document) {
    var table = Table(
      "Figure", [.text("Cell"), .number("Base"), .number("Head"), .verdict("Verdict"), .text("Machines")])
    for cell in merge.cells {
      for figure in cell.figures where figure.worst.verdict != .pass || !figure.isAlike {
        table.append(
          PairMarkdown.name(of: figure.worst),
          [
            .text(cell.cell.label), .count(figure.worst.base), .count(figure.worst.head),
            .text(figure.worst.verdict.rawValue),
            .text(figure.isAlike ? "all alike" : "differ: " + differences(of: figure, merge)),
          ])
      }
    }
    let count = merge.cells.flatMap(\.figures).count { !$0.isAlike }
    if merge.machines.count > 1, !merge.cells.flatMap(\.figures).isEmpty {
      document.paragraph(
        count == 0
          ? "Exact figures are the same on all machines."
          : "**\(HumanUnits.counted(count, "exact figure")) \(count == 1 ? "is" : "are") not the same on all machines**, though the "
            + "executables are: other libraries, kernels or variables may be why. The worst verdict of a machine counts."
      )
    }
    if !table.isEmpty { document.table(table) }
    for cell in merge.cells {
      if let plans = cell.plans {
        document.paragraph("Plans of \(Markdown.code(cell.cell.label)): \(PairMarkdown.sentence(on: plans))")
      }
    }
  }

  private static func differences(of figure: FigureOnMachines, _ merge: PairMerge) -> String {
    zip(merge.machines, figure.values).compactMap { machine, value in
      value.map { "\(machine.shard) has \($0.base) and \($0.head)" }
    }.joined(separator: ", ")
  }
}
