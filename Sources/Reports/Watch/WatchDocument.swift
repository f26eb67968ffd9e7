// The page of a watched program: notable findings, then each database and each statement.
internal import Analysis
internal import Support

/// Writes the results of `watch`.
enum WatchDocument {
  /// The page; `files` are the names of the files next to it.
  static func document(_ report: WatchReport, files: [String]) -> Document {
    var document = Document()
    document.open(opening(of: report))
    for gap in report.gaps { document.paragraph("**\(Markdown.escaped(WatchProse.sentence(gap)))**") }
    findings(report, in: &document)
    overTime(report, in: &document)
    databases(report, in: &document)
    statements(report, in: &document)
    processes(report, in: &document)
    memory(report, in: &document)
    connections(report, in: &document)
    method(report, files: files, in: &document)
    return document
  }

  private static func opening(of report: WatchReport) -> Opening {
    let count = report.findings.count
    let verdict =
      report.databases.isEmpty
      ? "\(Markdown.code(report.program)) opened no database that was metered: 0 findings"
      : count == 0
        ? "\(Markdown.code(report.program)): nothing stands out, 0 findings"
        : "\(Markdown.code(report.program)): \(HumanUnits.counted(count, "finding"))"
    let end =
      switch report.end {
      case .exited(let status): "ended with status \(status)"
      case .signalled(let signal): "ended by signal \(signal)"
      }
    let facts = [
      report.seconds.map { HumanUnits.time($0) },
      report.residentPeakBytes.map { "\(HumanUnits.bytes($0)) resident at most" }, end,
      HumanUnits.counted(report.databases.count, "database"), report.began,
    ].compactMap(\.self)
    return Opening(
      name: report.program, facts: facts, verdict: verdict, question: "What does \(report.program) do with SQLite?")
  }

  private static func findings(_ report: WatchReport, in document: inout Document) {
    if report.findings.isEmpty { return }
    document.heading(2, "Findings")
    for finding in report.findings {
      document.paragraph(
        "**\(finding.kind.number). \(WatchProse.title(finding)).** \(WatchProse.advice(finding))")
      let evidence = "Evidence: \(Markdown.escaped(WatchProse.evidence(finding)))."
      document.list((WatchProse.subject(finding, in: report) + [evidence]).map { ListItem($0) })
    }
  }

  private static func overTime(_ report: WatchReport, in document: inout Document) {
    let pictures = [WatchPicture.logs(report), WatchPicture.memory(report)].compactMap(\.self)
    if pictures.isEmpty { return }
    document.heading(2, "Over time")
    for picture in pictures { document.picture(picture) }
  }

  // MARK: - Databases

  private static func databases(_ report: WatchReport, in document: inout Document) {
    let shown = report.databases.prefix(50)
    for database in shown {
      document.heading(2, WatchProse.name(of: database))
      var table = Table(facts: "Figure")
      for fact in facts(of: database, in: report) { table.append(fact.name, [.text(fact.text)]) }
      document.table(table)
      transactions(database, in: &document)
      checkpoints(database, in: &document)
    }
    if shown.count < report.databases.count {
      document.paragraph(
        "\(HumanUnits.counted(report.databases.count - shown.count, "database")) more in `databases.csv`.")
    }
  }

  /// Why there is no time.
  private static let noTimes = "no time is reported where the heap is metered"

  private static func transactions(_ database: WatchReport.Database, in document: inout Document) {
    if database.transactions.isEmpty { return }
    var table = Table(
      "Transactions that write",
      [.number("Begun"), .number("Committed"), .number("Not committed"), .time("Lock held"), .time("Longest")])
    for kind in WatchReport.Transactions.Kind.allCases {
      guard let transactions = database.transactions.first(where: { $0.kind == kind }) else { continue }
      let locks = kind != .unknown || transactions.heldSeconds ?? 0 > 0
      let reason = locks ? noTimes : "no lock was taken for them"
      table.append(
        WatchProse.words(kind),
        [
          .count(transactions.begun), .count(transactions.committed),
          .count(max(0, transactions.begun - transactions.committed)),
          .figure(locks ? transactions.heldSeconds : nil, or: reason),
          .figure(locks ? transactions.longestHeldSeconds : nil, or: reason),
        ])
    }
    document.table(table)
  }

