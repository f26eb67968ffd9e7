// Markdown, block by block, with foreign text made harmless.

/// A Markdown text under construction; blocks are set apart by blank lines.
struct MarkdownDocument {
  private var blocks: [String] = []

  /// The text, ended by a line feed.
  var text: String { blocks.joined(separator: "\n\n") + "\n" }

  mutating func heading(_ level: Int, _ title: String) {
    blocks.append(String(repeating: "#", count: min(max(level, 1), 6)) + " " + Markdown.escaped(title))
  }

  /// A paragraph of Markdown; nothing when it is empty.
  mutating func paragraph(_ markdown: String) {
    if !markdown.isEmpty { blocks.append(markdown) }
  }

  /// A list of Markdown lines; an item's own items follow it indented.
  mutating func list(_ items: [MarkdownItem]) {
    guard !items.isEmpty else { return }
    blocks.append(items.flatMap { ["- \($0.text)"] + $0.items.map { "  - \($0)" } }.joined(separator: "\n"))
  }

  /// Text as it is, between fences that are longer than any run of backticks in it.
  mutating func fence(_ text: String, language: String = "") {
    let fence = String(repeating: "`", count: max(3, Markdown.longestBacktickRun(in: text) + 1))
    var body = text.withoutControls[...]
    while body.last?.isNewline == true { body.removeLast() }
    blocks.append("\(fence)\(language)\n\(body)\n\(fence)")
  }

  mutating func table(_ table: MarkdownTable) {
    blocks.append(table.text)
    if table.notes.isEmpty { return }
    paragraph("Not measured (—):")
    list(table.notes)
  }
}

/// An item of a list.
struct MarkdownItem {
  var text: String
  var items: [String] = []

  init(_ text: String, _ items: [String] = []) {
    self.text = text
    self.items = items
  }
}

/// Foreign text in Markdown.
enum Markdown {
  /// Text that is to be read as it is, on one line; safe in a table's cell too.
  ///
  /// Scalars and not characters are looked at: a pipe with an accent on it still ends a cell.
  static func escaped(_ text: String) -> String {
    text.onOneLine.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\\", "`", "*", "|": result += "\\\(scalar)"
      case "<": result += "&lt;"
      case "&": result += "&amp;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  /// A name in a code span, on one line; for prose, not for a table, where a pipe would end the cell.
  static func code(_ text: String) -> String {
    let line = text.onOneLine
    let run = longestBacktickRun(in: line)
    let fence = String(repeating: "`", count: run + 1)
    return run == 0 ? "`\(line)`" : "\(fence) \(line) \(fence)"
  }

  static func longestBacktickRun(in text: String) -> Int {
    var longest = 0
    var run = 0
    for scalar in text.unicodeScalars {
      run = scalar == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
