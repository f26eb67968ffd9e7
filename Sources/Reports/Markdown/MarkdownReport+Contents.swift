// What the stores held in the end, and what the scenario asked for.
internal import Analysis
internal import Harness
internal import Scenarios
internal import Workloads

extension MarkdownReport {
  static func contentsSection(on analysis: ScenarioAnalysis, level: Int, in document: inout MarkdownDocument) {
    let scenario = analysis.scenario
    document.heading(level, scenario.operation == .insert ? "What was stored" : "What the stores held in the end")
    if let hash = scenario.contentHash {
      document.paragraph("Every sample ended with the same attributes; their hash is \(Markdown.code(hash)).")
    } else if isOfOneContentEach(scenario) {
      document.paragraph(
        "Every sample ended with the same attributes as the others with the same swept values; the table has their hashes."
      )
    } else if scenario.cells.contains(where: { !$0.samples.isEmpty || !$0.failures.isEmpty }) {
      document.paragraph("**The samples share no content hash: some stored other rows, or none succeeded.**")
    } else {
      document.paragraph("No sample was taken, so there is no content hash.")
    }
    if let links = sharedLinks(of: scenario) { document.paragraph(links) }
    let apart = Prose(analysis).sentences(on: analysis.findings.filter(\.isOfWork))
    document.paragraph(apart.joined(separator: " "))
    document.table(contentsTable(of: scenario))
    if let remarks = scenario.modelRemarks {
      document.paragraph("What the file with the model leaves open:")
      document.list(remarks.map { MarkdownItem(Markdown.escaped($0)) })
    }
  }

  /// What rows are linked to, where every sample has the same; nil where they stand alone.
  private static func sharedLinks(of scenario: ScenarioResults) -> String? {
    let samples = scenario.cells.flatMap(\.samples)
    let all = Set(samples.compactMap(\.contents.links))
    guard all.count == 1, let links = all.first, !links.isEmpty else { return nil }
    let told = links.map { link in
      "\(HumanUnits.counted(link.linkedRows, "row")) by \(Markdown.code(link.relationship)) to "
        + "\(HumanUnits.counted(link.objects, "object")) (hash \(Markdown.code(link.hash)))"
    }
    let who = samples.allSatisfy { $0.contents.links != nil } ? "Every sample" : "Every sample whose rows are related"
    return "\(who) ended with the same links: \(HumanUnits.list(told))."
  }

  /// Whether cells with the same swept values stored the same, and no cell failed to.
  private static func isOfOneContentEach(_ scenario: ScenarioResults) -> Bool {
    let cells = scenario.cells
    guard !scenario.sweptConditions.isEmpty, cells.allSatisfy({ $0.contentHash != nil && $0.failures.isEmpty }) else {
      return false
    }
    return cells.map(\.cell).distinctConditions.allSatisfy { conditions in
      Set(cells.filter { $0.cell.conditions == conditions }.map(\.contentHash)).count == 1
    }
  }

  private static func contentsTable(of scenario: ScenarioResults) -> MarkdownTable {
    var table = MarkdownTable(
      "Cell", ["Rows", "Nulls", "Versions (Z_OPT)", "Database", "Content hash"], alignment: .left)
    for cell in scenario.cells {
      guard let contents = cell.storeSample?.contents else {
        let absence = MarkdownTable.Value.absent(cell.failures.isEmpty ? "no sample was taken" : "no sample succeeded")
        table.append(cell.label, Array(repeating: absence, count: 5))
        continue
      }
      table.append(
        cell.label,
        [
          .text(Digits.grouped(contents.rows)),
          .text(nulls(in: contents)),
          contents.versions.isEmpty ? .absent("its store has no version counters") : .text(versions(in: contents)),
          .text(HumanUnits.bytes(contents.databaseBytes)),
          cell.contentHash.map { .text($0) } ?? .absent("its samples differ"),
        ])
    }
    return table
  }

  private static func nulls(in contents: StoredContents) -> String {
    let some = contents.nulls.filter { $0.value > 0 }.sorted { $0.key < $1.key }
    return some.isEmpty ? "none" : some.map { "\($0.key) \(Digits.grouped($0.value))" }.joined(separator: ", ")
  }

  private static func versions(in contents: StoredContents) -> String {
    contents.versions.sorted { $0.key < $1.key }
      .map { "\($0.key): \(HumanUnits.counted($0.value, "row"))" }.joined(separator: ", ")
  }

  static func questionTable(of scenario: ScenarioResults) -> MarkdownTable {
    var table = MarkdownTable("Scenario", ["Value"], alignment: .left)
    table.append("File", [.text(scenario.file)])
    table.append("Fingerprint", [.text(scenario.fingerprint)])
    table.append("Source", [.text(scenario.source)])
    table.append("Rows", [.text(rows(of: scenario))])
    if let change = scenario.change {
      table.append("Operation", [.text(change.operation.rawValue)])
      table.append("Where", [.text(change.condition ?? "every row")])
      if !change.assignments.isEmpty { table.append("Set", [.text(change.assignments.joined(separator: ", "))]) }
      let changed = scenario.cells.lazy.compactMap(\.main?.rows).first.map {
        MarkdownTable.Value.text(Digits.grouped($0))
      }
      table.append("Rows \(change.operation.participle)", [changed ?? .absent("no sample succeeded")])
    }
    if let repeats = scenario.repeats, repeats > 1 { table.append("Repeat", [.text(Digits.grouped(repeats))]) }
    if scenario.sweptValues(of: "merge_policy") == nil {
      table.append("Merge policy", [.text(scenario.mergePolicy ?? "none")])
    }
    for axis in scenario.sweptConditions where axis.key != "rows" {
      table.append("Swept: \(axis.key)", [.text(axis.values.map(\.description).joined(separator: ", "))])
    }
    table.append("Timed rounds asked for", [.text(Digits.grouped(scenario.rounds))])
    return table
  }

  /// All of them where rows are swept.
  private static func rows(of scenario: ScenarioResults) -> String {
    let swept = scenario.sweptValues(of: "rows")?.map { value in
      if case .count(let rows) = value { Digits.grouped(rows) } else { value.description }
    }
    return swept.map { $0.joined(separator: "; ") } ?? Digits.grouped(scenario.rows)
  }

  /// The pragmas that every store has alike.
  static func pragmaTable(of scenario: ScenarioResults) -> MarkdownTable {
    var table = MarkdownTable("Pragma", ["Value"], alignment: .left)
    for pragma in scenario.pragmas where scenario.sweptValues(of: pragma.name) == nil {
      table.append(pragma.name, [.text(pragma.word)])
    }
    return table
  }
}

extension StorePragma {
  /// The value as scenarios spell it, where SQLite answers with the number of a word.
  var word: String {
    let words = [
      "synchronous": ["off", "normal", "full", "extra"], "auto_vacuum": ["none", "full", "incremental"],
      "temp_store": ["default", "file", "memory"],
    ]
    guard let words = words[name], let number = Int(value), words.indices.contains(number) else { return value }
    return words[number]
  }
}

extension Finding {
  fileprivate var isOfWork: Bool {
    if case .unequalWork = kind { true } else { false }
  }
}