  private static func checkpoints(_ database: WatchReport.Database, in document: inout Document) {
    if database.checkpointsByMode.isEmpty { return }
    var table = Table(
      "Checkpoints",
      [
        .number("Run"), .number("Pages moved"), .time("Time"), .number("Kept back by a reader"),
        .number("Most frames left"), .number("Kept back by a writer"),
      ])
    for mode in WatchReport.Checkpoints.Mode.allCases {
      guard let checkpoints = database.checkpointsByMode.first(where: { $0.mode == mode }) else { continue }
      table.append(
        WatchProse.words(mode),
        [
          .count(checkpoints.runs), .count(checkpoints.pages), .figure(checkpoints.seconds, or: noTimes),
          .count(checkpoints.leftForReader), .count(checkpoints.mostFramesLeft), .count(checkpoints.leftForWriter),
        ])
    }
    document.table(table)
  }

  /// The reader that held back checkpoints; `nil` if there was none.
  private static func reader(of database: WatchReport.Database, in report: WatchReport) -> String? {
    guard database.checkpointsHeldBack > 0 else { return nil }
    var words: [String] = []
    if let reader = database.heldBackReader {
      words.append("thread \(reader.thread) of process \(reader.process)")
    }
    if let place = database.heldBackStatement, report.statements.indices.contains(place) {
      words.append("which ran \(report.statements[place].text.cut(to: 120))")
    }
    if database.heldBackElsewhere > 0 {
      words.append("\(counted(database.heldBackElsewhere, "time")) a reader of another process")
    }
    return words.joined(separator: ", ")
  }

  private static func facts(of database: WatchReport.Database, in report: WatchReport)
    -> [(name: String, text: String)]
  {
    var facts: [(name: String, text: String)] = []
    let pragmas = database.pragmas.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
    if !pragmas.isEmpty { facts.append(("Set by the program", pragmas.joined(separator: ", "))) }
    facts.append(("Connections", Digits.grouped(database.connections)))
    facts.append(
      (
        "Transactions",
        "\(Digits.grouped(database.commits)) committed, \(Digits.grouped(database.rollbacks)) rolled back; \(counted(database.rowsChanged, "row")) changed"
      ))
    if let held = database.heldSeconds, let longest = database.longestHeldSeconds {
      facts.append(
        ("Lock for writing", "held \(HumanUnits.time(held)), at most \(HumanUnits.time(longest)) at once"))
    }
    facts.append(
      (
        "Locks refused",
        "\(Digits.grouped(database.refusals)), \(Digits.grouped(database.refusalsAtOnce)) of them without a wait; \(counted(database.staleSnapshots, "stale snapshot"))"
      ))
    if database.lockedRuns > 0 {
      let runs = HumanUnits.counted(Int(clamping: database.lockedRuns), "run")
      facts.append(("Tables in use", "\(runs) refused with SQLITE_LOCKED, which no busy timeout waits for"))
    }
    facts += ofLog(database)
    if let reader = reader(of: database, in: report) { facts.append(("Reader in the way of checkpoints", reader)) }
    if database.checkpointsRefused > 0 {
      let count = Digits.grouped(database.checkpointsRefused)
      facts.append(("Checkpoints that did not begin", "\(count), since another ran"))
    }
    return facts + ofFiles(database)
  }

  private static func counted(_ count: Int64, _ noun: String, _ plural: String? = nil) -> String {
    HumanUnits.counted(Int(clamping: count), noun, plural: plural)
  }

  /// Facts about the write-ahead log; empty if there is none.
  private static func ofLog(_ database: WatchReport.Database) -> [(name: String, text: String)] {
    guard database.walFrames > 0 || database.walPeakBytes > 0 else { return [] }
    let log =
      "\(HumanUnits.bytes(database.walPeakBytes)) at its peak, \(counted(database.walFrames, "frame")), "
      + "\(Digits.grouped(database.walOverwrites)) written over in place, begun \(counted(database.walRestarts, "time"))"
    let times = database.checkpointSeconds.flatMap { seconds in
      database.longestCheckpointSeconds.map {
        " in \(HumanUnits.time(seconds)), the longest \(HumanUnits.time($0))"
      }
    }
    let checkpoints =
      "\(Digits.grouped(database.checkpoints)) with \(counted(database.checkpointedPages, "page"))\(times ?? ""); "
      + "\(Digits.grouped(database.checkpointsHeldBack)) held back by a reader"
    var facts: [(name: String, text: String)] = [("Write-ahead log", log), ("Checkpoints", checkpoints)]
    if let seconds = database.longestReadSeconds {
      facts.append(("Longest read transaction", HumanUnits.time(seconds)))
    }
    return facts
  }

