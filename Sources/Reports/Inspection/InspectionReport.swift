// Writes an inspection for a terminal, as Markdown, as HTML and as JSON.

package import Analysis

/// Writes the results of an inspection.
package enum InspectionReport {
  /// Aligned columns, each line ending with a line feed.
  package static func lines(_ inspection: StoreInspection) -> String { lines(InspectionPage(inspection)) }

  /// What was checked and what was found, each line ending with a line feed.
  package static func lines(_ inspection: IntegrityInspection) -> String { lines(InspectionPage(inspection)) }

  /// The effects of a model on a store, each line ending with a line feed.
  package static func lines(_ inspection: MigrationInspection) -> String { lines(InspectionPage(inspection)) }

  private static func lines(_ page: InspectionPage) -> String {
    var paragraphs: [String] = []
    for block in page.blocks {
      switch block {
      case .heading(_, let title): paragraphs.append(title.onOneLine)
      case .facts(let facts): paragraphs.append(columns(facts.map { [$0.name, $0.text] }, [.left, .left]))
      case .table(let table):
        paragraphs.append(columns([table.columns.map(\.title)] + table.rows, table.columns.map(\.alignment)))
      case .list(let items):
        paragraphs.append(items.flatMap { bullet($0.folded(to: TerminalTable.lineWidth - 2)) }.joined(separator: "\n"))
      case .sentence(let sentence):
        paragraphs.append(sentence.folded(to: TerminalTable.lineWidth).joined(separator: "\n"))
      }
    }
    return paragraphs.joined(separator: "\n\n") + "\n"
  }

  /// A page of Markdown.
  package static func markdown(_ inspection: StoreInspection) -> String {
    document(InspectionPage(inspection)).markdown
  }

  /// A page of Markdown.
  package static func markdown(_ inspection: IntegrityInspection) -> String {
    document(InspectionPage(inspection)).markdown
  }

  /// A page of Markdown.
  package static func markdown(_ inspection: MigrationInspection) -> String {
    document(InspectionPage(inspection)).markdown
  }

  /// The same, as an HTML page.
  package static func html(_ inspection: MigrationInspection) -> String {
    Page(title: inspection.file, document: document(InspectionPage(inspection))).html
  }

  /// The same, as an HTML page.
  package static func html(_ inspection: StoreInspection) -> String {
    Page(title: inspection.file.name, document: document(InspectionPage(inspection))).html
  }

  /// The same, as an HTML page.
  package static func html(_ inspection: IntegrityInspection) -> String {
    Page(title: inspection.file, document: document(InspectionPage(inspection))).html
  }

  private static func document(_ page: InspectionPage) -> Document {
    var document = Document()
    for block in page.blocks {
      switch block {
      case .heading(let level, let title): document.heading(level, title)
      case .facts(let facts):
        document.list(facts.map { ListItem("\(Markdown.escaped($0.name)): \(Markdown.escaped($0.text))") })
      case .table(let table):
        var markdown = Table(table.columns)
        for row in table.rows { markdown.append(row[0], row.dropFirst().map { .text($0) }) }
        document.table(markdown)
      case .list(let items): document.list(items.map { ListItem(Markdown.escaped($0)) })
      case .sentence(let sentence): document.paragraph(Markdown.escaped(sentence))
      }
    }
    return document
  }

  /// All figures under stable names, with `StoreInspection.currentSchemaVersion`.
  ///
  /// - Throws: ``ReportError`` if the inspection cannot be encoded.
  package static func json(_ inspection: StoreInspection) throws(ReportError) -> String {
    try StoredJSON.render(inspection, file: "the inspection of \(inspection.file.name)")
  }

  /// The whole check under stable names, with `IntegrityInspection.currentSchemaVersion`.
  ///
  /// - Throws: ``ReportError`` if the check cannot be encoded.
  package static func json(_ inspection: IntegrityInspection) throws(ReportError) -> String {
    try StoredJSON.render(inspection, file: "the check of \(inspection.file)")
  }

  /// The effects on stores under stable names, with `MigrationInspection.currentSchemaVersion`.
  ///
  /// - Throws: ``ReportError`` if it cannot be encoded.
  package static func json(_ inspections: [MigrationInspection]) throws(ReportError) -> String {
    try StoredJSON.render(inspections, file: "the inspection of stores against a model")
  }

  /// Lines of a list item: the first one begins with a dash, the others are indented.
  private static func bullet(_ lines: [String]) -> [String] {
    lines.enumerated().map { ($0 == 0 ? "- " : "  ") + $1 }
  }

  /// Texts in columns as wide as their widest text; the last column is not padded.
  private static func columns(_ rows: [[String]], _ alignments: [Table.Alignment]) -> String {
    let rows = rows.map { $0.map(\.onOneLine) }
    let widths = alignments.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let fields = row.enumerated().map { column, text in
        let padding = String(repeating: " ", count: widths[column] - text.count)
        return alignments[column] == .left ? text + padding : padding + text
      }
      var line = fields.joined(separator: "  ")[...]
      while line.last == " " { line.removeLast() }
      return String(line)
    }.joined(separator: "\n")
  }
}
