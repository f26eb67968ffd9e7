// A profile in Markdown: the stages, statements and stacks of each phase.
package import Analysis
internal import Support

/// Writes the results of a profile.
package enum ProfileMarkdown {
  /// The page.
  ///
  /// - Parameters:
  ///   - results: The profile.
  ///   - files: The names of the files next to it.
  /// - Returns: The content of the page.
  static func document(_ results: ProfileResults, files: [String]) -> Document {
    var document = Document()
    document.open(opening(of: results))
    if !results.isComparable { document.paragraph("**\(Prose.notComparable)**") }
    for failure in results.failures {
      document.paragraph(
        "**Failed**: \(Markdown.escaped(words(for: failure.instrument))): \(Markdown.escaped(failure.failure.reason)).")
    }
    document.picture(ProfilePicture.stages(results))
    for phase in results.phases { section(on: phase, of: results, in: &document) }
    heap(results, in: &document)
    peak(results, in: &document)
    document.heading(2, "How it was measured")
    document.list((method(results) + results.notes.map { Markdown.escaped($0) + "." }).map { ListItem($0) })
    if !files.isEmpty {
      document.paragraph("Beside this page: \(HumanUnits.list(files.map { Markdown.code($0) })).")
    }
    document.machine(results.environment)
    return document
  }

  /// The largest stage of the operation, what was profiled on what machine, and the question.
  private static func opening(of results: ProfileResults) -> Opening {
    let facts = ["processor", "memory", "operating system"].compactMap { name in
      results.environment.first { $0.name == name }?.value
    }
    let main = results.phases.first(where: \.phase.isMain)
    let largest = main?.times.flatMap { times in
      times.stages.map { (name: $0.name, share: times.ownNanoseconds(of: $0) / Double(times.totalNanoseconds)) }
        .max { $0.share < $1.share }
    }
    let verdict = largest.flatMap { stage in
      main.map { "\(Markdown.code(stage.name)) takes \(Digits.short(100 * stage.share)) % of \($0.phase.rawValue)" }
    }
    return Opening(
      name: results.cell.id, facts: [HumanUnits.counted(results.rows, "row")] + facts,
      verdict: verdict ?? "Profile of \(Markdown.code(results.cell.id))",
      question: "Where do the time and the allocations of \(results.cell.id) go?")
  }

  /// A description of what an instrument measures.
  package static func words(for instrument: ProfileInstrument?) -> String {
    switch instrument {
    case nil: "the time without instruments"
    case .stages: "the time of stages"
    case .allocations: "the allocations of stages"
    case .statements: "statements"
    case .stacks: "stacks"
    case .heap: "the heap profile"
    case .peak: "the heap at its highest"
    }
  }

  private static func section(
    on phase: ProfiledPhase, of results: ProfileResults, in document: inout Document
  ) {
    document.heading(2, phase.phase.rawValue.prefix(1).uppercased() + phase.phase.rawValue.dropFirst())
    document.paragraph(summary(of: phase))
    document.table(stages(phase, results))
    if let statements = phase.statements, !statements.isEmpty {
      document.table(table(of: statements, in: phase))
      plans(of: statements, in: &document)
    } else if let reason = results.gap(of: .statements) {
      document.paragraph("Statements were not counted: \(Markdown.escaped(reason)).")
    }
    stacks(phase, results, in: &document)
  }

  /// All stages together, in a sentence or two.
  static func summary(of phase: ProfiledPhase) -> String {
    guard let times = phase.times, let coverage = times.coverage else {
      return "How long its stages took is not known."
    }
    guard let largest = times.stages.max(by: { times.ownNanoseconds(of: $0) < times.ownNanoseconds(of: $1) }) else {
      return "The engine reports no stages of this phase."
    }
    let total = Double(times.totalNanoseconds)
    var text =
      "Named stages cover \(percent(coverage)) of the time; \(Markdown.code(largest.name)) takes most, "
      + "\(percent(times.ownNanoseconds(of: largest) / total)). "
    text += phase.plainSeconds.map { "Untraced \(HumanUnits.time($0))." } ?? "Traced \(HumanUnits.time(total / 1e9))."
    let share = times.tracerNanoseconds / total
    // A share that rounds to zero is not nothing.
    return text + " The tracer costs \(share < 0.001 ? "under 0.1 %" : percent(share))."
  }

  private static func stages(_ phase: ProfiledPhase, _ results: ProfileResults) -> Table {
    var table = Table(
      "Stage",
      [
        .number("Turns"), .time("Time"), .share("Share"), .time("Time a row"), .number("Allocations"),
        .number("Allocations a row"), .bytes("Allocated"), .number("Bytes a row"),
      ])
    let noTimes = results.gap(of: .stages) ?? "the stage was not met while times were taken"
    let noAllocations = results.gap(of: .allocations) ?? "the stage was not met while allocations were counted"
    for line in ProfileStage.lines(of: phase) {
      func row(_ value: Double) -> Table.Value {
        phase.rows > 0 ? .number(value / Double(phase.rows)) : .absent("there are no rows")
      }
      table.append(
        line.name,
        [
          line.turns.map { .count($0) } ?? .text(""), .figure(line.seconds, or: noTimes),
          .figure(line.share, or: noTimes), line.seconds.map { row($0) } ?? .absent(noTimes),
          .figure(line.allocations, or: noAllocations),
          line.allocations.map { row(Double($0)) } ?? .absent(noAllocations),
          .figure(line.allocatedBytes, or: noAllocations),
          line.allocatedBytes.map { row(Double($0)) } ?? .absent(noAllocations),
        ])
    }
    return table
  }

  private static func table(of statements: [SQLCost], in phase: ProfiledPhase) -> Table {
    var table = Table(
      "Statement",
      [
        .number("Runs"), .number("Rows"), .number("VM steps"), .number("Steps a run"), .number("Full-scan steps"),
        .number("Sorts"), .number("Prepared"), .number("Prepared again"), .time("Time"), .time("Time a run"),
        .share("Share"),
      ])
    let noWork = "rows, scans, sorts and preparations were not counted"
    func counted(_ cost: SQLCost, _ value: (SQLWork) -> Int64) -> Table.Value {
      cost.work.map { .count(value($0)) } ?? .absent(noWork)
    }
    func append(_ name: String, _ cost: SQLCost) {
      let share = phase.statementsSeconds.flatMap { $0 > 0 ? Double(cost.nanoseconds) / 1e9 / $0 : nil }
      table.append(
        name,
        [
          .count(cost.runs), counted(cost, \.rows), .count(cost.vmSteps),
          cost.runs > 0 ? .number(Double(cost.vmSteps) / Double(cost.runs)) : .text(""),
          counted(cost, \.fullScanSteps), counted(cost, \.sorts), counted(cost, \.preparations),
          counted(cost, \.repreparations),
          .number(Double(cost.nanoseconds) / 1e9),
          cost.runs > 0 ? .number(Double(cost.nanoseconds) / 1e9 / Double(cost.runs)) : .text(""),
          share.map { .number($0) } ?? .text(""),
        ])
    }
    for statement in statements { append(statement.sql.onOneLine.shortened(to: 120), statement) }
    append(
      "all",
      statements.reduce(into: SQLCost(sql: "", runs: 0, vmSteps: 0, nanoseconds: 0)) {
        $0.runs += $1.runs
        $0.vmSteps += $1.vmSteps
        $0.nanoseconds += $1.nanoseconds
        guard let work = $1.work else { return }
        var sum = $0.work ?? SQLWork()
        sum.rows += work.rows
        sum.fullScanSteps += work.fullScanSteps
        sum.sorts += work.sorts
        sum.preparations += work.preparations
        sum.repreparations += work.repreparations
        $0.work = sum
      })
    return table
  }

  /// The plan of each statement that has one, folded.
  private static func plans(of statements: [SQLCost], in document: inout Document) {
    let planned = statements.compactMap { cost in cost.work?.plan.map { (sql: cost.sql, plan: $0) } }
    if planned.isEmpty { return }
    document.fold("Plans of \(HumanUnits.counted(planned.count, "statement"))") { folded in
      for (sql, plan) in planned {
        folded.paragraph(Markdown.code(sql.onOneLine))
        folded.fence(plan)
      }
    }
  }

  private static func stacks(
    _ phase: ProfiledPhase, _ results: ProfileResults, in document: inout Document
  ) {
    guard let stacks = phase.stacks else {
      if let reason = results.gap(of: .stacks) {
        document.paragraph("Stacks were not sampled: \(Markdown.escaped(reason)).")
      }
      return
    }
    let samples = phase.stackSamples
    let fewness = fewStacks(of: phase, in: results) ?? ""
    guard samples > 0 else { return document.paragraph(fewness) }
    var table = Table("Function", [.number("Samples"), .share("Share")])
    for (name, count) in innermost(of: stacks).prefix(12) {
      table.append(
        name.shortened(to: 120), [.count(count), .number(Double(count) / Double(samples))])
    }
    let lost = phase.lostStacks > 0 ? "; there was no room for another \(Digits.grouped(phase.lostStacks))" : ""
    document.paragraph(
      "Where the thread was, in \(HumanUnits.counted(samples, "sample"))\(lost). A name in brackets is a file whose functions have no "
        + "names.")
    document.paragraph(fewness)
    document.flames(
      FlamePicture.picture(
        stacks, name: phase.phase.rawValue, title: "Where the thread was: \(phase.phase.rawValue)"
      ) { HumanUnits.counted(Int(clamping: $0), "sample") })
    document.table(table)
  }

  /// A note that there are too few stack samples to read shares, with the reason and advice; `nil` if there are enough.
  static func fewStacks(of phase: ProfiledPhase, in results: ProfileResults) -> String? {
    guard phase.stacks != nil, phase.stackSamples < ProfileResults.enoughSamples else { return nil }
    let start =
      phase.stackSamples == 0
      ? "**The phase was over before a stack was sampled**"
      : "**Only \(HumanUnits.counted(phase.stackSamples, "sample")) of stacks**, where "
        + "\(Digits.grouped(ProfileResults.enoughSamples)) are enough, so shares are rough"
    let time = phase.stacksSeconds.map { "took \(HumanUnits.time($0))" } ?? "was short"
    let workers = phase.stackWorkers == 1 ? "one worker" : "each of \(HumanUnits.counted(phase.stackWorkers, "worker"))"
    return "\(start): the phase \(time) in \(workers), at \(Digits.grouped(results.samplingRate)) samples a second. "
      + "Take more rows with `--set rows`, or sample more often with `--sampling-rate`, at most "
      + "\(Digits.grouped(ProfileInstrument.samplingRates.upperBound))."
  }

  /// The same for the cell's main phase, as a line of text.
  package static func fewStacks(_ results: ProfileResults) -> String? {
    results.phases.first(where: \.phase.isMain).flatMap { fewStacks(of: $0, in: results) }.map { Markdown.plain($0) }
  }

  /// The innermost functions of stacks, the most frequent first.
  static func innermost(of stacks: [String: Int]) -> [(name: String, count: Int)] {
    var counts: [String: Int] = [:]
    for (stack, count) in stacks {
      counts[FrameName.short(stack.split(separator: ";").last ?? stack[...]), default: 0] += count
    }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }

  private static func heap(_ results: ProfileResults, in document: inout Document) {
    document.heading(2, "Heap")
    if let reason = results.gap(of: .heap) {
      document.paragraph("There is no heap profile: \(Markdown.escaped(reason)).")
    } else if results.heap == nil {
      document.paragraph("There is no heap profile: its file could not be read.")
    } else {
      document.paragraph(
        "\(Markdown.code(ProfileInstrument.heapFile)) has who allocates in the operation's phase, by a sample of an allocation every "
          + "\(HumanUnits.bytes(Int64(ProfileInstrument.heapSampleBytes))). Read it with the executable: "
          + Markdown.code("jeprof --text --alloc_space EXECUTABLE \(ProfileInstrument.heapFile)") + ", or with "
          + Markdown.code("--inuse_space") + " for what is still there when the phase ends. "
          + Markdown.code("heap.folded") + " has all that was allocated as folded stacks, in bytes.")
      if let samples = results.heapSamples, samples < ProfileResults.enoughSamples {
        document.paragraph(
          "**Only \(HumanUnits.counted(samples, "sample")) of allocations**, where "
            + "\(Digits.grouped(ProfileResults.enoughSamples)) are enough, so shares are rough: the phase allocates little. Take more "
            + "rows with `--set rows`.")
      }
      for phase in results.phases {
        document.flames(
          phase.heapStacks.flatMap { stacks in
            FlamePicture.picture(stacks, name: "heap", title: "Who allocates, in bytes") {
              HumanUnits.bytes(Int64(clamping: $0))
            }
          })
      }
    }
  }

  /// The allocations at the heap's peak, and the heap over time.
  private static func peak(_ results: ProfileResults, in document: inout Document) {
    for phase in results.phases {
      if let peak = phase.peakStacks, let bytes = phase.heapPeakBytes, !peak.isEmpty {
        let found = peak.values.reduce(0, +)
        document.paragraph(
          "At its highest the heap is \(HumanUnits.bytes(bytes)) above its level at the beginning of the phase. "
            + "Samples of what is there when it first comes within \(percent(1 - ProfileInstrument.peakShare)) of that stand for "
            + "\(HumanUnits.bytes(Int64(found))).")
        document.flames(
          FlamePicture.picture(peak, name: "heap-peak", title: "What is there at the heap's highest, in bytes") {
            HumanUnits.bytes(Int64(clamping: $0))
          })
      }
      if let highest = phase.heapTimeline.max(by: { $0.liveBytes < $1.liveBytes }), highest.liveBytes > 0 {
        let stage = highest.stage.map { " in the stage \(Markdown.code($0))" } ?? ""
        document.paragraph(
          "\(Markdown.code(ProfileCSV.heapFile)) has the heap over the phase with the stage of each moment; it is highest after "
            + "\(HumanUnits.time(highest.seconds))\(stage).")
      }
    }
    if !results.phases.contains(where: { $0.peakStacks?.isEmpty == false }), let reason = results.gap(of: .peak) {
      document.paragraph("What is there at the heap's highest is not known: \(Markdown.escaped(reason)).")
    }
  }

  private static func method(_ results: ProfileResults) -> [String] {
    [
      "The command: \(Markdown.code(results.command)). Every instrument had a worker of its own: times, allocations, statements "
        + "and stacks are of the same work, done again for each.",
      "Stages lie end to end: each lasts from its beginning to the next one's. What is in none is `other`; all lines together are the "
        + "whole phase. Of \(HumanUnits.counted(results.timedRounds, "worker")) the one whose phase took the middle time is shown.",
      "Noting each beginning costs one reading of the clock, which is measured in the worker before the phase, and taken off "
        + "every stage as often as it began; together it is the line `tracer`. Stages of batch inserts begin at least once a row, so "
        + "that it shows there; those of saves begin once a save.",
      "Allocations are those of all threads, by the allocation meter, which was preloaded in a worker of its own. The tracer "
        + "allocates nothing.",
      "Statements are counted as `run` counts them. Their time is from the first step to the end, between SQLite's hooks, without "
        + "what reading the clock takes; the share is of the phase in that worker, which the hooks make longer. Rows, scans, sorts, preparations and plans are "
        + "of another worker, since counting them takes time; plans are those of the store as a statement first runs.",
      "Stacks are those of the working thread, \(Digits.grouped(results.samplingRate)) times a second of elapsed time, waiting included. "
        + "Workers sample them until there are \(Digits.grouped(ProfileResults.enoughSamples)) in the main phase, by at most "
        + "\(ProfileResults.mostStackWorkers) workers; where those would not suffice, one worker samples.",
    ]
  }

  static func percent(_ share: Double) -> String { Digits.fixed(100 * share, decimals: 1) + " %" }
}

extension String {
  /// The text, or its beginning with an ellipsis.
  fileprivate func shortened(to length: Int) -> String {
    count <= length ? self : prefix(length - 1) + "…"
  }
}