  private static func ofFiles(_ database: WatchReport.Database) -> [(name: String, text: String)] {
    var facts: [(name: String, text: String)] = []
    let files = [
      ("file", database.file), ("log", database.wal), ("journal", database.journal),
      ("temporary files", database.temporary),
    ]
    for (name, file) in files where file.reads > 0 || file.writes > 0 {
      facts.append(
        (
          "Bytes of the \(name)",
          "\(HumanUnits.bytes(file.bytesRead)) read in \(counted(file.reads, "call")), \(HumanUnits.bytes(file.bytesWritten)) written in \(Digits.grouped(file.writes))"
        ))
    }
    for (name, file) in files where file.syncs > 0 {
      let times = file.syncSeconds.flatMap { seconds in
        file.longestSyncSeconds.map { " in \(HumanUnits.time(seconds)), the longest \(HumanUnits.time($0))" }
      }
      facts.append(("Syncs of the \(name)", Digits.grouped(file.syncs) + (times ?? "")))
    }
    if let syncs = database.directorySyncs, syncs > 0 { facts.append(("Syncs of the folder", Digits.grouped(syncs))) }
    if let bytes = database.storedBytes { facts.append(("Stored", HumanUnits.bytes(bytes))) }
    if let factor = database.writeAmplification {
      facts.append(("Bytes written for each byte stored", Digits.significant(factor)))
    }
    facts.append(
      (
        "Page cache",
        "\(counted(database.cacheHits, "hit")), \(counted(database.cacheMisses, "miss", "misses")), \(counted(database.cacheSpills, "spill"))"
      ))
    return facts
  }

  // MARK: - Statements

  private static let noRun = "no run of it was timed"
  private static let noAllocation = "its process's allocations were not metered"

  /// The most expensive comes first: by time, or by bytes if no time is known.
  private static func weight(of statement: WatchReport.Statement) -> (Double, Int64, String) {
    (statement.totalSeconds ?? 0, statement.allocatedBytes ?? 0, statement.text)
  }

  private static func statements(_ report: WatchReport, in document: inout Document) {
    guard report.tracesStatements, !report.statements.isEmpty else { return }
    document.heading(2, "Statements")
    var columns: [Table.Column] = [
      .number("Runs"), .number("Rows"), .time("Time"), .time("Median"), .time("Longest"), .number("VM steps"),
      .number("Full-scan steps"), .number("Sorts"), .number("Prepared"),
    ]
    if report.metersMemory { columns.replaceSubrange(2..<5, with: [.number("Allocations"), .bytes("Allocated")]) }
    var table = Table("Statement", columns)
    let sorted = report.statements.sorted { weight(of: $0) > weight(of: $1) }
    for statement in sorted.prefix(50) {
      var values: [Table.Value] = [
        .count(statement.runs), .count(statement.rowsReturned.addingClamped(statement.rowsChanged)),
        .figure(statement.totalSeconds, or: noRun), .figure(statement.medianSeconds, or: noRun),
        .figure(statement.longestSeconds, or: noRun), .count(statement.vmSteps), .count(statement.fullScanSteps),
        .count(statement.sorts), .count(statement.preparations),
      ]
      if report.metersMemory {
        values.replaceSubrange(
          2..<5,
          with: [
            .figure(statement.allocations, or: noAllocation),
            .figure(statement.allocatedBytes, or: noAllocation),
          ])
      }
      table.append(statement.text.isEmpty ? "(others)" : statement.text.cut(to: 120), values)
    }
    document.table(table)
    if sorted.count > 50 {
      document.paragraph("\(HumanUnits.counted(sorted.count - 50, "statement")) more in `statements.csv`.")
    }
    plans(of: Array(sorted.prefix(50)), in: &document)
  }

  /// The plan of each statement that has one, as a list of its steps.
  private static func plans(of statements: [WatchReport.Statement], in document: inout Document) {
    let planned = statements.filter { $0.plan != nil }
    if planned.isEmpty { return }
    document.heading(3, "Query plans")
    document.list(
      planned.map { statement in
        let steps = (statement.plan ?? "").split(separator: "\n").map { step in
          // This Markdown supports lists with two levels: deeper steps have a mark for each level.
          let depth = step.prefix { $0 == " " }.count / 2
          return String(repeating: "· ", count: depth) + Markdown.code(String(step.drop { $0 == " " }))
        }
        return ListItem(Markdown.code(statement.text.onOneLine.cut(to: 120)), steps)
      })
  }

  private static func processes(_ report: WatchReport, in document: inout Document) {
    if report.processes.isEmpty { return }
    document.heading(2, "Processes")
    var table = Table(
      "Process",
      [
        .text("Program"), .text("SQLite"), .number("Threads"), .number("Connections"), .number("In memory"),
        .number("Waits"), .time("Waited"),
      ])
    for process in report.processes.prefix(mostProcesses) {
      table.append(
        "\(process.number)",
        [
          .text(process.executable + (process.isFork ? " (forked)" : "")), .text(process.sqliteVersion),
          .count(process.threads), .count(process.connections), .count(process.connectionsInMemory),
          .count(process.sleeps), .figure(process.sleepSeconds, or: noTimes),
        ])
    }
    document.table(table)
    otherProcesses(report, in: &document)
  }

