// Renders a page as Markdown.
internal import Charts

extension Document {
  /// The text, ending with a line feed; blank lines separate the blocks.
  var markdown: String { Document.markdown(blocks).joined(separator: "\n\n") + "\n" }

  /// The same for a comment or a job summary, where readers can open folded blocks.
  var comment: String { Document.markdown(blocks, opens: true).joined(separator: "\n\n") + "\n" }

  private static func markdown(_ blocks: [Block], opens: Bool = false) -> [String] {
    blocks.flatMap { markdown($0, opens: opens) }
  }

  private static func markdown(_ block: Block, opens: Bool = false) -> [String] {
    switch block {
    case .opening(let opening): markdown(opening)
    case .heading(let level, let title): [heading(level, Markdown.escaped(title))]
    case .paragraph(let text): [Markdown.startingNoBlock(text)].filter { !$0.isEmpty }
    case .notices(let notices): markdown(.list(notices.map { ListItem($0.line, $0.details) }))
    case .list(let items):
      [
        items.flatMap { item in
          ["- " + Markdown.startingNoBlock(item.text)] + item.items.map { "  - " + Markdown.startingNoBlock($0) }
        }.joined(separator: "\n")
      ]
    case .fence(let text, let language):
      // Use a longer fence than any run of backticks in the text.
      [String(repeating: "`", count: max(3, Markdown.longestBacktickRun(in: text) + 1))].map {
        "\($0)\(language)\n\(text)\n\($0)"
      }
    case .table(let table): table.markdown
    case .glossary: [Glossary.markdown]
    case .picture(let picture): ["![\(Markdown.escaped(picture.chart.title))](\(Markdown.target(picture.path)))"]
    case .frames: []
    case .folded(let title, let blocks) where opens:
      ["<details><summary>\(HTML.escaped(title))</summary>"] + markdown(blocks, opens: true) + ["</details>"]
    case .folded(let title, let blocks): ["**\(Markdown.escaped(title))**"] + markdown(blocks)
    }
  }

  private static func heading(_ level: Int, _ markdown: String) -> String {
    // Number signs at the end of a title would be removed with the heading's own.
    String(repeating: "#", count: level) + " " + markdown.replacing("#", with: "\\#")
  }

  private static func markdown(_ opening: Opening) -> [String] {
    var parts = [heading(opening.level, opening.verdict)]
    let facts = ([opening.name] + opening.facts).map { Markdown.escaped($0) }
    parts.append(Markdown.startingNoBlock(facts.joined(separator: " · ")))
    if !opening.question.isEmpty { parts.append("Asked: \(Markdown.escaped(opening.question))") }
    return parts
  }
}
