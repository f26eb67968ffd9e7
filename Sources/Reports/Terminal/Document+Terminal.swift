// A page as text for a terminal, without marks and in lines that fit.

extension Document {
  /// The text without pictures and folded parts, each line ending with a line feed.
  ///
  /// - Parameters:
  ///   - width: The maximum length of a line; only a longer figure exceeds it.
  ///   - isASCII: Whether the terminal shows only ASCII characters.
  /// - Returns: The blocks, separated by blank lines.
  func text(width: Int, isASCII: Bool = false) -> String {
    let parts = blocks.map { Document.lines(of: $0, width: width) }.filter { !$0.isEmpty }
    let lines = parts.joined(separator: [""])
    return lines.map { (isASCII ? TerminalText.ascii($0) : $0) + "\n" }.joined()
  }

  private static func lines(of block: Block, width: Int) -> [String] {
    switch block {
    case .opening(let opening):
      TerminalText.folded(Markdown.plain(opening.verdict), to: width)
        + TerminalText.folded(([opening.name] + opening.facts).joined(separator: " · "), to: width)
    case .heading(_, let title): TerminalText.folded(title, to: width)
    case .paragraph(let text): TerminalText.folded(Markdown.plain(text), to: width)
    case .list(let items):
      items.flatMap { item in
        indented(Markdown.plain(item.text), by: 2, width: width)
          + item.items.flatMap { indented(Markdown.plain($0), by: 4, width: width) }
      }
    case .notices(let notices):
      notices.flatMap { indented(Markdown.plain($0.line), by: 2, width: width) }
    case .fence(let text, _): text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    case .table(let table): table.lines(width: width)
    case .glossary, .picture, .frames, .folded: []
    }
  }

  private static func indented(_ text: String, by blanks: Int, width: Int) -> [String] {
    TerminalText.folded(text, to: width - blanks).map { String(repeating: " ", count: blanks) + $0 }
  }
}

extension Table {
  /// The table in columns, or each row in several lines if they do not fit.
  ///
  /// - Parameter width: The maximum length of a line.
  /// - Returns: The lines, without line feeds, and below them the values that all rows share.
  func lines(width: Int) -> [String] {
    let layout = layout
    let titles = layout.columns.map { $0.text.onOneLine }
    let rows = layout.rows.map { row in [row.name.onOneLine] + row.figures.map { $0.whole.onOneLine } }
    let widths = titles.indices.map { column in ([titles] + rows).map { $0[column].count }.max() ?? 0 }
    let below = layout.sentence({ $1 }, figure: { $0 }).map { [""] + TerminalText.folded($0, to: width) } ?? []
    guard widths.reduce(2 * (widths.count - 1), +) <= width else {
      let names = titles.dropFirst().map(\.count).max() ?? 0
      let records = rows.map { row in
        [row[0]] + titles.indices.dropFirst().map { "  " + Table.padded(titles[$0], names, .left) + "  " + row[$0] }
      }
      return Array(records.joined(separator: [""])) + below
    }
    let lines = ([titles] + rows).map { row in
      let fields = row.indices.map { Table.padded(row[$0], widths[$0], layout.columns[$0].alignment) }
      let line = fields.joined(separator: "  ")
      return String(line[...(line.lastIndex { $0 != " " } ?? line.startIndex)])
    }
    return lines + below
  }

  private static func padded(_ text: String, _ width: Int, _ alignment: Alignment) -> String {
    let blanks = String(repeating: " ", count: max(0, width - text.count))
    return alignment == .left ? text + blanks : blanks + text
  }
}

extension Document {
  /// The page in a form.
  func text(as form: PageForm) -> String {
    switch form {
    case .markdown: markdown
    case .terminal(let width, let isASCII): text(width: width, isASCII: isASCII)
    }
  }
}