  /// Further processes are only in the file that lists all of them.
  private static let mostProcesses = 50

  private static func otherProcesses(_ report: WatchReport, in document: inout Document) {
    let others = report.processes.count - mostProcesses
    if others > 0 {
      document.paragraph("\(HumanUnits.counted(others, "process", plural: "processes")) more in `watch.json`.")
    }
  }

  private static func memory(_ report: WatchReport, in document: inout Document) {
    guard report.metersMemory else { return }
    document.heading(2, "Heap")
    guard report.processes.contains(where: { $0.heap != nil }) else {
      document.paragraph("No process that used SQLite allocated by functions that can be metered.")
      return
    }
    var table = Table(
      "Process",
      [
        .text("Program"), .bytes("Peak"), .bytes("SQLite at most"), .bytes("Rest at most"), .number("Allocations"),
        .bytes("Allocated"),
      ])
    for process in report.processes.prefix(mostProcesses) {
      let reason = "it has an allocator of its own"
      let uncounted = process.heap == nil ? reason : "SQLite does not count there"
      table.append(
        "\(process.number)",
        [
          .text(process.executable), .figure(process.heap?.peakBytes, or: reason),
          .figure(process.heap?.sqlitePeakBytes, or: uncounted),
          .figure(process.heap?.restPeakBytes, or: uncounted),
          .figure(process.heap?.allocations, or: reason),
          .figure(process.heap?.allocatedBytes, or: reason),
        ])
    }
    document.table(table)
    otherProcesses(report, in: &document)
  }

  private static func connections(_ report: WatchReport, in document: inout Document) {
    if report.connections.isEmpty { return }
    document.heading(2, "Connections")
    var table = Table(
      "Process and thread that opened them",
      [
        .text("Database"), .number("Opened"), .number("Most at once"), .time("Open"), .number("Statements"),
        .number("Not finalized"),
      ])
    for connections in report.connections.prefix(50) {
      let database = connections.database.flatMap {
        report.databases.indices.contains($0) ? WatchProse.name(of: report.databases[$0]) : nil
      }
      table.append(
        "\(connections.process), " + (connections.thread.map { "thread \($0)" } ?? "others"),
        [
          .text(database ?? ""), .count(connections.opened), .count(connections.mostOpen),
          .figure(connections.openSeconds, or: noTimes), .count(connections.statements),
          .count(connections.unfinalized),
        ])
    }
    document.table(table)
    if report.connections.count > 50 {
      document.paragraph("\(HumanUnits.counted(report.connections.count - 50, "row")) more in `connections.csv`.")
    }
  }

  /// The meter's own cost; `nil` if no time is known.
  private static func cost(of report: WatchReport) -> String? {
    guard let watchSeconds = report.watchSeconds else { return nil }
    let watch = "`watch` itself took \(HumanUnits.time(watchSeconds)) of processor time beside the program."
    if report.processes.isEmpty { return watch }
    let seconds = report.processes.compactMap(\.meterSeconds).reduce(0, +)
    return "The meter took \(HumanUnits.time(seconds)) within the program, estimated from one in 61 of its calls; "
      + "what SQLite does to call it is not among that. \(watch)"
  }

  /// How times were measured, or why there are none.
  private static func times(in report: WatchReport) -> [String?] {
    if report.metersMemory {
      return [
        "The heap was metered by a second library, over the allocator that the program has, with Python's and PHP's own turned off. That takes time, so no time is reported and no plan was requested.",
        "Sizes are those that the allocator hands out. Memory that a program maps itself is not among them, as of Java, Go and Node.",
        "Allocations of a statement are all of SQLite's, from a run's first step to its end.",
      ]
    }
    return [
      "Runs, rows and bytes are counted one by one. For a statement that runs often, one run in \(report.timedEach) was timed, and its VM steps were read as often.",
      cost(of: report),
      "A run lasts from its first step to its end: a query's time has what the program does between rows.",
    ]
  }

  private static func method(_ report: WatchReport, files: [String], in document: inout Document) {
    document.heading(2, "How it was measured")
    let preamble = [
      "A preloaded library put a metering VFS in front of SQLite's, and a tracer on each connection. It sets no hook that a program may set.",
      report.hasValues
        ? "Texts of statements are as the program wrote them (--values)."
        : "Literals of statements are shown as ?; no value left the program.",
    ]
    document.list((preamble + times(in: report).compactMap(\.self)).map { ListItem($0) })
    if !files.isEmpty {
      document.paragraph("Beside this page: \(HumanUnits.list(files.map { Markdown.code($0) })).")
    }
  }
}
