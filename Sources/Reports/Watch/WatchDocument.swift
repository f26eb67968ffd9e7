// The page of a watched program: what stands out, then each database and each statement.
internal import Analysis

/// Writes what `watch` saw.
enum WatchDocument {
  /// The page; `files` are the names of the files beside it.
  static func document(_ report: WatchReport, files: [String]) -> Document {
    var document = Document()
    document.open(opening(of: report))
    for gap in report.gaps { document.paragraph("**\(Markdown.escaped(WatchProse.sentence(gap)))**") }
    findings(report, in: &document)
    overTime(report, in: &document)
    databases(report, in: &document)
    statements(report, in: &document)
    processes(report, in: &document)
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
    var facts = [
      HumanUnits.time(report.seconds), end, HumanUnits.counted(report.databases.count, "database"), report.began,
    ]
    if let bytes = report.residentPeakBytes { facts.insert("\(HumanUnits.bytes(bytes)) resident at most", at: 1) }
    return Opening(
      name: report.program, facts: facts, verdict: verdict, question: "What does \(report.program) do with SQLite?")
  }

  private static func findings(_ report: WatchReport, in document: inout Document) {
    if report.findings.isEmpty { return }
    document.heading(2, "Findings")
    for finding in report.findings {
      document.paragraph(
        "**\(finding.kind.number). \(WatchProse.title(finding, in: report)).** \(WatchProse.advice(finding))")
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

  private static func transactions(_ database: WatchReport.Database, in document: inout Document) {
    if database.transactions.isEmpty { return }
    var table = Table(
      "Transactions that write",
      [.number("Begun"), .number("Committed"), .number("Not committed"), .time("Lock held"), .time("Longest")])
    for kind in WatchReport.Transactions.Kind.allCases {
      guard let transactions = database.transactions.first(where: { $0.kind == kind }) else { continue }
      let locks = kind != .unknown || transactions.heldSeconds > 0
      table.append(
        WatchProse.words(kind),
        [
          .count(transactions.begun), .count(transactions.committed),
          .count(max(0, transactions.begun - transactions.committed)),
          .figure(locks ? transactions.heldSeconds : nil, or: "no lock was taken for them"),
          .figure(locks ? transactions.longestHeldSeconds : nil, or: "no lock was taken for them"),
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
          .count(checkpoints.runs), .count(checkpoints.pages), .figure(checkpoints.seconds, or: "no time was taken"),
          .count(checkpoints.leftForReader), .count(checkpoints.mostFramesLeft), .count(checkpoints.leftForWriter),
        ])
    }
    document.table(table)
  }

  /// Which reader kept checkpoints back; nil where none did.
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
      words.append("\(Digits.grouped(database.heldBackElsewhere)) times a reader of another process")
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
        "\(Digits.grouped(database.commits)) committed, \(Digits.grouped(database.rollbacks)) rolled back; \(Digits.grouped(database.rowsChanged)) rows changed"
      ))
    facts.append(
      (
        "Lock for writing",
        "held \(HumanUnits.time(database.heldSeconds)), at most \(HumanUnits.time(database.longestHeldSeconds)) at once"
      ))
    facts.append(
      (
        "Locks refused",
        "\(Digits.grouped(database.refusals)), of which \(Digits.grouped(database.refusalsAtOnce)) without a wait; \(Digits.grouped(database.staleSnapshots)) stale snapshots"
      ))
    facts += ofLog(database)
    if let reader = reader(of: database, in: report) { facts.append(("Reader in the way of checkpoints", reader)) }
    if database.checkpointsRefused > 0 {
      let count = Digits.grouped(database.checkpointsRefused)
      facts.append(("Checkpoints that did not begin", "\(count), since another ran"))
    }
    return facts + ofFiles(database)
  }

  /// What there is to say of the write-ahead log; nothing where there is none.
  private static func ofLog(_ database: WatchReport.Database) -> [(name: String, text: String)] {
    guard database.walFrames > 0 || database.walPeakBytes > 0 else { return [] }
    let log =
      "\(HumanUnits.bytes(database.walPeakBytes)) at its peak, \(Digits.grouped(database.walFrames)) frames, "
      + "\(Digits.grouped(database.walOverwrites)) written over in place, begun \(Digits.grouped(database.walRestarts)) times"
    let checkpoints =
      "\(Digits.grouped(database.checkpoints)) with \(Digits.grouped(database.checkpointedPages)) pages in "
      + "\(HumanUnits.time(database.checkpointSeconds)), the longest \(HumanUnits.time(database.longestCheckpointSeconds)); "
      + "\(Digits.grouped(database.checkpointsHeldBack)) held back by a reader"
    return [
      ("Write-ahead log", log), ("Checkpoints", checkpoints),
      ("Longest read transaction", HumanUnits.time(database.longestReadSeconds)),
    ]
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
          "\(HumanUnits.bytes(file.bytesRead)) read in \(Digits.grouped(file.reads)) calls, \(HumanUnits.bytes(file.bytesWritten)) written in \(Digits.grouped(file.writes))"
        ))
    }
    for (name, file) in files where file.syncs > 0 {
      facts.append(
        (
          "Syncs of the \(name)",
          "\(Digits.grouped(file.syncs)) in \(HumanUnits.time(file.syncSeconds)), the longest \(HumanUnits.time(file.longestSyncSeconds))"
        ))
    }
    if let syncs = database.directorySyncs, syncs > 0 { facts.append(("Syncs of the folder", Digits.grouped(syncs))) }
    if let bytes = database.storedBytes { facts.append(("Stored", HumanUnits.bytes(bytes))) }
    if let factor = database.writeAmplification {
      facts.append(("Bytes written for each byte stored", Digits.significant(factor)))
    }
    facts.append(
      (
        "Page cache",
        "\(Digits.grouped(database.cacheHits)) hits, \(Digits.grouped(database.cacheMisses)) misses, \(Digits.grouped(database.cacheSpills)) spills"
      ))
    return facts
  }

  // MARK: - Statements

  private static func statements(_ report: WatchReport, in document: inout Document) {
    guard report.tracesStatements, !report.statements.isEmpty else { return }
    document.heading(2, "Statements")
    var table = Table(
      "Statement",
      [
        .number("Runs"), .number("Rows"), .time("Time"), .time("Median"), .time("Longest"), .number("VM steps"),
        .number("Full-scan steps"), .number("Sorts"), .number("Prepared"),
      ])
    let sorted = report.statements.sorted { ($0.totalSeconds ?? 0, $1.text) > ($1.totalSeconds ?? 0, $0.text) }
    for statement in sorted.prefix(50) {
      let reason = "no run of it was timed"
      table.append(
        statement.text.isEmpty ? "(others)" : statement.text.cut(to: 120),
        [
          .count(statement.runs), .count(statement.rowsReturned + statement.rowsChanged),
          .figure(statement.totalSeconds, or: reason), .figure(statement.medianSeconds, or: reason),
          .figure(statement.longestSeconds, or: reason), .count(statement.vmSteps), .count(statement.fullScanSteps),
          .count(statement.sorts), .count(statement.preparations),
        ])
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
          // Markdown has lists of lists in two levels here: deeper steps are shown with a mark for each.
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
    for process in report.processes.prefix(50) {
      table.append(
        "\(process.number)",
        [
          .text(process.executable + (process.isFork ? " (forked)" : "")), .text(process.sqliteVersion),
          .count(process.threads), .count(process.connections), .count(process.connectionsInMemory),
          .count(process.sleeps), .number(process.sleepSeconds),
        ])
    }
    document.table(table)
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
          .figure(connections.openSeconds, or: "no time was taken"), .count(connections.statements),
          .count(connections.unfinalized),
        ])
    }
    document.table(table)
    if report.connections.count > 50 {
      document.paragraph("\(HumanUnits.counted(report.connections.count - 50, "row")) more in `connections.csv`.")
    }
  }

  /// What the meter itself took, and its share of the time of all processes.
  private static func cost(of report: WatchReport) -> String {
    let seconds = report.processes.map(\.meterSeconds).reduce(0, +)
    let watch = "`watch` itself took \(HumanUnits.time(report.watchSeconds)) of processor time beside the program."
    if report.processes.isEmpty { return watch }
    return "The meter took \(HumanUnits.time(seconds)) within the program, estimated from one in 61 of its calls; "
      + "what SQLite does to call it is not among that. \(watch)"
  }

  private static func method(_ report: WatchReport, files: [String], in document: inout Document) {
    document.heading(2, "How it was measured")
    document.list(
      [
        "A preloaded library put a metering VFS in front of SQLite's, and a tracer on each connection. It sets no hook that a program may set.",
        report.hasValues
          ? "Texts of statements are as the program wrote them (--values)."
          : "Literals of statements are shown as ?; no value left the program.",
        "Runs, rows and bytes are counted one by one. Of a statement that runs again and again, one run in \(report.timedEach) was timed, and its VM steps were read as often.",
        cost(of: report),
        "A run lasts from its first step to its end: a query's time has what the program does between rows.",
      ].map { ListItem($0) })
    if !files.isEmpty {
      document.paragraph("Beside this page: \(HumanUnits.list(files.map { Markdown.code($0) })).")
    }
  }
}
