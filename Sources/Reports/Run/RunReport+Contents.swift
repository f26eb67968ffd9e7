// The contents of the stores at the end, and the settings of the scenario.
internal import Analysis
internal import Support

extension RunReport {
  static func contentsSection(on scenario: ScenarioReport, level: Int, in document: inout Document) {
    document.heading(level, scenario.operation == .insert ? "What was stored" : "What the stores held in the end")
    document.paragraph(words(of: scenario.contents))
    if let links = scenario.links { document.paragraph(words(of: links)) }
    let apart = Prose(scenario).sentences(on: scenario.findings.filter(\.isOfWork))
    document.paragraph(apart.joined(separator: " "))
    document.table(contentsTable(of: scenario))
    let remarks = scenario.modelRemarks
    if !remarks.isEmpty {
      document.paragraph("What the file with the model leaves open:")
      document.list(remarks.map { ListItem(Markdown.escaped($0)) })
    }
  }

  private static func words(of agreement: ContentsAgreement) -> String {
    switch agreement {
    case .shared(let hash): "Every sample ended with the same attributes; their hash is \(Markdown.code(hash))."
    case .sharedByCondition:
      "Every sample ended with the same attributes as the others with the same swept values; the table has their hashes."
    case .different: "**The samples share no content hash: some stored other rows, or none succeeded.**"
    case .noSample: "No sample was taken, so there is no content hash."
    }
  }

  private static func words(of shared: SharedLinks) -> String {
    let links = shared.links.map { link in
      "\(HumanUnits.counted(link.linkedRows, "row")) by \(Markdown.code(link.relationship)) to "
        + "\(HumanUnits.counted(link.objects, "object")) (hash \(Markdown.code(link.hash)))"
    }
    let who = shared.isOfEverySample ? "Every sample" : "Every sample whose rows are related"
    return "\(who) ended with the same links: \(HumanUnits.list(links))."
  }

  static func contentsTable(of scenario: ScenarioReport) -> Table {
    // If all share a hash, it is shown above.
    let isShared = if case .shared = scenario.contents { true } else { false }
    var table = Table(
      "Cell",
      [
        .number("Rows"), .text("Nulls", folds: true), .text("Versions (Z_OPT)", folds: true), .bytes("Database"),
      ] + (isShared ? [] : [.text("Content hash")]))
    for cell in scenario.cells {
      let contents = cell.contents
      table.append(
        cell.label,
        [
          .figure(contents.map { Int64($0.rows) }), .text(contents, nulls),
          contents.figure?.versions.isEmpty == true
            ? .absent("its store has no version counters") : .text(contents, versions),
          .figure(cell.databaseBytes),
          contents.figure == nil ? .text(contents) { _ in "" } : .text(cell.contentHash) { $0 },
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
      .map { "\($0.key) (\(HumanUnits.counted($0.value, "row")))" }.joined(separator: ", ")
  }

  static func questionTable(of scenario: ScenarioReport) -> Table {
    var table = Table(facts: "Scenario")
    table.append("File", [.text(scenario.file)])
    table.append("Fingerprint", [.text(scenario.fingerprint)])
    table.append("Source", [.text(scenario.source)])
    table.append("Rows", [.text(rows(of: scenario))])
    if let change = scenario.change {
      table.append("Operation", [.text(change.operation.rawValue)])
      table.append("Where", [.text(change.conditions?.joined(separator: "; ") ?? change.condition ?? "every row")])
      if let manner = change.manner { table.append("How", [.text(manner)]) }
      if !change.assignments.isEmpty { table.append("Set", [.text(change.assignments.joined(separator: ", "))]) }
      table.append(
        "Rows \(change.operation.participle)",
        [
          .text(scenario.rowCounts.changed, or: "no sample succeeded") {
            (scenario.rowCounts.changedLeast.map { Digits.grouped($0) + " to " } ?? "") + Digits.grouped($0)
          }
        ])
    }
    if scenario.repeats > 1 { table.append("Repeat", [.text(Digits.grouped(scenario.repeats))]) }
    if scenario.sweptValues(of: "merge_policy") == nil {
      table.append("Merge policy", [.text(scenario.mergePolicy ?? "none")])
    }
    for axis in scenario.sweptConditions where axis.key != "rows" {
      table.append("Swept: \(axis.key)", [.text(axis.values.map(\.description).joined(separator: ", "))])
    }
    table.append("Timed rounds asked for", [.text(Digits.grouped(scenario.rounds))])
    return table
  }

  /// All numbers of rows, if rows are swept.
  private static func rows(of scenario: ScenarioReport) -> String {
    let swept = scenario.sweptValues(of: "rows")?.map { value in
      if case .count(let rows) = value { Digits.grouped(rows) } else { value.description }
    }
    return swept.map { $0.joined(separator: "; ") } ?? Digits.grouped(scenario.rows)
  }

  /// The pragmas that all stores share.
  static func pragmaTable(of scenario: ScenarioReport) -> Table {
    var table = Table("Pragma", [.text("Value")])
    for pragma in scenario.pragmas where scenario.sweptValues(of: pragma.name) == nil {
      table.append(pragma.name, [.text(pragma.word)])
    }
    return table
  }
}

extension Finding {
  fileprivate var isOfWork: Bool {
    if case .unequalWork = kind { true } else { false }
  }
}
