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

  /// Markdown that this module made, as a terminal shows it: without the marks of code and of bold text.
  ///
  /// What stands in a code span is left as it is.
  static func plain(_ markdown: String) -> String {
    var plain = ""
    var rest = markdown[...]
    while let character = rest.first {
      let run = rest.prefix { $0 == "`" }
      if !run.isEmpty {
        let body = rest[run.endIndex...]
        guard let close = closing(run.count, in: body) else { return plain + rest }
        let inside = body[..<close.lowerBound]
        plain += run.count == 1 ? inside : inside.dropFirst().dropLast()
        rest = body[close.upperBound...]
      } else if let mark = marks.first(where: { rest.hasPrefix($0.mark) }) {
        plain += mark.meaning
        rest = rest.dropFirst(mark.mark.count)
      } else {
        if character == "\\" { rest = rest.dropFirst() }
        plain += rest.prefix(1)
        rest = rest.dropFirst()
      }
    }
    return plain
  }

  private static let marks = [(mark: "**", meaning: ""), (mark: "&lt;", meaning: "<"), (mark: "&amp;", meaning: "&")]

  /// The next run of exactly so many backticks.
  private static func closing(_ count: Int, in text: Substring) -> Range<Substring.Index>? {
    var rest = text
    while let start = rest.firstIndex(of: "`") {
      let run = rest[start...].prefix { $0 == "`" }
      if run.count == count { return start..<run.endIndex }
      rest = rest[run.endIndex...]
    }
    return nil
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
