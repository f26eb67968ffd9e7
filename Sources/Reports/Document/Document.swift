// Markdown, block by block.

/// A Markdown text under construction; blocks are set apart by blank lines.
struct Document {
  private var blocks: [String] = []

  /// The text, ended by a line feed.
  var text: String { blocks.joined(separator: "\n\n") + "\n" }

  mutating func heading(_ level: Int, _ title: String) {
    // Number signs at a title's end would be taken for the heading's own.
    let title = Markdown.escaped(title).replacing("#", with: "\\#")
    blocks.append(String(repeating: "#", count: min(max(level, 1), 6)) + " " + title)
  }

  /// A paragraph of Markdown; nothing when it is empty.
  mutating func paragraph(_ markdown: String) {
    let text = Markdown.startingNoBlock(markdown)
    if !text.isEmpty { blocks.append(text) }
  }

  /// A list of Markdown lines; an item's own items follow it indented.
  mutating func list(_ items: [ListItem]) {
    guard !items.isEmpty else { return }
    let lines = items.flatMap { item in
      ["- " + Markdown.startingNoBlock(item.text)] + item.items.map { "  - " + Markdown.startingNoBlock($0) }
    }
    blocks.append(lines.joined(separator: "\n"))
  }

  /// Text as it is, between fences that are longer than any run of backticks in it.
  mutating func fence(_ text: String, language: String = "") {
    let fence = String(repeating: "`", count: max(3, Markdown.longestBacktickRun(in: text) + 1))
    var body = text.withoutControls[...]
    while body.last?.isNewline == true { body.removeLast() }
    blocks.append("\(fence)\(language)\n\(body)\n\(fence)")
  }

  mutating func table(_ table: Table) {
    blocks.append(table.text)
    if table.notes.isEmpty { return }
    paragraph("Not measured (—):")
    list(table.notes)
  }
}

/// An item of a list.
struct ListItem {
  var text: String
  var items: [String] = []

  init(_ text: String, _ items: [String] = []) {
    self.text = text
    self.items = items
  }
}
